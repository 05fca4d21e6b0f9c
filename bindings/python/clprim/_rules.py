# SPDX-License-Identifier: MIT
"""NumPy's rules in one place: which dtype a result has, which arrays are taken, axes, and `out`."""
import collections
import math
import operator

import numpy

from . import _arrays
from ._calls import cast, copied, device, on_host, packed, permuted
from ._types import INDEX

try:
    from numpy.lib.array_utils import normalize_axis_tuple
except ImportError:  # NumPy 1
    from numpy.core.numeric import normalize_axis_tuple

# By the kind of the elements, the dtype of a result if `dtype` is not given. A pair is (for elements narrower than
# intp, for wider ones); None: the elements' own.
_SUMS = {"b": numpy.intp, "i": (numpy.intp, None), "u": (numpy.uintp, None), "f": None}
_MEANS = {"b": numpy.float64, "i": numpy.float64, "u": numpy.float64, "f": None}
_SAME = dict.fromkeys("biuf")
# By the kind of elements that devices do not have, what to pass instead of an array `{0}`.
_INSTEAD = {"c": "pass {0}.real and {0}.imag", "f": "convert it with {0}.astype(float)",
            **dict.fromkeys("mM", "pass {0}.view('int64'), in which NaT is the least number"),
            **dict.fromkeys("SU", "number the words first: words, numbers = clprim.unique({0}, return_inverse=True)"),
            "V": "pass its fields, such as {0}['name']"}
_RULES = {"sum": _SUMS, "prod": _SUMS, "mean": _MEANS, "min": _SAME, "max": _SAME}


def result_dtype(function, elements, dtype=None, out=None):
    """The dtype in which a function computes, by NumPy 2's rules: `dtype`, else by out's and the elements' dtypes."""
    _check_kind(out)
    if dtype is None and out is not None:
        dtype = numpy.promote_types(elements, out.dtype)
    if dtype is None:
        rule = _RULES[function][elements.kind]
        if isinstance(rule, tuple):
            rule = rule[elements.itemsize >= INDEX.itemsize]
        return numpy.dtype(rule) if rule is not None else elements.newbyteorder("=")
    return check_dtype("dtype", numpy.dtype(dtype).newbyteorder("="))


def check_dtype(name, dtype, array=None):
    """The dtype, or TypeError if devices have no such numbers. `array` is the name of an array that has it."""
    if dtype.kind not in "biuf" or dtype.itemsize > 8:
        instead = _INSTEAD.get(dtype.kind, "") if array else ""
        raise TypeError(f"{name} is {dtype}: clPRIM computes with bools, integers of up to 64 bits, float16, float32 and "
                        f"float64{instead and ': '}{instead.format(array)}")
    return dtype


def _check_objects(name, given, a):
    if a.dtype.hasobject and any(map(_arrays.is_device_array, a.flat)):
        raise TypeError(f"{name} holds PyOpenCL arrays within a list: pass arrays one by one")
    if a.dtype.kind == "O" and any(isinstance(each, int) and not -2**63 <= each < 2**64 for each in a.flat):
        raise TypeError(f"{name} holds an integer of more than 64 bits, which devices do not have")
    if a.dtype.hasobject and a.ndim == 0:
        raise TypeError(f"{name} must be an array or a list of numbers, not of the type {type(given).__name__}")
    if a.dtype.hasobject:
        kind = f" of the type {type(a.flat[0]).__name__}" if a.dtype.kind == "O" and a.size else ""
        raise TypeError(f"{name} holds Python objects{kind}, which a device cannot read: convert it with {name}.astype(...)")


def anything(a, name="a"):
    """NumPy's array of `a`, whose elements may have any size, but are no Python objects."""
    if hasattr(a, "names") and hasattr(a, "text"):
        raise TypeError(f"{name} is a {type(a).__name__}: functions for expressions are in clprim.device")
    if device() is not None:
        if not _arrays.is_device_array(a):
            if numpy.ndim(a) > 0 and not isinstance(a, (list, tuple)):
                raise ValueError(f"the arrays must be of one kind, NumPy or PyOpenCL: {name} is a {type(a).__name__}; "
                                 "pyopencl.array.to_device(queue, a) copies one to the device")
            return placed(_on_host(a, name))
        if not a.dtype.isnative:
            raise ValueError(f"{name}, a PyOpenCL array, must be in native byte order: pass a copy")
        return packed(a)
    return _on_host(a, name)


def _on_host(a, name):
    if _arrays.is_device_array(a):
        raise TypeError(f"{name} is a {type(a).__name__} within a list: pass arrays one by one")
    if isinstance(a, numpy.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, and clPRIM ignores masks: pass {name}.compressed(), without the "
                        f"masked elements, or {name}.filled(value)")
    if isinstance(a, numpy.matrix):
        raise TypeError(f"{name} is a numpy.matrix, which always has two dimensions: pass numpy.asarray({name})")
    given, a = a, numpy.asarray(a)
    _check_objects(name, given, a)
    return a


def numbers(a, name="a"):
    """NumPy's array of `a`, whose elements are numbers that devices have."""
    a = anything(a, name)
    check_dtype(name, a.dtype, name)
    if device() is not None and a.dtype.kind == "b":  # whose bytes a kernel may have set to others than 0 and 1
        return cast(a.reshape(-1).view(numpy.uint8), bool).reshape(a.shape)
    return a


