"""Set up everything that the tests need, once, in a cache folder outside the repository.

    python tests/setup_env.py               # set up what is missing and print the environment
    python tests/setup_env.py --print-env   # the same, NAME=value lines for a shell or a Makefile

The cache is $CYBINDGO_CACHE, or cybindgo/ in $XDG_CACHE_HOME, or ~/.cache/cybindgo.
Each requirement file requirements/<kind>/<name>.txt becomes one folder of its
store, keyed by the file's content (and the Python version where it matters):
what is there is complete and never changes, so two checkouts can share a cache.
A view is a folder of links that gives the store the layout that tests want:

    headers/<release>/*.whl          wheels as they are fetched
    headers-windows/<release>/*.whl
    components/<release>/nvml.h ...  headers of other libraries, without their wheels
    toolkit/<release>/*.whl          the meta-package that pins a release's components
    include/<release>/cuda.h ...     the same headers for a C compiler's -I
    include-windows/<release>/...
    cython/<version>/                a folder for PYTHONPATH
    published/<version>/             cuda-bindings as published: a folder for PYTHONPATH
    env/tests/                       the virtual environment that runs the tests

Only the standard library is used.  Two runs at a time are safe: the second waits.
Nothing says where packages come from: that is pip's own configuration.
"""

import argparse
import fcntl
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

REQUIREMENTS = Path(__file__).resolve().parent / "requirements"
PYTHON_TAG = f"cp{sys.version_info.major}{sys.version_info.minor}"
OLDEST = (3, 11)

# Kinds that are fetched as files, for any host: the platform tags pip is to take.
FETCHED = {
    "headers": ["manylinux2014_x86_64"],
    "headers-windows": ["win_amd64"],
    "components": ["manylinux2014_x86_64"],
    "toolkit": ["any"],
}


def cache_folder():
    if "CYBINDGO_CACHE" in os.environ:
        return Path(os.environ["CYBINDGO_CACHE"]).absolute()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base).absolute() / "cybindgo"


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def pip(python, *arguments):
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"setup: this failed:\n  {shlex.join(command)}\n{done.stdout}")


def hashed(requirements):
    """The pip options that install these requirements and nothing else."""
    return ["--require-hashes", "--no-deps", "--only-binary", ":all:", "--quiet", "-r", str(requirements)]


class Store:
    """Folders keyed by what they are made from, each complete or absent."""

    def __init__(self, root):
        self.root = root

    def add(self, kind, name, key, make):
        """The folder for this key; make(folder) fills it if it is not there yet."""
        folder = self.root / f"{kind}-{name}-{key}"
        done = self.root / f"{folder.name}.done"
        if not done.exists():
            print(f"setup: {kind} {name}", file=sys.stderr, flush=True)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            make(folder)
            done.touch()
        return folder


def unpack_headers(wheels, folder):
    """The headers of some wheels in one folder, as a toolkit's include folder has them."""
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.infolist():
                path = PurePosixPath(member.filename)
                if member.is_dir() or "include" not in path.parts:
                    continue
                inside = path.parts[path.parts.index("include") + 1:]
                if ".." in inside:
                    sys.exit(f"setup: {wheel.name} has a member outside of its folder: {member.filename}")
                target = folder.joinpath(*inside)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(member))


def make_venv(folder, requirements):
    venv.create(folder, with_pip=True)
    pip(folder / "bin" / "python", "install", *hashed(requirements))


