#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What PyOpenCL's documentation does with ElementwiseKernel, ReductionKernel, GenericScanKernel and the functions of
pyopencl.algorithm, and the same by clPRIM in no more lines: both results are NumPy's. The kernels' texts are those of
PyOpenCL's documentation (MIT licence). CTest runs it with CLPRIM_LIBRARY set."""
import inspect
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "bindings" / "python")]
import system_python

system_python.need("numpy", "pyopencl", "mako")
import numpy as np
import pyopencl as cl
import pyopencl.algorithm
import pyopencl.array
import pyopencl.clrandom
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import GenericScanKernel, InclusiveScanKernel

import clprim
from clprim import device

ctx = cl.Context([next(device for platform in cl.get_platforms() for device in platform.get_devices())])
queue = cl.CommandQueue(ctx)
RNG = np.random.default_rng(11)


def numbers(count, below, dtype=np.int32):
    return cl.array.to_device(queue, RNG.integers(0, below, count).astype(dtype))


class LinearCombination:
    arrays = [numbers(50000, 100, np.float32), numbers(50000, 100, np.float32)]

    def expected(a, b):
        return 2 * a + 3 * b

    def theirs(a, b):
        lin_comb = ElementwiseKernel(ctx,
                                     "float k1, float *a_g, float k2, float *b_g, float *res_g",
                                     "res_g[i] = k1 * a_g[i] + k2 * b_g[i]",
                                     "lin_comb")
        res = cl.array.empty_like(a)
        lin_comb(2, a, 3, b, res)
        return res

    def ours(a, b):
        return clprim.transform("k1 * a[i] + k2 * b[i]", k1=2, a=a, k2=3, b=b)


class DotProduct:
    arrays = [cl.array.arange(queue, 400, dtype=np.float32), cl.array.arange(queue, 400, dtype=np.float32)]

    def expected(a, b):
        return a @ b

    def theirs(a, b):
        krnl = ReductionKernel(ctx, np.float32, neutral="0",
                               reduce_expr="a+b", map_expr="x[i]*y[i]",
                               arguments="__global float *x, __global float *y")
        return krnl(a, b)

    def ours(a, b):
        return device.sum(clprim.Expression("x[i] * y[i]", x=a, y=b))


class Prefixes:
    arrays = [numbers(2**16 - 2**14 + 5, 10)]

    def expected(a):
        return a.cumsum()

    def theirs(a):
        knl = InclusiveScanKernel(ctx, np.int32, "a+b", neutral="0")
        knl(a)
        return a

    def ours(a):
        clprim.inclusive_scan(a, out=a)
        return a


class ShiftedPrefixes:
    arrays = [cl.array.arange(queue, 10000, dtype=np.int32)]

    def expected(a):
        return a.cumsum() - a

    def theirs(a):
        knl = GenericScanKernel(
            ctx, np.int32,
            arguments="__global int *ary",
            input_expr="ary[i]",
            scan_expr="a+b", neutral="0",
            output_statement="ary[i+1] = item;")
        knl(a, queue=queue, size=len(a) - 1)
        return a

    def ours(a):
        return clprim.exclusive_scan(a, out=a)


class Filter:
    arrays = [numbers(30000, 1000)]

    def expected(a):
        return a[a > 300]

    def theirs(a):
        knl = GenericScanKernel(
            ctx, np.int32,
            arguments="__global int *ary, __global int *out",
            input_expr="(ary[i] > 300) ? 1 : 0",
            scan_expr="a+b", neutral="0",
            output_statement="""
                if (prev_item != item) out[item-1] = ary[i];
                """)
        out = cl.array.zeros_like(a)
        knl(a, out)
        return out[:(a.get() > 300).sum()]

    def ours(a):
        out, count = device.select(a, "x > 300")
        return out[:count.get()[0]]


class CopyIf:
    arrays = [numbers(30000, 1000)]

    def expected(ary):
        return ary[ary > 300]

    def theirs(ary):
        out, count, _ = cl.algorithm.copy_if(ary, "ary[i] > myval", [("myval", np.int32(300))])
        return out[:count.get()]

    def ours(ary):
        out, count = device.select(ary, "x > myval", myval=300)
        return out[:count.get()[0]]


class Unique:
    arrays = [cl.array.to_device(queue, np.sort(RNG.integers(0, 500, 30000)).astype(np.int32))]

    def expected(ary):
        return np.unique(ary)

    def theirs(ary):
        out, count, _ = cl.algorithm.unique(ary)
        return out[:count.get()]

    def ours(ary):
        out, count = device.unique(ary)
        return out[:count.get()[0]]


class Sort:
    arrays = [numbers(20000, 2**31 - 1)]

    def expected(ary):
        return np.sort(ary)

    def theirs(ary):
        sort = cl.algorithm.RadixSort(ctx, "int *ary", key_expr="ary[i]", sort_arg_names=["ary"])
        (out,), _ = sort(ary)
        return out

    def ours(ary):
        return device.sort(ary)


class MaskedMaximum:
    arrays = [numbers(30000, 1000), numbers(30000, 2)]

    def expected(a, b):
        return np.where(b, a, -2**31).max()

    def theirs(a, mask):
        krnl = ReductionKernel(ctx, np.int32, neutral="-2147483647 - 1",
                               reduce_expr="max(a, b)", map_expr="mask[i] ? x[i] : -2147483647 - 1",
                               arguments="__global int *x, __global int *mask")
        return krnl(a, mask)

    def ours(a, mask):
        return device.max(clprim.Expression("mask[i] ? x[i] : INT_MIN", x=a, mask=mask))


class CountedBy:
    """A scan of a condition."""
    arrays = [numbers(30000, 1000)]

    def expected(a):
        return (a > 300).cumsum()

    def theirs(a):
        knl = GenericScanKernel(
            ctx, np.int32,
            arguments="__global int *ary, __global int *out",
            input_expr="(ary[i] > 300) ? 1 : 0",
            scan_expr="a+b", neutral="0",
            output_statement="out[i] = item;")
        out = cl.array.empty_like(a)
        knl(a, out)
        return out

    def ours(a):
        return clprim.inclusive_scan(clprim.Expression("ary[i] > 300", ary=a))


def lines(function):
    """Of its body."""
    return [line for line in inspect.getsource(function).splitlines()[1:] if line.strip()]


class Examples(unittest.TestCase):
    def test_each(self):
        for example in [LinearCombination, DotProduct, Prefixes, ShiftedPrefixes, Filter, CopyIf, Unique, Sort,
                        MaskedMaximum, CountedBy]:
            expected = np.atleast_1d(example.expected(*(array.get() for array in example.arrays)))
            for way in [example.ours, example.theirs]:
                with self.subTest(f"{example.__name__}, {way.__name__}"):
                    result = np.atleast_1d(way(*(array.copy() for array in example.arrays)).get())
                    if result.dtype.kind == "f":
                        np.testing.assert_allclose(result, expected, rtol=1e-6)
                    else:
                        np.testing.assert_array_equal(result, expected)
            self.assertLessEqual(len(lines(example.ours)), len(lines(example.theirs)))


if __name__ == "__main__":
    unittest.main()
