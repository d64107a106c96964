// Peak runs a command and writes the most memory that it had, in bytes, to a
// file. What is measured from a large process counts that process's own memory:
// Linux lets a child begin with the peak of whom it was forked from.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

func main() {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(125)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if err := os.WriteFile(os.Args[1], fmt.Appendf(nil, "%d", usage.Maxrss<<10), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(125)
	}
	if code := cmd.ProcessState.ExitCode(); code >= 0 {
		os.Exit(code)
	}
	syscall.Kill(os.Getpid(), syscall.SIGKILL) // as it ended itself
}
