#!/usr/bin/env python3
"""run.py TOOL [PATTERN...]: all tests of the tool, or those whose names match a pattern such as *Histogram*, several
at a time. Prints a line of TAP for each. CLPRIM_LIBRARY names the library that the tool was built with, for what is
compared with its tables."""
import concurrent.futures
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import system_python

system_python.need("numpy")
import tool


def flat(tests):
    return [test for part in tests for test in (part if isinstance(part, list) else [part])]


def main():
    loader = unittest.TestLoader()
    loader.suiteClass = flat
    loader.testNamePatterns = sys.argv[2:] or None
    tests = loader.discover(str(pathlib.Path(__file__).parent))
    failed = 0
    with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
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
