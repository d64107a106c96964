package intake

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cybindgo/cybindgo/internal/config"
	"github.com/cybindgo/cybindgo/ir"
	"github.com/cybindgo/cybindgo/releases"
)

func wheels(t *testing.T, variable, release string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(os.Getenv(variable), release, "*.whl"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no wheels of %s below %s=%q; `make setup` fetches them", release, variable, os.Getenv(variable))
	}
	return found
}

func driver(t *testing.T) (*config.Library, *ir.History) {
	t.Helper()
	lib, err := config.LoadLibrary("driver")
	if err != nil {
		t.Fatal(err)
	}
	data, err := releases.FS.ReadFile("driver.json")
	if err != nil {
		t.Fatal(err)
	}
	history, err := ir.Decode("driver.json", data)
	if err != nil {
		t.Fatal(err)
	}
	return lib, history
}

// The committed history of every release is what its real headers say.
func TestHistoryIsWhatTheHeadersSay(t *testing.T) {
	lib, history := driver(t)
	want := []string{
		"11.8.0", "12.0.0", "12.0.1", "12.1.0", "12.1.1", "12.2.0", "12.2.1", "12.2.2", "12.3.0", "12.3.1", "12.3.2",
		"12.4.0", "12.4.1", "12.5.0", "12.5.1", "12.6.0", "12.6.1", "12.6.2", "12.6.3", "12.8.0", "12.8.1", "12.8.2.0",
		"12.9.0", "12.9.1", "12.9.2.0", "13.0.0", "13.0.1", "13.0.2", "13.0.3.0", "13.1.0", "13.1.1", "13.1.2.0",
		"13.2.0", "13.2.1", "13.2.2", "13.3.0", "13.3.1", "13.4.0rc1", "13.4.1.0", "13.4.2", "13.4.3", "13.5.0",
	}
	if d := cmp.Diff(want, history.Labels()); d != "" {
		t.Errorf("releases (-want +got):\n%s", d)
	}
	for _, label := range history.Labels() {
		recorded, err := history.At(label)
		if err != nil {
			t.Fatal(err)
		}
		read, err := Read(Request{
			Library: lib, Release: label, Date: recorded.Release.Date, Targets: ir.DefaultTargets,
			Headers: map[ir.Target][]string{"": wheels(t, "CYBINDGO_HEADERS", label)},
		})
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		parsed := ir.NewHistory("driver")
		if err := parsed.Add(read.Snapshot); err != nil {
			t.Fatal(err)
		}
		alone := ir.NewHistory("driver")
		if err := alone.Add(recorded); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(parsed.Encode()), string(alone.Encode())); d != "" {
			t.Errorf("%s: the history differs from its headers (-headers +history):\n%s", label, d)
		}
		if d := cmp.Diff(read.Snapshot.Stripped().Functions, recorded.Functions); d != "" {
			t.Errorf("%s: functions (-headers +history):\n%s", label, d)
		}
		if read.Declared == 0 || len(read.Omitted) != 0 {
			t.Errorf("%s: %d functions declared, %d left out", label, read.Declared, len(read.Omitted))
		}
	}
}