def set_up(cache):
    """Make what is missing; return {view path: store folder}."""
    store = Store(cache / "store")
    python_key = f"{PYTHON_TAG}-{digest(sys.version, os.path.realpath(sys.executable))}"
    files = {(path.parent.name, path.stem): path for path in sorted(REQUIREMENTS.glob("*/*.txt"))}
    text = {key: path.read_text() for key, path in files.items()}

    # The virtual environment is first: its pip fetches the rest.
    key = ("env", "tests")
    view = {key: store.add(*key, f"{python_key}-{digest(text[key])}", lambda folder: make_venv(folder, files[key]))}
    python = view[key] / "bin" / "python"

    def add(kind, name):
        requirements = files[kind, name]
        if kind in FETCHED:
            tags = [option for tag in FETCHED[kind] for option in ("--platform", tag)]

            def make(folder):
                pip(python, "download", *tags, *hashed(requirements), "--dest", str(folder))
                if kind == "components":  # the libraries themselves are large, and nobody runs them
                    unpack_headers(folder, folder)
                    for wheel in folder.glob("*.whl"):
                        wheel.unlink()

            return store.add(kind, name, digest(text[kind, name]), make)

        def make(folder):
            pip(python, "install", *hashed(requirements), "--target", str(folder))

        return store.add(kind, name, f"{python_key}-{digest(text[kind, name])}", make)

    with ThreadPoolExecutor(4) as pool:
        jobs = {key: pool.submit(add, *key) for key in files if key not in view}
        view.update({key: job.result() for key, job in jobs.items()})

    for kind, name in list(view):
        if kind in ("headers", "headers-windows"):
            wheels, include = view[kind, name], kind.replace("headers", "include")
            view[include, name] = store.add(
                include, name, digest(text[kind, name]), lambda folder: unpack_headers(wheels, folder))
    return view


def link(cache, view):
    """The folder of links to these store folders; a view is made once and never changed."""
    root = cache / "views" / digest(*sorted(folder.name for folder in view.values()))
    if not root.exists():
        partial = root.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        for (kind, name), folder in view.items():
            (partial / kind).mkdir(parents=True, exist_ok=True)
            (partial / kind / name).symlink_to(os.path.relpath(folder, partial / kind))
        partial.rename(root)
    return root


def check_host():
    if sys.version_info < OLDEST:
        sys.exit(f"setup: CPython {OLDEST[0]}.{OLDEST[1]} or newer is needed, this is "
                 f"{sys.version_info.major}.{sys.version_info.minor} ({sys.executable}); set PYTHON=...")
    if sys.platform != "linux":
        sys.exit("setup: the published wheels and the stand-in libraries are for Linux; "
                 "run the tests there (generate and check run anywhere)")
    header = Path(sysconfig.get_path("include")) / "Python.h"
    if not header.exists():
        sys.exit(f"setup: {header} is missing; install the development files of this Python")


def environment():
    """Set up what is missing; return {NAME: value}."""
    check_host()
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        view = link(cache, set_up(cache))
    python = view / "env" / "tests" / "bin" / "python"
    library = f"python{sys.version_info.major}.{sys.version_info.minor}"
    names = {
        "CYBINDGO_CACHE": cache,
        "CYBINDGO_ENV": view,
        "CYBINDGO_PYTHON": python,
        "CYBINDGO_HEADERS": view / "headers",
        "CYBINDGO_HEADERS_WINDOWS": view / "headers-windows",
        "CYBINDGO_INCLUDE_TREES": view / "include",
        "CYBINDGO_INCLUDE_TREES_WINDOWS": view / "include-windows",
        "CYBINDGO_COMPONENTS": view / "components",
        "CYBINDGO_TOOLKIT": view / "toolkit",
        "CYBINDGO_PUBLISHED": view / "published",
        "CYBINDGO_CYTHON": view / "cython",
        "CYBINDGO_ZIG": view / "env" / "tests" / "lib" / library / "site-packages" / "ziglang" / "zig",
        "ZIG_GLOBAL_CACHE_DIR": cache / "zig",
        "ZIG_LOCAL_CACHE_DIR": cache / "zig",
    }
    return {name: str(value) for name, value in names.items()}


def main():
    arguments = argparse.ArgumentParser(description="Set up what the tests need, outside the repository.")
    arguments.add_argument("--print-env", action="store_true", help="print NAME=value lines only, for a shell's eval")
    arguments.add_argument("--json", action="store_true", help="print the environment as JSON")
    options = arguments.parse_args()
    values = environment()
    if options.json:
        print(json.dumps(values, indent=2))
    elif options.print_env:
        for name, value in values.items():
            print(f"{name}={shlex.quote(value)}")
    else:
        width = max(map(len, values))
        for name, value in values.items():
            print(f"{name:<{width}}  {value}")


if __name__ == "__main__":
    main()
