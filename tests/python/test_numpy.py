#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The functions of bindings/python that have the names of NumPy's, against NumPy: on random dtypes, shapes, strides, byte
orders, axes, NaNs, signed zeros and empty arrays, their dtypes, exceptions, `out` and keywords. CTest runs it with
CLPRIM_LIBRARY set. CLPRIM_TEST_ROUNDS says how many random calls each function gets."""
import doctest
import inspect
import os
import pathlib
import pydoc
import re
import sys
import unittest
import unittest.mock
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "bindings" / "python")]
import system_python

system_python.need("numpy")
import numpy

import clprim

ROUNDS = int(os.environ.get("CLPRIM_TEST_ROUNDS", 12 if os.environ.get("CLPRIM_TEST_FULL") else
                            2 if os.environ.get("CLPRIM_TEST_QUICK") else 5))
SEED = int(os.environ.get("CLPRIM_TEST_SEED", 1))
IS_NUMPY_2 = int(numpy.__version__.split(".")[0]) >= 2
IS_NUMPY_2_3 = IS_NUMPY_2 and not numpy.__version__.startswith(("2.0.", "2.1.", "2.2."))
DTYPES = [numpy.dtype(name) for name in ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
                                         "float16", "float32", "float64")]
INTEGERS = [dtype for dtype in DTYPES if dtype.kind in "iu"]
FLOATS = [dtype for dtype in DTYPES if dtype.kind == "f"]
REFUSALS = (ValueError, TypeError, IndexError)


class Random:
    """Arrays of all kinds."""

    swaps = True  # the bytes of some

    def __init__(self, *seed):
        self.rng = numpy.random.default_rng([SEED, *seed])

    def one_of(self, values):
        return values[self.rng.integers(len(values))]

    def chance(self, share):
        return self.rng.random() < share

    def shape(self, most=3):
        return tuple(int(self.one_of([0, 1, 2, 3, 5, 17, 40] if self.chance(0.3) else [1, 2, 3, 7, 19]))
                     for _ in range(self.one_of(list(range(1, most + 1)))))

    def values(self, dtype, shape, special=True):
        if dtype.kind == "b":
            return self.rng.integers(0, 2, shape).astype(bool)
        if dtype.kind == "f":
            a = numpy.asarray(self.rng.integers(-9, 10, shape) / 4).astype(dtype)
            if special and a.size and self.chance(0.6):
                for value in [0.0, -0.0, numpy.inf, -numpy.inf, numpy.finfo(dtype).smallest_subnormal,
                              *([numpy.nan, -numpy.nan] if self.chance(0.5) else [])]:
                    a.reshape(-1)[self.rng.integers(0, a.size, 1 + a.size // 12)] = value
            return a
        if self.chance(0.5):
            bounds = numpy.iinfo(dtype)
            return self.rng.integers(bounds.min, bounds.max, shape, dtype=dtype, endpoint=True)
        return self.rng.integers(0, 7, shape).astype(dtype)

    def layout(self, a):
        """The same elements with other strides, or in another byte order."""
        way = self.rng.integers(6)
        if way == 0 and a.ndim:
            return numpy.repeat(a, 2, axis=-1)[..., ::2]
        if way == 1 and a.ndim:
            return a[::-1].copy()[::-1]
        if way == 2:
            return numpy.asfortranarray(a)
        if way == 3 and self.swaps and a.dtype.itemsize > 1:
            return a.astype(a.dtype.newbyteorder())
        return a

    def array(self, dtypes=DTYPES, most=3, special=True):
        return self.layout(self.values(self.one_of(dtypes), self.shape(most), special))

    def axis(self, a, several=False, none=True):
        if none and self.chance(0.3):
            return None
        if several and a.ndim > 1 and self.chance(0.3):
            return tuple(int(x) for x in self.rng.permutation(a.ndim)[:2])
        if self.chance(0.05):
            return a.ndim
        return int(self.rng.integers(-a.ndim, a.ndim)) if a.ndim else 0


def outcome(function, *arguments, **keywords):
    """What a call returns, or the class of what it raises."""
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **keywords)
        except REFUSALS as error:
            return error


def refusal(result):
    return next((kind for kind in (TypeError, IndexError, ValueError) if isinstance(result, kind)), None)


class Case(unittest.TestCase):
    longMessage = True

    def same(self, ours, theirs, tolerance=None, zeros=False, message=""):
        """The same type, shape, dtype and values; with `zeros`, the same signs of zeros."""
        if refusal(theirs) or refusal(ours):
            self.assertEqual(refusal(ours), refusal(theirs), f"{message}: {ours!r} and not {theirs!r}")
            return
        if isinstance(theirs, (tuple, list)):
            self.assertEqual(len(ours), len(theirs), message)
            for mine, other in zip(ours, theirs):
                self.same(mine, other, tolerance, zeros, message)
            return
        self.assertEqual(isinstance(ours, numpy.ndarray), isinstance(theirs, numpy.ndarray), message)
        ours, theirs = numpy.asarray(ours), numpy.asarray(theirs)
        self.assertEqual((ours.dtype, ours.shape), (theirs.dtype, theirs.shape), message)
        if tolerance is not None and theirs.dtype.kind == "f":
            numpy.testing.assert_allclose(ours.astype(float), theirs.astype(float), err_msg=message, **tolerance)
        else:
            numpy.testing.assert_array_equal(ours, theirs, err_msg=message)
        if zeros and theirs.dtype.kind == "f":
            numpy.testing.assert_array_equal(numpy.signbit(ours), numpy.signbit(theirs), err_msg=message)

    def agree(self, name, *arguments, theirs=None, tolerance=None, zeros=False, **keywords):
        expected = outcome(theirs or getattr(numpy, name), *arguments, **keywords)
        with numpy.printoptions(threshold=40):
            message = f"{name}{arguments!r} {keywords!r}"
        with self.subTest(message):
            self.same(outcome(getattr(clprim, name), *arguments, **keywords), expected, tolerance, zeros)
        return expected

    def rounds(self, name, count=None):
        return [Random(number, *name.encode()) for number in range(ROUNDS if count is None else count)]


def of_sums(a):
    """What sums may differ by."""
    eps = float(numpy.finfo(a.dtype).eps) if a.dtype.kind == "f" else 1e-15
    finite = numpy.abs(a[numpy.isfinite(a)].astype(float)) if a.dtype.kind == "f" else numpy.abs(a.astype(float))
    return {"rtol": 4 * eps, "atol": 8 * eps * (1 + float(finite.sum()))}


class Folds(Case):
    def test_sum_and_prod(self):
        for name in ("sum", "prod"):
            for random in self.rounds(name):
                a = random.array(special=name == "sum")
                if name == "prod" and a.dtype.kind == "f":
                    a = numpy.sign(a).astype(a.dtype)
                keywords = {"axis": random.axis(a, several=True), "keepdims": bool(random.chance(0.5))}
                if random.chance(0.3):
                    keywords["dtype"] = random.one_of(DTYPES)
                if random.chance(0.3):
                    keywords["initial"] = 3
                if random.chance(0.3):
                    keywords["where"] = random.rng.integers(0, 2, a.shape).astype(bool)
                self.agree(name, a, tolerance=of_sums(a) if a.dtype != "f2" and keywords.get("dtype") != "f2" else
                           {"rtol": 0.02, "atol": 0.1}, **keywords)

    def test_means(self):
        for name in ("mean", "var", "std"):
            for random in self.rounds(name):
                a = random.array(special=False)
                keywords = {"axis": random.axis(a, several=True), "keepdims": bool(random.chance(0.5))}
                if name != "mean":
                    keywords["ddof"] = random.one_of([0, 1, 2])
                if random.chance(0.2):
                    keywords["where"] = random.rng.integers(0, 2, a.shape).astype(bool)
                if random.chance(0.2):  # NumPy subtracts a float32 mean from int32 in float64
                    keywords["dtype"] = random.one_of(FLOATS[1:]) if a.dtype.kind == "f" else FLOATS[-1]
                is_narrow = numpy.float32 in (a.dtype, keywords.get("dtype")) or a.dtype == "f2"
                self.agree(name, a, tolerance={"rtol": 1e-2 if a.dtype == "f2" else 3e-5 if is_narrow else 1e-12,
                                               "atol": 2e-2 if is_narrow else 1e-9}, **keywords)

    def test_initial_values(self):
        """None is the first element; other values must fit the elements."""
        cases = [(a, {"initial": initial, **more}) for a in (Random(5).values(numpy.dtype(dtype), (3, 4), False)
                                                             for dtype in ("int8", "uint32", "float32", "bool"))
                 for initial in (None, 2.5, 300, -1, numpy.inf, numpy.nan, 1j, [1], numpy.float64(2))
                 for more in ({}, {"where": a > 0})]
        cases += [(numpy.zeros(shape), {"initial": None}) for shape in ((0, 3), (3, 0))]
        kinds = (OverflowError,) + REFUSALS

        def tried(module, name, a, keywords):
            try:
                return outcome(getattr(module, name), a, axis=0, **keywords)
            except OverflowError as error:
                return error

        for name in ("sum", "prod", "min", "max"):
            for a, keywords in cases:
                with self.subTest(name, dtype=a.dtype, shape=a.shape, **keywords):
                    ours, theirs = (tried(module, name, a, keywords) for module in (clprim, numpy))
                    if isinstance(ours, kinds) or isinstance(theirs, kinds):
                        self.assertEqual((type(ours), str(ours)), (type(theirs), str(theirs)))
                    else:
                        self.same(ours, theirs, of_sums(a))

    def test_known_means(self):
        a = Random(3).values(numpy.dtype(float), (5, 7), False)
        for name in ("var", "std"):
            mean = numpy.mean(a, axis=1, keepdims=True)
            self.same(getattr(clprim, name)(a, 1, mean=mean, correction=1), getattr(numpy, name)(a, 1, ddof=1), {"rtol": 1e-12})
            self.assertRaises(ValueError, getattr(clprim, name), a, ddof=1, correction=1)
            self.assertRaisesRegex(TypeError, "^ddof must be a number, not None$", getattr(clprim, name), a, ddof=None)

    def test_extremes(self):
        for name in ("min", "max", "ptp", "argmin", "argmax", "any", "all", "count_nonzero"):
            for random in self.rounds(name):
                a = random.array()
                several = name not in ("argmin", "argmax")
                keywords = {"axis": random.axis(a, several=several), "keepdims": bool(random.chance(0.5))}
                if name in ("min", "max") and random.chance(0.2):
                    keywords["initial"] = 1
                    keywords["where"] = random.rng.integers(0, 2, a.shape).astype(bool)
                self.agree(name, a, **keywords)

    def test_running(self):
        for name in ("cumsum", "cumprod"):
            for random in self.rounds(name):
                a = random.array(special=False)
                if name == "cumprod" and a.dtype.kind == "f":
                    a = numpy.sign(a).astype(a.dtype)
                keywords = {"axis": random.axis(a)}
                if random.chance(0.3):
                    keywords["dtype"] = random.one_of(DTYPES)
                is_half = a.dtype == "f2" or keywords.get("dtype") == "f2"
                self.agree(name, a, tolerance={"rtol": 0.03, "atol": 1} if is_half else of_sums(a), **keywords)

    def test_diff(self):
        for random in self.rounds("diff"):
            a = random.array()
            keywords = {"axis": random.axis(a, none=False), "n": int(random.one_of([0, 1, 1, 2, 3]))}
            for end in ("prepend", "append"):
                if random.chance(0.2):
                    keywords[end] = a.dtype.type(1)
            self.agree("diff", a, **keywords)

    def test_dot(self):
        for random in self.rounds("dot"):
            n = random.one_of([0, 1, 3, 17])
            dtypes = [random.one_of(DTYPES), random.one_of(DTYPES)]
            a = random.values(dtypes[0], random.one_of([(n,), (4, n), (2, 3, n)]), False)
            b = random.values(dtypes[1], random.one_of([(n,), (n, 5), (2, n, 3), (n + 1,), ()]), False)
            is_half = numpy.result_type(a, b) == numpy.float16
            self.agree("dot", a, b, tolerance={"rtol": 0.01, "atol": 0.2} if is_half else {"rtol": 1e-5, "atol": 1e-4})

    def test_segments(self):
        for random in self.rounds("segmented_reduce"):
            a = random.values(random.one_of(DTYPES[1:]), 60, False)
            offsets = numpy.unique(numpy.append(random.rng.integers(0, 60, 8), [0, 60]))
            for op, ufunc in [("sum", numpy.add), ("min", numpy.minimum), ("max", numpy.maximum)]:
                dtype = {} if op != "sum" else {"dtype": numpy.sum(a[:1]).dtype}
                self.same(clprim.segmented_reduce(a, offsets, op), ufunc.reduceat(a, offsets[:-1], **dtype),
                          {"rtol": 1e-2 if a.dtype == "f2" else 1e-5, "atol": 1e-4})
        self.same(clprim.segmented_reduce([1, 2, 3], [0, 0, 3, 3]), numpy.array([0, 6, 0]))
        for bad in ([0, 2, 1], [-1, 3], [0, 4], [], [[0, 3]]):
            self.assertRaises(ValueError, clprim.segmented_reduce, [1, 2, 3], bad)
        self.assertRaises(ValueError, clprim.segmented_reduce, [1, 2, 3], [0, 0, 3], "min")
        self.assertRaises(ValueError, clprim.segmented_reduce, [1, 2, 3], [0, 3], "mean")
        self.assertRaises(TypeError, clprim.segmented_reduce, [1, 2, 3], [0, 3.0])

    def test_long_sums(self):
        """The bound that help(clprim.sum) states."""
        for dtype in (numpy.float32, numpy.float64):
            a = Random(5).rng.random(100_000).astype(dtype) - dtype(0.3)
            exact, size = float(numpy.sum(a.astype(numpy.longdouble))), float(numpy.abs(a).sum())
            bound = 1024 * numpy.finfo(dtype).eps / 2 * size
            self.assertLessEqual(abs(float(clprim.sum(a)) - exact), bound)
            self.assertLessEqual(abs(float(clprim.cumsum(a)[-1]) - exact), bound)


class Sorts(Case):
    def test_sort(self):
        for random in self.rounds("sort"):
            a, kind = random.array(), random.one_of([None, "stable", "mergesort", "quicksort", "heapsort"])
            self.agree("sort", a, axis=random.axis(a), kind=kind, zeros=kind in ("stable", "mergesort"))

    def test_argsort(self):
        for random in self.rounds("argsort"):
            a = random.array()
            self.agree("argsort", a, axis=random.axis(a), kind="stable")
        for a in (5, [True, False], [], [[]]):
            self.agree("argsort", a, kind="stable")

    def test_text_and_dates(self):
        for random in self.rounds("text", 8 * ROUNDS):
            kind, shape = random.one_of(["S", "U", "M8[D]", "m8[s]"]), random.shape(2)
            if kind in "SU":
                letters = numpy.array(list("abz" if kind == "S" else "ab\u00e9\U0001f600"))
                a = numpy.array(["".join(letters[random.rng.integers(0, len(letters), random.rng.integers(0, 12))])
                                 for _ in range(int(numpy.prod(shape)))], f"{kind}11").reshape(shape)
            else:
                a = random.rng.integers(-3, 4, shape)
                a = numpy.where(a == 3, numpy.iinfo(a.dtype).min, a).view(kind)  # NaT
            keys = [a, random.values(random.one_of(DTYPES), shape)]
            self.agree("lexsort", keys[::random.one_of([1, -1])])  # NumPy's is wrong for text in another byte order
            a = random.layout(a)
            self.agree("sort", a, axis=random.axis(a))
            self.agree("argsort", a, axis=random.axis(a), kind="stable")
            self.agree("unique", a)
            expected = list(numpy.unique(a, True, True, True))
            expected[2] = expected[2].reshape(a.shape)
            self.same(clprim.unique(a, True, True, True), tuple(expected))
        self.agree("sort", ["b", "a"])
        self.same(clprim.sort(["b", "c", "a"], descending=True), numpy.array(["c", "b", "a"]))
        self.assertRaisesRegex(TypeError, "for numbers", clprim.unique, [["b"], ["a"]], axis=0)

    def test_descending(self):
        for random in self.rounds("descending"):
            a = random.array(most=1)
            order = len(a) - 1 - numpy.argsort(a[::-1], kind="stable")[::-1]
            self.same(clprim.argsort(a, descending=True), order)
            self.same(clprim.sort(a, descending=True, stable=True), a[order], zeros=True)
            self.same(clprim.sort(a, descending=True), a[order])

    def test_lexsort(self):
        for random in self.rounds("lexsort"):
            shape = random.shape(2)
            keys = [random.layout(random.values(random.one_of(DTYPES), shape)) for _ in range(random.one_of([1, 2, 3]))]
            self.agree("lexsort", keys, axis=random.axis(keys[0], none=False))

    def test_partition(self):
        for name in ("partition", "argpartition"):
            for random in self.rounds(name):
                a, axis = random.array(), int(random.one_of([-1, 0]))
                kth = int(random.rng.integers(-a.shape[axis] - 1, a.shape[axis] + 1))
                expected = outcome(getattr(numpy, name), a, kth, axis)
                got = outcome(getattr(clprim, name), a, kth, axis)
                self.assertEqual(refusal(got), refusal(expected), f"{a!r} {kth}")
                if refusal(expected):
                    continue
                self.assertEqual((got.dtype, got.shape), (expected.dtype, expected.shape))
                if a.size:
                    if name == "argpartition":
                        self.same(numpy.sort(got, axis), numpy.sort(expected, axis))
                        got = numpy.take_along_axis(a, got, axis)
                    self.same(got.take(kth, axis), numpy.sort(a, axis).take(kth, axis))
                    self.same(numpy.sort(got, axis), numpy.sort(a, axis))

    def test_searchsorted(self):
        for random in self.rounds("searchsorted"):
            pair = [random.one_of(DTYPES), random.one_of(DTYPES)]
            a, v = random.values(pair[0], random.shape(1)), random.layout(random.values(pair[1], random.shape()))
            order, side = numpy.argsort(a, kind="stable"), random.one_of(["left", "right"])
            self.agree("searchsorted", a, v, side=side, sorter=order)
            self.agree("searchsorted", random.layout(a[order]), v, side=side)
        for bad in [{"side": "middle"}, {"sorter": [0, 1]}, {"sorter": [0.0, 1.0, 2.0]}]:
            self.agree("searchsorted", [1, 2, 3], 2, **bad)
        self.assertRaises(ValueError, clprim.searchsorted, [1, 2, 3], 2, sorter=[0, 1, 3])  # NumPy does not always look
        self.assertRaisesRegex(TypeError, "^v holds an integer of more than 64 bits", clprim.searchsorted, [1, 2, 3], 2**64)
        self.agree("searchsorted", [1, 2, 3], 2)
        self.agree("searchsorted", [[1, 2, 3]], 2)
        self.agree("searchsorted", 1, 2)

    def test_digitize(self):
        for random in self.rounds("digitize"):
            dtype = random.one_of(DTYPES)
            x, bins = random.layout(random.values(dtype, random.shape())), numpy.sort(random.values(dtype, 6, False))
            self.agree("digitize", x, bins[::random.one_of([1, -1])], right=bool(random.chance(0.5)))
        self.agree("digitize", [1, 2], [3, 1, 2])

    def test_quantiles(self):
        methods = ["linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf", "averaged_inverted_cdf",
                   "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased",
                   "normal_unbiased", "mean"]
        for random in self.rounds("quantile", 3 * ROUNDS):
            a = random.array([*INTEGERS, *FLOATS[1:]], special=False)
            if a.dtype.kind == "f" and a.size and random.chance(0.2):
                a.reshape(-1)[random.rng.integers(0, a.size)] = numpy.nan
            if a.dtype.kind in "iu":
                a = a // 2  # NumPy's differences of integers overflow
            axis, keepdims = random.axis(a, several=True), bool(random.chance(0.5))
            tolerance = {"rtol": 1e-5 if a.dtype == "f4" else 1e-12, "atol": 1e-6}
            if a.size or not isinstance(axis, tuple):  # NumPy cannot reshape nothing
                self.agree("median", a, axis=axis, keepdims=keepdims, tolerance=tolerance)
            if a.size == 0:
                continue
            method = random.one_of(methods)
            q = random.one_of([0.5, 0.0, 1.0, [0.25, 0.75], [[0.1, 0.9]], 1.5])
            if not IS_NUMPY_2:
                q = numpy.float64(q) if isinstance(q, list) or a.dtype.kind != "f" else q
                if method in ("averaged_inverted_cdf", "closest_observation") or a.dtype.kind == "f" and a.ndim != 1:
                    method = "linear"
            self.quantiles(a, q, axis, method, keepdims, tolerance)

    def quantiles(self, a, q, axis, method, keepdims, tolerance):
        expected = outcome(numpy.quantile, a, q, axis=axis, method=method, keepdims=keepdims)
        got = outcome(clprim.quantile, a, q, axis=axis, method=method, keepdims=keepdims)
        if not IS_NUMPY_2 and not refusal(expected) and not refusal(got):
            got, expected = (numpy.asarray(x).astype(float) for x in (got, expected))  # whose dtypes depend on values
        self.same(got, expected, tolerance, message=f"{a!r} {q} {axis} {method}")
        if not refusal(expected):
            self.same(numpy.asarray(clprim.percentile(a, numpy.multiply(q, 100), axis=axis, method=method,
                                                      keepdims=keepdims)).astype(float),
                      numpy.asarray(expected).astype(float), tolerance)

    @unittest.skipUnless(IS_NUMPY_2_3, "dtypes of NumPy 1 depend on values, and those of 2.0 to 2.2 are others")
    def test_whole_quantiles(self):
        """Quantiles 0 and 1, as integers, are elements, and have their dtype or that of positions."""
        for dtype in ("int32", "uint8", "bool", "float32"):
            a = numpy.array([3, 1, 0, 9], dtype)
            for method in ("linear", "weibull", "averaged_inverted_cdf", "hazen", "midpoint", "nearest"):
                for q in (1, True, [0, 1], numpy.int8(1)) if method in ("linear", "weibull") else (1, [0, 1]):
                    if dtype != "bool" or method in ("linear", "nearest"):  # others interpolate bools, or refuse them
                        self.agree("quantile", a, q, method=method)
            self.agree("percentile", a, [0, 100], method="nearest")
        self.agree("quantile", [2**62 + 1, 3], [0, 1], method="weibull")  # no float64 has it
        self.agree("quantile", numpy.zeros(0, int), 1)

    def test_quantiles_without_dimensions(self):
        for name, q in (("median", ()), ("quantile", (0.5,)), ("percentile", (50,))):
            for keywords in ({"keepdims": True}, {"axis": 0}, {"axis": -1}, {"axis": ()}, {"keepdims": False}):
                self.agree(name, 3.5, *q, **keywords)
            if IS_NUMPY_2:
                self.agree(name, [[1.0, 2], [4, 3]], *q, axis=[0])
            self.agree(name, [[1.0, 2], [4, 3]], *q, axis=True)

    @unittest.skipUnless(IS_NUMPY_2, "NumPy 1 has no weights there")
    def test_weighted_quantiles(self):
        for random in self.rounds("weights"):
            a = random.values(random.one_of(DTYPES[1:]), random.shape(2))
            if a.size == 0:
                continue
            axis = random.axis(a)
            same = axis is None or not -a.ndim <= axis < a.ndim or random.chance(0.5)
            weights = random.rng.integers(0, 5, a.shape if same else a.shape[axis]).astype(random.one_of(["i4", "f8"]))
            q, method = random.one_of([0.5, [0, 0.3, 1]]), "inverted_cdf" if random.chance(0.9) else "linear"
            results = [outcome(module.quantile, a, q, axis=axis, method=method, weights=weights)
                       for module in (clprim, numpy)]
            self.same(*(each if refusal(each) else numpy.asarray(each) for each in results))  # NumPy has arrays of one
        self.agree("quantile", [[1, 2, 3]], 0.5, method="inverted_cdf", weights=[1, 2, 3])
        self.agree("quantile", [1, 2, 3], 0.5, method="inverted_cdf", weights=[1, -2, 3])
        if IS_NUMPY_2_3:  # earlier ones take them
            self.agree("quantile", [1, 2, 3], 0.5, method="inverted_cdf", weights=[0, 0, 0])

    def test_top_k_and_merge(self):
        for random in self.rounds("top_k"):
            a = random.array(most=2)
            k, smallest = int(random.one_of([0, 1, 3, 50])), bool(random.chance(0.5))
            rows = a.reshape(-1, a.shape[-1]) if a.size else a.reshape(-1, a.shape[-1] or 1)[:0]
            values, indices = clprim.top_k(a, k, smallest=smallest)
            k = min(k, a.shape[-1])
            self.assertEqual((values.shape, values.dtype, indices.dtype), (a.shape[:-1] + (k,), a.dtype, numpy.intp))
            for row, found, places in zip(rows, values.reshape(-1, k), indices.reshape(-1, k)) if k > 0 else ():
                order = numpy.argsort(row, kind="stable")[:k] if smallest else \
                    (len(row) - 1 - numpy.argsort(row[::-1], kind="stable")[::-1])[:k]
                self.same(places, order)
                self.same(found, row[order], zeros=True)
            if a.ndim > 1:
                self.same(clprim.top_k(a, 2, 0), tuple(each.T for each in clprim.top_k(a.T, 2)))
            a, b = (numpy.sort(random.values(random.one_of(DTYPES), random.shape(1)), kind="stable") for _ in range(2))
            both = numpy.concatenate([a, b])
            self.same(clprim.merge(a, b), both[numpy.argsort(both, kind="stable")], zeros=True)


class ZerosAndNans(Case):
    def test_order(self):
        """Zeros are equal, whatever their sign; NaNs are equal in an order, whatever their bits, and last."""
        for dtype in FLOATS:
            a = numpy.array([0.0, -0.0, numpy.nan, -numpy.nan, 1, -0.0, 0.0, -numpy.inf, -numpy.nan, -1], dtype)
            numbers = a[a == a]
            for order in (a, numbers, -a, -numbers[:2], numbers[:2]):
                self.agree("argsort", order, kind="stable")
                self.agree("sort", order, kind="stable", zeros=True)
                self.agree("argsort", numpy.stack([order, order]), axis=1, kind="stable")
                self.agree("lexsort", [order, order])
                for name in ("argmin", "argmax", "min", "max", "flatnonzero", "any", "all", "count_nonzero"):
                    self.agree(name, order)
                self.agree("unique", order, return_index=True, return_counts=True)
                self.agree("unique", order)
                self.agree("searchsorted", numpy.sort(order), a, side="left")
                self.agree("searchsorted", numpy.sort(order), a, side="right")
                for name in ("isin", "intersect1d", "union1d", "setdiff1d", "setxor1d"):
                    self.agree(name, order, numpy.array([-0.0, numpy.nan], dtype))
            self.assertEqual(clprim.top_k(numbers, 3)[1].tolist(), [2, 0, 1])


class Sets(Case):
    def test_unique(self):
        for random in self.rounds("unique"):
            a = random.array()
            flags = {name: bool(random.chance(0.5)) for name in ("return_index", "return_inverse", "return_counts")}
            if random.chance(0.3):
                flags["equal_nan"] = False
            expected = numpy.unique(a, **flags)
            if flags["return_inverse"]:
                expected = list(expected)
                place = 1 + flags["return_index"]
                expected[place] = expected[place].reshape(a.shape)  # NumPy 2
            self.same(clprim.unique(a, **flags), tuple(expected) if isinstance(expected, list) else expected)
            self.agree("unique", a, equal_nan=flags.get("equal_nan", True))

    def test_unique_slices(self):
        for random in self.rounds("slices", ROUNDS // 2):
            a = random.values(random.one_of(INTEGERS), (9, 2, 2)) % 2
            axis = int(random.one_of([0, 1, -1]))
            expected = list(numpy.unique(a, True, True, True, axis))
            expected[2] = expected[2].reshape(-1)
            self.same(clprim.unique(a, True, True, True, axis), tuple(expected))

    def test_sets(self):
        for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d", "isin"):
            for random in self.rounds(name):
                dtype = random.one_of(DTYPES)
                other = random.one_of([dtype, dtype, random.one_of(DTYPES)])
                a, b = (random.layout(random.values(each, random.shape(2))) for each in (dtype, other))
                if {a.dtype.kind, b.dtype.kind} == {"i", "u"} and 8 in (a.dtype.itemsize, b.dtype.itemsize):
                    b = b.astype(a.dtype)
                self.agree(name, a, b)
                if name == "intersect1d":
                    self.agree(name, a, b, return_indices=True)
                if name == "isin":
                    self.agree(name, a, b, invert=True)
                self.agree(name, numpy.unique(a), numpy.unique(b), assume_unique=True)

    @unittest.skipUnless(IS_NUMPY_2, "NumPy 1 has other rules for numbers beside arrays")
    def test_sets_with_numbers(self):
        """A number of Python's takes the type of the array in union1d, and in no other function."""
        for a in (numpy.array([1, 3], "uint16"), numpy.array([1, 3], "float32")):
            for b in (9, -1, 70000, 2.5, True, numpy.int64(9), [9]):
                self.agree("union1d", a, b)
                self.agree("union1d", b, a)
            for name in ("setdiff1d", "intersect1d", "setxor1d", "isin", "searchsorted", "dot"):
                self.agree(name, a, 2)


