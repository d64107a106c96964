package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	program = "github.com/cybindgo/cybindgo/cmd/cybindgo"
	about   = "github.com/cybindgo/cybindgo/internal/cli"
)

// built is the program for one platform, and the licences of what is in it.
type built struct{ program, licences []byte }

// build compiles and links the program so that nothing of this machine is in
// it: no paths, no state of version control, no settings of the user.
func build(ctx context.Context, p platform, version, commit string) (built, error) {
	dir, err := os.MkdirTemp("", "mkdist-")
	if err != nil {
		return built{}, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, p.executable())
	flags := "-s -w -buildid= -X " + about + ".version=" + version
	if commit != "" {
		flags += " -X " + about + ".commit=" + commit
	}
	if _, err := goCommand(ctx, p, "build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", file, program); err != nil {
		return built{}, err
	}
	var b built
	if b.program, err = os.ReadFile(file); err != nil {
		return built{}, err
	}
	b.licences, err = licences(ctx, p)
	return b, err
}

// goCommand runs the Go command for a platform and gives its output. What the
// user has set for it is left out, but for where modules come from and where
// caches are.
func goCommand(ctx context.Context, p platform, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch, p.level,
		"GOFLAGS=-mod=readonly", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s for %s: %w\n%s", strings.Join(args, " "), p, err, errs.String())
	}
	return string(out), nil
}
