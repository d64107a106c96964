int demoAdd_v2(int x){return x+1;} void demoReset(void){} const char*demoName(int a,const char*const*b){(void)a;(void)b;return "x";}
