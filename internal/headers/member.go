package headers

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"
)

// A member is a file in a wheel, inflated when it is first read.
type member struct {
	wheel string // path of the wheel, for messages
	file  *zip.File

	once sync.Once
	data []byte
	err  error
}

// newMember checks what the wheel's directory says of a member that may be
// read later.
func newMember(wheel string, f *zip.File) (*member, error) {
	m := &member{wheel: wheel, file: f}
	size, packed := f.UncompressedSize64, f.CompressedSize64
	switch {
	case !f.Mode().IsRegular():
		return nil, m.errorf(nil, "is a link or a device (%v): expected a plain file", f.Mode())
	case f.Flags&1 != 0:
		return nil, m.errorf(nil, "is encrypted: expected a plain file")
	case size > maxHeader:
		return nil, m.errorf(nil, "has %d bytes unpacked: expected at most %d", size, maxHeader)
	case size >= ratioFrom && size/maxRatio > packed:
		return nil, m.errorf(nil, "unpacks to more than %d times its size (%d bytes from %d): expected the text of a header", maxRatio, size, packed)
	}
	return m, nil
}

// read gives the member's bytes, which the caller must not change.
func (m *member) read() ([]byte, error) {
	m.once.Do(func() { m.data, m.err = m.inflate() })
	return m.data, m.err
}

func (m *member) inflate() ([]byte, error) {
	r, err := m.file.Open()
	if err != nil {
		return nil, m.damaged(err)
	}
	defer r.Close()
	// The declared size is bounded (newMember), and archive/zip gives an error
	// where what comes out is longer or shorter.
	data := make([]byte, m.file.UncompressedSize64)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, m.damaged(err)
	}
	// The end is where archive/zip compares the checksum, but for a recorded
	// checksum of 0, which it takes for none.
	switch n, err := r.Read(make([]byte, 1)); {
	case n > 0:
		return nil, m.damaged(zip.ErrFormat)
	case err != nil && err != io.EOF:
		return nil, m.damaged(err)
	case m.file.CRC32 == 0 && crc32.ChecksumIEEE(data) != 0:
		return nil, m.damaged(zip.ErrChecksum)
	}
	return data, nil
}

func (m *member) damaged(err error) error {
	switch {
	case errors.Is(err, os.ErrClosed):
		return m.errorf(err, "cannot be read: the wheel was closed before")
	case errors.Is(err, zip.ErrChecksum):
		return m.errorf(err, "is damaged: its CRC-32 is not %08x, as the wheel records; fetch the wheel again", m.file.CRC32)
	case errors.Is(err, zip.ErrAlgorithm):
		return m.errorf(err, "is packed by method %d: expected 8 (deflate) or 0 (stored)", m.file.Method)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, zip.ErrFormat):
		return m.errorf(err, "is damaged: it is not the %d bytes that the wheel records; fetch the wheel again", m.file.UncompressedSize64)
	}
	return m.errorf(err, "is damaged (%v); fetch the wheel again", err)
}

func (m *member) errorf(cause error, format string, args ...any) *Error {
	return &Error{Path: m.wheel, Member: m.file.Name, Msg: fmt.Sprintf(format, args...), Err: cause}
}

// wheelFolder is the file system of one header folder in a wheel.
type wheelFolder struct {
	wheel   *wheel
	dir     string
	archive *zip.Reader // for listing folders
}

// Open implements [fs.FS].
func (w *wheelFolder) Open(name string) (fs.File, error) {
	full := path.Join(w.dir, name)
	if m := w.wheel.members[full]; m != nil && fs.ValidPath(name) {
		data, err := m.read()
		if err != nil {
			return nil, err
		}
		return &openMember{bytes.NewReader(data), m.file.FileInfo()}, nil
	}
	if !w.wheel.folders[full] || !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return w.archive.Open(full)
}

// Stat implements [fs.StatFS]: it inflates nothing.
func (w *wheelFolder) Stat(name string) (fs.FileInfo, error) {
	if m := w.wheel.members[path.Join(w.dir, name)]; m != nil && fs.ValidPath(name) {
		return m.file.FileInfo(), nil
	}
	f, err := w.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

// ReadFile implements [fs.ReadFileFS].
func (w *wheelFolder) ReadFile(name string) ([]byte, error) {
	m := w.wheel.members[path.Join(w.dir, name)]
	if m == nil || !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	data, err := m.read()
	return slices.Clone(data), err
}

// openMember is an open header of a wheel. It can be read by several readers:
// each has its own place in the shared bytes.
type openMember struct {
	*bytes.Reader
	info fs.FileInfo
}

func (o *openMember) Stat() (fs.FileInfo, error) { return o.info, nil }
func (o *openMember) Close() error               { return nil }