class Histograms(Case):
    def test_histogram(self):
        for random in self.rounds("histogram"):
            a = random.array(DTYPES[1:], special=bool(random.chance(0.2)))
            if a.dtype.kind in "iu":
                a = a % a.dtype.type(100)
            keywords = {"bins": random.one_of([10, 1, 7, [0, 1, 2.5, 2.5, 4], [-3.0, 0.1, 9], "auto", 0, [2, 1]])}
            if random.chance(0.4):
                keywords["range"] = random.one_of([(0, 1), (-1.5, 2), (3, 3), (2, 1), (0, numpy.nan)])
            if random.chance(0.3):
                keywords["density"] = True
            if random.chance(0.3):
                keywords["weights"] = random.values(random.one_of(DTYPES[1:]), a.shape, False)
                if keywords["weights"].dtype.kind in "iu":
                    keywords["weights"] %= 100
            self.agree("histogram", a, tolerance={"rtol": 1e-3 if keywords.get("weights", a).dtype == "f2" else 1e-5,
                                                  "atol": 1e-5}, **keywords)

    def test_edges(self):
        """Elements on edges are where NumPy puts them."""
        for dtype in (numpy.float32, numpy.float64):
            edges = numpy.linspace(0, 1, 31, dtype=dtype)
            a = numpy.concatenate([edges, numpy.nextafter(edges, dtype(2)), numpy.nextafter(edges, dtype(-2))])
            self.agree("histogram", a, 30, (0, 1))
            self.agree("histogram", a, edges)
            self.agree("histogramdd", [a, a[::-1]], 7)

    def test_bincount(self):
        for random in self.rounds("bincount"):
            x = random.layout(random.rng.integers(0, 50, random.shape(1)).astype(random.one_of(DTYPES)))
            if x.dtype == numpy.uint64 and not IS_NUMPY_2:
                x = x.astype(numpy.uint8)  # NumPy 1 refuses uint64
            keywords = {"minlength": int(random.one_of([0, 3, 90, -1]))}
            if random.chance(0.5):
                keywords["weights"] = random.values(random.one_of(DTYPES), x.shape, False)
            self.agree("bincount", x, tolerance={"rtol": 1e-12, "atol": 1e-9}, **keywords)
        for bad in ([-1, 3], [[1]], 3, numpy.array([1.5]), []):
            self.agree("bincount", bad)
        self.assertRaises(TypeError, clprim.bincount, x=[1])  # as in NumPy
        self.agree("bincount", [1], minlength=True)
        self.agree("bincount", [2**24 + 5, 3, 3])
        self.agree("bincount", [2**24 + 5, 3, 3], [0.5, 1, 1])

    def test_several_dimensions(self):
        for random in self.rounds("histogramdd"):
            n, d = int(random.one_of([1, 5, 60])), int(random.one_of([1, 2, 3]))
            sample = random.values(random.one_of([*INTEGERS, *FLOATS[1:]]), (n, d), False)
            if sample.dtype.kind in "iu":
                sample = sample % 50
            keywords = {"bins": random.one_of([3, [2, 3, 4][:d], [numpy.array([-1.0, 0, 2, 9])] * d, 0])}
            if random.chance(0.3):
                keywords["range"] = random.one_of([[(0, 3)] * d, [None] * d])
            if random.chance(0.3):
                keywords["density"] = True
            if random.chance(0.3):
                keywords["weights"] = random.rng.random(n)
            self.agree("histogramdd", sample, tolerance={"rtol": 1e-9, "atol": 1e-12}, **keywords)
            if d == 2:
                self.agree("histogram2d", sample[:, 0], sample[:, 1], tolerance={"rtol": 1e-9, "atol": 1e-12}, **keywords)
        self.agree("histogram2d", [1, 2], [1, 2, 3])
        self.agree("histogram2d", [1, 2], [1, 3], [0, 1, 2, 3])


