#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""uncovered.py REPORT LIST: which lines of lib/ no test has run, and why.

REPORT is gcovr's in JSON. LIST has a line for each reason: files, with * where any name stands; a regular expression for
what is in the line, or - for each line of these files; the reason. Fields are parted by " | ". Fails where a line has no
reason, where a reason has no line any more, or where fewer than 95 % of all lines are run.
"""
import fnmatch
import json
import pathlib
import re
import sys

ENOUGH = 95


def main(report, reasons):
    rows = [line.split(" | ") + [0] for line in pathlib.Path(reasons).read_text(encoding="utf-8").splitlines()
            if line.strip() and not line.startswith("#")]
    total = missed = unexplained = 0
    for entry in sorted(json.loads(pathlib.Path(report).read_text(encoding="utf-8"))["files"], key=lambda e: e["file"]):
        text = pathlib.Path(entry["file"]).read_text(encoding="utf-8").split("\n")
        lines = [line for line in entry["lines"] if not line.get("gcovr/noncode")]
        total += len(lines)
        for number in (line["line_number"] for line in lines if line["count"] == 0):
            missed += 1
            code = text[number - 1].strip()
            row = next((r for r in rows if fnmatch.fnmatch(entry["file"], r[0]) and
                        (r[1] == "-" or re.search(r[1], code))), None)
            if row is None:
                unexplained += 1
                print(f"{entry['file']}:{number}: {code}")
            else:
                row[3] += 1
    for files, _, reason, count in rows:
        print(f"{count:4} {files}: {reason}")
    stale = [row for row in rows if row[3] == 0]
    for row in stale:
        print(f"not needed any more: {row[0]} | {row[1]}")
    covered = 100 * (total - missed) / total if total else 0
    print(f"coverage: {covered:.1f} % of {total} lines of lib/; {missed} are not run, {unexplained} of them without a reason")
    sys.exit(covered < ENOUGH or unexplained > 0 or len(stale) > 0)


main(*sys.argv[1:])
