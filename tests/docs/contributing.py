#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""contributing.py ROOT TESTS: the two examples of CONTRIBUTING.md are true, and name every file that they take.

Each example is a section with numbered items; its first code spans say what it is about. A code span of an item is a
path of the checkout, a command whose test or target exists, or a text that stands in a file that the item names. The
commands, tests and targets that the rest of the document names exist, too. TESTS is the CTestTestfile.cmake of tests/.

- The example of a variant names every file that is named after it, every file of include/ and lib/ with its enumerator
  or its kernel, its ladder, and every file of docs/ with the operation's name that mentions it or links to its kernel.
- The example of an operation names every file with the operation's name in its path, and every other file that mentions
  it but is no document."""
import pathlib
import re
import sys

import markdown

LADDERS = "benchmarks/ladders.csv"
RESULTS = ("benchmarks/results/", "docs/plots/", "docs/reports/")  # committed runs, and the plots made from them
SPAN = re.compile(r"`([^`]+)`")
ITEM = re.compile(r"^(\d+)\. (.*\n(?: +.*\n)*)", re.M)  # with its indented lines


def items_of(section):
    """The numbered items of a section, as (number, text in one line)."""
    return [(int(number), " ".join(text.split())) for number, text in ITEM.findall(section)]


def tests_of(path):
    """The tests and targets that CTest runs, from the file that CMake writes for it."""
    return set(re.findall(r"^add_test\((?:\[=*\[)?([\w.-]+)", path.read_text(), re.M))


class Checkout:
    """The files of a checkout, and the names that commands in it can use."""

    def __init__(self, root, tests):
        self.root = root
        self.names = [name for name in map(str, markdown.checkout.sources(root)) if not name.startswith(RESULTS)]
        self.texts = {name: (root / name).read_text(errors="replace") for name in self.names}
        self.commands = markdown.commands_of_dev(root)
        self.tests = tests_of(tests)
        self.targets = {target for name, text in self.texts.items() if name.endswith(("CMakeLists.txt", ".cmake"))
                        for target in re.findall(r"add_custom_target\((\w+)", text)}

    def is_path(self, span):
        return re.fullmatch(r"[\w./-]+", span) and (self.root / span.rstrip("/")).exists()

    def mentions(self, word, under=("",)):
        return {name for name in self.names if name.startswith(under) and re.search(rf"\b{word}\b", self.texts[name])}

    def command_problem(self, words):
        """The error of a command; "" if there is none, None if it is no command."""
        if words[0] == "./dev":
            wanted, known = words[1:2], self.commands
        elif words[0] == "ctest" and "-R" in words:
            alternatives = re.fullmatch(r"'\^\(?([\w|]+)\)?\$'", words[words.index("-R") + 1])
            wanted, known = alternatives[1].split("|") if alternatives else [" ".join(words)], self.tests
        elif words[:2] == ["cmake", "--build"] and "--target" in words:
            wanted, known = words[words.index("--target") + 1:], self.targets
        elif words[0] == "build/dev/cli/clprim":
            wanted, known = words[1:2], set(re.findall(r'^ +\{"(\w+)"', self.texts["cli/commands.c"], re.M))
        else:
            return None
        missing = [name for name in wanted if name not in known]
        return f"there is no {', '.join(missing)}" if missing or not wanted else ""

    def word_problem(self, span):
        """Names in lower case with a _ are tests or targets, unless they belong to the library."""
        if not re.fullmatch(r"[a-z]+_[a-z_]*(<\w+>)?", span) or span.startswith("clprim_"):
            return None
        pattern = re.sub(r"<\w+>", r"\\w+", span)
        return "" if any(re.fullmatch(pattern, name) for name in self.tests | self.targets) else "there is no such test"

    def item_problems(self, text):
        spans = SPAN.findall(text)
        files = [" ".join(self.texts[span].split()) for span in spans if span in self.texts]
        if not files:
            yield "names no file"
        for span in spans:
            problem = self.command_problem(span.split())
            if problem:
                yield f"`{span}`: {problem}"
            stands = any(" ".join(span.split()) in file for file in files)
            if problem is None and not self.is_path(span) and not stands:
                yield f"`{span}` is no path, no command, and in none of the item's files"


def files_of_variant(checkout, variant, stem):
    kernel, enumerator = f"{stem}_{variant}", f"CLPRIM_{stem}_{variant}".upper()
    named_after = {name for name in checkout.names if re.search(rf"\b{stem}[/_]{variant}\.", name)}
    code = checkout.mentions(f"(?:{enumerator}|{kernel}|clprim__source_{kernel})", ("include/", "lib/"))
    ladder = {LADDERS} if re.search(rf"^{stem},{variant},", checkout.texts[LADDERS], re.M) else set()
    pages = {name for name in checkout.mentions(variant, ("docs/",))
             if pathlib.Path(name).stem == stem or f"kernels/{stem}/{variant}.cl" in checkout.texts[name]}
    return named_after | code | ladder | pages


def files_of_operation(checkout, stem):
    mention_it = checkout.mentions(rf"(?:\w+_)?{stem}(?:_\w+)?")
    return {name for name in checkout.names if stem in name or (name in mention_it and not name.endswith(".md"))}


def example_problems(checkout, title, files_of, num_names):
    text = "\n".join(markdown.without_code(checkout.texts["CONTRIBUTING.md"]))
    section = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]
    spans, items = SPAN.findall(section), items_of(section)
    needed = files_of(checkout, *spans[:num_names])
    print(f"{title}: {len(items)} items, {len(needed)} files")
    if not needed or [number for number, _ in items] != list(range(1, len(items) + 1)):
        yield f"{title}: it takes no files, or its items are not numbered from 1 on"
    for name in sorted(needed - set(spans)):
        yield f"{title}: it does not name {name}"
    for number, item in items:
        for problem in checkout.item_problems(item):
            yield f"{title}, {number}: {problem}"


def rest_problems(checkout):
    text = "\n".join(markdown.without_code(checkout.texts["CONTRIBUTING.md"]))
    for span in SPAN.findall(ITEM.sub("", text)):
        problem = checkout.command_problem(span.split()) or checkout.word_problem(span)
        if problem:
            yield f"`{span}`: {problem}"


def main():
    root, tests = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    checkout = Checkout(root, tests)
    problems = [*example_problems(checkout, "Example: a variant", files_of_variant, 2),
                *example_problems(checkout, "Example: an operation", files_of_operation, 1),
                *rest_problems(checkout)]
    print("\n".join([*problems, f"{len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
