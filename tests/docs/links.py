#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""links.py ROOT: everything that the documents of a checkout refer to exists: files, headings (as GitHub names them),
paths of the source that prose mentions, and commands of ./dev."""
import pathlib
import re
import sys
import urllib.parse

import markdown

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+(?:\([^()]*\))?)(?:\s+\"[^\"]*\")?\)")
CODE = re.compile(r"(`+)(.+?)\1")
# A path of the checkout: its first folder and no wildcard.
PATH = re.compile(r"(?:benchmarks|bindings|cli|cmake|docs|examples|include|kernels|lib|tests|tools|\.ci)/[\w./-]*[\w/]")


def slug(heading):
    """The name of a heading's anchor on GitHub."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(text):
    found, times = set(), {}
    for line in markdown.without_code(text):
        heading = re.match(r"#{1,6}\s+(.*?)\s*#*$", line)
        if heading:
            name = slug(heading[1])
            found.add(name if name not in times else f"{name}-{times[name]}")
            times[name] = times.get(name, 0) + 1
        found.update(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line))
    return found


def problems_of(root, name, texts, known):
    lines = markdown.without_code(texts[name])
    text = "\n".join(CODE.sub("``", line) for line in lines)  # a link may begin in one line and end in the next
    for link in LINK.finditer(text):
        number, target = text.count("\n", 0, link.start()) + 1, link[1]
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = urllib.parse.unquote(target).partition("#")
        there = (root / name.parent / path).resolve() if path else root / name
        if not there.exists() or root not in [there, *there.parents]:
            yield number, f"({target}) points to nothing in the checkout"
        elif anchor and there.suffix == ".md" and anchor not in anchors(there.read_text()):
            yield number, f"({target}): {path or name} has no such heading"
    for number, line in enumerate(lines, 1):
        for _, code in CODE.findall(line):
            if PATH.fullmatch(code) and not (root / code).exists() and not (root / name.parent / code).exists():
                yield number, f"`{code}` is no path of the checkout"
    for number, line in enumerate(texts[name].splitlines(), 1):
        for command in set(re.findall(r"\./dev ([a-z]+)", line)) - known:
            yield number, f"./dev has no command {command}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    texts = {name: (root / name).read_text() for name in markdown.documents(root)}
    known = markdown.commands_of_dev(root)
    problems = [f"{name}:{number}: {problem}" for name in texts
                for number, problem in problems_of(root, name, texts, known)]
    print("\n".join([*problems, f"{len(texts)} documents, {len(problems)} problems"]))
    return 1 if problems or not texts or not known else 0


if __name__ == "__main__":
    sys.exit(main())
