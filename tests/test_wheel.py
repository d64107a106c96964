"""What is published: the wheels and the archives, made as for a release.

The host's wheel is installed into an empty environment and does its main job there.
"""

import base64
import csv
import hashlib
import io
import os
import platform
import shutil
import struct
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from packaging.metadata import Metadata
from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename

ROOT = Path(__file__).resolve().parent.parent
VERSION = "1.2.3rc1"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
EPOCH = 1793795440  # 2026-11-04 12:30:40
TIME = (2026, 11, 4, 12, 30, 40)

# What a platform's program begins with: the format's mark, and the processor at an offset.
PROGRAMS = {
    "linux-amd64": (b"\x7fELF\x02\x01", 18, 62),
    "linux-arm64": (b"\x7fELF\x02\x01", 18, 183),
    "darwin-arm64": (b"\xcf\xfa\xed\xfe", 4, 0x000C),  # the low half of CPU_TYPE_ARM64
    "windows-amd64": (b"MZ", None, 0x8664),
}
TAGS = {
    "linux-amd64": ["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"],
    "linux-arm64": ["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"],
    "darwin-arm64": ["macosx_12_0_arm64"],
    "windows-amd64": ["win_amd64"],
}
HOST = {("Linux", "x86_64"): "linux-amd64", ("Linux", "aarch64"): "linux-arm64", ("Darwin", "arm64"): "darwin-arm64"}.get(
    (platform.system(), platform.machine()))
needs_host = pytest.mark.skipif(HOST is None, reason="no wheel is published for this platform")


def make(root, folder, *arguments):
    """Runs mkdist in a copy of the repository."""
    command = ["go", "run", "./cmd/mkdist", "-o", str(folder), "-version", VERSION, "-commit", COMMIT, *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)})
    assert done.returncode == 0, f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}"


@pytest.fixture(scope="session")
def dist(tmp_path_factory):
    """The folder with everything, each platform's program built once."""
    folder = tmp_path_factory.mktemp("dist")
    make(ROOT, folder, "all")
    return folder


def wheel(dist, name):
    found = list(dist.glob(f"cybindgo-{VERSION}-py3-none-{'.'.join(TAGS[name])}.whl"))
    assert len(found) == 1, f"{name}: {found}"
    return found[0]


def archive(dist, name):
    return dist / f"cybindgo-{VERSION}-{name}{'.zip' if name.startswith('windows') else '.tar.gz'}"


def executable(name):
    return "cybindgo.exe" if name.startswith("windows") else "cybindgo"


def is_program_of(name, data):
    mark, at, machine = PROGRAMS[name]
    assert data.startswith(mark)
    if at is None:  # the header of a Windows program is where the old one says
        (start,) = struct.unpack_from("<I", data, 0x3C)
        assert data[start:start + 4] == b"PE\0\0"
        at = start + 4
    assert struct.unpack_from("<H", data, at) == (machine,)
    if mark.startswith(b"\x7fELF"):  # linked statically: no interpreter (PT_INTERP), so that any C library will do
        (table,), (size, count) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<HH", data, 54)
        assert 3 not in [struct.unpack_from("<I", data, table + i * size)[0] for i in range(count)]
    assert COMMIT.encode() in data and str(ROOT).encode() not in data, "the commit is in the program, and this machine's paths are not"


def test_all_is_there_and_nothing_else(dist):
    want = {wheel(dist, name).name for name in TAGS} | {archive(dist, name).name for name in TAGS}
    assert {path.name for path in dist.iterdir()} == want | {"SHA256SUMS"}
    sums = dict(reversed(line.split("  ")) for line in (dist / "SHA256SUMS").read_text().splitlines())
    assert sums == {name: hashlib.sha256((dist / name).read_bytes()).hexdigest() for name in want}


@pytest.mark.parametrize("name", TAGS)
def test_wheel_is_sound(dist, name):
    path = wheel(dist, name)
    distribution, version, build, tags = parse_wheel_filename(path.name)
    assert (distribution, str(version), build) == ("cybindgo", VERSION, ())
    assert {str(tag) for tag in tags} == {f"py3-none-{tag}" for tag in TAGS[name]}

    with zipfile.ZipFile(path) as whole:
        assert whole.testzip() is None
        members = whole.infolist()
        names = [member.filename for member in members]
        info, script = f"cybindgo-{VERSION}.dist-info", f"cybindgo-{VERSION}.data/scripts/{executable(name)}"
        assert names == [script, "cybindgo/__init__.py", "cybindgo/__main__.py", f"{info}/METADATA", f"{info}/WHEEL",
                         f"{info}/licenses/LICENSE", f"{info}/licenses/THIRD_PARTY_LICENSES.txt", f"{info}/RECORD"]
        for member in members:
            mode = 0o100755 if member.filename == script else 0o100644
            assert member.external_attr >> 16 == mode and member.create_system == 3, member.filename
            assert member.date_time == TIME and not member.flag_bits and not member.extra, member.filename
        is_program_of(name, whole.read(script))

        record = list(csv.reader(io.StringIO(whole.read(f"{info}/RECORD").decode())))
        assert [row[0] for row in record] == names
        assert record.pop() == [f"{info}/RECORD", "", ""]
        for member, digest, size in record:
            data = whole.read(member)
            want = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={want}", str(len(data))), member

        metadata = Metadata.from_email(whole.read(f"{info}/METADATA"), validate=True)
        assert (metadata.name, str(metadata.version), metadata.license_expression) == ("cybindgo", VERSION, "Apache-2.0")
        assert metadata.license_files == ["LICENSE", "THIRD_PARTY_LICENSES.txt"]
        assert metadata.description.startswith("# cybindgo\n") and not metadata.requires_dist
        said = whole.read(f"{info}/WHEEL").decode().splitlines()
        assert said[0] == "Wheel-Version: 1.0" and said[2] == "Root-Is-Purelib: false"
        assert said[3:] == [f"Tag: py3-none-{tag}" for tag in TAGS[name]]

        third = whole.read(f"{info}/licenses/THIRD_PARTY_LICENSES.txt").decode()
        assert "The Go standard library" in third and "github.com/spf13/cobra v" in third


