#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compilers.py TOOL DOUBLE: programs whose driver's compiler crashes, hangs, refuses or compiles wrongly.

The tool adds up on a device in software that nobody has tested (README.md). Its compiler fails on the kernel that is taken
first. One process may end; those that follow have the right sum by another kernel, and say why."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "docs"))
import reports

DEADLY = "reduce/single_pass.cl"
WRONG = "wrong kernels: single_pass of reduce: "
COMPILED = WRONG + f"an earlier process ended while it compiled kernels/{DEADLY} for this device"
LIMIT = 300  # seconds


class Compilers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "numbers.txt").write_text("".join(f"{i}\n" for i in range(5001)))

    def start(self, does, *arguments):
        """The tool, where the compiler does this to the deadly kernel."""
        variables = {"LD_PRELOAD": DOUBLE.name, "LD_LIBRARY_PATH": str(DOUBLE.parent),
                     "CLPRIM_DOUBLE": "adreno", "CLPRIM_CACHE": "on", "CLPRIM_TUNING": "off",
                     "CLPRIM_CACHE_DIR": str(self.folder / "cache")}
        if does:
            variables.update(CLPRIM_DOUBLE_COMPILER=does, CLPRIM_DOUBLE_PROGRAM=DEADLY)
        return subprocess.Popen([TOOL, *arguments], env={**os.environ, **variables}, cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_tool(self, does, *arguments):
        process = self.start(does, *arguments)
        out, err = process.communicate(timeout=LIMIT)
        return process.returncode, out, err

    def sum(self, does):
        return self.run_tool(does, "sum", "--text", "-t", "u32", "numbers.txt", "-v")

    def adds_up(self, does, words=None):
        status, out, err = self.sum(does)
        self.assertEqual((status, out), (0, "12502500\n"), err)
        if words is None:
            self.assertNotIn("wrong kernels", err)
        else:
            self.assertIn(words, err)
            self.assertEqual(err.count("wrong kernels"), 1, err)

    def test_a_crash_costs_one_process(self):
        self.assertLess(self.sum("crash")[0], 0)
        self.adds_up("crash", COMPILED)
        self.adds_up("crash", COMPILED)
        self.adds_up(None, COMPILED)  # it is not known that the compiler has been mended
        status, out, err = self.run_tool(None, "self-test", "--quick", "--primitive", "is_sorted", "--again")
        self.assertEqual((status, "wrong  " in out), (0, False), out + err)
        self.adds_up(None)

    def test_a_hang_costs_one_process(self):
        process = self.start("hang", "sum", "--text", "-t", "u32", "numbers.txt")
        ends = time.monotonic() + LIMIT
        while not list(self.folder.glob("cache/*.bin")) and process.poll() is None and time.monotonic() < ends:
            time.sleep(0.05)
        time.sleep(0.5)
        self.assertIsNone(process.poll(), "it does not hang")
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGKILL)
        process.communicate(timeout=LIMIT)
        self.adds_up("hang", COMPILED)

    def test_what_is_refused_or_wrong_costs_nothing(self):
        self.adds_up("refuse", WRONG + f"kernels/{DEADLY} did not compile")
        self.adds_up("miscompile", WRONG + "of ")
        self.adds_up("miscompile", WRONG + "of ")  # the verdict is kept

    def test_a_report_comes_to_its_end(self):
        arguments = ("self-test", "--quick", "--primitive", "reduce", "--report", "report.json")
        status, runs = -1, 0
        while status < 0 and runs < 5:
            status, _, err = self.run_tool("crash", *arguments)
            runs += 1
            self.assertEqual((self.folder / "report.json").exists(), status >= 0)
        self.assertEqual((status, runs), (1, 2), err)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual(reports.problems_of(report), [])
        self.assertEqual([plan["variant"] for plan in report["plans"] if plan["outcome"] == "wrong"], ["single_pass"])
        self.assertEqual(len(report["set_aside"]), 1)
        self.assertEqual([speed["variant"] != "single_pass" for speed in report["speeds"]], [True])
        self.assertEqual(list(self.folder.glob("report.json.clprim-*")), [])


if __name__ == "__main__":
    TOOL, DOUBLE = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1])
