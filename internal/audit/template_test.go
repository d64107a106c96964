package audit

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cybindgo/cybindgo/templates"
)

// TestAnEditedTemplateIsCaught: golden files say what comes out, and -update
// makes them say whatever comes out now. This check does not read them, so an
// edit that weakens the protocol fails here all the same.
func TestAnEditedTemplateIsCaught(t *testing.T) {
	original, err := templates.FS.ReadFile("loader.pyx.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"acquire becomes relaxed", "__ATOMIC_ACQUIRE)", "__ATOMIC_RELAXED)", RelaxedLoad},
		{"release becomes relaxed", "__ATOMIC_RELEASE, __ATOMIC_RELAXED", "__ATOMIC_RELAXED, __ATOMIC_RELAXED", RelaxedPublish},
		{"the swap becomes weak", "table, 0, __ATOMIC_RELEASE", "table, 1, __ATOMIC_RELEASE", Bypass},
		{"the Arm64 load becomes volatile", "(cyb_table_t *)__ldar64((unsigned __int64 volatile *)&cyb_current)", "*(cyb_table_t *volatile *)&cyb_current", RelaxedLoad},
		{"the barrier goes", "        _ReadBarrier();\n", "", RelaxedLoad},
		{"published before filled", "    cyb_fill(table, library, per_thread)\n    if not cyb_publish(table):\n        free(table)\n", "    if not cyb_publish(table):\n        free(table)\n    else:\n        cyb_fill(table, library, per_thread)\n", WriteAfterPublish},
		{"an inspector forgets to initialise", "    if not cyb_ready():\n        _cyb_initialise()\n    i = cyb_find(key)\n", "    i = cyb_find(key)\n", Bypass},
		{"the table is kept in a flag, too", "def _inspect_function_pointers():\n", "cdef bint _ready = False\n\n\ndef _inspect_function_pointers():\n    global _ready\n    _ready = True\n", CheckThenAssign},
		{"the inspector gets a cache", "    return {cyb_key(i).decode(): <intptr_t>cyb_function(i) for i in range(CYB_COUNT)}\n", "    global _all\n    if _all is None:\n        _all = {cyb_key(i).decode(): <intptr_t>cyb_function(i) for i in range(CYB_COUNT)}\n    return _all\n\n\n_all = None\n", LazyObject},
		{"the loser does not look", "    if not cyb_publish(table):\n        free(table)\n", "    cyb_publish(table)\n    free(table)\n", FreedPublished},
		{"imported in the initialiser", "    with gil:\n{{- if .PerThreadEnv}}", "    with gil:\n        import os\n{{- if .PerThreadEnv}}", LateImport},
		{"the directive goes", "# cython: freethreading_compatible=True\n", "", NoFreeThreading},
	} {
		if strings.Count(string(original), c.old) != 1 {
			t.Errorf("%s: the template has %d places to edit, want 1", c.name, strings.Count(string(original), c.old))
			continue
		}
		files := fstest.MapFS{}
		names, err := templates.FS.ReadDir(".")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range names {
			data, err := templates.FS.ReadFile(f.Name())
			if err != nil {
				t.Fatal(err)
			}
			files[f.Name()] = &fstest.MapFile{Data: data}
		}
		files["loader.pyx.tmpl"] = &fstest.MapFile{Data: []byte(strings.Replace(string(original), c.old, c.new, 1))}
		if rules := rulesOf(check(loaderFrom(t, files))); !slices.Contains(rules, c.want) {
			t.Errorf("%s: rules %v, want %s among them", c.name, rules, c.want)
		}
	}
}
