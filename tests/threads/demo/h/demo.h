int demoAdd(int x);
int demoCount(int x);
int demoReset(int x);
