# SPDX-License-Identifier: MIT
"""checkout.py: the files of a checkout, and copies of it."""
import pathlib
import shutil
import subprocess


def sources(root):
    """The paths of files that belong to a checkout, relative to `root`. Without git, all files except those that builds
    create."""
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True)
        names = [pathlib.Path(name) for name in listed.stdout.decode().split("\0") if name]
    except OSError:
        names = []
    if not names:
        names = [path.relative_to(root) for path in pathlib.Path(root).rglob("*") if path.is_file()]
        names = [name for name in names if name.parts[0] not in ("build", ".git") and "__pycache__" not in name.parts]
    return [name for name in names if (root / name).is_file()]


def copy(root, target):
    """Makes `target` a copy of `root`, except for its build/. Files that have not changed keep their times."""
    (target / "build").mkdir(parents=True, exist_ok=True)
    names = set(sources(root))
    for path in sorted(target.rglob("*"), reverse=True):
        name = path.relative_to(target)
        if name.parts[0] != "build" and (path.is_file() or path.is_symlink()) and name not in names:
            path.unlink()
    for name in names:
        source, there = root / name, target / name
        if not there.is_file() or there.read_bytes() != source.read_bytes():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, there)
