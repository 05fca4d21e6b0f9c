#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""windows.py FOLDER WHEEL: makes a Python for Windows in FOLDER, with a wheel and NumPy, that runs under Wine (./dev windows).
PyPI has none, but its panda3d has the DLLs of one, for the programs that it packs; the modules in Python are those of the
Python that runs this. NumPy 2 needs functions that Wine 8 lacks."""
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile

PROGRAM = """#include <wchar.h>
int Py_Main(int count, wchar_t **arguments);
int wmain(int count, wchar_t **arguments) { return Py_Main(count, arguments); }
"""


def main():
    folder, wheel = (pathlib.Path(argument) for argument in sys.argv[1:])
    downloads, library = folder / "downloads", folder / "Lib"
    loaded = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:",
                             "--platform=win_amd64", f"--dest={downloads}", "panda3d", "numpy<2"])
    if loaded.returncode != 0:
        sys.exit(77)  # there is no network, or PyPI has them no more
    shutil.rmtree(library, ignore_errors=True)
    shutil.copytree(sysconfig.get_path("stdlib"), library, ignore=shutil.ignore_patterns(
        "site-packages", "dist-packages", "test", "__pycache__", "lib-dynload", "config-*"))
    (folder / "DLLs").mkdir(exist_ok=True)
    with zipfile.ZipFile(next(downloads.glob("panda3d-*"))) as parts:
        for name in parts.namelist():
            part = re.fullmatch(r"deploy_libs/((python3\d+|vcruntime\w+)\.dll|.*\.pyd|libffi.*)", name, re.IGNORECASE)
            if part:
                (folder / ("" if part[2] else "DLLs") / part[1]).write_bytes(parts.read(name))
    for path in (next(downloads.glob("numpy-*")), wheel):
        with zipfile.ZipFile(path) as packed:
            packed.extractall(library / "site-packages")
    (folder / "python.c").write_text(PROGRAM)
    subprocess.run(["x86_64-w64-mingw32-gcc", "-municode", folder / "python.c", next(folder.glob("python3*.dll")), "-o",
                    folder / "python.exe"], check=True)


if __name__ == "__main__":
    main()
