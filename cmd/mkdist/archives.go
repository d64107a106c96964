package main

import (
	"path"

	"github.com/cybindgo/cybindgo/internal/pack"
)

// archive is the archive for a platform: a zip for Windows, a tar.gz elsewhere,
// with one folder.
func archive(p platform, b built, manual []pack.File, j *job) (name string, data []byte, err error) {
	texts, err := readAll("LICENSE", "README.md")
	if err != nil {
		return "", nil, err
	}
	files := append(texts,
		pack.File{Name: p.executable(), Data: b.program, Executable: true},
		pack.File{Name: thirdParty, Data: b.licences})
	files = append(files, manual...)
	folder := "cybindgo-" + j.version + "-" + p.os + "-" + p.arch
	for i := range files {
		files[i].Name = path.Join(folder, files[i].Name)
	}
	if p.os == "windows" {
		data, err = pack.Zip(files, j.at)
		return folder + ".zip", data, err
	}
	data, err = pack.TarGz(files, j.at)
	return folder + ".tar.gz", data, err
}
