"""Runs the program: python -m cybindgo."""

import os
import subprocess
import sys

from cybindgo import find_cybindgo


def main():
    command = [find_cybindgo(), *sys.argv[1:]]
    if os.name == "nt":
        # Windows cannot put one program in the place of another.
        try:
            sys.exit(subprocess.run(command).returncode)
        except KeyboardInterrupt:
            sys.exit(2)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
