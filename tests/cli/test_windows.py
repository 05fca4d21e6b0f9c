# SPDX-License-Identifier: MIT
"""What is so on Windows alone: names of files, and files that are replaced while they are open. CLPRIM_WINE runs the
tool."""
import subprocess
import time
import unittest

import numpy

import tool
from tool import LITTLE, NUMBERS, elements

SORTED = numpy.sort(NUMBERS)


@unittest.skipUnless(tool.WINE, "the tool is not for Windows")
class Windows(tool.Case):
    def windows_path(self, name):
        """Wine's drive Z: is the whole file system."""
        return "Z:" + str(self.folder / name).replace("/", "\\")

    def test_files_have_any_name(self):
        for name in ("plain.npy", "\u00e4 \u20ac.npy", self.windows_path("drive.npy"), "sub\\folder.npy", "sub/folder.npy"):
            with self.subTest(name):
                (self.folder / "sub").mkdir(exist_ok=True)
                self.npy("in.npy", NUMBERS)
                self.prints("", "sort", "in.npy", "-o", name)
                self.prints(f"{NUMBERS.sum()}\n", "sum", name)
        self.assertEqual({path.name for path in self.folder.rglob("*")},
                         {"in.npy", "plain.npy", "\u00e4 \u20ac.npy", "drive.npy", "sub", "folder.npy"})

    def test_a_file_is_replaced_by_what_is_read_from_it(self):
        for way in tool.WAYS:
            self.npy("a.npy", NUMBERS)
            self.prints("", "sort", "a.npy", "-o", "a.npy", *way)
            self.holds("a.npy", SORTED)
            self.assertEqual(self.files(), ["a.npy"])

    def test_bytes_are_bytes(self):
        values = numpy.array([10, 13, 26, 2573], "u2")  # line ends and the end of a text file
        self.npy("in.npy", values)
        self.writes(values, "sort", "in.npy")
        self.file("out.npy", self.ok_bytes("sort", "-", "-o", "-", given=self.read("in.npy")))
        self.holds("out.npy", values)
        self.prints("10\n13\n26\n2573\n", "sort", "in.npy")

    def test_outputs_that_cannot_be_written_are_refused(self):
        self.npy("in.npy", NUMBERS)
        (self.folder / self.file("kept", "before")).chmod(0o444)  # the attribute "read-only" to Wine
        for name, why in (("no\\folder.npy", "No such file"), (".", "is a directory"), ("kept", "is read-only")):
            with self.subTest(name):
                self.refused(2, name, why, "sort", "in.npy", "-o", name)
        out = self.windows_path("out.npy")
        self.refused(2, "unique", "are the same file", "unique", "in.npy", "-o", ".\\out.npy", "--counts", out)
        self.assertEqual(self.files(), ["in.npy", "kept"])
        self.prints("", "sort", "in.npy", "-o", "NUL")

    def test_what_a_killed_tool_left_is_removed_by_the_next(self):
        self.npy("in.npy", NUMBERS)
        with self.start("sort", "-t", "i32", *LITTLE, "-", "-o", "out.npy", stdin=subprocess.PIPE,
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            process.stdin.write(elements("i4").tobytes())
            process.stdin.flush()
            self.assertTrue(any(len(self.files()) > 1 or time.sleep(0.02) for _ in range(3000)))
            left = self.files()
            self.prints("", "sort", "in.npy", "-o", "out.npy")
            self.assertEqual(self.files(), sorted([*left, "out.npy"]))
            process.kill()
        self.prints("", "sort", "in.npy", "-o", "out.npy")
        self.assertEqual(self.files(), ["in.npy", "out.npy"])
