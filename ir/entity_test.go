package ir

import (
	"cmp"
	"math/big"
	"testing"
)

func TestIntegersCompareByValueWhateverTheirWidth(t *testing.T) {
	inOrder := []Integer{
		"-9223372036854775808", "-2147483649", "-2147483648", "-100", "-99", "-10", "-9", "-1",
		"0", "1", "9", "10", "99", "2147483647", "2147483648", "4294967295", "9223372036854775807", "18446744073709551615",
	}
	lo, hi := big.NewInt(-1<<31), big.NewInt(1<<31-1)
	for i, a := range inOrder {
		value, ok := new(big.Int).SetString(string(a), 10)
		if !ok {
			t.Fatal(a)
		}
		if got, want := a.Negative(), value.Sign() < 0; got != want {
			t.Errorf("%s: negative %v", a, got)
		}
		if got, want := a.Fits(), value.Cmp(lo) >= 0 && value.Cmp(hi) <= 0; got != want {
			t.Errorf("%s: fits an int %v", a, got)
		}
		for j, b := range inOrder {
			if got, want := cmp.Compare(a.Compare(b), 0), cmp.Compare(i, j); got != want {
				t.Errorf("%s compared with %s = %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestKeysKeepApartWhatCKeepsApart(t *testing.T) {
	for _, c := range []struct {
		entity interface{ Key() string }
		want   string
	}{
		{&Function{Name: "cuInit", Symbol: "cuInit"}, "cuInit"},
		{&Function{Name: "cuMemAlloc", Symbol: "cuMemAlloc_v2"}, "cuMemAlloc=cuMemAlloc_v2"},
		{&Function{Name: "cuMemAlloc", Symbol: "cuMemAlloc", Superseded: true}, "cuMemAlloc"},
		{&Enum{Name: "CUresult_enum", Tagged: true}, "enum CUresult_enum"},
		{&Enum{Name: "CUresult"}, "CUresult"},
		{&Enum{Name: "CU_FIRST", Anonymous: true}, "CU_FIRST"},
		{&Record{Name: "CUuuid_st", Tagged: true}, "struct CUuuid_st"},
		{&Record{Name: "CUuuid", Tagged: true, Union: true}, "union CUuuid"},
		{&Record{Name: "CUuuid"}, "CUuuid"},
		{&Typedef{Name: "CUuuid"}, "CUuuid"},
		{&Constant{Name: "CUDA_VERSION"}, "CUDA_VERSION"},
	} {
		if got := c.entity.Key(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
