#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The functions of bindings/python that have the names of NumPy's, on PyOpenCL's arrays: what they compute is what they
compute on NumPy's arrays (test_numpy.py), and stays on the device. CTest runs it with CLPRIM_LIBRARY set."""
import pathlib
import sys
import unittest
import types
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "bindings" / "python"), str(ROOT / "tests" / "python")]
import system_python

system_python.need("numpy", "pyopencl")
import numpy
import pyopencl
import pyopencl.array

import clprim
import test_numpy
from clprim import _calls

RNG = numpy.random.default_rng(11)
QUEUE = pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))
HAS_DOUBLE = QUEUE.device.double_fp_config != 0


def on_device(a):
    return pyopencl.array.to_device(QUEUE, numpy.ascontiguousarray(a).reshape(numpy.shape(a)))


def laid_out(a):
    """The array on the device, as a view with strides of some kind."""
    way = RNG.integers(5)
    if way == 0 and a.ndim and a.size:
        return on_device(numpy.repeat(a, 2, axis=-1))[..., ::2]
    if way == 1 and a.ndim and a.size:
        return on_device(a[::-1])[::-1]
    if way == 2:
        return on_device(a.T).T
    return on_device(a)


def fetched(result):
    """The result of a function as it would be on NumPy's arrays."""
    if isinstance(result, (tuple, list)):
        return type(result)(map(fetched, result))
    if not hasattr(result, "get"):
        return result
    return (result.get() if result.size else numpy.empty(result.shape, result.dtype))[()]


def through_device(function):
    """The function, called with its arrays on the device, where it is computed; with what devices have no dtype for, as it
    is."""
    name = function.__name__

    def called(*arguments, **keywords):
        def move(a):
            if isinstance(a, (list, tuple)) and any(isinstance(each, numpy.ndarray) for each in a):
                return type(a)(map(move, a))
            if not isinstance(a, numpy.ndarray) or a.ndim == 0:
                return a
            native = a.astype(a.dtype.newbyteorder("="))
            return on_device(native) if a is keywords.get("out") or name in ("put", "shuffle") else laid_out(native)

        arrays = [each for each in (*arguments, *keywords.values()) if isinstance(each, numpy.ndarray)]
        is_hosts = name == "histogram" and isinstance(keywords.get("bins"), str) or keywords.get("weights") is not None and \
            name == "quantile" or "at" in keywords or any(
                a.dtype.kind not in "biuf" or a.dtype.itemsize > 8 or isinstance(a, numpy.ma.MaskedArray) or not a.flags.writeable
                for a in arrays)
        given, named = [move(each) for each in arguments], {key: move(each) for key, each in keywords.items()}
        if is_hosts or not any(hasattr(each, "get") for each in (*given, *named.values())):
            return function(*arguments, **keywords)
        with unittest.mock.patch.object(_calls, "run", side_effect=AssertionError("on the host")):
            result = function(*given, **named)
        for ours, theirs in [(arguments[0], given[0])] if name in ("put", "shuffle") else []:
            ours[...] = fetched(theirs)
        if result is None or "out" not in named:
            return fetched(result)
        unittest.TestCase().assertIs(result, named["out"])
        keywords["out"][...] = fetched(result)
        return keywords["out"]
    return called


class Through(types.ModuleType):
    """clprim, whose functions of NumPy's names are called with arrays on the device."""

    def __getattr__(self, name):
        thing = getattr(clprim, name)
        return through_device(thing) if isinstance(thing, types.FunctionType) and "at" in thing.__kwdefaults__ else thing


