package pack

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"time"
)

// Zip packs files, in the order of their names.
func Zip(files []File, at time.Time) ([]byte, error) {
	files, err := inOrder(files)
	if err != nil {
		return nil, err
	}
	return zipInThisOrder(files, at)
}

// zipInThisOrder packs files whose names are known to be good.
func zipInThisOrder(files []File, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := range files {
		if err := addToZip(w, &files[i], at); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// addToZip compresses a member first, and then writes it with its sizes before
// it. A [zip.Writer] left to itself writes them behind it, and package indexes
// refuse wheels that have them there.
func addToZip(w *zip.Writer, f *File, at time.Time) error {
	packed, err := deflate(f.Data)
	if err != nil {
		return err
	}
	h := &zip.FileHeader{
		Name:               f.Name,
		Method:             zip.Deflate,
		CRC32:              crc32.ChecksumIEEE(f.Data),
		CompressedSize64:   uint64(len(packed)),
		UncompressedSize64: uint64(len(f.Data)),
		ReaderVersion:      20,
	}
	if len(packed) >= len(f.Data) {
		packed, h.Method, h.CompressedSize64 = f.Data, zip.Store, uint64(len(f.Data))
	}
	h.SetMode(f.mode())
	//lint:ignore SA1019 CreateRaw looks at these fields alone
	h.ModifiedDate, h.ModifiedTime = dosTime(at)
	member, err := w.CreateRaw(h)
	if err != nil {
		return err
	}
	_, err = member.Write(packed)
	return err
}

func deflate(data []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// FirstTime is the earliest time that a zip can tell.
var FirstTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// dosTime gives a time as zips have it: from 1980 on, to two seconds.
func dosTime(t time.Time) (date, clock uint16) {
	t = t.UTC()
	if t.Before(FirstTime) {
		t = FirstTime
	}
	date = uint16(t.Day() + int(t.Month())<<5 + (t.Year()-1980)<<9)
	clock = uint16(t.Second()/2 + t.Minute()<<5 + t.Hour()<<11)
	return date, clock
}
