package suggest

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"driver", "runtime", "nvrtc"}
	for got, want := range map[string]string{
		"drvier": "driver", "Driver": "driver", "runtim": "runtime", "nvrt": "nvrtc", "cublas": "", "": "", "x": "",
	} {
		if n := Nearest(got, names); n != want {
			t.Errorf("Nearest(%q) = %q, want %q", got, n, want)
		}
	}
	if h := Hint("drivr", names); h != "; did you mean driver?" {
		t.Errorf("Hint = %q", h)
	}
	if h := Hint("zzzzzz", names); h != "" {
		t.Errorf("Hint = %q", h)
	}
}
