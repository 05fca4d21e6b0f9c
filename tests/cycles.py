"""Files that need each other in a circle: cycles.py NM ARCHIVE... [OBJECT...]

A file needs another one of its archive whose function or data it names; of objects that are in no archive all are taken
together. Each circle is an error, named with what is needed: who reads one of its files has to read all of them."""

import os
import subprocess
import sys


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
    """For each file those that it needs, each with a symbol."""
    found = [symbol for path in paths for symbol in symbols(nm, path)]
    homes = {name: file for file, name, is_defined in found if is_defined}
    graph = {file: {} for file, _, _ in found}
    for file, name, _ in found:
        if homes.get(name, file) != file:
            graph[file][homes[name]] = name
    return graph


def circle(graph):
    """A shortest path from a file back to itself, or None."""
    for first in sorted(graph):
        paths = [[first]]
        seen = set()
        for path in paths:
            for file in graph[path[-1]]:
                if file == first:
                    return path + [first]
                if file not in seen:
                    seen.add(file)
                    paths.append(path + [file])
    return None


def main(nm, *paths):
    archives = [[path] for path in paths if path.endswith(".a")]
    rest = [path for path in paths if not path.endswith(".a")]
    files = status = 0
    for group in archives + [rest]:
        graph = needs(nm, group)
        files += len(graph)
        path = circle(graph)
        if path:
            status = 1
            steps = (f"{a} needs {graph[a][b]} of {b}" for a, b in zip(path, path[1:]))
            print(", ".join(steps).replace(".c.o", ".c"))
    print(f"{files} files")
    return status or files == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
