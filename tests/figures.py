# SPDX-License-Identifier: MIT
"""figures.py LOG: what the tests of one run of ctest have looked at, from what they printed; LOG is its LastTest.log.

The lines go into docs/reliability.md as they are.
"""

import re
import sys

# The numbers that several tests print, and one line for the sum over all of them. The fuzzers have two drivers: ours,
# and libFuzzer, which counts units.
SUMMED = [
    (r"^faults in (\d+) operations: (\d+), (\d+) calls of OpenCL, (\d+) allocations, (\d+) calls of files$",
     "faults: {1} injected in {0} operations: {2} calls of OpenCL, {3} allocations, {4} calls of files"),
    (r"^\w+: (\d+) calls, (\d+) launches$", "races: {1} kernels run on Oclgrind, in {0} calls of {tests} primitives"),
    (r"fuzz_\w+: (\d+) inputs", "fuzz: {} inputs for {tests} targets"),
    (r"^stat::number_of_executed_units: +(\d+)$", "fuzz: {} inputs for {tests} targets"),
]


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        log = file.read()
    for line in re.findall(r"^(?:cache|soak|races): .*$", log, re.MULTILINE):
        print(line)
    for pattern, line in SUMMED:
        rows = [map(int, found.groups()) for found in re.finditer(pattern, log, re.MULTILINE)]
        if rows:
            print(line.format(*map(sum, zip(*rows)), tests=len(rows)))


main()
