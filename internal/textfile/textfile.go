// Package textfile reads files that people write, and none that would fill
// memory: what is named by mistake may be a disk image, or a device that never
// ends. It knows nothing of what the text says.
package textfile

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Max is how many bytes a file may have. The largest that cybindgo writes has
// 0.4 MB.
const Max = 64 << 20

// Read is [os.ReadFile] for files of at most Max bytes.
func Read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > Max {
		return nil, tooLarge(name)
	}
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, Max+1)); err != nil {
		return nil, err
	}
	if data.Len() > Max {
		return nil, tooLarge(name) // it told no size
	}
	return data.Bytes(), nil
}

func tooLarge(name string) error {
	return &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("more than %d bytes: expected a text file", Max)}
}
