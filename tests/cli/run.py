#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py TOOL [PATTERN...]: run all tests of the tool, or those whose names match a pattern such as *Histogram*, as
many at a time as there are slots of the device (CLPRIM_TEST_SLOTS) or cores. Prints a line of TAP for each.
CLPRIM_LIBRARY names the library that the tool was built with; some tests compare the tool's output with its tables.
CLPRIM_TEST_QUICK: run a sample of all tests, because each starts the tool many times (tests/support/sample.c)."""
import concurrent.futures
import os
import pathlib
import sys
import tempfile
import unittest
import zlib

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import system_python

system_python.need("numpy")
import tool


def flat(tests):
    return [test for part in tests for test in (part if isinstance(part, list) else [part])]


SHARE = 4  # in a quick run: one test in four, chosen by a hash of its name


def sample(tests):
    taken = [zlib.crc32(test.id().encode()) % SHARE == 0 for test in tests]
    if os.environ.get("CLPRIM_TEST_TALLY"):
        with open(os.environ["CLPRIM_TEST_TALLY"], "a", encoding="ascii") as file:
            file.write("".join("-+"[is_taken] for is_taken in taken))
    return [test for test, is_taken in zip(tests, taken) if is_taken]


def main():
    loader = unittest.TestLoader()
    loader.suiteClass = flat
    loader.testNamePatterns = sys.argv[2:] or None
    tests = loader.discover(str(pathlib.Path(__file__).parent))
    if os.environ.get("CLPRIM_TEST_QUICK") and not sys.argv[2:]:
        tests = sample(tests)
    failed = 0
    at_once = int(os.environ.get("CLPRIM_TEST_SLOTS", os.cpu_count()))
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        tool.Case.tool, tool.Case.cache = str(pathlib.Path(sys.argv[1]).resolve()), f"{cache}/kernels"
        for number, (test, result) in enumerate(zip(tests, pool.map(unittest.TestCase.run, tests)), 1):
            skipped = f" # SKIP {result.skipped[0][1]}" if result.skipped else ""
            print(f"{'ok' if result.wasSuccessful() else 'not ok'} {number} - {test.id()}{skipped}", flush=True)
            for case, text in result.failures + result.errors:
                print(f"{case}\n{text}", flush=True)
            failed += not result.wasSuccessful()
    print(f"1..{len(tests)}\n{failed} failed")
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
