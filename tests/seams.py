# SPDX-License-Identifier: MIT
"""seams.py [--places]: count what the code should not do by hand, and phrases that comments should not have.

Code: arguments that are added one by one, in an order that only a comment ties to the kernel's; kernels that compare modes
with numbers instead of names; scans and reductions over a work-group that are written anew instead of taken from
clprim/device/, except for OWN_TREES; lines that are longer than a formatter would leave them.

Words: those that docs/glossary.md has replaced by one word for each meaning.

Comments: phrases that stop a reader, such as "where" for "if". The patterns also match some good sentences, so the counts
need not be 0. --places lists all matches."""

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
    "kernels/segmented_sort/merge.cl": "no reduction: the width of runs of elements, which are merged two by two",
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


# What comments should say in another way, and regular expressions that are right most of the time.
NOUNS = "elements?|items|packets|pairs|bytes|words|needles|loads|groups|samples"
PHRASES = {
    '"where" for "if"': r"\b(?<!from )(?<!find )(?<!finds )where (?!they are|\w (?:is|may)|[A-Z]{3})"
                        r"(?:it|that|this|they|there|neither|nothing|nobody|no|none|any|all|both|(?:the |a )?[\w-]+) "
                        r"(?:is|are|was|has|have|can|cannot|does|do|may|need|needs|takes?|"
                        r"want|wants|lacks?|exists?|fails?|suffices?)\b",
    '"of the caller\'s" without a noun': r"\bof (?:the|a) caller's(?: own\b)?(?=[,.;:)]| (?:in|is|are|as|that|which|has|have|"
                                        r"with|by|from|for|on|if|or|and|to|of)\b)",
    '"Of ..." at the beginning': r"^Of ",
    '"what ..." as a sentence without a noun': r"(?:^|[.] )What (?!to\b|happens\b|is wrong with\b)\w+",
    '"behind" for "after"': r"\b(?<!left )(?<!nothing )behind\b",
    '"but for" for "except for"': r"\bbut for\b",
    '"those that" and "that there is"': r"(?:^|[.;:,] )[Tt]hose that\b|\b(?<!so )(?<!such )that there (?:is|are)\b",
    '"of its own"': r"\b(?<!memory )of (?:its|their) own(?=[,.;:)]|$| (?:and|or|if|in|is|are)\b)",
    '"a" for "per"': rf"\b(?:{NOUNS}) a (?:work-item|group|slot|tile|bank|bucket|unit|compute unit|call)\b",
    '"no more than", "likewise", "as it is written"': r"\bno more than\b|\blikewise\b|\bas it is written\b",
}
PHRASED = ("lib", "kernels", "include", "cli", "tests")

def comments(pattern):
    """Each match in a comment of the C family, with the comment's place."""
    for folder in PHRASED:
        for path in sorted(path for suffix in ("c", "h", "cl", "cpp", "hpp") for path in (ROOT / folder).rglob(f"*.{suffix}")):
            text = path.read_text(encoding="utf-8")
            for comment in re.finditer(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*', text, re.DOTALL):
                words = re.sub(r"\s*\n[ *]*", " ", comment.group(0)).strip("/* ") if comment.group(0)[0] == "/" else ""
                for match in re.finditer(pattern, words):
                    yield f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, comment.start()) + 1}: {match.group(0)}"


# Folders, files in them, words that they no longer use, and what they say instead. "part" is left for parts of other
# things, in sentences that have "a part of" or "take part".
OLD_WORDS = {
    "piece: run, streams and ranks": (
        ("lib/runtime/plan", ("plan_pieces.*", "plan_cut*.c", "plan_two.c", "plan_sort*", "plan_stream.c", "plan_run.c")),
        ("lib", ("*_pieces.c", "pipeline.*")), r"(?<![A-Za-z])(?<!take )(?<!takes )[Pp]arts?(?![A-Za-z])|(?<![A-Za-z])PARTS?(?![A-Za-z])"),
    "piece: sentences": (("lib", ("*.c", "*.h")), ("include", ("*.h",)), r"\b(?:run|runs|sort|sorts|call|calls|cut|array|device)[a-z ]* "
                         r"(?:in|into) parts\b"),
    "piece: the tool": (("cli", ("*.c", "*.h")), r"(?i)chunk"),
    "tile: what a group takes": (("lib/merge", ("*.[ch]",)), ("lib/search", ("*.[ch]",)), ("lib/set_operation", ("*.[ch]",)),
                                 r"(?<![A-Za-z])portions?"),
}


def old_words():
    for name, (*places, expression) in OLD_WORDS.items():
        for folder, patterns in places:
            for place in found(folder, patterns, expression):
                yield f"{place} ({name})"


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
    **{f"comments with {name}": comments(pattern) for name, pattern in PHRASES.items()},
    "words that the glossary has replaced": old_words(),
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
