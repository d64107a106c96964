"""Look at a binding package from outside: every question is a process of its own.

A `Package` is a list of folders for PYTHONPATH, so one kind of question serves the
published wheels, our own builds, and a published wheel with our modules in it.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).resolve().parent
MODULES = ("cuda.bindings.cydriver", "cuda.bindings._internal.driver")
LIBRARIES = ("nvrtc", "nvvm", "nvfatbin", "nvjitlink", "nvml")  # beside the driver
PER_THREAD = "CUDA_PYTHON_CUDA_PER_THREAD_DEFAULT_STREAM"
LOG = "CYBINDGO_STUB_LOG"

# Settings of the machine that would change what is observed.
CLEARED = (PER_THREAD, LOG, "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "CUDA_HOME", "CUDA_PATH")


class ProcessFailed(Exception):
    pass


@dataclass(frozen=True)
class Answer:
    stdout: str
    stderr: str
    returncode: int
    log: tuple[str, ...]  # the stand-in library's lines

    @property
    def json(self):
        return json.loads(self.stdout)


@dataclass(frozen=True)
class Package:
    """Folders for PYTHONPATH, and the folder that holds the libcuda.so.1 to load (None: there is none)."""

    paths: tuple[Path, ...]
    library: Path | None = None
    environment: dict = field(default_factory=dict)

    def on(self, library, **environment):
        """The same package on another library."""
        return Package(self.paths, library, {**self.environment, **environment})

    def with_path(self, *paths):
        return Package((*paths, *self.paths), self.library, self.environment)

    def python(self, code, *arguments, check=True, timeout=300, **environment):
        """Run Python code (text) against the package."""
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            env = {name: value for name, value in os.environ.items() if name not in CLEARED}
            env |= {LOG: str(log), "PYTHONPATH": os.pathsep.join(map(str, self.paths))}
            env |= self.environment | environment
            if self.library is not None:
                env["LD_LIBRARY_PATH"] = str(self.library)
            done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True,
                                  timeout=timeout, env=env, cwd=folder)
            lines = tuple(log.read_text().splitlines()) if log.exists() else ()
        if check and done.returncode != 0:
            raise ProcessFailed(f"exit {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-8000:]}")
        return Answer(done.stdout, done.stderr, done.returncode, lines)

    def probe(self, question, *arguments, **options):
        """Ask probe.py a question; its answer."""
        return self.python((TESTS / "probe.py").read_text(), question, *arguments, **options)

    def capi(self):
        """{module: {name: signature}}: what other Cython modules can cimport."""
        return self.probe("capi", *MODULES).json

    def requests(self, per_thread=False):
        """What initialisation asks of cuGetProcAddress_v2, on the logging stand-in.

        ({function: (base, version, flags)}, [every request in order]): the function
        that a request is for is known by the address it was answered with.
        """
        answer = self.probe("pointers", **({PER_THREAD: "1"} if per_thread else {}))
        made, by_address = [], {}
        for line in answer.log:
            by, name, version, flags, address = line.split()
            made.append((by, name, int(version), int(flags)))
            by_address[int(address, 16)] = (name, int(version), int(flags))
        return {function: by_address.get(address) for function, address in answer.json.items()}, made


def published(version):
    """cuda-bindings as published."""
    return Package((Path(os.environ["CYBINDGO_PUBLISHED"]) / version,))


def built(build):
    """A package tree of ours, built."""
    return Package((build.path,))
