#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tables.py ROOT TOOL [--update]: what documents say of operations is what the library says (`clprim operations --json`).

README.md's table of operations has a row for each of them, with a link to its header. The tables of docs/variants.md, under
headings such as "Variants of merge and search", have a row for each variant, with the library's texts. docs/<stem>.md names
each variant of the operation, and its tables with a column "variant" no other. An operation has one or the other. The
numbers of COUNTED are what is there.

docs/install.md's table of CMake options has a row for each option of CMakeLists.txt, with its text. That page also says which
CMake the build and its presets need.

docs/drivers.md's table of reports has a row for each of docs/reports (reports.py).

--update writes the rows of these four: it keeps their order, their links and what is written about operations, adds missing
rows at the end, and removes those of what no longer exists. It writes the numbers of COUNTED, too."""
import difflib
import functools
import json
import pathlib
import re
import subprocess
import sys

import markdown
import reports

OPERATIONS, VARIANTS, INSTALL, DRIVERS = map(pathlib.Path, ("README.md", "docs/variants.md", "docs/install.md",
                                                         "docs/drivers.md"))
OPTION = re.compile(r'^ *(?:option\((\w+) "(.*)" (\S+)\)|set\((CLPRIM_\w+) "?([^ "]*)"? CACHE \w+ "(.*)"\))', re.M)
DEFAULTS = {  # of CMakeLists.txt's variables
    "${is_top}": "ON; OFF in another build",
    "${is_shared}": "`BUILD_SHARED_LIBS`, or ON",
    "${PROJECT_BINARY_DIR}/tests/cache": "in the build directory",
    "": "none",
}
HEADING = re.compile(r"## Variants of (.+)")

# Numbers in documents: the document, the sentence with the number as its only group, and what is counted. A sentence
# may be broken into lines anywhere, and a number may be a word.
COUNTED = [
    ("docs/design.md", r"Version 0\.2 exports (\d+) for", "names"),
    ("docs/design.md", r"Version 0\.2 exports \d+ for (\d+) operations", "operations"),
    ("docs/reliability.md", r"`\./dev planted` plants (\d+) bugs", "planted bugs"),
    ("docs/reliability.md", r"test_faults\.planted\.c` plants (\w+) bugs", "bugs of the test of faults"),
    ("docs/reliability.md", r"`tests/fuzz/` has (\w+) targets", "targets of fuzzing"),
    ("docs/reliability.md", r"```text faults: ([\d,]+) injected", "faults"),
]
WORDS = ["none", *"one two three four five six seven eight nine ten eleven twelve".split()]


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def name_of(cell):
    """The subject of a row: its first cell without links and marks."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("`", "")


def tables(lines):
    """For each table, the number of its first line, and of the line after its rows."""
    for at, line in enumerate(lines):
        if re.fullmatch(r"\|[-:| ]+\|", line):
            end = at + 1
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            yield at - 1, end


def operation_row(operation, cells):
    """Makes the cells of the subject's row from those of the existing row, or None."""
    name = operation["name"]
    return [name, cells[1] if cells else operation["summary"], f"[{name}.h](include/clprim/{name}.h)"]


def variant_row(root, operation, variant, prefix, cells):
    texts = [variant["summary"], variant["origin"]]
    if cells:  # which may mark code
        return [cells[0], *(cell if cell.replace("`", "") == text else text for cell, text in zip(cells[1:], texts))]
    kernel = f"kernels/{operation['name']}/{variant['name']}.cl"
    name = f"`{variant['name']}`"
    return [prefix + (f"[{name}](../{kernel})" if (root / kernel).exists() else name), *texts]


def option_rows(root):
    """Functions that make the rows of the table of options, by name."""
    rows = {}
    for name in ("CMakeLists.txt", "tests/fuzz/CMakeLists.txt"):
        for option in OPTION.findall((root / name).read_text()):
            name, text, default = option[:3] if option[0] else (option[3], option[5], option[4])
            rows[name] = lambda _, row=(f"`{name}`", DEFAULTS.get(default, default), text): list(row)
    return rows


def version_problems(root):
    """CMakeLists.txt, the presets and docs/install.md name the same versions of CMake."""
    build = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", (root / "CMakeLists.txt").read_text())[1]
    least = json.loads((root / "CMakePresets.json").read_text())["cmakeMinimumRequired"]
    presets = f"{least['major']}.{least['minor']}"
    text = " ".join((root / INSTALL).read_text().split())
    for sentence in (f"CMake {build} or later", f"CMake {presets} or later, and Ninja"):
        if sentence not in text:
            yield f'{INSTALL} does not say "{sentence}"'


def wanted_rows(root, operations, lines, head):
    """Functions that make the rows of a document's table, by name; None if the table does not describe the library."""
    if cells_of(lines[head]) == ["operation", "what", "header"]:
        return {name: functools.partial(operation_row, operation) for name, operation in operations.items()}
    if cells_of(lines[head]) == ["option", "default", "what"]:
        return option_rows(root)
    if cells_of(lines[head]) == reports.HEAD:
        return reports.rows(root)
    heading = HEADING.fullmatch(next((line for line in reversed(lines[:head]) if line.startswith("#")), ""))
    if not heading or cells_of(lines[head])[0] != "variant":
        return None
    names = re.split(r", | and ", heading[1])
    prefixes = {name: f"{name} " if len(names) > 1 else "" for name in names if name in operations}
    return {prefix + variant["name"]: functools.partial(variant_row, root, operations[name], variant, prefix)
            for name, prefix in prefixes.items() for variant in operations[name]["variants"]}


