#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate.py ARCHIVE OUT [NAME=VALUE...]: the recipes of this folder for a release's source archive, into the folder OUT. In
each file a name between two @ is replaced: the names of manifest.json, and what is computed here. NAME=VALUE replaces what
the manifest says, such as URL=https://..."""
import hashlib
import json
import pathlib
import re
import shutil
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def version():
    header = (HERE.parent / "include/clprim/version.h").read_text()
    return ".".join(re.search(rf"CLPRIM_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def main():
    archive, out = map(pathlib.Path, sys.argv[1:3])
    names = json.loads((HERE / "manifest.json").read_text())
    names.update(argument.split("=", 1) for argument in sys.argv[3:])
    words = names["OPTIONS"].split()
    names.update(
        VERSION=version(), SOVERSION=version().rpartition(".")[0], SHA256=hashlib.sha256(archive.read_bytes()).hexdigest(),
        SHA512=hashlib.sha512(archive.read_bytes()).hexdigest(), OPTION_WORDS=", ".join(f'"{word}"' for word in words),
        DATE=time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(archive.stat().st_mtime)))

    def replaced(text):
        while re.search(r"@([A-Z][A-Z0-9_]*)@", text):
            text = re.sub(r"@([A-Z][A-Z0-9_]*)@", lambda name: names[name[1]], text)
        return text

    shutil.rmtree(out, ignore_errors=True)
    for path in HERE.rglob("*.in"):
        made = out / replaced(str(path.relative_to(HERE).with_suffix("")))
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(replaced(path.read_text()))
        made.chmod(path.stat().st_mode & 0o777)


if __name__ == "__main__":
    main()
