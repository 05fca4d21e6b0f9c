#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fragments.py ROOT: code in pages is that of programs which are built. A block that has its source in a comment before it is
so many lines of it, one after the other. In the guides each block of C and CMake has one, or a comment that says where else
it is built."""
import pathlib
import re
import sys
import textwrap


def problems(root):
    guides = root / "docs" / "guides"
    for page in sorted([*guides.glob("*.md"), *(root / "docs").glob("*.md")]):
        for comment, language, text in re.findall(r"(?:<!-- ([^\n]*) -->\n)?```(\w*)\n(.*?)```\n", page.read_text(), re.S):
            said = re.fullmatch(r"from: (\S+)", comment)
            if said is None:
                if page.parent == guides and language in ("c", "cmake") and not comment.startswith("run: no, "):
                    yield f"{page.name}: say where this is from:\n{text}"
                continue
            size = text.count("\n")
            lines = (root / said.group(1)).read_text().splitlines(keepends=True)
            if text not in (textwrap.dedent("".join(lines[at : at + size])) for at in range(len(lines))):
                yield f"{page.name}: {said.group(1)} has no such lines:\n{text}"


if __name__ == "__main__":
    found = list(problems(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(found))
    sys.exit(bool(found))
