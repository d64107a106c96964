package cgen

import (
	"bytes"
	"debug/elf"
	"debug/pe"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/ir"
)

func TestStubLeavesOutWhatItIsTold(t *testing.T) {
	source := stub(t, demo(t), StubOptions{ProcAddress: demoResolver, Omit: []string{"demoInit", "demoCopy_ptds"}})
	all := []string{
		"demoAlloc", "demoAlloc_v2", "demoCopy", "demoFree", "demoGet", "demoGetProcAddress", "demoGetProcAddress_v2",
		"demoName", "demoNumbers", "demoOutputs", "demoPointers", "demoTime",
	}
	if diff := cmp.Diff(all, exports(t, native(t), source)); diff != "" {
		t.Errorf("exports (-want +got):\n%s", diff)
	}
	without := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == "demoGetProcAddress_v2" })
	if diff := cmp.Diff(without, exports(t, native(t), source, "-DCYBINDGO_STUB_NO_PROC_ADDRESS")); diff != "" {
		t.Errorf("exports without the look-up (-want +got):\n%s", diff)
	}
}

func TestStubBuildsForEveryTarget(t *testing.T) {
	s := demo(t)
	s.Functions[0].On = 1 // linux/amd64 alone has demoInit
	source := stub(t, s, StubOptions{ProcAddress: demoResolver})
	for target, has := range map[ir.Target]bool{ir.LinuxAMD64: true, ir.LinuxARM64: false, ir.WindowsAMD64: false} {
		names := exports(t, zig(t, target), source)
		if got := slices.Contains(names, "demoInit"); got != has {
			t.Errorf("%s: demoInit is exported: %v, want %v", target, got, has)
		}
		if !slices.Contains(names, "demoCopy_ptds") {
			t.Errorf("%s: demoCopy_ptds is not exported; exports are %v", target, names)
		}
	}
}

// exports compiles a stub to a shared library and lists what it exports, as
// far as it is the library's.
func exports(t *testing.T, c compiler, source []byte, flags ...string) []string {
	t.Helper()
	dir := t.TempDir()
	file, lib := filepath.Join(dir, "stub.c"), filepath.Join(dir, "stub.dll")
	if err := os.WriteFile(file, source, 0o644); err != nil {
		t.Fatal(err)
	}
	argv := append(append([]string{}, c.c...), "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared")
	if c.target.OS() != "windows" {
		argv = append(argv, "-fPIC")
	}
	if said, failed := run(t, append(append(argv, flags...), file, "-o", lib)...); failed {
		t.Fatalf("%s: %s", c.target, limit(said))
	}
	var names []string
	if c.target.OS() == "windows" {
		names = peExports(t, lib)
	} else {
		f, err := elf.Open(lib)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		symbols, err := f.DynamicSymbols()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range symbols {
			if s.Section != elf.SHN_UNDEF {
				names = append(names, s.Name)
			}
		}
	}
	names = slices.DeleteFunc(names, func(s string) bool { return strings.HasPrefix(s, "_") })
	slices.Sort(names)
	return names
}

// peExports reads the names out of the export directory of a DLL.
func peExports(t *testing.T, path string) (names []string) {
	t.Helper()
	f, err := pe.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	at := func(address uint32) []byte { // what lies at a virtual address
		for _, s := range f.Sections {
			if address >= s.VirtualAddress && address < s.VirtualAddress+s.VirtualSize {
				data, err := s.Data()
				if err != nil {
					t.Fatal(err)
				}
				return data[address-s.VirtualAddress:]
			}
		}
		t.Fatalf("%s has nothing at %#x", path, address)
		return nil
	}
	header := f.OptionalHeader.(*pe.OptionalHeader64)
	directory := at(header.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT].VirtualAddress)
	count, list := binary.LittleEndian.Uint32(directory[24:]), at(binary.LittleEndian.Uint32(directory[32:]))
	for i := range count {
		name, _, _ := bytes.Cut(at(binary.LittleEndian.Uint32(list[4*i:])), []byte{0})
		names = append(names, string(name))
	}
	return names
}
