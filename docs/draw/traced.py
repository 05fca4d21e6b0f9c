#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""traced.py TOOL: let `clprim trace` record what kernels do, into traced.json, of which the drawings are made.

The test test_trace compares what is recorded there with what the kernels do now. What no recording shows stays computed in the
drawings: sub-groups, which the CPU has not, many groups, and sizes beyond 64 elements.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

FILE = pathlib.Path(__file__).with_suffix(".json")

# name: what follows `clprim trace`; which accesses are of interest, by their text
RECORDINGS = {
    **{f"reduce_{variant}": (["reduce", variant, *range(1, 17), *options], r"(data|in)\b.*\[")
       for variant, options in (("interleaved", ["--lanes=4"]), ("strided", ["--lanes=4"]), ("sequential", ["--lanes=4"]),
                                ("first_add", ["--group=8", "--lanes=4"]))},
    **{f"scan_{variant}": (["scan", variant, *range(1, 9)], r"(work|from)\[")
       for variant in ("naive", "work_efficient", "bit_reversed")},
    **{f"scan_{variant}": (["scan", variant, *range(1, 33), "--group=16", "--lanes=8"], r"data\[(PLACE\(right\)|left \+ distance)\]")
       for variant in ("blelloch", "blelloch_padded")},
    **{f"bitonic_sort_{variant}": (["bitonic_sort", variant, *((3 + 5 * i * i + 7 * i) % 23 for i in range(16))], "")
       for variant in ("naive", "best")},
    "radix_sort_split": (["radix_sort", "split", 5, 2, 7, 4, 1, 6, 3, 0], r"r\.keys_to\["),
}

Access = collections.namedtuple("Access", "launch step kind place indices values turns")  # two dicts, by work-item


def record(tool):
    """All recordings, as they stand in the file."""
    made = {}
    for name, (words, wanted) in RECORDINGS.items():
        done = subprocess.run([tool, "trace", "--json", *map(str, words)], check=True, capture_output=True, encoding="utf-8")
        accesses = [one for one in json.loads(done.stdout)["accesses"] if one["space"] and re.match(wanted, one["place"])]
        made[name] = [[one["launch"], one["step"], one["kind"], one["place"], [item[:3] for item in one["items"]],
                       max(lanes["turns"] for lanes in one["sub_groups"])] for one in accesses]
    return made


def load():
    return json.loads(FILE.read_text())


def accesses(name):
    """What work-items do in a recording, in order."""
    return [Access(launch, step, kind, place, {item: index for item, index, _ in items},
                   {item: value for item, _, value in items}, turns)
            for launch, step, kind, place, items, turns in load()[name]]


def pairs(name, unit):
    """Of each launch or step (`unit`) in which work-items read two words: work-item -> those two places."""
    reads = collections.defaultdict(list)
    for one in accesses(name):
        if one.kind == "read":
            reads[getattr(one, unit), re.match(r"\w+", one.place)[0]].append(one)
    return [{item: (first.indices[item], second.indices[item]) for item in second.indices}
            for first, second in (two for two in reads.values() if len(two) == 2)]


def main():
    lines = [f' "{name}": [\n' + ",\n".join(f"  {json.dumps(one)}" for one in made) + "\n ]" for name, made in
             record(sys.argv[1]).items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
