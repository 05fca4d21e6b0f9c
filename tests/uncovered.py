#!/usr/bin/env python3
"""uncovered.py REPORT LIST: which lines of lib/ no test has run, and why.

REPORT is gcovr's in JSON. LIST has a line for each reason: files, with * where any name stands; a regular expression for
what is in the line, or - for each line of these files; the reason. Fields are parted by " | ". Fails where a line has no
reason, where a reason has no line any more, or where fewer than 95 % of all lines are run.
"""
import fnmatch
import json
import re
import sys

ENOUGH = 95


def read_reasons(path):
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                files, pattern, reason = line.rstrip("\n").split(" | ")
                rows.append({"files": files, "pattern": "" if pattern == "-" else pattern, "reason": reason, "lines": 0})
    return rows


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        report = json.load(file)
    rows = read_reasons(sys.argv[2])
    total = missed = unexplained = 0
    for entry in sorted(report["files"], key=lambda e: e["file"]):
        with open(entry["file"], encoding="utf-8") as file:
            text = file.read().split("\n")
        for line in entry["lines"]:
            if line.get("gcovr/noncode"):
                continue
            total += 1
            if line["count"] > 0:
                continue
            missed += 1
            code = text[line["line_number"] - 1].strip()
            row = next((r for r in rows if fnmatch.fnmatch(entry["file"], r["files"]) and re.search(r["pattern"], code)),
                       None)
            if row is None:
                unexplained += 1
                print(f"{entry['file']}:{line['line_number']}: {code}")
            else:
                row["lines"] += 1
    stale = [r for r in rows if r["lines"] == 0]
    for row in rows:
        print(f"{row['lines']:4} {row['files']}: {row['reason']}")
    for row in stale:
        print(f"not needed any more: {row['files']} | {row['pattern'] or '-'}")
    covered = 100 * (total - missed) / total if total else 0
    print(f"coverage: {covered:.1f} % of {total} lines of lib/; {missed} are not run, {unexplained} of them without a reason")
    sys.exit(covered < ENOUGH or unexplained > 0 or len(stale) > 0)


main()