def ordered(a, name="a"):
    """NumPy's array of `a`, whose elements have an order: numbers; of NumPy's arrays, also text and dates."""
    a = anything(a, name)
    return a if a.dtype.kind in "mMSU" and device() is None else numbers(a, name)


def parameters(a, name):
    """Few numbers that are needed on the host, as NumPy's array."""
    a = _on_host(on_host(a), name)
    check_dtype(name, a.dtype, name)
    return a


def placed(a):
    """NumPy's array where those of the call are."""
    a = _plain(a)
    if device() is None:
        return a
    import pyopencl.array
    return pyopencl.array.to_device(device().queue, a)


def plain(a):
    """The same elements as C reads them: contiguous, aligned, in native byte order, bools of 0 and 1."""
    return packed(a) if device() is not None else _plain(a)


def _plain(a):
    if not a.dtype.isnative:
        a = a.astype(a.dtype.newbyteorder("="))
    shape = a.shape
    a = numpy.require(a, requirements=["C", "A"]).reshape(shape)
    return _arrays.plain_bools(a)


Rows = collections.namedtuple("Rows", ["data", "count", "length", "outer", "kept"])
Rows.__doc__ = """The elements of an array by rows: `count` rows of `length` elements, one after another in `data`. `outer` is
the shape of a result with one element for each row, `kept` its shape with keepdims."""


def integer(value):
    """An integer, which a bool is not where NumPy asks for an axis or a length."""
    if isinstance(value, bool):
        raise TypeError("an integer is required, not a bool")
    return operator.index(value)


def rows_of(a, axis):
    """The array's rows along an axis, or several: these axes are moved behind the others. None: all elements."""
    if axis is None:
        axes = tuple(range(a.ndim))
    else:
        axis = tuple(map(integer, axis)) if isinstance(axis, tuple) else integer(axis)
        axes = () if a.ndim == 0 and axis in (0, -1) else axes_of(axis, a.ndim)
    kept = tuple(1 if place in axes else length for place, length in enumerate(a.shape))
    outer = tuple(length for place, length in enumerate(a.shape) if place not in axes)
    order = [place for place in range(a.ndim) if place not in axes] + sorted(axes)
    length = math.prod(a.shape[place] for place in axes)
    data = plain(a.transpose(order)).reshape(-1) if device() is None else permuted(a, a.shape, order)
    return Rows(data, math.prod(outer), length, outer, kept)


def shape_of(rows, keepdims):
    """The shape of a result with one element for each row. `keepdims` is an integer, as for NumPy's ufuncs."""
    return rows.kept if operator.index(keepdims) else rows.outer


def axes_of(axis, dimensions):
    """The numbers of an axis, or of a tuple of them."""
    return normalize_axis_tuple(axis if isinstance(axis, tuple) else operator.index(axis), dimensions)


def as_row_shape(a, axis):
    """The shape of the array after rows_of() of one axis, and the axis's number there."""
    axis, = axes_of(operator.index(axis), a.ndim)
    return a.shape[:axis] + a.shape[axis + 1:] + a.shape[axis:axis + 1], axis


def back(data, shape, axis):
    """The array of these rows, whose last axis is moved to where it belongs."""
    if device() is not None:
        order = list(range(len(shape) - 1))
        order.insert(axis, len(shape) - 1)
        return permuted(data, shape, order).reshape(tuple(shape[each] for each in order))
    return numpy.ascontiguousarray(numpy.moveaxis(data.reshape(shape), -1, axis))


def _check_kind(out):
    if out is None:
        return
    if device() is not None:
        check_written("out", out)
    elif not isinstance(out, numpy.ndarray) or isinstance(out, (numpy.ma.MaskedArray, numpy.matrix)):
        raise TypeError(f"out must be a numpy.ndarray without a mask, not {type(out).__name__}")


def check_written(name, array):
    """Raise unless a function on PyOpenCL's arrays can write to this one."""
    if not _arrays.is_device_array(array):
        raise TypeError(f"{name} must be a pyopencl.array.Array, as the other arrays are, not {type(array).__name__}")
    if not array.flags.c_contiguous or not array.dtype.isnative:
        raise ValueError(f"{name}, a PyOpenCL array that is written, must be contiguous and in native byte order")


def check_out(out, shape, dtype, casting="same_kind"):
    """Raise as NumPy does, before anything is computed, unless `out` can take a result of this shape and dtype."""
    if out is None:
        return
    _check_kind(out)
    if out.shape != tuple(shape):
        raise ValueError(f"out must have the shape {tuple(shape)}, not {out.shape}")
    if not numpy.can_cast(dtype, out.dtype, casting):
        raise TypeError(f"cannot cast the result from {dtype} to {out.dtype} with casting rule {casting!r}")
    if device() is None and not out.flags.writeable:
        raise ValueError("out is read-only")


def check_index_out(out):
    """NumPy's rule for indices: they go to an array whose elements fit indices, not the other way round."""
    if out is not None and not numpy.can_cast(out.dtype, INDEX, "safe"):
        raise TypeError(f"cannot cast out from {out.dtype} to {INDEX} according to the rule 'safe'")


def deliver(result, shape, out=None, casting="same_kind"):
    """The result in `out`, or as NumPy returns it: a scalar if it has no dimensions."""
    result = result.reshape(shape)
    if out is None:
        return result[()] if device() is None else result
    if device() is not None:
        return copied(result, out)
    numpy.copyto(out, result, casting=casting)
    return out
