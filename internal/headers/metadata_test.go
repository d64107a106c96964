package headers

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a wheel requires pins versions, as far as it can be read.
func TestMetadataOfAnyWheel(t *testing.T) {
	meta, err := parseMetadata("demo.whl", "METADATA", []byte("Name: NVIDIA_Demo\nVersion: 1.2.3\nRequires-Dist: nvidia-cuda-runtime==13.5.37.*; extra == 'all'\n"+
		"Requires-Dist: other @ file:///demo.whl\nRequires-Dist: plain\nRequires-Dist: nvidia-cuda-runtime>=13.5.37,<14\n"))
	check(t, err)
	want := &metadata{path: "demo.whl", name: "nvidia-demo", version: "1.2.3", pins: map[string]string{"nvidia-cuda-runtime": "13.5.37"}}
	if d := cmp.Diff(want, meta, cmp.AllowUnexported(metadata{})); d != "" {
		t.Error(d)
	}
}

func TestPinsStandForLaterBuilds(t *testing.T) {
	for _, c := range []struct {
		version, pin string
		want         bool
	}{
		{"13.5.37", "13.5.37", true},
		{"13.5.37.post1", "13.5.37", true},
		{"13.5.37.1", "13.5.37", true},
		{"13.5.370", "13.5.37", false},
		{"13.5.36", "13.5.37", false},
		{"13.4.46rc1", "13.4.46rc1", true},
		{"13.4.46", "13.4.46rc1", false},
		{"13.4.46rc1", "13.4.46", false},
	} {
		if got := matchesPin(c.version, c.pin); got != c.want {
			t.Errorf("%s for the pin %s: %v", c.version, c.pin, got)
		}
	}
}

func TestToolkitWheelTellsWhichComponentsBelongTogether(t *testing.T) {
	dir := t.TempDir()
	wheel := func(name, header, metadata string) string {
		path := filepath.Join(dir, name+".whl")
		members := []entry{{name: name + ".dist-info/METADATA", text: metadata}}
		if header != "" {
			members = append(members, entry{name: "nvidia/cu13/include/" + header})
		}
		write(t, path, string(zipped(t, members...)))
		return path
	}
	toolkit := wheel("cuda_toolkit-13.0.2", "", "Name: cuda-toolkit\r\nVersion: 13.0.2\r\nProvides-Extra: all\r\n"+
		"Requires-Dist: nvidia-cuda-runtime==13.0.96.*; extra == 'all'\r\n"+
		"Requires-Dist: nvidia-cuda-runtime==13.0.96.*; extra == 'cudart'\r\n"+
		"Requires-Dist: nvidia-nvml-dev==13.0.87.*; extra == 'all'\r\n"+
		"Requires-Dist: nvidia-nvjitlink<14,>=13.0.88; extra == 'all'\r\n\r\nRequires-Dist: described==1\r\n")
	runtime := wheel("nvidia_cuda_runtime-13.0.96.post1", "cuda.h", "Name: nvidia-cuda-runtime\nVersion: 13.0.96.post1\n")
	cudnn := wheel("nvidia_cudnn_cu13-9.1", "cudnn.h", "Name: nvidia-cudnn-cu13\nVersion: 9.1\n")
	nvml := wheel("nvidia_nvml_dev-13.0.39", "nvml.h", "Name: nvidia-nvml-dev\nVersion: 13.0.39\n")

	set := open(t, cudnn, toolkit, runtime)
	if got := set.ToolkitRelease(); got != "13.0.2" {
		t.Errorf("release %q", got)
	}
	pins := map[string]string{"nvidia-cuda-runtime": "13.0.96", "nvidia-nvml-dev": "13.0.87", "nvidia-nvjitlink": "13.0.88"}
	if diff := cmp.Diff(pins, set.Pins()); diff != "" {
		t.Errorf("pins (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Component{{"nvidia-cuda-runtime", "13.0.96.post1"}, {"nvidia-cudnn-cu13", "9.1"}}, set.Components()); diff != "" {
		t.Errorf("components (-want +got):\n%s", diff)
	}
	if !set.Exact() {
		t.Error("wheels know their version")
	}
	check(t, set.CheckPins())

	older := wheel("nvidia_cuda_runtime_cu12-12.9.79", "cuda.h", "Name: nvidia-cuda-runtime-cu12\nVersion: 12.9.79\n")
	err := open(t, nvml, older, toolkit).CheckPins()
	want := toolkit + ": CUDA 13.0.2 has nvidia-cuda-runtime 13.0.96, but nvidia-cuda-runtime-cu12 12.9.79 was given\n" +
		toolkit + ": CUDA 13.0.2 has nvidia-nvml-dev 13.0.87, but nvidia-nvml-dev 13.0.39 was given"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}

	without := open(t, runtime)
	check(t, without.CheckPins())
	if without.ToolkitRelease() != "" || len(without.Pins()) != 0 {
		t.Errorf("no toolkit wheel was given: %q, %v", without.ToolkitRelease(), without.Pins())
	}

	twice := wheel("cuda_toolkit-1", "", "Name: cuda-toolkit\nVersion: 1\nRequires-Dist: a==1\nRequires-Dist: a==2\n")
	_, err = Open([]string{twice})
	if want := twice + "!cuda_toolkit-1.dist-info/METADATA: pins a both to 1 and to 2: expected one version"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
