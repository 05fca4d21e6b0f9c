#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""drawings.py [FOLDER]: draw what each step of the ladders does to memory and work-items, and the questions of docs/which.md,
into docs/drawings or FOLDER.

Which work-item reads which word is what `clprim trace` has recorded (draw/traced.py), on small arrays: sub-groups of 4
work-items, 4 or 8 banks. draw/<stem>.py computes only what no recording shows.
./dev plots calls this; the test docs_drawings compares what it draws with what is committed.
"""
import pathlib
import sys

from draw import bitonic_sort, histogram, questions, radix_sort, reduce, scan  # each adds its own to the table
from draw.picture import drawings


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent / "drawings"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in drawings().items():
        (folder / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
