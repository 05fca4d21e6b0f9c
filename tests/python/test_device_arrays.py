#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The functions of bindings/python that have the names of NumPy's, on PyOpenCL's arrays: what they compute is what they
compute on NumPy's arrays (test_numpy.py), and stays on the device. CTest runs it with CLPRIM_LIBRARY set."""
import pathlib
import sys
import unittest
import unittest.mock
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "bindings" / "python")]
import system_python

system_python.need("numpy", "pyopencl")
import numpy
import pyopencl
import pyopencl.array

import clprim
from clprim import _calls

RNG = numpy.random.default_rng(11)
QUEUE = pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))
HAS_DOUBLE = QUEUE.device.double_fp_config != 0
DTYPES = ["bool", "int16", "uint64", "float16", "float32"]
SHAPES = [(0,), (1,), (3000,), (3, 0), (5, 60), (4, 5, 60)]


def some(dtype, shape):
    """Few different numbers; of floats also zeros of both signs, infinities and NaNs."""
    a = RNG.integers(0, 100, shape)
    if numpy.dtype(dtype).kind == "f":
        a = numpy.where(a < 4, numpy.array([numpy.nan, -0.0, numpy.inf, -numpy.inf])[a % 4], a - 50.0)
    return a.astype(dtype)


def on_device(a):
    return pyopencl.array.to_device(QUEUE, numpy.ascontiguousarray(a).reshape(numpy.shape(a)))


