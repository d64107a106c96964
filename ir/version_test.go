package ir

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVersionsAreInTheOrderOfPEP440(t *testing.T) {
	inOrder := []string{
		"9.2.148", "11.8.0", "12.0.0", "12.0.1", "12.8.0", "12.8.1", "12.8.1.1", "12.8.2.0", "12.9.0", "12.10.0",
		"13.4.0.dev1", "13.4.0a1", "13.4.0b2", "13.4.0rc1", "13.4.0rc2", "13.4.0rc10", "13.4.0", "13.4.0.post1", "13.4.2",
	}
	for i, a := range inOrder {
		v, err := ParseVersion(a)
		if err != nil {
			t.Fatal(err)
		}
		if v.String() != a {
			t.Errorf("String of %s = %s", a, v)
		}
		for j, b := range inOrder {
			w, err := ParseVersion(b)
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := v.Compare(w); got != want {
				t.Errorf("%s compared with %s = %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestTrailingZerosMakeNoOtherVersion(t *testing.T) {
	a, _ := ParseVersion("12.8.2")
	b, _ := ParseVersion("12.8.2.0")
	if c := a.Compare(b); c != 0 {
		t.Errorf("12.8.2 compared with 12.8.2.0 = %d", c)
	}
}

func TestCandidatesArePrereleases(t *testing.T) {
	for label, want := range map[string]bool{
		"13.4.0": false, "12.8.2.0": false, "13.4.0.post1": false, "13.4.0rc1": true, "13.4.0a1": true, "13.4.0.dev3": true,
	} {
		v, err := ParseVersion(label)
		if err != nil {
			t.Fatal(err)
		}
		if got := v.Prerelease(); got != want {
			t.Errorf("%s: prerelease %v", label, got)
		}
	}
}

func TestWrongVersionsSayWhatIsExpected(t *testing.T) {
	form := ": expected a full version such as 13.5.0, 12.8.2.0 or 13.4.0rc1"
	for label, want := range map[string]string{
		"":                         `release ""` + form,
		"thirteen":                 `release "thirteen"` + form,
		"13..0":                    `release "13..0"` + form,
		"13.0.0,13.1.0":            `release "13.0.0,13.1.0"` + form,
		"13.0.0..":                 `release "13.0.0.."` + form,
		"99999999999999999999.0.0": `release "99999999999999999999.0.0"` + form,
		"v13.5.0":                  `release "v13.5.0": expected it in its normal form, 13.5.0`,
		" 13.5.0\n":                `release " 13.5.0\n": expected it in its normal form, 13.5.0`,
		"13.4.0-RC1":               `release "13.4.0-RC1": expected it in its normal form, 13.4.0rc1`,
		"13.04.0":                  `release "13.04.0": expected it in its normal form, 13.4.0`,
	} {
		_, err := ParseVersion(label)
		if err == nil {
			t.Errorf("%q was accepted", label)
			continue
		}
		if diff := cmp.Diff(want, err.Error()); diff != "" {
			t.Error(diff)
		}
	}
}
