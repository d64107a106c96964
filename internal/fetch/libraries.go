package fetch

import (
	"maps"
	"slices"
	"strings"
)

// packages says which packages carry the headers of libraries that have no
// definition, by the name that cuda.bindings has for them. A package is named
// without its -cu11 or -cu12; where two are separated by |, a release has the
// headers in the first of them that it has.
var packages = map[string][]string{
	"runtime":       {"nvidia-cuda-runtime", "nvidia-cuda-profiler-api", "nvidia-cuda-crt|nvidia-cuda-nvcc"},
	"nvrtc":         {"nvidia-cuda-nvrtc"},
	"nvml":          {"nvidia-nvml-dev"},
	"nvjitlink":     {"nvidia-nvjitlink"},
	"nvvm":          {"nvidia-nvvm|nvidia-cuda-nvcc"},
	"nvfatbin":      {"nvidia-nvfatbin"},
	"cufile":        {"nvidia-cufile"},
	"cudla":         {"nvidia-cudla"},
	"cublas":        {"nvidia-cublas"},
	"cufft":         {"nvidia-cufft"},
	"curand":        {"nvidia-curand"},
	"cusolver":      {"nvidia-cusolver"},
	"cusparse":      {"nvidia-cusparse"},
	"nvjpeg":        {"nvidia-nvjpeg"},
	"cupti":         {"nvidia-cuda-cupti"},
	"nvtx":          {"nvidia-nvtx"},
	"nvptxcompiler": {"nvidia-nvptxcompiler|nvidia-cuda-nvcc"},
	"cccl":          {"nvidia-cuda-cccl"},
}

// Usual are the libraries that are fetched where none is named: those that
// cuda.bindings binds.
var Usual = []string{"driver", "runtime", "nvrtc", "nvml", "nvjitlink", "nvvm", "nvfatbin", "cufile"}

// Libraries lists the libraries that need no definition, in order.
func Libraries() []string { return slices.Sorted(maps.Keys(packages)) }

// Packages says which packages carry a library's headers.
func Packages(library string) ([]string, bool) {
	list, ok := packages[library]
	return list, ok
}

// alternatives are the packages of which the first counts that a release has.
func alternatives(name string) []string { return strings.Split(name, "|") }
