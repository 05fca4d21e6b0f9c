#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""abi.py LIBRARY HEADERS_FOLDER... [--update]: what programs that are linked with the library rely on has not changed since
the last release (a tag v1.2.3 whose major.minor is that of version.h), or, before the first one, since tests/abi.xml.xz was
written. New functions are no change. --update writes that file. By libabigail (Debian's abigail-tools), without it skipped."""
import lzma
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
STORED = "tests/abi.xml.xz"


def git(*arguments):
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True)
    return done.stdout if done.returncode == 0 else b""


def minor(header):
    return [re.search(rf"CLPRIM_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR")]


def base():
    """(what is compared with, its description)."""
    tag = git("describe", "--tags", "--abbrev=0", "--match", "v[0-9]*").decode().strip()
    header = "include/clprim/version.h"
    if tag and minor(git("show", f"{tag}:{header}").decode()) != minor((ROOT / header).read_text()):
        return tag, None
    stored = git("show", f"{tag}:{STORED}") if tag else (ROOT / STORED).read_bytes()
    return tag or STORED, stored and lzma.decompress(stored)


def main():
    library, *folders = [argument for argument in sys.argv[1:] if argument != "--update"]
    if shutil.which("abidiff") is None:
        print("skipped: no abidiff (Debian's abigail-tools)")
        return 77
    described = subprocess.run(
        ["abidw", *[word for folder in folders for word in ("--headers-dir", folder)], "--drop-private-types",
         "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed", "--no-architecture",
         "--type-id-style", "hash", library], check=True, capture_output=True).stdout
    if "--update" in sys.argv:
        (ROOT / STORED).write_bytes(lzma.compress(described, preset=9))
        return 0
    name, before = base()
    if not before:
        print(f"{name} has another soname, or no description of its interface")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, each) for each in ("before.abi", "now.abi")]
        for file, text in zip(files, (before, described)):
            file.write_bytes(text)
        done = subprocess.run(["abidiff", "--no-added-syms", "--no-show-locs", *map(str, files)])
    if done.returncode != 0:
        print(f"Programs that were compiled with {name} would break: raise the minor version in include/clprim/version.h, or, "
              "before the first release with this one, write the description anew (target update_abi)")
    return int(done.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
