# SPDX-License-Identifier: MIT
"""clPRIM: NumPy's functions on GPUs and other OpenCL devices.

    import clprim
    clprim.sort(numpy.array([3, 1, 2]))
    clprim.cumsum(a, axis=1)
    clprim.unique(a, return_counts=True)

A function that has the name of one of NumPy's means what NumPy's means: the same arguments, results, dtypes (by the rules
of NumPy 2, with any NumPy) and exceptions, for arrays of any shape, strides and byte order, and for lists. Bools, integers,
float16, float32 and float64 are computed on the device; complex numbers, dates, text and longdouble raise TypeError, but
take, put, compress, extract, permutation and shuffle move elements of any dtype, and sort, argsort, lexsort and unique order
text and dates. Equal zeros are equal, NaNs are last, and
min and max propagate them. Masked arrays are refused, because their masked elements would count, and so are matrices.

What differs from NumPy:
- Sums of floats are added up in another order. The docstring of sum() says how exact they are.
- sort(), argsort() and the functions that use them are stable, whatever `kind` says; partition() sorts.
- Beside NumPy's names there are top_k, merge, segmented_reduce, shuffle(seed=) and permutation(seed=).
- `at` chooses the device of a call: at=clprim.Runtime(select="gpu"), or a pyopencl.CommandQueue. Default: the best device,
  or that of the variable CLPRIM_DEVICE.

NumPy's arrays travel to the device and back with each call. PyOpenCL's stay there: the same functions enqueue their work
and return PyOpenCL's arrays (bindings/python/README.md says which calls wait). To compute with texts in OpenCL C, use
clprim.device, which has functions on PyOpenCL arrays and on expressions (clprim.Expression) in clPRIM's own order: there
-0.0 comes before 0.0. Its functions whose names are none of NumPy's are here, too:
transform("a * x[i] + y[i]", ...), reduce, inclusive_scan, exclusive_scan, sort_pairs, comparison_sort.

Fork: OpenCL does not survive a fork. In a process forked after the first call, every call raises RuntimeError. Start
processes with multiprocessing.get_context("spawn"), or use clPRIM only in the children.

Plan and run call every operation (operations() lists them), with the members of its C description and of its C call
(include/clprim/<operation>.h). The members have C's names and defaults: nan_order="last" puts NaNs last. A member named
in is in_, because `in` is a keyword in Python.

A C call that fails raises clprim.Error. If C refused an argument, it is a clprim.InvalidArgument, which is a
ValueError, too. Arguments that Python can refuse raise ValueError, TypeError, IndexError or OverflowError. Then nothing
was enqueued and nothing was written."""
from . import _c, _histograms, _moving, _runtime, _sets, _sorting, _sums, _trace, device
from ._c import Error, InvalidArgument
from ._distributed import Communicator, Part
from ._histograms import *  # noqa: F403
from ._moving import *  # noqa: F403
from ._runtime import Plan, Runtime, device_options, device_source, operations, run, run_distributed
from ._sets import *  # noqa: F403
from ._sorting import *  # noqa: F403
from ._sums import *  # noqa: F403
from ._trace import *  # noqa: F403
from .device import Expression, comparison_sort, exclusive_scan, inclusive_scan, reduce, sort_pairs, transform

__all__ = ["Communicator", "Error", "Expression", "InvalidArgument", "Part", "Plan", "Runtime", "comparison_sort", "device",
           "device_options", "device_source", "exclusive_scan", "inclusive_scan", "operations", "reduce", "run",
           "run_distributed", "sort_pairs", "transform", *_histograms.__all__, *_moving.__all__, *_sets.__all__,
           *_sorting.__all__, *_sums.__all__, *_trace.__all__]
__version__ = _c.VERSION

for _public in (Communicator, Error, Expression, InvalidArgument, Part, Plan, Runtime, *map(vars(_trace).get, _trace.__all__),
                *map(vars(_runtime).get, ("device_options", "device_source", "operations", "run", "run_distributed"))):
    _public.__module__ = __name__  # where it is public


def __dir__():
    return [*__all__, "__version__"]
