#!/usr/bin/env python3
"""tables.py ROOT TOOL [--update]: what documents say of operations is what the library says (`clprim operations --json`).

README.md's table of operations has a row for each of them, with a link to its header. Its tables of variants, under headings
such as "Variants of merge and search", have a row for each variant, with the library's texts. docs/<stem>.md names each
variant of the operation, and its tables with a column "variant" no other. An operation has one or the other.

--update writes README.md's rows: it keeps their order, their links and what is written about operations, adds missing rows
at the end, and removes those of what no longer exists."""
import json
import pathlib
import re
import subprocess
import sys

import markdown

HEADING = re.compile(r"### Variants of (.+)")


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def name_of(cell):
    """What a row is about: its first cell without links and marks."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("`", "")


def tables(lines):
    """Of each table the number of the line of its head, and that of the line after its rows."""
    for at, line in enumerate(lines):
        if re.fullmatch(r"\|[-:| ]+\|", line):
            end = at + 1
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            yield at - 1, end


def operation_row(operation):
    """From the cells of the row that is there, or None, those that it must have."""
    name = operation["name"]
    return lambda cells: [name, cells[1] if cells else operation["summary"], f"[{name}.h](include/clprim/{name}.h)"]


def variant_row(root, operation, variant, prefix):
    name = variant["name"]
    kernel = f"kernels/{operation['name']}/{name}.cl"
    first = prefix + (f"[`{name}`]({kernel})" if (root / kernel).exists() else f"`{name}`")

    def row(cells):
        texts = [variant["summary"], variant["origin"]]
        if cells:  # which may mark code
            texts = [cell if cell.replace("`", "") == text else text for cell, text in zip(cells[1:], texts)]
        return [cells[0] if cells else first, *texts]
    return row


def wanted_rows(root, operations, lines, head):
    """What the rows of a table of README.md must be, by their names; None if it is none of the library's."""
    if cells_of(lines[head]) == ["operation", "what", "header"]:
        return {name: operation_row(operation) for name, operation in operations.items()}
    heading = HEADING.fullmatch(next((line for line in reversed(lines[:head]) if line.startswith("#")), ""))
    if not heading or cells_of(lines[head])[0] != "variant":
        return None
    names = re.split(r", | and ", heading[1])
    rows = {}
    for operation in (operations[name] for name in names if name in operations):
        prefix = f"{operation['name']} " if len(names) > 1 else ""
        for variant in operation["variants"]:
            rows[prefix + variant["name"]] = variant_row(root, operation, variant, prefix)
    return rows


def right_rows(wanted, rows):
    there = {name_of(cells[0]): cells for cells in rows}
    order = [name for name in there if name in wanted] + [name for name in wanted if name not in there]
    return [wanted[name](there.get(name)) for name in order]


def check_readme(root, operations, path, update):
    lines = path.read_text().splitlines()
    failures, found = 0, 0
    for head, end in reversed(list(tables(lines))):
        wanted = wanted_rows(root, operations, lines, head)
        if wanted is None:
            continue
        found += 1
        old, new = lines[head + 2:end], ["| " + " | ".join(cells) + " |"
                                         for cells in right_rows(wanted, [cells_of(line) for line in lines[head + 2:end]])]
        lines[head + 2:end] = new
        for line in [line for line in old if line not in new] + [line for line in new if line not in old]:
            print(f"{path.name}:{head + 1}: {'must be' if line in new else 'must not be'} {line}")
            failures += 1
    if update:
        path.write_text("\n".join(lines) + "\n")
        return 0
    return failures + check_sections(root, operations, lines) + (0 if found > 1 else 1)


def check_sections(root, operations, lines):
    """Each operation has a table of its variants, or a page, or shares the variants of one with a table."""
    titled = {name for line in lines for found in HEADING.findall(line) for name in re.split(r", | and ", found)}
    names = {operation: {variant["name"] for variant in operations[operation]["variants"]} for operation in operations}
    missing = [name for name in operations
               if name not in titled and not any(names[name] <= names[other] for other in titled & set(names))
               and not page_of(root, name).exists()]
    for name in sorted(titled - set(names)):
        print(f"README.md: Variants of {name}: there is no such operation")
    for name in missing:
        print(f"the variants of {name} are neither in README.md nor in docs/{name}.md")
    return len(missing) + len(titled - set(names))


def page_of(root, name):
    return root / "docs" / f"{name}.md"


def check_page(name, operation, text):
    lines, failures = markdown.without_code(text), 0
    known = {variant["name"] for variant in operation["variants"]}
    for variant in sorted(known):
        if f"`{variant}`" not in "\n".join(lines):
            print(f"{name}: {variant} is not named")
            failures += 1
    for head, end in tables(lines):
        if "variant" not in cells_of(lines[head]):
            continue
        column = cells_of(lines[head]).index("variant")
        for number in range(head + 2, end):
            variant = name_of(cells_of(lines[number])[column])
            if variant not in known:
                print(f"{name}:{number + 1}: {variant} is no variant of {operation['name']}")
                failures += 1
    return failures


def main():
    root, update = pathlib.Path(sys.argv[1]), "--update" in sys.argv[3:]
    said = subprocess.run([sys.argv[2], "operations", "--json"], stdout=subprocess.PIPE, check=True).stdout
    operations = {operation["name"]: operation for operation in json.loads(said)["operations"]}
    failures = check_readme(root, operations, root / "README.md", update)
    for name, operation in operations.items():
        page = page_of(root, name)
        if page.exists():
            failures += check_page(page.name, operation, page.read_text())
    print(f"{len(operations)} operations, {failures} problems")
    if failures and not update:
        print("cmake --build build/dev --target update_docs writes README.md's tables")
    return 1 if failures or not operations else 0


if __name__ == "__main__":
    sys.exit(main())
