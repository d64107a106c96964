package pack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"time"
)

// TarGz packs files, in the order of their names.
func TarGz(files []File, at time.Time) ([]byte, error) {
	files, err := inOrder(files)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	// The header of gzip is left without a time and a name.
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for i := range files {
		f := &files[i]
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Size: int64(len(f.Data)), Mode: int64(f.mode()), ModTime: at.Truncate(time.Second), Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
