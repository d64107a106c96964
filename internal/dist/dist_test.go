package dist

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWheelNames(t *testing.T) {
	for _, c := range []struct {
		file string
		want WheelName
		err  bool
	}{
		{file: "nvidia_cuda_runtime-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
			want: WheelName{"nvidia-cuda-runtime", "13.5.37", 0, []string{"manylinux2014_x86_64", "manylinux_2_17_x86_64"}}},
		{file: "nvidia_cuda_runtime-13.4.46rc1-py3-none-win_amd64.whl", want: WheelName{"nvidia-cuda-runtime", "13.4.46rc1", 0, []string{"win_amd64"}}},
		{file: "demo-1.0-7abc-py3-none-any.whl", want: WheelName{"demo", "1.0", 7, []string{"any"}}},
		{file: "demo-1.0-abc-py3-none-any.whl", err: true},
		{file: "demo-newest-py3-none-any.whl", err: true},
		{file: "demo-1.0-any.whl", err: true},
		{file: "demo-1.0.tar.gz", err: true},
		{file: "-1.0-py3-none-any.whl", err: true},
		{file: "", err: true},
	} {
		got, err := ParseWheelName(c.file)
		if diff := cmp.Diff(c.want, got); diff != "" || c.err != (err != nil) {
			t.Errorf("%s: %v (-want +got):\n%s", c.file, err, diff)
		}
	}
}

