package parser

import (
	"os"
	"sync"
)

// The front end writes a line for its authors to os.Stderr when a record has a
// member without a name, such as `enum { A, B };`, which is common. Our users
// are spared it.
var stderr struct {
	sync.Mutex
	users int
	real  *os.File
	null  *os.File
}

// quiet keeps os.Stderr from what runs until the returned function is called.
func quiet() (loud func()) {
	stderr.Lock()
	defer stderr.Unlock()
	if stderr.null == nil {
		null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			return func() {}
		}
		stderr.null = null
	}
	if stderr.users == 0 {
		stderr.real, os.Stderr = os.Stderr, stderr.null
	}
	stderr.users++
	return func() {
		stderr.Lock()
		defer stderr.Unlock()
		if stderr.users--; stderr.users == 0 {
			os.Stderr = stderr.real
		}
	}
}