@pytest.mark.parametrize("name", TAGS)
def test_archive_is_sound(dist, name):
    top = f"cybindgo-{VERSION}-{name}/"
    if name.startswith("windows"):
        with zipfile.ZipFile(archive(dist, name)) as whole:
            assert all(member.date_time == TIME for member in whole.infolist())
            files = {member.filename: (member.external_attr >> 16 & 0o777, whole.read(member)) for member in whole.infolist()}
    else:
        with tarfile.open(archive(dist, name)) as whole:
            assert all(member.mtime == EPOCH and member.uid == member.gid == 0 and member.isfile() for member in whole)
            files = {member.name: (member.mode, whole.extractfile(member).read()) for member in whole}
    assert list(files) == sorted(files) and all(path.startswith(top) for path in files)
    files = {path.removeprefix(top): file for path, file in files.items()}
    assert {path for path in files if not path.startswith("man/")} == {
        executable(name), "LICENSE", "README.md", "THIRD_PARTY_LICENSES.txt",
        "completions/_cybindgo", "completions/cybindgo.bash", "completions/cybindgo.fish", "completions/cybindgo.ps1"}
    assert {"man/man1/cybindgo.1", "man/man1/cybindgo-generate.1", "man/man1/cybindgo-releases-add.1"} <= set(files)
    assert {path for path, (mode, _) in files.items() if mode != 0o644} == {executable(name)}
    mode, program = files[executable(name)]
    assert mode == 0o755
    with zipfile.ZipFile(wheel(dist, name)) as same:
        assert same.read(f"cybindgo-{VERSION}.data/scripts/{executable(name)}") == program
    assert files["README.md"][1] == (ROOT / "README.md").read_bytes()
    assert b'"Nov 2026" "cybindgo 1.2.3rc1"' in files["man/man1/cybindgo.1"][1]


@needs_host
def test_the_same_bytes_from_another_folder(dist, tmp_path):
    """A copy of the repository, under another path, gives the same files."""
    files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                           cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    copy, again = tmp_path / "copy", tmp_path / "again"
    for name in filter(None, files):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    make(copy, again, "-platform", "host", "all")
    for path in (wheel(again, HOST), archive(again, HOST)):
        assert path.read_bytes() == (dist / path.name).read_bytes(), path.name


@pytest.fixture(scope="session")
def installed(dist, tmp_path_factory):
    """An environment with nothing in it but the host's wheel."""
    folder = tmp_path_factory.mktemp("installed") / "env"
    venv.create(folder, with_pip=True)
    pip = [folder / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", "--no-index", "--no-deps", "--only-binary", ":all:", "--find-links", dist, f"cybindgo=={VERSION}"], check=True)
    subprocess.run([*pip, "check"], check=True, stdout=subprocess.DEVNULL)
    return folder


def run(*command, cwd=None):
    """Runs a command without Go, without a compiler: PATH is empty."""
    return subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, env={"PATH": "", "HOME": str(cwd or "/nowhere")})


@needs_host
def test_pip_takes_the_wheel_of_the_host(dist):
    supported = set(sys_tags())
    assert [name for name in TAGS if parse_wheel_filename(wheel(dist, name).name)[3] & supported] == [HOST]


@needs_host
@pytest.mark.parametrize("way", ["command", "module"])
def test_installed_program_runs(installed, way):
    command = [installed / "bin" / "cybindgo"] if way == "command" else [installed / "bin" / "python", "-m", "cybindgo"]
    done = run(*command, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, "cybindgo 1.2.3rc1 (0123456789ab)\n", "")
    done = run(*command, "check", "--config", "missing.yaml")
    assert done.returncode == 2 and "missing.yaml" in done.stderr


@needs_host
def test_module_finds_the_program_in_a_target_folder(dist, tmp_path):
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "install", "--no-index", "--only-binary", ":all:", "--find-links", dist,
                    "--target", tmp_path / "target", f"cybindgo=={VERSION}"], check=True)
    done = subprocess.run([sys.executable, "-m", "cybindgo", "--version"], capture_output=True, text=True,
                          env={"PYTHONPATH": str(tmp_path / "target"), "PATH": ""})
    assert (done.returncode, done.stdout) == (0, "cybindgo 1.2.3rc1 (0123456789ab)\n"), done.stderr
    (tmp_path / "target" / "bin" / "cybindgo").unlink()
    done = subprocess.run([sys.executable, "-m", "cybindgo"], capture_output=True, text=True, env={"PYTHONPATH": str(tmp_path / "target"), "PATH": ""})
    assert done.returncode == 1 and "install cybindgo again" in done.stderr


@needs_host
def test_installed_program_does_its_main_job(installed, tmp_path):
    """From the configuration alone, byte for byte what is committed."""
    shutil.copy(ROOT / "cybindgo.yaml", tmp_path)
    done = run(installed / "bin" / "cybindgo", "generate", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    committed = subprocess.run(["git", "ls-files", "generated"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    made = sorted(str(path.relative_to(tmp_path)) for path in (tmp_path / "generated").rglob("*") if path.is_file())
    assert made == sorted(committed) and len(made) >= 22
    for name in made:
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes(), name
    done = run(installed / "bin" / "cybindgo", "check", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{len(made)} files are as generated\n")