func TestWhichVersionsARequirementAdmits(t *testing.T) {
	for _, c := range []struct{ text, admits, refuses, lowest string }{
		{"nvidia-cuda-runtime==13.5.37.*", "13.5.37 13.5.37.post1 13.5.37.1 13.5.37rc1", "13.5.370 13.5.36 13.5 0.0.0a0", ""},
		{"nvidia-cuda-runtime==13.5.37", "13.5.37 13.5.37.0", "13.5.37.post1 13.5.37.1 13.5.38", ""},
		{"nvidia-cublas==13.7.0.10rc1", "13.7.0.10rc1", "13.7.0.10 13.7.0.10rc2", ""},
		{"nvidia-nvjitlink<14,>=13.5.37", "13.5.37 13.6.0 13.99", "13.5.36 14.0 14", "13.5.37"},
		{"nvidia-nvjitlink >= 13.4.46rc1, < 14", "13.4.46rc1 13.4.46", "13.4.45", "13.4.46rc1"},
		{"NVIDIA_Cuda.Runtime--cu12 (==12.0.107.*)", "12.0.107", "12.0.108", ""},
		{"nvidia-demo[extra,more] ~= 1.2", "1.2 1.3 1.2.post1", "2.0 1.1", "1.2"},
		{"nvidia-demo ~= 1.2.3", "1.2.3 1.2.9", "1.3.0 1.2.2", "1.2.3"},
		{"nvidia-demo === 1.2", "1.2", "1.2.0", ""},
		{"nvidia-demo >1,!=1.5,!=1.6.*", "1.1 1.5.1 1.7", "1 1.5 1.6 1.6.2", ""},
		{"nvidia-demo<=2", "2 1", "2.1", ""},
		{"nvidia-demo", "1 2", "newest", ""},
	} {
		r, err := ParseRequirement(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if r.Lowest() != c.lowest {
			t.Errorf("%s: begins with %q, want %q", c.text, r.Lowest(), c.lowest)
		}
		for _, v := range strings.Fields(c.admits) {
			if !r.Admits(v) {
				t.Errorf("%s refuses %s", c.text, v)
			}
		}
		for _, v := range strings.Fields(c.refuses) {
			if r.Admits(v) {
				t.Errorf("%s admits %s", c.text, v)
			}
		}
	}
}

func TestRequirementsThatCannotBeRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `the requirement "": expected a name and versions, such as nvidia-cuda-runtime==13.5.37.*`},
		{"==1", `the requirement "==1": expected a name and versions, such as nvidia-cuda-runtime==13.5.37.*`},
		{"demo @ https://host/demo.whl", `the requirement "demo @ https://host/demo.whl": "@ https://host/demo.whl": expected a comparison with a version, such as ==13.5.37.* or >=13.5.37`},
		{"demo==newest", `the requirement "demo==newest": "newest" is no version`},
		{"demo>=1.*", `the requirement "demo>=1.*": ">=1.*": a wildcard goes with == and != only`},
		{"demo (==1", `the requirement "demo (==1": a parenthesis is not closed`},
		{"demo==1; extra", `the requirement "demo==1; extra": the marker has no comparison behind "extra"`},
		{"demo==1; extra == 'a' extra", `the requirement "demo==1; extra == 'a' extra": the marker goes on with "extra", which is not expected there`},
		{"demo==1; (extra == 'a'", `the requirement "demo==1; (extra == 'a'": the marker has a parenthesis that is not closed`},
		{"demo==1; extra == 'a", `the requirement "demo==1; extra == 'a": the marker has a text that does not end: 'a`},
		{"demo==1; extra ==", `the requirement "demo==1; extra ==": the marker ends where a name or a text in quotes is expected`},
		{"demo==1; extra == )", `the requirement "demo==1; extra == )": the marker has ")" where a name or a text in quotes is expected`},
		{"demo==1; extra & 'a'", `the requirement "demo==1; extra & 'a'": the marker has the character '&', which is not expected there`},
		{"demo; " + strings.Repeat("(", 60), `the requirement "demo; ` + strings.Repeat("(", 60) + `": the marker has more than 50 parentheses in each other`},
	} {
		if _, err := ParseRequirement(c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestMarkers(t *testing.T) {
	linux := Environment{Variables: map[string]string{"sys_platform": "linux", "platform_machine": "x86_64", "python_version": "3.11"}, Extras: map[string]bool{"all": true}}
	for _, c := range []struct {
		marker string
		want   bool
		err    string
	}{
		{marker: "(sys_platform == 'linux' and platform_machine == 'aarch64' or sys_platform == 'linux' and platform_machine == 'x86_64') and extra == 'all'", want: true},
		{marker: "(sys_platform == 'linux' or sys_platform == 'win32') and extra == 'nvml'", want: false},
		{marker: "sys_platform == 'linux' or extra == 'nvml' and sys_platform == 'win32'", want: true}, // and binds tighter
		{marker: "(sys_platform == 'linux' or extra == 'nvml') and sys_platform == 'win32'", want: false},
		{marker: `"linux" == sys_platform`, want: true},
		{marker: "'all' == extra", want: true},
		{marker: "extra != 'all'", want: false},
		{marker: "extra == 'ALL'", want: true},
		{marker: "python_version >= '3.9'", want: true}, // as versions: 3.11 is later
		{marker: "python_version < '3.9'", want: false},
		{marker: "sys_platform in 'linux darwin'", want: true},
		{marker: "sys_platform not in 'linux darwin'", want: false},
		{marker: "platform_machine != 'x86_64'", want: false},
		{marker: "os_name == 'posix'", err: "the marker asks for os_name, which is not known here"},
		{marker: "os_name == 'posix' and sys_platform == 'win32'", err: "the marker asks for os_name, which is not known here"},
		{marker: "os_name == 'posix' or sys_platform == 'linux'", want: true},
		{marker: "extra in 'all'", err: "the marker compares extra by in: expected == or !="},
	} {
		m, err := ParseMarker(c.marker)
		if err != nil {
			t.Errorf("%s: %v", c.marker, err)
			continue
		}
		got, err := m.Holds(linux)
		said := ""
		if err != nil {
			said = err.Error()
		}
		if got != c.want || said != c.err {
			t.Errorf("%s: %v, %q, want %v, %q", c.marker, got, said, c.want, c.err)
		}
	}
}

func TestMetadata(t *testing.T) {
	m, err := ParseMetadata([]byte("Metadata-Version: 2.4\r\nName: CUDA_Toolkit\r\nVersion: 13.5.0\r\nProvides-Extra: all\r\nProvides-Extra: Nv_Ml\r\n" +
		"Requires-Dist: nvidia-nvml-dev==13.5.37.*; extra == 'all'\r\n\r\nName: other\r\nRequires-Dist: no\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "cuda-toolkit" || m.Version != "13.5.0" || strings.Join(m.Extras, " ") != "all nv-ml" || len(m.Requires) != 1 || m.Requires[0].Name != "nvidia-nvml-dev" {
		t.Errorf("got %+v", m)
	}
	for _, c := range []struct{ text, want string }{
		{"Name: a\n", "no Name or no Version before the first empty line"},
		{"\nName: a\nVersion: 1\n", "no Name or no Version before the first empty line"},
		{"Name: a\nName: b\nVersion: 1\n", `the line "Name: b": expected one distribution's name, such as nvidia-cuda-runtime`},
		{"Name: ../a\nVersion: 1\n", `the line "Name: ../a": expected one distribution's name, such as nvidia-cuda-runtime`},
		{"Name: a\nVersion:\n", `the line "Version:": expected one version, such as 13.5.37 or 13.4.46rc1`},
		{"Name: a\nVersion: 1\nVersion: 1\n", `the line "Version: 1": expected one version, such as 13.5.37 or 13.4.46rc1`},
		{"Name: a\nVersion: latest\n", `the line "Version: latest": expected one version, such as 13.5.37 or 13.4.46rc1`},
		{"Name: a\nVersion: " + strings.Repeat("1", 101) + "\n", `the line "Version: ` + strings.Repeat("1", 71) + `": expected one version, such as 13.5.37 or 13.4.46rc1`},
	} {
		if _, err := ParseMetadata([]byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// A requirement that cannot be read does not stand in the way of the others.
func TestMetadataWithARequirementThatCannotBeRead(t *testing.T) {
	m, err := ParseMetadata([]byte("Name: a\nVersion: 1\nRequires-Dist: ==1\nRequires-Dist: b==2\n"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `the requirement "==1": expected a name and versions, such as nvidia-cuda-runtime==13.5.37.*`
	if len(m.Unread) != 1 || m.Unread[0].Error() != want || len(m.Requires) != 1 || m.Requires[0].Name != "b" {
		t.Errorf("%+v", m)
	}
}

func TestWhichVersionARequirementPins(t *testing.T) {
	for _, c := range []struct{ text, name, pin string }{
		{"nvidia-cuda-runtime==13.5.37.*; (sys_platform == 'linux') and extra == 'all'", "nvidia-cuda-runtime", "13.5.37"},
		{"nvidia-cublas==13.7.0.10rc1; extra == 'all'", "nvidia-cublas", "13.7.0.10rc1"},
		{"nvidia-nvjitlink<14,>=13.5.37; extra == 'cufft'", "nvidia-nvjitlink", "13.5.37"},
		{"nvidia-nvjitlink >= 13.4.46rc1, < 14", "nvidia-nvjitlink", "13.4.46rc1"},
		{"NVIDIA_Cuda.Runtime--cu12 (==12.0.107.*)", "nvidia-cuda-runtime-cu12", "12.0.107"},
		{"nvidia-demo[extra,more] ~= 1.2", "nvidia-demo", "1.2"},
		{"nvidia-demo === 1.2", "nvidia-demo", "1.2"},
		{"nvidia-demo >=1, ==1.2.*", "nvidia-demo", "1.2"},
		{"nvidia-demo", "nvidia-demo", ""},
		{"nvidia-demo<14", "nvidia-demo", ""},
		{"nvidia-demo!=1.2", "nvidia-demo", ""},
		{"cuda-toolkit[cublas,cudart]; extra == 'all'", "cuda-toolkit", ""},
	} {
		r, err := ParseRequirement(c.text)
		if err != nil || r.Name != c.name || r.Pin() != c.pin {
			t.Errorf("%q: %v, %q %q, want %q %q", c.text, err, r.Name, r.Pin(), c.name, c.pin)
		}
	}
}

// FuzzRequirement reads any text as a requirement. What can be read can be
// evaluated: that ends, without a panic.
func FuzzRequirement(f *testing.F) {
	for _, text := range []string{
		"nvidia-cuda-runtime==13.5.37.*; (sys_platform == 'linux' and platform_machine == 'x86_64') and extra == 'all'",
		"nvidia-nvjitlink<14,>=13.5.37; extra == 'cufft'", "demo[a,b] (~=1.2.3)", "demo===1!2.3+local", "demo; python_version not in \"3.9, 3.10\"",
	} {
		f.Add(text, "13.5.37.post1")
	}
	f.Fuzz(func(t *testing.T, text, version string) {
		r, err := ParseRequirement(text)
		if err != nil {
			if len(err.Error()) > 2000 {
				t.Fatalf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		if !ValidName(r.Name) || r.Name != Normalise(r.Name) {
			t.Fatalf("the name %q", r.Name)
		}
		r.Admits(version)
		r.Lowest()
		r.Pin()
		if r.Marker != nil {
			r.Marker.Holds(Environment{Variables: map[string]string{"sys_platform": "linux"}, Extras: map[string]bool{"all": true}})
		}
	})
}
