#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""counted.py TOOL: what `clprim trace` counts of each step of the ladders, on a small scale, into counted.csv.

--why shows it behind the reason why a step is as fast as it is (summary.py; cmake/EmbedLadders.cmake for the examples). The test
test_trace counts again."""
import csv
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE / "counted.csv"
VALUES = [i * 7 % 16 for i in range(64)]
SHAPE = ["--group", "32", "--lanes", "16", "--banks", "16"]
# Traced on a device without sub-groups, where these do other things than on GPUs.
BY_SUB_GROUPS = {("reduce", "unrolled"), ("reduce", "tree"), ("reduce", "single_pass"), ("scan", "reduce_then_scan"),
                 ("scan", "look_back"), ("radix_sort", "local"), ("radix_sort", "onesweep"), ("radix_sort", "single_group"),
                 ("histogram", "replicated")}


def text_of(made):
    """In a few words, without a semicolon, at which CMake divides lists."""
    launches = {access["launch"] for access in made["accesses"]}
    barriers = sum(access["kind"] == "barrier" for access in made["accesses"])
    lanes = [(access["space"], one) for access in made["accesses"] if access["space"] for one in access["sub_groups"]
             if one["active"] > 0]
    local = [one["turns"] for space, one in lanes if space == "local"]
    sectors = [one["sectors"] for space, one in lanes if space == "global"]
    busy = sum(one["active"] for _, one in lanes) / (made["lanes"] * len(lanes))
    words = [f"{len(launches)} launch{'es' if len(launches) > 1 else ''}", f"{barriers} barrier{'s' if barriers != 1 else ''}",
             f"{100 * busy:.0f} % of the lanes of busy sub-groups take part"]
    words += [f"{len(local)} accesses to local memory in {sum(local)} turns"] if local else []
    words += [f"{len(sectors)} accesses to {sum(sectors)} pieces of 32 bytes of global memory"]
    return f"{len(VALUES)} elements, {made['lanes']} lanes abreast: {', '.join(words)}"


def count(tool, operation, variant):
    """None: the variant cannot be traced here."""
    done = subprocess.run([tool, "trace", "--json", operation, variant, *map(str, VALUES), *SHAPE], capture_output=True,
                          encoding="utf-8")
    return text_of(json.loads(done.stdout)) if done.returncode == 0 else None


def read():
    """{(operation, variant): the text}"""
    with FILE.open(newline="", encoding="utf-8") as file:
        return {(row["primitive"], row["row"]): row["counted"] for row in csv.DictReader(file)}


def main():
    with (HERE / "ladders.csv").open(newline="", encoding="utf-8") as file:
        rows = [(line["primitive"], line["row"]) for line in csv.DictReader(file)]
    counted = {row: count(sys.argv[1], *row) for row in rows if not row[1].startswith("with_") and row not in BY_SUB_GROUPS}
    with FILE.open("w", newline="", encoding="utf-8") as file:
        made = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
        made.writerow(["primitive", "row", "counted"])
        made.writerows([*row, text] for row, text in counted.items() if text is not None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
