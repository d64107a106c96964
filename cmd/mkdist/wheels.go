package main

import (
	_ "embed"
	"os"

	"github.com/cybindgo/cybindgo/internal/pack"
)

// The Python that goes into wheels: `python -m cybindgo`.
var (
	//go:embed python/__init__.py
	initPy []byte
	//go:embed python/__main__.py
	mainPy []byte
	//go:embed description.md
	description string
)

const source = "https://github.com/cybindgo/cybindgo"

// wheel is the wheel for a platform.
func wheel(p platform, b built, version string) (*pack.Wheel, error) {
	texts, err := readAll("LICENSE")
	return &pack.Wheel{
		Name:           "cybindgo",
		Version:        version,
		Summary:        "Writes thread-safe Cython bindings from CUDA's C headers",
		Description:    description,
		Licence:        "Apache-2.0",
		RequiresPython: ">=3.9",
		Author:         "the cybindgo authors",
		URLs: []pack.Link{
			{Label: "Documentation", URL: source + "/tree/main/docs"},
			{Label: "Issues", URL: source + "/issues"},
			{Label: "Source", URL: source},
		},
		Classifiers: []string{
			"Environment :: Console",
			"Environment :: GPU :: NVIDIA CUDA",
			"Intended Audience :: Developers",
			"Programming Language :: Cython",
			"Programming Language :: Python :: 3",
			"Topic :: Software Development :: Code Generators",
		},
		Platforms: p.tags,
		Package:   []pack.File{{Name: "cybindgo/__init__.py", Data: initPy}, {Name: "cybindgo/__main__.py", Data: mainPy}},
		Scripts:   []pack.File{{Name: p.executable(), Data: b.program}},
		Licences:  append(texts, pack.File{Name: thirdParty, Data: b.licences}),
	}, err
}

// thirdParty is the file with the licences of what the program is made from.
const thirdParty = "THIRD_PARTY_LICENSES.txt"

// readAll reads files of the repository.
func readAll(names ...string) (files []pack.File, err error) {
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, pack.File{Name: name, Data: data})
	}
	return files, nil
}
