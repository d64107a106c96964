/* The library of demo/: what a function returns says which one it is. */
int demoAdd(int x);
int demoCount(int x);
int demoReset(int x);
int demoAdd(int x) { return x + 1000; }
int demoCount(int x) { return x + 2000; }
int demoReset(int x) { return x + 3000; }
