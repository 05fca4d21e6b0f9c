#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""licences.py [--add]: every source file begins with the identifier of its licence, and `reuse lint` passes, where PyPI's
reuse is. --add: write the line where it is missing. REUSE.toml has the others: data, documents, and formats without
comments."""
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINE = "SPDX-" "License-Identifier: MIT"  # in two, for reuse would take it for another one
SLASHES = {".c", ".h", ".cl", ".cpp", ".hpp", ".cu", ".cuh"}
HASHES = {".py", ".pyi", ".sh", ".cmake", ".bash", ".toml"}
NAMES = {"CMakeLists.txt", "dev", "run", "ld", "postinst", "prerm", ".clang-format", ".clang-tidy", ".editorconfig", ".gitignore"}


def comment(path):
    """What a comment begins with in a source file, or None."""
    return "//" if path.suffix in SLASHES else "#" if path.suffix in HASHES or path.name in NAMES else None


def main():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout.splitlines()
    missing = []
    for path in (ROOT / name for name in listed):
        begin = comment(path)
        if begin is None or not path.is_file():
            continue
        lines = path.read_text(encoding="utf-8").split("\n")
        place = 1 if lines[0].startswith("#!") else 0
        if lines[place:place + 1] != [f"{begin} {LINE}"]:
            missing.append(path.relative_to(ROOT))
            if "--add" in sys.argv[1:]:
                lines.insert(place, f"{begin} {LINE}")
                path.write_text("\n".join(lines), encoding="utf-8")
    print(f"{len(missing)} files without the line{', which have it now' if '--add' in sys.argv[1:] else ''}", *missing[:20])
    tool = shutil.which("reuse") or ROOT / "build" / "pypi" / "bin" / "reuse"
    has_tool = pathlib.Path(tool).exists()
    if not has_tool:
        print("no reuse from PyPI: only these lines were looked at")
    return bool(missing and "--add" not in sys.argv[1:]) or has_tool and subprocess.run(
        [str(tool), "--root", str(ROOT), "lint", "--quiet"]).returncode != 0


if __name__ == "__main__":
    sys.exit(main())
