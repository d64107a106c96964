package parser

import (
	"embed"
	"strings"
)

// stubs are the system headers that CUDA's include, and those of OpenGL, EGL
// and VDPAU: as much of each as those headers use. All text is ours.
//
//go:embed stubs
var stubs embed.FS

// stubClass tells the stubs of system headers, whose names every C program
// knows, from those of other libraries, whose types a binding has to declare.
func stubClass(name string) class {
	for _, dir := range []string{"GL/", "EGL/", "vdpau/"} {
		if strings.HasPrefix(name, dir) {
			return platform
		}
	}
	return standard
}

// Provides reports whether the package brings a header itself, so that it is
// never missing.
func Provides(header string) bool {
	f, err := stubs.Open("stubs/" + header)
	if err == nil {
		f.Close()
	}
	return err == nil
}
