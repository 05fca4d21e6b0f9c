"""tool.py: what the tests of the tool share: they run it, on files that they make."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data"
MANY = 5003  # elements: several chunks with LITTLE memory, and several runs and merges
LITTLE = ("--memory", "4096")
NUMBERS = numpy.array([5, -3, 9, 0, 9, -3], "i4")
SEED = 20261122
LIMIT = 300  # seconds for one run

sys.path.insert(0, str(ROOT / "bindings" / "python"))  # for what is compared with the library's own tables


def elements(dtype):
    """MANY random ones, some of them equal and far apart."""
    random = numpy.random.default_rng(SEED)
    if numpy.dtype(dtype).kind == "f":
        values = (random.standard_normal(MANY) * 10.0 ** random.integers(-3, 4, MANY)).astype(dtype)
    else:
        limits = numpy.iinfo(dtype)
        values = random.integers(limits.min, limits.max, MANY, dtype, endpoint=True)
    values[7::7] = values[0]
    return values


def specials(dtype):
    """MANY zeros, denormals, infinities, and NaNs with several payloads, of both signs."""
    facts = numpy.finfo(dtype)
    mantissa = (1 << facts.nmant) - 1
    infinity = int(numpy.array(numpy.inf, dtype).view(f"u{facts.bits // 8}"))
    magnitudes = [0, 1, mantissa, infinity, infinity | 1, infinity | (mantissa + 1) // 2, infinity | mantissa]
    bits = magnitudes + [magnitude | 1 << facts.bits - 1 for magnitude in magnitudes]
    return numpy.random.default_rng(SEED).choice(numpy.array(bits, f"u{facts.bits // 8}"), MANY).view(dtype)


def order(values, nan="last", descending=False):
    """The indices of a stable sort."""
    keys = values
    if values.dtype.kind == "f":
        facts = numpy.finfo(values.dtype)
        bits = values.view(f"u{values.itemsize}")
        sign = bits.dtype.type(1 << facts.bits - 1)
        keys = numpy.where(bits & sign != 0, ~bits, bits | sign)
        if nan == "last":  # the negative ones go behind all others
            keys -= bits.dtype.type((1 << facts.nmant) - 1)
    return numpy.argsort(~keys if descending else keys, kind="stable").astype("u8")


def strict_json(text):
    def refuse(name):
        raise ValueError(f"{name} is not JSON")
    return json.loads(text, parse_constant=refuse)


class Case(unittest.TestCase):
    """A test with a folder of its own, which is the tool's working directory."""
    tool = None  # the program, and where it keeps kernels: what one test compiled no other compiles again
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

    def start(self, *arguments, variables=None, **options):
        environment = {**os.environ, "TMPDIR": str(self.folder), "CLPRIM_CACHE": "on",
                       "CLPRIM_CACHE_DIR": self.cache, **(variables or {})}
        return subprocess.Popen([self.tool, *arguments], cwd=self.folder, env=environment, stdin=subprocess.PIPE,
                                **options)

    def run_tool(self, *arguments, given=b"", **options):
        """(the exit status, what it wrote to stdout, to stderr); `given` is its standard input."""
        with self.start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
            try:
                out, err = process.communicate(given.encode() if isinstance(given, str) else given, LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return process.returncode, out, err.decode(errors="replace")

    def ok_bytes(self, *arguments, **options):
        """What it writes to stdout; it must succeed and say nothing else."""
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
        """The array that is then in out.npy, bit by bit."""
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

    def npy_with_header(self, name, text, data=b"", version=1):
        size = len(text).to_bytes(2 if version == 1 else 4, "little")
        return self.file(name, b"\x93NUMPY" + bytes([version, 0]) + size + text.encode() + data)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def array(self, name):
        """All of a .npy file is an array of one dimension."""
        with open(self.folder / name, "rb") as file:
            values = numpy.load(file, allow_pickle=False)
            self.assertEqual((file.read(), values.ndim), (b"", 1), name)
        return values

    def holds(self, name, expected, why=None):
        values = self.array(name)
        self.assertEqual((values.dtype, values.shape), (expected.dtype, expected.shape), why)
        bits = f"u{values.itemsize}"
        numpy.testing.assert_array_equal(values.view(bits), expected.view(bits), err_msg=str(why))

    def files(self):
        return sorted(path.name for path in self.folder.iterdir())

    def wait_for_files(self, count):
        """For a minute at most."""
        end = time.monotonic() + 60
        while len(self.files()) != count and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(len(self.files()), count)
