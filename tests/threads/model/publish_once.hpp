// The publication protocol of templates/loader.pyx.tmpl, for Relacy: three threads,
// each making a first call. Checked by run_model.py, which also holds it against the
// template's text and puts this text into a namespace for each mutant.
//
// A table is one function: 0 where it is not known, 7 once filled. Relacy itself sees
// data races, memory that is freed twice and memory that is not freed.

struct table {
    var<int> function;
};

struct publish_once : test_suite<publish_once, 3> {
    table none;
    atomic<table *> current;

    void before() {
        none.function($) = 0;
        current($) = &none;
    }
    void after() {
        table *last = current($).load(mo_relaxed);
        if (last != &none)
            delete last;
    }

    table *get() {
        return current($).load(mo_acquire);
    }
    bool publish(table *own) {
        table *expected = &none;
        return current($).compare_exchange_strong(expected, own, mo_release, mo_relaxed);
    }

    int read() {
        return get()->function($);
    }
    void initialise() {
        table *own = new table;
        own->function($) = 0;
        own->function($) = 7;
        if (!publish(own)) {
            delete own;
        }
    }
    int slow() {
        if (get() == &none) {
            initialise();
        }
        return read();
    }
    int call() {
        int function = read();
        if (function != 0) {
            return function;
        }
        return slow();
    }
    void thread(unsigned) {
        RL_ASSERT(call() == 7);
    }
};
