"""seams.py: what host and kernels, and kernels among each other, still say by hand, counted: seams.py [--places]

Arguments are added one by one, in an order that only a comment ties to the kernel's; kernels compare modes with numbers, not
names; scans and reductions over the work-items of a group are written anew instead of taken from clprim/device/, but for
those of OWN_TREES; lines are longer than a formatter would leave them. --places lists where."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[1]
MODES = "RANK_BY|SEGMENTS|RUNS|PARTITION|WEIGHT_KIND|HAS_LONG|WEIGHTS"
WIDTH = 120  # columns


# Files whose trees of steps are what they are about, and why.
OWN_TREES = {
    "kernels/reduce": "steps of a ladder, which teach the reduction; and a tree whose shape is what fixed_tree promises",
    "kernels/scan/blelloch.cl": "a step of a ladder: the tree is what it teaches",
    "kernels/scan/blelloch_padded.cl": "a step of a ladder: the same tree without bank conflicts",
    "kernels/scan/parts/block.cl": "the tree of reproducible scans: its shape is what they promise",
    "kernels/scan/parts/cpu_tree.cl": "the same tree by one work-item",
    "kernels/scan/parts/fixed.cl": "the same tree over lanes and over what other groups have published",
    "kernels/scan/parts/fixed_packets.cl": "the same tree over the values of a packet",
    "kernels/histogram/merge.cl": "many columns at a time, each by a few work-items that are not neighbours",
    "kernels/segmented_top_k/parts/team.cl": "parts of a warp, several side by side; clprim/device/ has whole sub-groups",
}


def lines_of(folder, patterns):
    for pattern in patterns:
        for path in sorted((ROOT / folder).rglob(pattern)):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                yield path.relative_to(ROOT), number, line


def found(folder, patterns, expression, without=()):
    """Each match, with its place."""
    for path, number, line in lines_of(folder, patterns):
        if not any(str(path).startswith(other) for other in without):
            for match in re.finditer(expression, line):
                yield f"{path}:{number}: {match.group(0)}"


C = ("*.c", "*.h")
KERNELS = ("*.cl", "*.h")
COUNTS = {
    "arguments added one by one, outside the runtime": found(
        "lib", C, r"\bclprim__add_\w+\(|\bCLPRIM__ADD_\w+\(", ("lib/runtime",)),
    "lists of sources in an order": found("lib", C, r"clprim__source \*(?:const )?\w+\[\w*\] = "),
    "modes compared with numbers": found("kernels", KERNELS, rf"\b(?:{MODES}) *(?:==|!=|<=|>=|<|>) *[0-9]\b"),
    "scans and reductions over a group's work-items, written anew": found(
        "kernels", KERNELS, r"for \(uint (\w+) = (?:1; \1 < [^;]+; \1 \*= 2|GROUP_SIZE / 2; [^;]+; \1 /= 2)\)",
        ("kernels/common/subgroup_values.cl", *OWN_TREES)),
    f"lines of kernels over {WIDTH} columns": found("kernels", KERNELS, rf"^.{{{WIDTH}}}.+$"),
    "lines of lib and kernels": (f"{path}:{number}" for folder in ("lib", "kernels")
                                 for path, number, _ in lines_of(folder, {*C, *KERNELS, "*.txt", "*.in"})),
}


def main():
    is_long = sys.argv[1:] == ["--places"]
    for name, places in COUNTS.items():
        places = list(places)
        print(f"{len(places):7}  {name}")
        if is_long and not name.startswith("lines of lib"):
            print("\n".join(f"         {place}" for place in places))


main()
