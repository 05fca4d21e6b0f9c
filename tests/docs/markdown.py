# SPDX-License-Identifier: MIT
"""Reads documents for the tests of documents: the list of files, and a document's fenced blocks with the comments
before them."""
import dataclasses
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import checkout

FENCE = re.compile(r"^(```+)\s*(\w*)")
COMMENT = re.compile(r"^<!--\s*(\w+):\s*(.*?)\s*-->$")


def documents(root):
    """All *.md, README.md first."""
    found = sorted(name for name in checkout.sources(root) if name.suffix == ".md")
    return sorted(found, key=lambda name: name != pathlib.Path("README.md"))


@dataclasses.dataclass
class Block:
    line: int  # of its first line, from 1
    language: str
    text: str
    marks: list  # (name, value) of the comments right before it


def blocks(text):
    """The fenced blocks of a document."""
    found, marks, fence = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        start, comment = FENCE.match(line), COMMENT.match(line.strip())
        if fence and line.startswith(fence):
            marks, fence = [], None
        elif fence:
            found[-1].text += line + "\n"
        elif start:
            fence = start[1]
            found.append(Block(number + 1, start[2], "", marks))
        elif comment:
            marks.append((comment[1], comment[2]))
        elif line.strip():
            marks = []
    return found


def as_function(text, given):
    """A program from a block of C that is a part of a function with the parameters `given`."""
    return (f"#include <clprim/clprim.h>\n#include <stdio.h>\nvoid function({given});\nvoid function({given})\n"
            f"{{\n{text}}}\n")


def without_code(text):
    """The document's lines; those of fenced blocks are empty."""
    lines = text.splitlines()
    for block in blocks(text):
        count = block.text.count("\n") + 2  # including both fences
        lines[block.line - 2:block.line - 2 + count] = [""] * count
    return lines


def commands_of_dev(root):
    """The commands of ./dev, according to its usage."""
    return set(re.findall(r"^\./dev ([a-z]+)", (root / "dev").read_text(), re.M))
