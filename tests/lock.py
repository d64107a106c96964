"""Write requirements/<kind>/<name>.txt, with hashes, from requirements/pins.json.

Run it after a change of pins.json and commit what it writes; the tests never
run it.  Where packages come from is pip's own configuration.  pip is asked what
it would install (it does not download what the index describes), once for every
CPython version in "pythons", and the hashes it reports are written down.

    python tests/lock.py            # every file
    python tests/lock.py headers    # the files of one kind
"""

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "requirements"

LINUX = ["manylinux_2_28_x86_64", "manylinux2014_x86_64"]
PLATFORMS = {"headers-windows": ["win_amd64"]}

# Kinds whose wheels carry no Python code: one Python version stands for all.
HEADERS_ONLY = {"headers", "headers-windows", "components", "toolkit"}


def hashes(pins, platforms, python):
    """{pin: sha256} of the wheels that pip would take for this platform and Python."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--report", "-", "--quiet",
               "--disable-pip-version-check", "--no-deps", "--ignore-installed",
               "--only-binary", ":all:", "--python-version", python]
    for platform in platforms:
        command += ["--platform", platform]
    with tempfile.TemporaryDirectory() as target:
        done = subprocess.run([*command, "--target", target, *pins], check=True, capture_output=True, text=True)
    found = {}
    for item in json.loads(done.stdout)["install"]:
        key = item["metadata"]["name"].lower().replace("_", "-"), item["metadata"]["version"]
        found[key] = item["download_info"]["archive_info"]["hashes"]["sha256"]
    return {pin: found[tuple(pin.lower().split("=="))] for pin in pins}


def lock(kind, name, pins, pythons):
    if kind in HEADERS_ONLY:
        pythons = pythons[:1]
    every = {pin: set() for pin in pins}
    for python in pythons:
        for pin, digest in hashes(pins, PLATFORMS.get(kind, LINUX), python).items():
            every[pin].add(digest)
    lines = ["# Written by tests/lock.py from pins.json: do not edit."]
    for pin in sorted(every, key=str.lower):
        lines.append(" \\\n    ".join([pin, *(f"--hash=sha256:{digest}" for digest in sorted(every[pin]))]))
    path = FOLDER / kind / f"{name}.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    print(path.relative_to(FOLDER.parent.parent))


def main():
    pins = json.loads((FOLDER / "pins.json").read_text())
    pythons = pins.pop("pythons")
    wanted = sys.argv[1:] or list(pins)
    jobs = [(kind, name, pins[kind][name], pythons) for kind in wanted for name in pins[kind]]
    with ThreadPoolExecutor(2) as pool:
        for job in [pool.submit(lock, *job) for job in jobs]:
            job.result()


if __name__ == "__main__":
    main()
