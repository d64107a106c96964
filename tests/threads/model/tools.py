"""The model checkers: herd7, and the headers of Relacy.

    python tests/threads/model/tools.py    # both, found or fetched, and say which

Each is what the user names (HERD7: the program; RELACY: the folder that has
relacy/relacy.hpp), else what is installed, else what an earlier run fetched, else the
package of the distribution, or of its development suite where the release has none.
A fetched package is unpacked into model/ of the cache (CYBINDGO_CACHE), keyed by the
packages' content; nothing is installed.  A program from a newer suite runs with the
libraries that were fetched along with it, by their own dynamic loader: the machine's
stay as they are.  Where packages come from is the machine's own apt configuration.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]

import setup_env
import sources

LIMIT = 300  # seconds of one step of apt

HELP = {
    "herd7": """\
herd7 is needed, with its models. Any of these will do:
  HERD7=/path/to/herd7          a program (with opam: opam install herdtools7)
  herd7 on PATH                 the same (on Debian from 14 on: apt-get install herdtools7)
  a Debian-like system          whose archive, or development suite, serves herdtools7""",
    "relacy": """\
The headers of Relacy are needed. Any of these will do:
  RELACY=/path/to/include       a folder that has relacy/relacy.hpp (github.com/dvyukov/relacy has them)
  relacy-dev, installed         apt-get install relacy-dev
  a Debian-like system          whose archive serves relacy-dev""",
}


class Missing(Exception):
    """A tool is not to be had; the message says what was tried."""


@dataclass(frozen=True)
class Tool:
    path: Path
    origin: str  # how it was come by, and its version

    def __str__(self) -> str:
        return self.origin


def log(text: str) -> None:
    print(f"model: {text}", file=sys.stderr, flush=True)


def herd7() -> Tool:
    return find("herd7", ("herdtools7", "libc6", "libgmp10"), "HERD7", lambda named: os.access(named, os.X_OK), shutil.which("herd7"), launcher)


def relacy() -> Tool:
    def fits(include: str) -> bool:
        return (Path(include) / "relacy" / "relacy.hpp").exists()

    installed = next(filter(fits, ("/usr/include", "/usr/local/include")), None)
    return find("relacy", ("relacy-dev",), "RELACY", fits, installed, lambda root: root / "usr" / "include")


def find(name: str, packages: tuple[str, ...], variable: str, fits: Callable[[str], bool], installed: str | None,
         use: Callable[[Path], Path]) -> Tool:
    """The tool; ends the program, saying how to get it, if there is none."""
    try:
        if named := os.environ.get(variable):
            if not Path(named).exists() or not fits(named):
                raise Missing(f"{variable}={named} is not what is needed")
            return Tool(Path(named).absolute(), f"{name} ({variable})")
        if installed:
            return Tool(Path(installed), f"{name} (installed)")
        root = cached(name, packages)
        facts = json.loads((root / "packages.json").read_text())
        return Tool(use(root), f"{name} ({packages[0]} {facts[packages[0]]}, fetched)")
    except Missing as problem:
        sys.exit(f"model: {problem}\n{HELP[name]}")


def cached(name: str, packages: tuple[str, ...]) -> Path:
    """The folder of these packages, unpacked: complete or absent. Of two runs at a time the second waits."""
    cache = setup_env.cache_folder() / "model"
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = sorted(cache.glob(f"{name}-*/packages.json"), key=lambda path: path.stat().st_mtime)
        if known:
            return known[-1].parent
        with tempfile.TemporaryDirectory(dir=cache) as work:
            return unpack(fetch(packages, Path(work)), Path(work), cache, name)


def fetch(packages: tuple[str, ...], work: Path) -> list[Path]:
    """Packages of this machine's release, or of the first development suite that serves all of them."""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise Missing(f"there is no apt-get here to fetch {packages[0]} with")
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)', Path("/etc/os-release").read_text(), re.M))
    names = f"{release.get('ID', '')} {release.get('ID_LIKE', '')}".split()
    suites = [release.get("VERSION_CODENAME", ""), *next((sources.SUITES[name] for name in names if name in sources.SUITES), ())]
    entries, tried = sources.archive_entries().replace("Types: deb-src", "Types: deb"), []
    for suite in filter(None, suites) if entries else ():
        folder = work / suite
        for part in ("lists/partial", "cache/archives/partial", "got"):
            (folder / part).mkdir(parents=True)
        (folder / "suite.sources").write_text(entries.replace("SUITE", suite))
        options = ["-o", f"Dir::Etc::sourcelist={folder}/suite.sources", "-o", "Dir::Etc::sourceparts=/nonexistent",
                   "-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache",
                   "-o", "Acquire::Languages=none", "-o", "APT::Sandbox::User=root"]
        log(f"looking for {packages[0]} in the suite {suite}")
        if not apt(options, "update", folder):
            tried.append(f"{suite}: apt-get update failed")
        elif apt(options, "download", folder / "got", *packages) and len(found := sorted((folder / "got").glob("*.deb"))) == len(packages):
            return found
        else:
            tried.append(f"{suite}: {packages[0]} is not served")
    raise Missing(f"{packages[0]} was not found; " + ("; ".join(tried) or "no entries of a known distribution in /etc/apt"))


def apt(options: list[str], command: str, folder: Path, *packages: str) -> bool:
    done = subprocess.run(["apt-get", *options, command, *packages], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT)
    return done.returncode == 0


def unpack(archives: list[Path], work: Path, cache: Path, name: str) -> Path:
    hasher, facts, root = hashlib.sha256(), {}, work / "root"
    for archive in archives:
        hasher.update(hashlib.sha256(archive.read_bytes()).digest())
        show = subprocess.run(["dpkg-deb", "--field", archive, "Package", "Version"], capture_output=True, text=True, check=True, timeout=LIMIT)
        fields = dict(line.split(": ", 1) for line in show.stdout.splitlines())
        facts[fields["Package"]] = fields["Version"]
        subprocess.run(["dpkg-deb", "--extract", archive, root], check=True, timeout=LIMIT)
    # The package has two dozen programs; one is used.
    for program in (root / "usr" / "bin").glob("*"):
        if program.name != name:
            program.unlink()
    (root / "packages.json").write_text(json.dumps(facts))
    home = cache / f"{name}-{hasher.hexdigest()[:16]}"
    root.rename(home)
    return home


def launcher(root: Path) -> Path:
    """A script that starts the unpacked herd7 with its own libraries."""
    loader = next(iter(sorted(root.rglob("ld-linux*.so.*"))), None)
    libraries = next(iter(sorted(root.rglob("libgmp.so.10"))), None)
    if not loader or not libraries:
        raise Missing(f"{root}: the packages lack a dynamic loader or a library")
    script = root / "herd7"
    text = f"""#!/bin/sh
exec {shlex.quote(str(loader))} --library-path {shlex.quote(f"{libraries.parent}:{loader.parent}")} \\
    {shlex.quote(str(root / "usr" / "bin" / "herd7"))} -set-libdir {shlex.quote(str(root / "usr" / "share" / "herdtools7" / "herd"))} "$@"
"""
    if not script.exists() or script.read_text() != text:
        partial = script.with_suffix(f".{os.getpid()}")
        partial.write_text(text)
        partial.chmod(0o755)
        partial.rename(script)
    return script


if __name__ == "__main__":
    for tool in (herd7(), relacy()):
        print(f"{tool}: {tool.path}")