// What vanished between releases is what the definition allows, and nothing
// else.
func TestWhatVanishedIsAllowed(t *testing.T) {
	lib, history := driver(t)
	var got []string
	for _, label := range history.Labels() {
		removals, err := Removals(history, label)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range removals {
			if r.Lacks == label {
				got = append(got, r.String())
				if lib.AllowRemoved[r.Name] == "" {
					t.Errorf("%v, and the definition does not allow it", r)
				}
			}
		}
	}
	want := []string{
		"enumerator CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V2 of cuda.h: 11.8.0 has it, 12.0.0 does not",
		"enumerator CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS of cuda.h: 11.8.0 has it, 12.0.0 does not; CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1 has its value now",
		"enumerator CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V2 of cuda.h: 11.8.0 has it, 12.0.0 does not",
		"enumerator CU_TARGET_COMPUTE_20 of cuda.h: 11.8.0 has it, 12.0.0 does not",
		"enumerator CU_TARGET_COMPUTE_21 of cuda.h: 11.8.0 has it, 12.0.0 does not",
		"enumerator CU_TARGET_COMPUTE_101 of cuda.h: 12.9.2.0 has it, 13.0.0 does not",
		"enumerator CU_TARGET_COMPUTE_101A of cuda.h: 12.9.2.0 has it, 13.0.0 does not",
		"enumerator CU_TARGET_COMPUTE_101F of cuda.h: 12.9.2.0 has it, 13.0.0 does not",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Windows has packages of its own, without the headers of EGL and VDPAU. What
// they declare is recorded as absent there, and nothing else differs.
func TestHeadersOfAnotherPlatform(t *testing.T) {
	lib, _ := driver(t)
	read, err := Read(Request{
		Library: lib, Release: "13.5.0", Targets: ir.DefaultTargets,
		Headers: map[ir.Target][]string{
			"":              wheels(t, "CYBINDGO_HEADERS", "13.5.0"),
			ir.WindowsAMD64: wheels(t, "CYBINDGO_HEADERS_WINDOWS", "13.5.0"),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	wantSkipped := []Skipped{
		{"egl", "cudaEGL.h", []ir.Target{ir.WindowsAMD64}},
		{"vdpau", "cudaVDPAU.h", []ir.Target{ir.WindowsAMD64}},
	}
	if d := cmp.Diff(wantSkipped, read.Skipped); d != "" {
		t.Errorf("skipped (-want +got):\n%s", d)
	}
	s := read.Snapshot
	names := func(target ir.Target) []string {
		var list []string
		for _, f := range s.For(target).Functions {
			if !f.Superseded {
				list = append(list, f.Name)
			}
		}
		return list
	}
	linux, windows := names(ir.LinuxAMD64), names(ir.WindowsAMD64)
	if !slices.Contains(linux, "cuEGLStreamConsumerConnect") || slices.Contains(windows, "cuEGLStreamConsumerConnect") {
		t.Error("cuEGLStreamConsumerConnect: want it on Linux and not on Windows")
	}
	if slices.Contains(linux, "cuWGLGetDevice") || !slices.Contains(windows, "cuWGLGetDevice") {
		t.Error("cuWGLGetDevice: want it on Windows and not on Linux")
	}
	// Windows lacks 12 functions of EGL and 4 of VDPAU, and has one of its own.
	if len(linux) != 523 || len(windows) != 523-12-4+1 {
		t.Errorf("%d functions on Linux and %d on Windows", len(linux), len(windows))
	}
	if s.Release.OtherHeaders[ir.WindowsAMD64]["cuda.h"] == "" {
		t.Error("the digests of the Windows headers are not recorded")
	}
	for _, r := range s.Records {
		if r.On != 0 && r.Header == "cuda.h" {
			t.Errorf("%s of cuda.h differs between platforms", r.Name)
		}
	}
}

// The committed histories of the other libraries are what the real headers of
// one release say. `cybindgo releases verify` asks the index for all.
func TestOtherHistoriesAreWhatTheHeadersSay(t *testing.T) {
	for _, test := range []struct{ library, release string }{
		{"nvrtc", "12.9.0"}, {"nvrtc", "13.5.0"}, {"nvvm", "13.5.0"}, {"nvfatbin", "13.5.0"}, {"nvjitlink", "13.5.0"}, {"nvjitlink", "12.0.0"}, {"nvml", "13.5.0"}, {"nvml", "12.0.0"},
	} {
		lib, err := config.LoadLibrary(test.library)
		if err != nil {
			t.Fatal(err)
		}
		data, err := releases.FS.ReadFile(test.library + ".json")
		if err != nil {
			t.Fatal(err)
		}
		history, err := ir.Decode(test.library+".json", data)
		if err != nil {
			t.Fatal(err)
		}
		recorded, err := history.At(test.release)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(os.Getenv("CYBINDGO_COMPONENTS"), test.release)
		read, err := Read(Request{
			Library: lib, Release: test.release, Date: recorded.Release.Date, Targets: ir.DefaultTargets, Headers: map[ir.Target][]string{"": {folder}},
		})
		if err != nil {
			t.Fatalf("%s %s: %v; `make setup` fetches the headers", test.library, test.release, err)
		}
		if d := cmp.Diff(recorded.Release.Headers, read.Snapshot.Release.Headers); d != "" {
			t.Errorf("%s %s: headers (-history +here):\n%s", test.library, test.release, d)
		}
		read.Snapshot.Release = recorded.Release // a folder does not tell its packages
		parsed, alone := ir.NewHistory(test.library), ir.NewHistory(test.library)
		if err := errors.Join(parsed.Add(read.Snapshot), alone.Add(recorded)); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(parsed.Encode()), string(alone.Encode())); d != "" {
			t.Errorf("%s %s: the history differs from its headers (-headers +history):\n%s", test.library, test.release, d)
		}
	}
}
