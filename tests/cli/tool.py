# SPDX-License-Identifier: MIT
"""tool.py: functions that the tests of the tool share: they run it, on files that they make."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data"
MANY = 5003  # elements: several chunks with LITTLE memory, and several runs and merges
LITTLE = ("--memory", "4096")
WAYS = ((), LITTLE)  # whole and in chunks
NUMBERS = numpy.array([5, -3, 9, 0, 9, -3], "i4")
LIMIT = 300  # seconds for one run
WINE = os.environ.get("CLPRIM_WINE")  # what runs the tool if it is one for Windows
posix = unittest.skipIf(WINE, "Windows has no such files, signals or limits")

sys.path.insert(0, str(ROOT / "bindings" / "python"))  # for what is compared with the library's own tables


def elements(dtype):
    """MANY random ones, some of them equal and far apart."""
    random = numpy.random.default_rng(20261122)
    if numpy.dtype(dtype).kind == "f":
        values = (random.standard_normal(MANY) * 10.0 ** random.integers(-3, 4, MANY)).astype(dtype)
    else:
        limits = numpy.iinfo(dtype)
        values = random.integers(limits.min, limits.max, MANY, dtype, endpoint=True)
    values[7::7] = values[0]
    return values


def strict_json(text):
    def refuse(name):
        raise ValueError(f"{name} is not JSON")
    return json.loads(text, parse_constant=refuse)


def headed(text, data=b"", version=1):
    """A .npy file's bytes, with any header."""
    size = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + text.encode() + data


class Case(unittest.TestCase):
    """A test with a folder of its own, which is the tool's working directory."""
    tool = None  # the program, and its directory for kernels: kernels that one test has compiled are not compiled again
                 # by another
    cache = None
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="clprim's test ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def library(self):
        """The library that the tool was built with; not if it is static, or has sanitizers, which Python lacks."""
        if not os.environ.get("CLPRIM_LIBRARY"):
            self.skipTest("CLPRIM_LIBRARY is not set")
        from clprim import _c
        return _c.library()

    def start(self, *arguments, by=subprocess.Popen, before=(), variables=None, **options):
        """`before`: the command that starts it. CTest turns the library's cache of kernels off, because PoCL has its own, and
        compiles all kernels once more for the library's; tests of the cache turn it on."""
        environment = {"CLPRIM_CACHE": "on", **os.environ, **({} if WINE else {"TMPDIR": str(self.folder)}),
                       "CLPRIM_CACHE_DIR": self.cache, **(variables or {})}
        return by([*before, *([WINE] if WINE else []), self.tool, *arguments], cwd=self.folder, env=environment, **options)

    def run_tool(self, *arguments, given=b"", **options):
        """(the exit status, what it wrote to stdout, to stderr); `given` is its standard input."""
        done = self.start(*arguments, by=subprocess.run, input=given.encode() if isinstance(given, str) else given,
                          capture_output=True, timeout=LIMIT, **options)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")

    def ok_bytes(self, *arguments, **options):
        """Its stdout; it must succeed, and print nothing on stderr."""
        status, out, err = self.run_tool(*arguments, **options)
        self.assertEqual((status, err), (0, ""), arguments)
        return out

    def ok(self, *arguments, **options):
        return self.ok_bytes(*arguments, **options).decode()

    def json(self, *arguments, **options):
        return strict_json(self.ok(*arguments, "--json", **options))

    def prints(self, expected, *arguments, **options):
        self.assertEqual(self.ok(*arguments, **options), expected, arguments)

    def writes(self, expected, *arguments, **options):
        self.prints("", *arguments, "-o", "out.npy", **options)
        self.holds("out.npy", expected, arguments)

    def refused(self, status, subject, why, *arguments, **options):
        """In exactly one line, "clprim: SUBJECT: ... why ...", and nothing else is written."""
        got, out, err = self.run_tool(*arguments, **options)
        self.assertEqual((got, out), (status, b""), f"{arguments}: {err}")
        self.assertRegex(err, rf"\Aclprim: {re.escape(subject)}: [^\n]*{re.escape(why)}[^\n]*\n\Z")

    def file(self, name, content):
        (self.folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def npy(self, name, values, dtype=None):
        numpy.save(self.folder / name, numpy.asarray(values, dtype))
        return name

    def read(self, name):
        return (self.folder / name).read_bytes()

    def holds(self, name, expected, why=None):
        """Check that the whole .npy file is this one-dimensional array, bit by bit."""
        with open(self.folder / name, "rb") as file:
            values = numpy.load(file, allow_pickle=False)
            self.assertEqual((file.read(), values.dtype, values.shape), (b"", expected.dtype, expected.shape), why)
        bits = f"u{values.itemsize}"
        numpy.testing.assert_array_equal(values.view(bits), expected.view(bits), err_msg=str(why))

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())
