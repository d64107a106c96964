"""Cybindgo, a program that writes Cython bindings from CUDA's C headers.

The program is no Python: this package only says where it was installed.
"""

import os
import sys
import sysconfig

__all__ = ["find_cybindgo"]


def find_cybindgo():
    """The path of the program that came with this package."""
    name = "cybindgo" + (".exe" if os.name == "nt" else "")
    package = os.path.dirname(os.path.abspath(__file__))
    folders = [sysconfig.get_path("scripts")]
    # `pip install --user` has a folder of its own, and so has `--prefix`.
    scheme = "osx_framework_user" if sys.platform == "darwin" and sys._framework else os.name + "_user"
    if scheme in sysconfig.get_scheme_names():
        folders.append(sysconfig.get_path("scripts", scheme=scheme))
    prefix = os.path.dirname(package)
    for _ in range(4):  # `--target` has none between: TARGET/bin
        folders.append(os.path.join(prefix, "Scripts" if os.name == "nt" else "bin"))
        folders.append(os.path.join(prefix, "bin"))
        prefix = os.path.dirname(prefix)
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"{name} is in none of {', '.join(dict.fromkeys(folders))}: install cybindgo again")