def _through(case, *without):
    """The tests of a class of test_numpy, with arrays on the device."""
    def set_up(cls):
        for thing, name, value in [(test_numpy, "clprim", Through("clprim")), (test_numpy.Random, "swaps", False),
                                   (test_numpy, "ROUNDS", (test_numpy.ROUNDS + 1) // 2)]:  # each compiles other kernels
            patch = unittest.mock.patch.object(thing, name, value)
            patch.start()
            cls.addClassCleanup(patch.stop)
    return type("Device" + case.__name__, (case,), {"setUpClass": classmethod(set_up), **dict.fromkeys(without)})


if HAS_DOUBLE:
    DeviceFolds = _through(test_numpy.Folds)
    DeviceSorts = _through(test_numpy.Sorts)
    DeviceZerosAndNans = _through(test_numpy.ZerosAndNans)
    DeviceSets = _through(test_numpy.Sets)
    DeviceHistograms = _through(test_numpy.Histograms)
    DeviceMoving = _through(test_numpy.Moving)
    DeviceOutputs = _through(test_numpy.Outputs, "test_refused", "test_no_dimensions")


class DeviceArrays(unittest.TestCase):
    def test_nothing_travels(self):
        """Work is enqueued behind the events of the arrays; nothing but sizes of results is read back."""
        a = on_device(RNG.random((5, 60), numpy.float32))
        results = []
        with unittest.mock.patch.object(pyopencl.array.Array, "get", side_effect=AssertionError("read back")), \
                unittest.mock.patch.object(pyopencl.array, "to_device", side_effect=AssertionError("written")), \
                unittest.mock.patch.object(_calls, "run", side_effect=AssertionError("on the host")):
            for function, *arguments in [("sort",), ("sort", 0), ("argsort", 0), ("sum", 0), ("sum",), ("mean", 1), ("argmax", 1),
                                         ("cumsum", 0), ("top_k", 2, 1), ("any",), ("diff",), ("var",), ("std", 0), ("ptp", 1),
                                         ("lexsort",), ("sum", 0, None, a[0])]:
                found = getattr(clprim, function)(a, *arguments)
                results += found if isinstance(found, tuple) else [found]
            chain = clprim.cumsum(clprim.sort(a.reshape(-1)))
        for each in [*results, chain]:
            self.assertTrue(each.events)
            self.assertEqual(each.queue, QUEUE)
        other = pyopencl.CommandQueue(QUEUE.context)
        self.assertEqual(clprim.sort(a, at=other).queue, other)

    def test_mixed_arguments(self):
        """Numbers and lists beside PyOpenCL's arrays are moved to the device, and what the host needs may be NumPy's."""
        a = on_device(numpy.int32([3, 1, 2, 2]))
        for found, expected in [(clprim.isin(a, [1, 3]), [1, 1, 0, 0]), (clprim.take(a, [-1, 0]), [2, 3]),
                                (clprim.searchsorted(clprim.sort(a), 2), 1), (clprim.sum(a, where=[True, False, True, False]), 5),
                                (clprim.percentile(a, numpy.float64([0, 100])), [1, 3]), (clprim.union1d(a, [7]), [1, 2, 3, 7]),
                                (clprim.digitize(a, numpy.int32([0, 2])), [2, 1, 2, 2]), (clprim.diff(a, prepend=0), [3, -2, 1, 0]),
                                (clprim.histogram(a, [0, 2, 9])[0], [1, 3]), (clprim.segmented_reduce(a, [0, 3, 4]), [6, 2]),
                                (clprim.lexsort((a, on_device(numpy.int8([1, 0, 1, 0])))), [1, 3, 2, 0]),
                                (clprim.quantile(a, on_device(numpy.float32([0.5]))), [2])]:
            self.assertIsInstance(found, pyopencl.array.Array)
            self.assertEqual(found.get().tolist(), expected)
        clprim.put(a, [0, -1], [7, 8])
        self.assertEqual(a.get().tolist(), [7, 1, 2, 8])

    def test_bools(self):
        """Bytes of bool arrays that a kernel has set to others than 0 and 1 are True, as in NumPy."""
        a = on_device(numpy.uint8([0, 255, 2])).view(numpy.bool_)
        self.assertEqual(clprim.sum(a).get(), 2)
        self.assertEqual(clprim.sum(on_device(numpy.int32([1, 2, 4])), where=a).get(), 6)
        self.assertEqual(clprim.sort(a).view(numpy.uint8).get().tolist(), [0, 1, 1])

    def test_out(self):
        """`out` may be an input, and waits for what is enqueued before."""
        a = on_device(numpy.float32([3, 1, 2]))
        self.assertIs(clprim.sort(a, out=a), a)
        self.assertIs(clprim.cumsum(a, out=a), a)
        self.assertEqual(a.get().tolist(), [1, 3, 6])
        place = on_device(numpy.int64([0]))
        clprim.argmax(a, out=place.reshape(()))
        self.assertEqual(place.get(), 2)
        for bad, error in [(numpy.zeros(3, numpy.float32), TypeError), (on_device(numpy.zeros(4, numpy.float32)), ValueError),
                           (on_device(numpy.zeros(6, numpy.float32))[::2], ValueError),
                           (on_device(numpy.zeros(3, int)), TypeError)]:
            self.assertRaises(error, clprim.sort, a, out=bad)

    def test_refusals(self):
        a = on_device(numpy.float32([3, 1, 2]))
        for sentence, function, arguments, keywords in [
                ("weighted quantiles are for NumPy", "quantile", (a, 0.5), {"method": "inverted_cdf", "weights": a}),
                ("bins must be a number or edges", "histogram", (a, "auto"), {}), ("within a list", "lexsort", ([[1], a],), {}),
                ("where must be bools", "sum", (a,), {"where": a}),
                ("a must be a pyopencl", "put", ([1], a, a), {}),
                ("pyopencl.CommandQueue", "sort", (a.with_queue(None),), {}),
                ("pyopencl.CommandQueue", "sort", (a,), {"at": clprim.Runtime.default()})]:
            with self.subTest(sentence):
                self.assertRaisesRegex(TypeError, sentence, getattr(clprim, function), *arguments, **keywords)
        self.assertRaisesRegex(ValueError, "of one kind", clprim.merge, a, numpy.float32([1]))
        self.assertRaisesRegex(ValueError, "byte order", clprim.sort, on_device(numpy.zeros(3, ">f4")))
        self.assertRaises(ValueError, clprim.shuffle, on_device(numpy.zeros(6))[::2])
        self.assertRaises(TypeError, clprim.sort, on_device(numpy.complex64([1])))
        self.assertEqual(clprim.sort([2, 1]).tolist(), [1, 2])  # nothing of these calls remains


if __name__ == "__main__":
    unittest.main()
