#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""last_variants.py ROOT: no test takes the last enumerator of an operation's variants for the end of them: the next variant
would then be tested by none. Tests take their number from the operation's table (test_last_variant in support/cases.h)."""
import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    last = []
    for header in sorted((root / "include" / "clprim").glob("*.h")):
        for members in re.findall(r"typedef enum clprim_\w+_variant \{(.*?)\}", header.read_text(), re.S):
            last.append(re.findall(r"\bCLPRIM_\w+", re.sub(r"/\*.*?\*/", "", members, flags=re.S))[-1])
    end = re.compile(rf"(?:<=? *|% *|\blevels\[\] = \{{)({'|'.join(last)})\b|\b({'|'.join(last)}) *\+ *1\b")
    problems, sources = [], sorted((root / "tests").rglob("*.[ch]"))
    for source in sources:
        for number, line in enumerate(source.read_text().splitlines(), 1):
            if end.search(line):
                problems.append(f"{source.relative_to(root)}:{number}: {line.strip()}")
    print("\n".join([*problems, f"{len(last)} lists of variants, {len(sources)} sources, {len(problems)} problems"]))
    return 1 if problems or not last or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
