package cgen

import (
	"fmt"
	"os"
	"testing"

	"github.com/cybindgo/cybindgo/ir"
	"github.com/cybindgo/cybindgo/parser"
)

func TestZZ(t *testing.T) {
	r, err := parser.Parse(parser.Config{
		FS: os.DirFS("/tmp/w/h/13.5.0/nvidia/cu13/include"), Target: ir.LinuxAMD64,
		Roots: []string{"cuda.h", "cudaProfiler.h", "cudaGL.h", "cudaEGL.h", "vdpau/vdpau.h", "cudaVDPAU.h"},
		Consult: []string{"cudaTypedefs.h", "cudaProfilerTypedefs.h", "cudaGLTypedefs.h", "cudaEGLTypedefs.h", "cudaVDPAUTypedefs.h"},
		InternalView: "__CUDA_API_VERSION_INTERNAL", PerThreadView: "CUDA_API_PER_THREAD_DEFAULT_STREAM", QueryPrefix: "PFN_",
	})
	if err != nil {
		t.Fatal(err)
	}
	s := ir.Merge("driver", ir.Release{Label: "13.5.0"}, []ir.Target{ir.LinuxAMD64}, []*ir.API{r.API})
	fmt.Println(len(s.Functions), len(s.Enums), len(s.Records), len(s.Typedefs), len(s.Constants), len(r.Omitted))
	for _, o := range r.Omitted {
		fmt.Println(o)
	}
	n := namesOf(&s.API)
	var keep []ir.Function
	for _, f := range s.Functions {
		ok := true
		f.Type.Walk(func(u *ir.Type) { if u.Kind == ir.Named && n.record(u)==nil&&n.enum(u)==nil&&n.typedef(u)==nil&&standard[key(u)].header=="" { ok = false } })
		if ok { keep = append(keep, f) } else { fmt.Println("dropped", f.Symbol) }
	}
	s.Functions = keep
	src, err := Stub(s, StubOptions{ProcAddress: &ProcAddress{
	Symbol: "cuGetProcAddress_v2", PerThreadFlags: 2, NotFound: "CUDA_ERROR_NOT_FOUND", Failed: "CUDA_ERROR_UNKNOWN",
	StatusMissing: "CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND", StatusTooOld: "CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT"}})
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/w/stub.c", src, 0o644)
	def, err := Definitions(s, DefinitionOptions{Guard: "X_H", Checks: true})
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/w/def.c", def, 0o644)
	for _, c := range r.API.Constants { fmt.Println(c.Name, c.Type, c.Value, c.Reason) }
}
