# SPDX-License-Identifier: MIT
"""Files that need each other in a circle: cycles.py NM ARCHIVE... [OBJECT...]

A file needs another one of its archive whose function or data it names; of objects that are in no archive all are taken
together. Each circle is an error, named with what is needed: who reads one of its files has to read all of them.

The folders of lib/runtime are in an order, too: a file includes headers of its own folder and of those before it."""

import graphlib
import os
import pathlib
import re
import subprocess
import sys

RUNTIME = pathlib.Path(__file__).parents[1] / "lib" / "runtime"
ORDER = ["base", "platform", "device", "trace", "tuning", "program", "pieces", "trial", "launch", "plan", "runtimes"]
EVERYWHERE = "runtime_internal.h"  # a runtime has one of everything


def upward(root=RUNTIME):
    """Each include of a header in a folder that comes later, as a sentence."""
    homes = {path.name: path.parent.name for path in root.rglob("*.h")}
    for path in sorted(root.rglob("*.[ch]")):
        if path.parent.name not in ORDER:
            yield f"{path.parent.name} is not in the order of the folders"
            continue
        for name in re.findall(r'(?m)^#include "([^"]+)"', path.read_text(encoding="utf-8")):
            home = homes.get(name, "base")
            if name != EVERYWHERE and ORDER.index(home) > ORDER.index(path.parent.name):
                yield f"{path.parent.name}/{path.name} includes {home}/{name}, of a later folder"


def symbols(nm, path):
    """Yields (file, symbol, whether it is defined there)."""
    file = os.path.basename(path)
    for line in subprocess.run([nm, path], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if line.endswith(":"):
            file = line[:-1]
        elif words and words[-2] in "UTDRBVW":
            yield file, words[-1], words[-2] != "U"


def needs(nm, paths):
    """For each file, the files that it needs, each with a symbol."""
    found = [symbol for path in paths for symbol in symbols(nm, path)]
    homes = {name: file for file, name, is_defined in found if is_defined}
    graph = {file: {} for file, _, _ in found}
    for file, name, _ in found:
        if homes.get(name, file) != file:
            graph[file][homes[name]] = name
    return graph


def main(nm, *paths):
    files = status = 0
    for group in [[path] for path in paths if path.endswith(".a")] + [[path for path in paths if not path.endswith(".a")]]:
        graph = needs(nm, group)
        files += len(graph)
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            status = 1
            path = error.args[1][::-1]  # each file is needed by the one after it
            steps = (f"{a} needs {graph[a][b]} of {b}" for a, b in zip(path, path[1:]))
            print(", ".join(steps).replace(".c.o", ".c"))
    wrong = list(upward())
    print("\n".join([*wrong, f"{files} files"]))
    return status or bool(wrong) or files == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