class DeviceArrays(unittest.TestCase):
    def same(self, function, *arguments, arrays=1, **keywords):
        """The function gives the same with its first arguments on the device, or raises the same."""
        with self.subTest(f"{function}{[getattr(each, 'shape', each) for each in arguments]}{keywords} {arguments[0].dtype}"), \
                warnings.catch_warnings():
            warnings.simplefilter("ignore")
            function = getattr(clprim, function)
            moved = [on_device(each) for each in arguments[:arrays]]
            try:
                expected = function(*arguments, **keywords)
            except (ValueError, IndexError, TypeError) as error:
                self.assertRaises(type(error), function, *moved, *arguments[arrays:], **keywords)
                return
            found = function(*moved, *arguments[arrays:], **keywords)
            expected, found = (each if isinstance(each, tuple) else (each,) for each in (expected, found))
            self.assertEqual(len(found), len(expected))
            for one, other in zip(found, expected):
                self.assertIsInstance(one, pyopencl.array.Array)
                other = numpy.asarray(other)
                self.assertEqual((one.shape, one.dtype), (other.shape, other.dtype))
                numpy.testing.assert_array_equal(one.get() if one.size else other, other)

    def test_sorts(self):
        for dtype in DTYPES:
            for shape in SHAPES if dtype == "float32" else [(3000,), (5, 60)]:
                a = some(dtype, shape)
                for axis in (None, *range(-1, len(shape) - 1)):
                    self.same("argsort", a, axis=axis)
                    self.same("sort", a, axis=axis, stable=True)
                self.same("sort", a, descending=True, stable=True)
                self.same("top_k", a, 3)
                self.same("top_k", a, 3, axis=0, smallest=True)
        self.same("partition", some("int16", (5, 60)), 3)
        self.same("argpartition", some("int16", (5, 60)), 3, axis=0)
        self.same("sort", some("int16", (5, 60)), axis=2)
        self.assertRaises(TypeError, clprim.sort, on_device(numpy.zeros(3)), kind=3)

    def test_folds(self):
        for function, dtypes in [("sum", DTYPES), ("prod", ["int16", "bool"]), ("min", DTYPES), ("max", ["float32"]),
                                 ("argmin", ["float32", "int16"]), ("argmax", ["float32", "bool"]), ("any", ["float32", "bool"]),
                                 ("all", ["float32", "bool"]), ("mean", ["float32", "float16"]), ("cumsum", DTYPES), ("cumprod", ["int16"])]:
            for dtype in dtypes:
                for shape in SHAPES if dtype == "float32" else [(300,), (5, 60)]:
                    a = some(dtype, shape)
                    if function in ("sum", "mean", "cumsum", "prod", "cumprod"):
                        a[~numpy.isfinite(a)] = 1
                    for axis in (None, *range(-1, len(shape) - 1)):
                        self.same(function, a, axis=axis)
        self.same("sum", some("int16", (5, 60)), axis=(0, 1), keepdims=True)
        self.same("sum", some("uint64", (5, 60)), axis=0, dtype=numpy.uint8)
        self.same("max", some("float32", (4, 5, 60)), axis=(0, 2))
        self.same("cumsum", some("int16", (4, 5, 60)), axis=1)
        if HAS_DOUBLE:
            self.same("mean", some("int16", (5, 60)), axis=0)
        count = clprim.count_nonzero(on_device(some("float32", (5, 60))), axis=0)
        self.assertEqual((count.shape, count.dtype), ((60,), numpy.intp))
        self.assertEqual(int(clprim.count_nonzero(on_device(numpy.float32([0, 2, -0.0, 3]))).get()), 2)

    def test_elements(self):
        for dtype in ("bool", "uint64", "float32"):
            for shape in [(0,), (1,), (300,), (4, 5, 6)]:
                a = some(dtype, shape)
                self.same("unique", a)
                self.same("unique", a, return_index=True, return_inverse=True, return_counts=True)
                self.same("flatnonzero", a)
                self.same("diff", a)
                self.same("take", a, RNG.integers(0, 2, (2, 3)), arrays=2)
        a = some("float32", (5, 60))
        self.same("take", a, numpy.int32([2, -1]), axis=0, arrays=2)
        self.same("take", a, numpy.int32([2, 70]), axis=1, mode="wrap", arrays=2)
        self.same("take", a, numpy.int32([60]), axis=1, arrays=2)
        self.same("diff", a, n=2, axis=0)
        self.same("extract", some("bool", (5, 60)), a, arrays=2)
        self.same("compress", some("bool", (60,)), a, 1, arrays=2)
        ordered = numpy.sort(some("float32", 3000))
        for side in ("left", "right"):
            self.same("searchsorted", ordered, some("float32", (5, 60)), side, arrays=2)
        self.same("searchsorted", ordered[:0], some("float32", 5), arrays=2)
        self.same("searchsorted", numpy.sort(some("int16", 30)), some("uint8", 5), arrays=2)
        self.same("merge", ordered, numpy.sort(some("float32", 70)), arrays=2)
        self.same("merge", ordered[:0], ordered, arrays=2)
        for shapes in [((60,), (60,)), ((5, 60), (60,)), ((5, 60), (60, 7)), ((3, 5, 6), (2, 6, 4))]:
            self.same("dot", *(some("int16", shape) for shape in shapes), arrays=2)

    def test_nothing_travels(self):
        """Work is enqueued behind the events of the arrays; nothing but sizes of results is read back."""
        a = on_device(some("float32", (5, 60)))
        results = []
        with unittest.mock.patch.object(pyopencl.array.Array, "get", side_effect=AssertionError("read back")), \
                unittest.mock.patch.object(pyopencl.array, "to_device", side_effect=AssertionError("written")), \
                unittest.mock.patch.object(_calls, "run", side_effect=AssertionError("on the host")):
            for function, *arguments in [("sort",), ("sort", 0), ("argsort", 0), ("sum", 0), ("sum",), ("mean", 1), ("argmax", 1),
                                         ("cumsum", 0), ("top_k", 2, 1), ("any",), ("diff",)]:
                found = getattr(clprim, function)(a, *arguments)
                results += found if isinstance(found, tuple) else [found]
            chain = clprim.cumsum(clprim.sort(a.reshape(-1)))
        for each in [*results, chain]:
            self.assertTrue(each.events)
            self.assertEqual(each.queue, QUEUE)
        other = pyopencl.CommandQueue(QUEUE.context)
        self.assertEqual(clprim.sort(a, at=other).queue, other)

    def test_refusals(self):
        a = on_device(numpy.float32([3, 1, 2]))
        for sentence, function, arguments, keywords in [
                ("median takes no PyOpenCL", "median", (a,), {}), ("no out with", "sort", (a,), {"out": a}),
                ("no where with", "sum", (a,), {"where": a}), ("within a list", "lexsort", ([a, a],), {}),
                ("pyopencl.CommandQueue", "sort", (a.with_queue(None),), {}),
                ("pyopencl.CommandQueue", "sort", (a,), {"at": clprim.Runtime.default()}),
                ("no axis", "unique", (a,), {"axis": 0})]:
            with self.subTest(sentence):
                self.assertRaisesRegex(TypeError, sentence, getattr(clprim, function), *arguments, **keywords)
        self.assertRaisesRegex(ValueError, "of one kind", clprim.merge, a, numpy.float32([1]))
        self.assertRaisesRegex(ValueError, "contiguous", clprim.sort, on_device(some("float32", (5, 60))).T)
        self.assertRaises(TypeError, clprim.sort, on_device(numpy.complex64([1])))
        self.assertEqual(clprim.sort([2, 1]).tolist(), [1, 2])  # nothing of these calls remains


if __name__ == "__main__":
    unittest.main()
