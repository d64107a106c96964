"""Cybindgo, a program that writes Cython bindings from CUDA's C headers.

The program is no Python: this package only knows where it was installed.
"""

import os
import sysconfig

__all__ = ["find_cybindgo"]


def find_cybindgo():
    """The path of the program that came with this package."""
    windows = os.name == "nt"
    name = "cybindgo.exe" if windows else "cybindgo"
    folders = []
    # Commands are beside one of the folders around: PREFIX/lib/pythonX.Y/site-packages
    # goes with PREFIX/bin, and `pip install --target FOLDER` with FOLDER/bin.
    around = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for _ in range(4):
        folders += [os.path.join(around, "Scripts")] if windows else []
        folders.append(os.path.join(around, "bin"))
        around = os.path.dirname(around)
    folders.append(sysconfig.get_path("scripts"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"{name} is in none of {', '.join(dict.fromkeys(folders))}: install cybindgo again")