class Moving(Case):
    def test_take(self):
        for random in self.rounds("take"):
            a = random.array()
            axis = random.axis(a)
            n = a.size if axis is None else a.shape[axis] if -a.ndim <= axis < a.ndim else 1
            most = max(n, 1) if random.chance(0.8) else n + 3
            indices = random.rng.integers(-most, most, random.one_of([(), (4,), (2, 3), (0,)]))
            self.agree("take", a, indices, axis=axis, mode=random.one_of(["raise", "raise", "wrap", "clip", "no"]))
        self.agree("take", numpy.arange(6, dtype=complex), [5, 0])
        self.agree("take", numpy.array(["a", "bcd"]), [1, 1])
        self.agree("take", numpy.zeros(3, "V6"), [1, 1])
        for bad in ([0.0], ["a"], [[7]]):
            self.agree("take", numpy.array([1, 2]), numpy.array(bad))
        for shape in ((0, 3), (3, 0), (0, 0), (0,)):  # NumPy looks at indices only if there is something before the axis
            for axis in range(len(shape)):
                for indices in ([], [5], -7, [True] * 5):
                    self.agree("take", numpy.zeros(shape), indices, axis=axis)
                self.agree("compress", [False] * 5 + [True], numpy.zeros(shape), axis=axis)

    def test_put(self):
        for random in self.rounds("put"):
            a = random.array()
            indices = random.rng.integers(-max(a.size, 1), max(a.size, 1) + int(random.chance(0.2)),
                                          random.one_of([1, 5, 30, 0]))
            values = random.values(a.dtype.newbyteorder("="), random.one_of([(1,), (5,), (40,), (0,)]))
            mode = random.one_of(["raise", "wrap", "clip"])
            ours, theirs = a.copy(order="K"), a.copy(order="K")
            expected = outcome(numpy.put, theirs, indices, values, mode)
            self.same(outcome(clprim.put, ours, indices, values, mode) or 0, expected or 0, message=f"{a!r} {indices}")
            if not refusal(expected):
                self.same(ours, theirs, zeros=True)
        strided = numpy.zeros((4, 6))[:, ::2]
        clprim.put(strided, [1, 4, -1], [5, 6, 7])
        self.assertEqual(strided.ravel().tolist(), [0, 5, 0, 0, 6, 0, 0, 0, 0, 0, 0, 7])
        self.assertRaises(TypeError, clprim.put, [1, 2], [0], [1])
        for dtype in ("int8", "uint32", "float32", "bool"):
            for v in (300, [300], -7, numpy.array([300]), numpy.nan, [numpy.nan], 2.75, 1j, [1j], "3", True, [[1], [2]]):
                ours, theirs = numpy.zeros(3, dtype), numpy.zeros(3, dtype)
                results = []
                for module, a in ((clprim, ours), (numpy, theirs)):
                    try:
                        results.append(outcome(module.put, a, [0], v))
                    except OverflowError as error:
                        results.append(error)
                with self.subTest(dtype, v=v):
                    self.assertEqual(*map(type, results))
                    self.same(ours, theirs)

    def test_selections(self):
        for random in self.rounds("selections"):
            a = random.array()
            self.agree("flatnonzero", a)
            axis = random.axis(a)
            condition = random.values(random.one_of(DTYPES), random.one_of([3, 7, 1]))
            self.agree("compress", condition, a, axis=axis)
            self.agree("extract", random.values(random.one_of(DTYPES), a.shape), a)
        self.agree("compress", [[True]], [1])

    def test_shuffles(self):
        a = numpy.arange(60).reshape(20, 3)
        mixed = clprim.permutation(a, seed=3)
        self.assertEqual(sorted(mixed.tolist()), a.tolist())
        self.assertNotEqual(mixed.tolist(), a.tolist())
        self.same(clprim.permutation(a, seed=3), mixed)
        self.same(clprim.permutation(20, seed=3), mixed[:, 0] // 3)
        self.same(clprim.permutation(a.T, seed=3, axis=1), mixed.T)
        self.assertEqual(clprim.permutation(5).dtype, numpy.intp)
        self.assertIsNone(clprim.shuffle(a, seed=3))
        self.same(a, mixed)
        text = numpy.array(["a", "bb", "ccc"])
        self.assertEqual(sorted(clprim.permutation(text)), sorted(text))
        for bad in (-1, 2**64):
            self.assertRaises(OverflowError, clprim.permutation, 5, seed=bad)
        self.assertRaises(TypeError, clprim.shuffle, [1, 2])


class Outputs(Case):
    CALLS = {name: {} for name in ("sum", "prod", "min", "max", "ptp", "argmin", "argmax", "any", "all", "mean", "var",
                                   "median", "cumsum", "cumprod")}

    def test_out(self):
        """`out` of another dtype takes the result or is refused, as in NumPy; another shape is refused."""
        a = numpy.array([[3, 1, 2], [1, 1, 4]], numpy.int32)
        for name in self.CALLS:
            for dtype in ("int64", "int32", "float64", "uint8", "bool"):
                ours, theirs = (numpy.ones(a.shape if name.startswith("cum") else 3, dtype) for _ in range(2))
                with self.subTest(name, out=dtype):
                    expected = outcome(getattr(numpy, name), a, axis=0, out=theirs)
                    got = outcome(getattr(clprim, name), a, axis=0, out=ours)
                    self.assertEqual(refusal(got), refusal(expected), f"{got!r} and not {expected!r}")
                    if refusal(expected):
                        self.assertTrue((ours == 1).all())  # nothing is written
                    else:
                        self.same(ours, theirs)
                        self.assertIs(got, ours)
            for bad in (numpy.zeros((2, 2)), [0, 0, 0], numpy.ma.zeros(3)):
                self.assertRaises((TypeError, ValueError), getattr(clprim, name), a, axis=0, out=bad)
        # Sums are rounded to out's dtype once, not their elements before.
        for mixed in (numpy.array([[0.75, -1.5, 2.5], [0.75, 1.0, 2.75]]),
                      numpy.array([[0.0, 0.0, 1.0], [-0.5, 0.0, -1.0]], "f4"),
                      numpy.array([[100, -100, 1], [100, -100, -1]], "i1"), numpy.array([[True, False, True]] * 2)):
            for name in ("sum", "prod", "min", "max", "cumsum", "cumprod", "std"):
                for dtype in ("int64", "int16", "int8", "bool", "float32", "float64", ">f8"):
                    ours, theirs = (numpy.ones(mixed.shape if name.startswith("cum") else 3, dtype) for _ in range(2))
                    with self.subTest(name, dtype=mixed.dtype, out=dtype):
                        expected = outcome(getattr(numpy, name), mixed, axis=0, out=theirs)
                        got = outcome(getattr(clprim, name), mixed, axis=0, out=ours)
                        self.assertEqual(refusal(got), refusal(expected), f"{got!r} and not {expected!r}")
                        if not refusal(expected):
                            self.same(ours, theirs)
        for name in ("sum", "prod", "cumsum", "cumprod"):
            self.agree(name, [True, True], dtype="i1")
        # Extremes are rounded after elements are compared, as NumPy does along rows.
        for mixed in ([1.5, numpy.inf], [1.0, numpy.nan], [100, 300], [-numpy.inf, 2.5]):
            for name in ("min", "max"):
                for dtype in ("int32", "int8"):
                    ours, theirs = (numpy.ones((), dtype) for _ in range(2))
                    with self.subTest(name, mixed=mixed, out=dtype):
                        outcome(getattr(numpy, name), mixed, out=theirs)
                        self.same(outcome(getattr(clprim, name), mixed, out=ours), theirs)
        self.assertEqual(int(clprim.sum([1.5, 1.5], dtype=float, out=numpy.zeros((), int))), 3)
        locked = numpy.zeros(3, numpy.int64)
        locked.flags.writeable = False
        self.assertRaises(ValueError, clprim.sum, a, axis=0, out=locked)
        b = a.copy()
        self.assertIs(clprim.sort(b, out=b), b)
        self.same(b, numpy.sort(a))
        strided = numpy.zeros((2, 6), numpy.int64)[:, ::2]
        clprim.cumsum(a, axis=1, out=strided)
        self.same(strided, numpy.cumsum(a, axis=1))
        taken = numpy.zeros(2, numpy.int32)
        self.assertIs(clprim.take(a, [0, 5], out=taken), taken)
        self.assertEqual(taken.tolist(), [3, 4])

    def test_refused(self):
        """Keywords that a function does not have, elements that devices do not have, and bad arguments."""
        for name in clprim.__all__:
            function = getattr(clprim, name)
            if not callable(function) or isinstance(function, type) or not hasattr(numpy, name):
                continue
            parameters = [parameter for parameter in inspect.signature(function).parameters.values()
                          if parameter.default is parameter.empty]
            with self.subTest(name):
                self.assertRaisesRegex(TypeError, "axes", function, *[[1]] * len(parameters), axes=1)
        for name in ("sort", "argsort", "sum", "min", "unique", "mean", "cumsum", "histogram"):
            for bad in (numpy.zeros(3, complex), numpy.array(["a"]), numpy.zeros(2, "M8[s]"), [object()], None,
                        numpy.ma.zeros(3), numpy.zeros(2, numpy.longdouble), clprim.Expression("x[i]", x=[1])):
                if name in ("sort", "argsort", "unique") and getattr(bad, "dtype", numpy.dtype("O")).kind in "UM":
                    continue
                with self.subTest(name):
                    self.assertRaises(TypeError, getattr(clprim, name), bad)
        for bad, sentence in [(["b", "a"], "words first"), ([1j], "a.real"), (numpy.zeros(2, "M8[s]"), "NaT"),
                              (numpy.zeros(2, [("name", "i4")]), "fields"), (numpy.zeros(2, numpy.longdouble), "astype"),
                              (None, "list of numbers, not of the type NoneType"), ({1, 2}, "type set"),
                              ([1, None], "objects of the type"), ((x for x in [1]), "type generator"), (numpy.zeros((1, 2)).view(numpy.matrix), "numpy.asarray"),
                              (numpy.ma.zeros(3), "a.filled")]:
            self.assertRaisesRegex(TypeError, sentence, clprim.sum, bad)
        self.assertRaisesRegex(ValueError, "^axis 2 is out of bounds for array of dimension 1$", clprim.sum, [1], 2)
        self.assertIsInstance(clprim.count_nonzero([1]), numpy.intp)
        self.assertIsInstance(clprim.isin(1, [1]), numpy.ndarray)
        self.assertRaisesRegex(TypeError, "clprim.device", clprim.sum, clprim.Expression("x[i]", x=[1]))
        for bad in [{"kind": "bubble"}, {"order": "x"}, {"axis": 2}, {"axis": 0.5}, {"kind": 1}]:
            self.agree("sort", [3, 1], **bad)
        self.assertRaises(ValueError, clprim.sort, [1], kind="stable", stable=True)
        self.assertRaises(TypeError, clprim.sum, [1], at="gpu")
        self.assertRaises(OverflowError, clprim.top_k, [1], -1)
        self.same(clprim.sum([1, 2], at=clprim.Runtime.default()), numpy.int64(3))

    def test_axes(self):
        """Which functions take bools as axes, and an axis of an array without dimensions, is NumPy's choice."""
        for name in ("sum", "prod", "mean", "var", "std", "min", "max", "ptp", "argmin", "argmax", "any", "all", "count_nonzero",
                     "cumsum", "cumprod", "sort", "argsort", "median", "take", "argpartition", "diff"):
            more = (0,) if name in ("take", "argpartition") else ()
            for axis in (True, (True,), 0.0):
                if (name, axis) != ("argpartition", (True,)):
                    self.agree(name, numpy.array([[1.0, 2], [5, 3]]), *more, axis=axis)
            for axis in (0, -1, 1, False):
                self.agree(name, 3.5, *more, axis=axis)
        self.agree("compress", [True], [[1, 2]], axis=True)

    def test_flags(self):
        """keepdims is an integer where NumPy has a ufunc; no mask is all False, and refused where elements are counted."""
        for name in ("sum", "prod", "mean", "var", "std", "min", "max", "ptp", "any", "all", "count_nonzero", "median", "argmin"):
            for keepdims in ("yes", None, 2.5, numpy.bool_(True), numpy.int64(1), 1, [1]):
                if name != "argmin" or keepdims is not None:
                    self.agree(name, [1.0, 2], keepdims=keepdims)
            if name not in ("ptp", "count_nonzero", "median", "argmin"):
                self.agree(name, numpy.array([1.0, 2]), where=None)
                if name in ("min", "max"):
                    self.agree(name, numpy.array([1.0, 2]), where=None, initial=5)

    def test_no_dimensions(self):
        for name in ("sum", "prod", "min", "max", "mean", "argmin", "any", "cumsum", "median", "count_nonzero", "unique",
                     "flatnonzero", "ptp", "sort"):
            for value in (5, 2.5, numpy.float32(1), True):
                if name != "ptp" or value is not True:
                    self.agree(name, value)
        self.agree("sort", 5, axis=None)


class Large(Case):
    """Arrays of many tiles, and of many rows."""

    def test_functions(self):
        random = Random(9)
        a = random.rng.integers(0, 5000, 200_000).astype(numpy.float32)
        a[::1000], a[::1001], a[::9973] = -0.0, 0.0, numpy.nan
        integers = random.rng.integers(-2**40, 2**40, 200_000)
        tolerance = {"rtol": 1e-4}
        for b in (a, integers):
            self.agree("argsort", b, kind="stable")
            self.agree("sort", b, kind="stable", zeros=True)
            self.agree("unique", b, return_index=True, return_counts=True)
            self.agree("flatnonzero", b)
            self.agree("argmin", b)
            self.agree("median", b)
            self.agree("isin", b, b[:999])
            self.agree("searchsorted", numpy.sort(b[:5000]), b)
            self.agree("intersect1d", b, b[77:999] + 1)
            self.agree("histogram", b[b == b], 300)
            self.agree("take", b, numpy.argsort(b))
            self.agree("lexsort", [b, b % 7])
        self.agree("cumsum", integers)
        for shape, axis in [((4, 50_000), 1), ((50_000, 4), 1), ((4, 50_000), 0), ((20, 100, 100), 1)]:
            b, c = a.reshape(shape), integers.reshape(shape)
            for name in ("argsort", "sort"):
                self.agree(name, b, axis=axis, kind="stable", zeros=name == "sort")
            for name in ("argmax", "count_nonzero", "max"):
                self.agree(name, b, axis=axis)
            for name in ("sum", "cumsum", "diff"):
                self.agree(name, c, axis=axis)
            self.agree("mean", numpy.nan_to_num(b), axis=axis, tolerance=tolerance)
            self.agree("var", numpy.nan_to_num(b), axis=axis, tolerance=tolerance)
            self.agree("quantile", c, [0.1, 0.9], axis=axis, tolerance={"rtol": 1e-12})

    def test_parts(self):
        """Arrays that do not fit the device's memory."""
        runtime = clprim.Runtime()
        a = Random(10).rng.integers(0, 1000, 300_000)
        runtime.limit(device_memory=1 << 20)
        for call in (clprim.sort, clprim.argsort, clprim.cumsum, clprim.sum, clprim.max, clprim.argmax, clprim.flatnonzero):
            self.same(call(a, at=runtime), call(a))


class Interface(Case):
    def test_names(self):
        """dir() and help() show what is public; each name has documentation."""
        self.assertEqual(sorted(dir(clprim)), sorted([*clprim.__all__, "__version__"]))
        self.assertEqual(len(clprim.__all__), len(set(clprim.__all__)))
        for name in clprim.__all__:
            thing = getattr(clprim, name)
            self.assertRegex(thing.__doc__ or "", r"\w+.*[.:]")
            if callable(thing):
                self.assertEqual(thing.__module__.split("._")[0].split(".device")[0], "clprim", name)
        self.assertIn("at=None", pydoc.render_doc(clprim.sum, renderer=pydoc.plaintext))

    def test_signatures(self):
        """A function of NumPy's name has NumPy's parameters, in its order, as far as it has them."""
        for name in clprim.__all__:
            try:
                theirs = list(inspect.signature(getattr(numpy, name)).parameters)
            except (AttributeError, TypeError, ValueError):
                continue
            own = {"at", "descending", "stable", "equal_nan", "sorted", "weights", "mean", "correction", *(("out",) if name in ("sort", "argsort") else ())}
            ours = [each for each in inspect.signature(getattr(clprim, name)).parameters if each not in own]
            with self.subTest(name):
                self.assertEqual([each for each in theirs if each in ours], ours)

    def test_examples(self):
        """Each public name has examples in its help, and they are true."""
        without = {"Communicator", "Error", "InvalidArgument", "Part", "device_options", "run_distributed"}
        by_tool = {"Trace", "trace_kernel"}
        self.assertEqual(sorted(dir(clprim.device)), sorted(clprim.device.__all__))
        for module in (clprim, clprim.device):
            for name in module.__all__:
                if name in by_tool and "CLPRIM_TOOL" not in os.environ:
                    with self.subTest(name):
                        self.skipTest("no tool")
                    continue
                thing = inspect.unwrap(getattr(module, name))
                test = doctest.DocTestParser().get_doctest(thing.__doc__ or "", {"clprim": clprim, "numpy": numpy}, name, None, 0)
                with self.subTest(name):
                    self.assertEqual(bool(test.examples), not (name in without or inspect.ismodule(thing)))
                    said = []
                    doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
                    self.assertEqual("".join(said), "")

    def test_traces(self):
        """What the tool says of a kernel, as text, data, picture and page."""
        if "CLPRIM_TOOL" not in os.environ:
            self.skipTest("no tool")
        made = clprim.trace_kernel("reduce", "strided", numpy.array([3, 1, 7, -2]), group=4, lanes=4, banks=2)
        self.assertEqual([made.data[name] for name in ("variant", "results", "lanes", "banks")], ["strided", [9], 4, 2])
        self.assertTrue(str(made).endswith("Result: 9\n"))
        self.assertIn("2 turns: lanes want different words of one bank", made.text)
        self.assertEqual((made._repr_svg_()[:4], made.html[:15]), ("<svg", "<!DOCTYPE html>"))
        with self.assertRaisesRegex(ValueError, "sideways: of reduce, these can be traced: interleaved "):
            clprim.trace_kernel("reduce", "sideways", [1])
        self.assertRaises(TypeError, clprim.trace_kernel, "reduce", "tree", [1.5])
        self.assertRaises(TypeError, clprim.trace_kernel, "reduce", "tree", [1], lanes="many")
        with unittest.mock.patch.dict(os.environ, {"CLPRIM_TOOL": "", "PATH": ""}):
            self.assertRaisesRegex(FileNotFoundError, "CLPRIM_TOOL", clprim.trace_kernel, "reduce", "tree", [1])

    def test_stubs(self):
        """The stubs have every public name, with the parameters that the function has."""
        import ast
        folder = pathlib.Path(clprim.__file__).parent
        for module, names, file in [(clprim, clprim.__all__, "__init__.pyi"), (clprim.device, clprim.device.__all__, "device.pyi")]:
            tree = ast.parse((folder / file).read_text())
            known = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
            imported = {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom)
                        for alias in node.names}
            self.assertEqual(sorted(set(names) - set(known) - imported), [])
            self.assertEqual([name for name in known if not name.startswith("_") and name not in names], [])
            for name, node in known.items():
                if isinstance(node, ast.ClassDef) and not name.startswith("_"):
                    for part in node.body:
                        if isinstance(part, ast.FunctionDef):
                            self.same_parameters(f"{name}.{part.name}", part, getattr(getattr(module, name), part.name))
                elif not name.startswith("_"):
                    self.same_parameters(name, node, getattr(module, name))

    def same_parameters(self, name, node, function):
        if not callable(function):  # a property
            return
        said = node.args
        expected = [(each.arg, "positional") for each in said.posonlyargs + said.args]
        expected += [("*" + said.vararg.arg, "")] if said.vararg else []
        expected += [(each.arg, "keyword") for each in said.kwonlyargs]
        expected += [("**" + said.kwarg.arg, "")] if said.kwarg else []
        kinds = {"POSITIONAL_ONLY": ("", "positional"), "POSITIONAL_OR_KEYWORD": ("", "positional"), "KEYWORD_ONLY": ("", "keyword"),
                 "VAR_POSITIONAL": ("*", ""), "VAR_KEYWORD": ("**", "")}
        have = [(kinds[each.kind.name][0] + each.name, kinds[each.kind.name][1])
                for each in inspect.signature(function).parameters.values()]
        if inspect.ismethod(function) or node.name == "__init__":
            expected = [each for each in expected if each[0] not in ("self", "cls")]
            have = [each for each in have if each[0] not in ("self", "cls")]
        self.assertEqual(have, expected, name)


if __name__ == "__main__":
    unittest.main()
