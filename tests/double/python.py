#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Python on the device in software that CLPRIM_DOUBLE=apple names: modules load libOpenCL, so that it is not among the
program's own libraries, and the device has no double precision."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "bindings" / "python")]
import system_python

system_python.need("numpy", "pyopencl")
import numpy
import pyopencl
import pyopencl.array

import clprim

queue = pyopencl.CommandQueue(pyopencl.Context([pyopencl.get_platforms()[0].get_devices()[0]]))
assert queue.device.name == clprim.Runtime.default().device_name == "Apple M1"
assert queue.device.double_fp_config == 0
assert clprim.sum(pyopencl.array.to_device(queue, numpy.float32([1, 2, 4]))).get() == 7
# Functions of float32 need none, wherever their arrays are.
few = numpy.float32([3, 1, 2, 2, 9, 4])
there = pyopencl.array.to_device(queue, few)
for function, *more in [(clprim.mean,), (clprim.var,), (clprim.std,), (clprim.median,), (clprim.quantile, [0.3, 1]), (clprim.ptp,),
                        (clprim.percentile, 40), (clprim.histogram, 3), (clprim.isin, [2.0, 9.0]), (clprim.diff,), (clprim.unique,)]:
    more = [numpy.float32(each) if isinstance(each, list) else each for each in more]
    on_host = function(few, *more)
    on_device = function(there, *(pyopencl.array.to_device(queue, each) if numpy.ndim(each) else each for each in more))
    for one, other in zip(*((each if isinstance(each, tuple) else [each]) for each in (on_device, on_host))):
        numpy.testing.assert_allclose(one.get(), other, rtol=1e-6, err_msg=function.__name__)
for function in (clprim.sum, clprim.cumsum, clprim.mean):
    try:
        function(numpy.ones(1000))
        sys.exit(f"{function.__name__} of float64 did not fail")
    except clprim.Error as error:
        assert "double precision" in str(error), error
assert clprim.sort(numpy.array([2.0, 1.0])).tolist() == [1, 2]  # which needs none