def right_lines(root, operations, lines):
    """The document as it should be, and how many of its tables describe the library."""
    found = 0
    for head, end in reversed(list(tables(lines))):
        wanted = wanted_rows(root, operations, lines, head)
        if wanted is not None:
            found += 1
            there = {name_of(cells[0]): cells for cells in map(cells_of, lines[head + 2:end])}
            order = [name for name in there if name in wanted] + [name for name in wanted if name not in there]
            rows = ["| " + " | ".join(wanted[name](there.get(name))) + " |" for name in order]
            lines = lines[:head + 2] + rows + lines[end:]
    return lines, found


def section_problems(root, operations, lines):
    """Each operation has a table of its variants, or a page, or shares the variants of one with a table."""
    titled = {name for line in lines for found in HEADING.findall(line) for name in re.split(r", | and ", found)}
    variants = {name: {variant["name"] for variant in operation["variants"]} for name, operation in operations.items()}
    for name in sorted(titled - set(variants)):
        yield f"{VARIANTS}: Variants of {name}: there is no such operation"
    for name in sorted(set(variants) - titled):
        shares = any(variants[name] <= variants.get(other, set()) for other in titled)
        if not shares and not page_of(root, name).exists():
            yield f"the variants of {name} are neither in {VARIANTS} nor in docs/{name}.md"


def page_of(root, name):
    return root / "docs" / f"{name}.md"


def page_problems(page, operation):
    lines = markdown.without_code(page.read_text())
    known = {variant["name"] for variant in operation["variants"]}
    for variant in sorted(known):
        if f"`{variant}`" not in "\n".join(lines):
            yield f"{page.name}: {variant} is not named"
    for head, end in tables(lines):
        if "variant" in cells_of(lines[head]):
            column = cells_of(lines[head]).index("variant")
            for number in range(head + 2, end):
                variant = name_of(cells_of(lines[number])[column])
                if variant not in known:
                    yield f"{page.name}:{number + 1}: {variant} is no variant of {operation['name']}"


def counts(root, operations):
    """The actual numbers. The number of faults is taken from docs/reliability.md, which has it from the last run."""
    def lines(name, pattern):
        return len(re.findall(pattern, (root / name).read_text(), re.M))
    return {"names": lines("tests/symbols.txt", r"^clprim_\w+"), "operations": len(operations),
            "planted bugs": lines("tests/planted/planted.txt", r"^\[\w+\]"),
            "bugs of the test of faults": lines("tests/faults/test_faults.planted.c", r"^    [A-Z_]+,$"),
            "targets of fuzzing": len(list((root / "tests/fuzz").glob("fuzz_*.c"))),
            "faults": int(re.findall(r"^faults: (\d+) injected", (root / "docs/reliability.md").read_text(), re.M)[-1])}


def written(number, there):
    """The number, in the notation of the existing one: as a word, or with commas."""
    if not there[0].isdigit() and number < len(WORDS):
        return WORDS[number]
    return f"{number:,}" if "," in there else str(number)


def count_problems(root, numbers, update):
    """The numbers of COUNTED that are wrong; `update` corrects them."""
    for document, sentence, what in COUNTED:
        text = (root / document).read_text()
        found = list(re.finditer(sentence.replace(" ", r"\s+"), text))
        if len(found) != 1:
            yield f"{document}: {len(found)} sentences like {sentence!r}, not one"
            continue
        there, right = found[0][1], written(numbers[what], found[0][1])
        if there != right and update:
            (root / document).write_text(text[:found[0].start(1)] + right + text[found[0].end(1):])
        elif there != right:
            yield f"{document}: {there} {what}, but there are {right}: update_docs writes it"


def main():
    root, update = pathlib.Path(sys.argv[1]), "--update" in sys.argv[3:]
    said = subprocess.run([sys.argv[2], "operations", "--json"], stdout=subprocess.PIPE, check=True).stdout
    operations = {operation["name"]: operation for operation in json.loads(said)["operations"]}
    problems = []
    for document in (OPERATIONS, VARIANTS, INSTALL, DRIVERS):
        lines = (root / document).read_text().splitlines()
        right, found = right_lines(root, operations, lines)
        if update:
            (root / document).write_text("\n".join(right) + "\n")
        else:
            problems += [f"{document}: {line}" for line in difflib.ndiff(lines, right) if line[0] in "-+"]
        problems += [] if found else [f"{document} has no table of the library's"]
        if lines != right and not update:
            problems.append("cmake --build build/dev --target update_docs writes these tables")
        if document == VARIANTS:
            problems += section_problems(root, operations, right)
    problems += count_problems(root, counts(root, operations), update)
    problems += version_problems(root)
    for name, operation in operations.items():
        if page_of(root, name).exists():
            problems += page_problems(page_of(root, name), operation)
    print("\n".join([*problems, f"{len(operations)} operations, {len(problems)} problems"]))
    return 1 if problems or not operations else 0


if __name__ == "__main__":
    sys.exit(main())
