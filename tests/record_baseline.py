"""Print what a published cuda-bindings looks like to those who use it, as JSON.

    python tests/record_baseline.py 13.5.0 > baseline.json

Its __pyx_capi__ signatures and the requests it makes of cuGetProcAddress_v2, with
and without the per-thread default stream.  The tests compute the same each time
from the installed wheel; this is for looking at it.
"""

import json
import sys
import tempfile
from pathlib import Path

import compilers
import package


def baseline(version):
    source = Path(__file__).resolve().parent / "data" / "logging_libcuda.c"
    with tempfile.TemporaryDirectory() as folder:
        library = compilers.default().shared_library(source, Path(folder) / "libcuda.so.1")
        published = package.published(version).on(library.parent)
        result = {"version": version, "capi": published.capi()}
        for name, per_thread in (("requests", False), ("requests_per_thread", True)):
            functions, made = published.requests(per_thread)
            result[name] = {"of_function": functions, "made": made}
    return result


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    json.dump(baseline(sys.argv[1]), sys.stdout, indent=1)
    print()
