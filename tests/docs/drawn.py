#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""drawn.py ROOT: the committed drawings are those that docs/drawings.py draws, and each is used in a page. In each
drawing all texts are inside the picture and inside their cells, and no two cells or texts overlap."""
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "docs"))
import drawings
from draw.picture import width_of

SMALLEST = 12  # pixels of a letter


def box_of(element):
    """(left, top, right, bottom) of a cell, a circle or a text."""
    numbers = ("x", "y", "width", "height", "cx", "cy", "r")
    at = {name: float(value) for name, value in element.attrib.items() if name in numbers}
    kind = element.get("class", "").split()
    if element.tag.endswith("rect"):
        return at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"]
    if element.tag.endswith("circle"):
        return at["cx"] - at["r"], at["cy"] - at["r"], at["cx"] + at["r"], at["cy"] + at["r"]
    size = 15 if "title" in kind else SMALLEST
    width = width_of(element.text, size) * (1.12 if "title" in kind else 1)
    left = at["x"] - (width / 2 if {"in", "mid"} & set(kind) else width if "end" in kind else 0)
    return left, at["y"] - 0.73 * size, left + width, at["y"] + 0.2 * size


def overlap(one, other, by=1.0):
    return one[0] + by < other[2] and other[0] + by < one[2] and one[1] + by < other[3] and other[1] + by < one[3]


def holds(outer, inner, by=3.0):
    return all(outer[i] - by <= inner[i] for i in (0, 1)) and all(inner[i] <= outer[i] + by for i in (2, 3))


def problems_of(text):
    tree = xml.etree.ElementTree.fromstring(text)
    _, _, width, height = map(float, tree.get("viewBox").split())
    all_of = [(element, element.get("class", "").split()) for element in tree]
    cells = [box_of(element) for element, kind in all_of if {"cell", "dot"} & set(kind)]
    texts = [(element.text, kind, box_of(element)) for element, kind in all_of if element.tag.endswith("text")]
    if width > 800 or not all(tree.find(f"{{*}}{name}") is not None for name in ("title", "desc")):
        yield "is wider than a page, or has no title or description"
    if any(int(size) < SMALLEST for size in re.findall(r"font(?:-size)?:(?:bold )?(\d+)px", text)):
        yield "has letters that are too small"
    for said, box in [*(("a cell", box) for box in cells), *((said, box) for said, _, box in texts)]:
        if not holds((0, 0, width, height), box, -1):
            yield f"is out of the picture: {said} at {box[:2]}"
    for i, one in enumerate(cells):
        if any(overlap(one, other) for other in cells[:i]):
            yield f"cells overlap at {one[:2]}"
    for i, (said, kind, box) in enumerate(texts):
        if "in" in kind and not any(holds(cell, box) for cell in cells):
            yield f"wider than its cell: {said}"
        if any(overlap(box, other) for _, _, other in texts[:i]):
            yield f"is on another text: {said}"
        if "in" not in kind and any(overlap(box, cell) for cell in cells):
            yield f"is on a cell: {said}"


def main():
    drawn = drawings.drawings()
    folder = ROOT / "docs" / "drawings"
    pages = "".join(path.read_text() for path in (ROOT / "docs").glob("*.md"))
    problems = [f"{path.name}: nothing draws it" for path in sorted(folder.iterdir()) if path.name not in drawn]
    for name, text in drawn.items():
        problems += [f"{name}: {problem}" for problem in problems_of(text)]
        if not (folder / name).is_file() or (folder / name).read_text() != text:
            problems.append(f"{name}: not what docs/drawings.py draws: run ./dev plots")
        if f"](drawings/{name})" not in pages:
            problems.append(f"{name}: in no page")
    if drawings.drawings() != drawn:
        problems.append("drawn differently the second time")
    print("\n".join([*problems, f"{len(drawn)} drawings, {len(problems)} problems"]))
    return 1 if problems or not drawn else 0


if __name__ == "__main__":
    sys.exit(main())
