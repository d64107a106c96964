"""The source of a CPython to build interpreters from.

Taken in this order: the folder or tarball that PYTHON_SOURCE names; what an earlier
run put into the cache; the newest source package that this machine's own package
archive serves.  For the last, a private apt state is made from the machine's own
entries, pointed at the development suites: nothing of the machine is changed, and
where packages come from is not written here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

VERSIONS = ("3.15", "3.14", "3.13")  # the newest first; free threading begins with 3.13

# Suites that have newer interpreters than a release, by the distribution's ID.
SUITES = {"debian": ("testing", "unstable"), "ubuntu": ("devel",)}

HELP = """\
A free-threaded CPython is needed, from 3.13 on. Any of these will do:
  PYTHON_FT=/path/to/python3.14t      an interpreter (with `uv`: uv python install 3.14t)
  python3.14t on PATH                 the same
  PYTHON_SOURCE=/path/to/Python-3.14  a source tree or a tarball, to build from
  a Debian-like system                whose archive serves the source package python3.13 or newer
For ThreadSanitizer: PYTHON_TSAN, or any of the last two. For a CPython from 3.13 on with
the GIL: PYTHON_GIL_ON, python3.13 on PATH, or any of the last two."""


class NoSource(Exception):
    """No source is to be had; the message says what was tried."""


def version_of(tree: Path) -> str:
    """The version of a source tree, such as 3.13.15."""
    text = (tree / "Include" / "patchlevel.h").read_text()
    found = re.search(r'^#define PY_VERSION\s+"([^"]+)"', text, re.M)
    assert found, f"{tree}: no PY_VERSION in Include/patchlevel.h"
    return found[1].rstrip("+")


def unpack(origin: Path, folder: Path) -> Path:
    """A source tree of our own in this folder; it may be built in and removed."""
    if origin.is_dir():
        shutil.copytree(origin, folder, ignore=shutil.ignore_patterns(".git", "*.o", "*.a"), symlinks=True)
    else:
        folder.mkdir(parents=True)
        # As tar --strip-components=1 does it.
        subprocess.run(["tar", "xf", origin, "-C", folder, "--strip-components=1"], check=True)
    if not (folder / "configure").exists():
        raise NoSource(f"{origin}: no configure in it: not a source tree of CPython")
    return folder


def newest(paths: list[Path]) -> Path | None:
    """The one of the newest version: 3.13.15 is newer than 3.13.9."""
    return max(paths, key=lambda path: [int(n) for n in re.findall(r"\d+", path.name)], default=None)


def find(cache: Path, log) -> Path:
    """A source tree or tarball."""
    if named := os.environ.get("PYTHON_SOURCE"):
        if not Path(named).exists():
            raise NoSource(f"PYTHON_SOURCE={named} does not exist")
        return Path(named).resolve()
    if known := newest(list(cache.glob("python3*.tar.*"))):
        return known
    return from_archive(cache, log)


def archive_entries(folder: Path = Path("/etc/apt")) -> str:
    """The machine's own apt entries of its main archive, as deb822 stanzas without their suites."""
    stanzas: dict[tuple[str, str, str], None] = {}
    for path in sorted((folder / "sources.list.d").glob("*.sources")):
        text = re.sub(r"^#.*\n", "", path.read_text(), flags=re.M)
        for block in text.split("\n\n"):
            fields = dict(re.findall(r"^([\w-]+):\s*(.*)$", block, re.M))
            if "main" in fields.get("Components", "").split() and "security" not in fields.get("Suites", ""):
                for uri in fields.get("URIs", "").split():
                    stanzas[uri, fields["Components"], fields.get("Signed-By", "")] = None
    lists = [folder / "sources.list", *sorted((folder / "sources.list.d").glob("*.list"))]
    for path in lists:
        text = path.read_text() if path.exists() else ""
        for options, uri, suite, components in re.findall(r"^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+(.*)$", text, re.M):
            if "main" in components.split() and "security" not in suite:
                key = re.search(r"signed-by=(\S+)", options, re.I)
                stanzas[uri, components.strip(), key[1] if key else ""] = None
    return "\n".join(f"Types: deb-src\nURIs: {uri}\nSuites: SUITE\nComponents: {components}\n" + (f"Signed-By: {key}\n" if key else "")
                     for uri, components, key in stanzas)


def from_archive(cache: Path, log) -> Path:
    """The newest source package that the archive serves: listed is not enough."""
    if not shutil.which("apt-get"):
        raise NoSource("there is no apt-get here to fetch a source package with")
    release = Path("/etc/os-release").read_text()
    names = re.findall(r'^(?:ID|ID_LIKE)="?([^"\n]+)', release, re.M)
    suites = next((SUITES[name] for text in names for name in text.split() if name in SUITES), ())
    entries, tried = archive_entries(), []
    for suite in suites if entries else ():
        folder = cache / f"apt-{suite}.{os.getpid()}"
        for part in ("lists/partial", "cache/archives/partial", "got"):
            (folder / part).mkdir(parents=True)
        try:
            (folder / "suite.sources").write_text(entries.replace("SUITE", suite))
            options = ["-o", f"Dir::Etc::sourcelist={folder}/suite.sources", "-o", "Dir::Etc::sourceparts=/nonexistent",
                       "-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache",
                       "-o", "Acquire::Languages=none", "-o", "APT::Sandbox::User=root"]
            log(f"looking for a newer CPython in the suite {suite}")
            if not apt(options, "update", cwd=folder):
                tried.append(f"{suite}: apt-get update failed")
                continue
            for version in VERSIONS:
                if apt(options, "source", "--download-only", "-qq", f"python{version}", cwd=folder / "got"):
                    found = newest(list((folder / "got").glob("*.orig.tar.*z*")))
                    if found:
                        return found.rename(cache / found.name)
                tried.append(f"{suite}: python{version} is not served")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    raise NoSource("no source package was found; " + ("; ".join(tried) or "no entries of a known distribution in /etc/apt"))


def apt(options: list[str], *arguments: str, cwd: Path) -> bool:
    done = subprocess.run(["apt-get", *options, *arguments], cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
    return done.returncode == 0
