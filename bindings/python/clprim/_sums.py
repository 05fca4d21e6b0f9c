# SPDX-License-Identifier: MIT
"""Sums, means, extremes and running sums, as NumPy has them."""
import builtins
import operator
import warnings

import numpy

from ._calls import (Elements, Order, bits, call, cast, device, element, empty, extremes, filled, fold, joined, limit,
                     on_host, public, scan, spread, transform, truth)
from ._rules import (INDEX, as_row_shape, axes_of, back, check_dtype, check_index_out, check_out, deliver, integer, numbers,
                     plain, result_dtype, rows_of, shape_of)

__all__ = ["all", "any", "argmax", "argmin", "count_nonzero", "cumprod", "cumsum", "diff", "dot", "max", "mean", "min",
           "prod", "ptp", "segmented_reduce", "std", "sum", "var"]


class _Nothing:
    """In place of a number that is not given."""

    def __repr__(self):
        return "<none>"


_NOTHING = _Nothing()


def _asked(a, axis, where):
    """(the rows, a mask as long as they are, or None)."""
    rows = rows_of(a, axis)
    if where is True:
        return rows, None
    where = numbers(False if where is None else where, "where")
    if where.dtype.kind != "b":
        raise TypeError(f"where must be bools, not {where.dtype}")
    return rows, rows_of(spread(where, a.shape), axis).data


def _masked(data, mask, instead):
    """The elements, with `instead` where the mask is False."""
    if mask is None:
        return Elements(data)
    return Elements(text=f"w[i] ? {element(data.dtype)} : e", dtype=data.dtype, count=data.size, x=data, w=mask,
                    e=numpy.asarray(instead, data.dtype))


def _computed(a, dtype):
    """(the array, the dtype of the running value) that add up to `dtype` on the device. What C does not convert, NumPy
    does."""
    is_widened = a.dtype.kind in "biu" and (dtype.kind == "f" and dtype != numpy.float16 or
                                            dtype.kind in "iu" and numpy.can_cast(bits(a).dtype, dtype)) or \
        a.dtype.kind == dtype.kind == "f" and a.dtype.itemsize <= dtype.itemsize
    return a if is_widened else cast(a, dtype)


# What NumPy computes from two elements, and its text. Integers wrap around; NaNs propagate.
_COMBINED = {"sum": (numpy.add, "{x} + {y}"), "prod": (numpy.multiply, "{x} * {y}"), "ptp": (numpy.subtract, "{x} - {y}"),
             "min": (numpy.minimum, "{x} < {y} || {x} != {x} ? {x} : {y}"),
             "max": (numpy.maximum, "{x} > {y} || {x} != {x} ? {x} : {y}")}


def _combined(op, a, b):
    """Each element of `a` with that of `b`, or with a number, by an operator."""
    ufunc, text = _COMBINED[op]
    if device() is None:
        with numpy.errstate(over="ignore"):  # integers wrap around
            return numpy.asarray(ufunc(a, b))
    names = {"x": a.reshape(-1), "y": b.reshape(-1) if numpy.ndim(b) or not isinstance(b, numpy.ndarray) else b}
    wide = "(ulong)" if a.dtype.kind in "iu" and op not in ("min", "max") else ""
    x, y = (wide + (element(each.dtype, name) if each.ndim else name) for name, each in names.items())
    return transform(text.format(x=x, y=y), a.dtype, a.size, **names)


def _first(name, initial, dtype, rows, mask):
    """The initial value as an element, or None. NumPy's ufunc of this name needs one for a mask or no elements if
    `initial` is None."""
    if initial is _NOTHING:
        return None
    if initial is not None:
        first = numpy.empty((), dtype)
        first[()] = initial  # raises as NumPy does if it does not fit
        return first
    if mask is not None:
        raise ValueError(f"reduction operation '{name}' does not have an identity, so to use a where mask one has to "
                         "specify 'initial'")
    if rows.length == 0 and rows.count > 0:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    return None


def _fold(op, a, axis, dtype, out, keepdims, initial, where):
    a = numbers(a)
    dtype = result_dtype(op, a.dtype, dtype, out)
    rows, mask = _asked(a, axis, where)
    shape = shape_of(rows, keepdims)
    check_out(out, shape, dtype, "unsafe")
    first = _first(_COMBINED[op][0].__name__, initial, dtype, rows, mask)
    data = _computed(rows.data, dtype)
    neutral = 0 if op == "sum" else 1
    if dtype.kind == "b":  # NumPy's + and * of bools are "or" and "and"
        op = {"sum": "max", "prod": "min"}[op]
    if rows.length == 0 or rows.count == 0:
        total = filled(rows.count, neutral, dtype)
    else:
        total = fold(op, _masked(data, mask, neutral), rows.count, dtype, None if dtype.kind == "b" else dtype)
    if first is not None:
        total = _combined(op, total, first)
    return deliver(total, shape, out, "unsafe")


@public
def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=_NOTHING, where=True):
    """The sum of the elements, along an axis, several axes, or all (None), as numpy.sum.

    Integers are summed in int64 or uint64, and wrap around; floats in their own type, float16 in float32. `dtype` says
    otherwise; with `out` alone it is the dtype that NumPy promotes the elements' and out's to. The error of a sum of n
    floats is at most min(n - 1, 1024) * u * sum(abs(a)), where u is 2**-24 for float32 and 2**-53 for float64 (NumPy's
    pairwise sums: about (log2(n / 128) + 16) * u).

    >>> clprim.sum(numpy.array([[1, 2], [3, 4]], numpy.uint8), axis=0)
    array([4, 6], dtype=uint64)
    """
    return _fold("sum", a, axis, dtype, out, keepdims, initial, where)


@public
def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=_NOTHING, where=True):
    """The product of the elements, as numpy.prod. Dtypes are those of sum. Of floats, the relative error is at most about
    n * u.

    >>> int(clprim.prod([1, 2, 3, 4]))
    24
    """
    return _fold("prod", a, axis, dtype, out, keepdims, initial, where)


def _divided(total, counts, dtype, ddof=0):
    """The totals, divided by counts - ddof, or by 0 if that is negative."""
    if device() is None:
        with numpy.errstate(divide="ignore", invalid="ignore"):
            return numpy.true_divide(total, numpy.maximum(counts - numpy.float64(ddof), 0)).astype(dtype)
    x = element(dtype)
    if numpy.ndim(counts) == 0:
        return transform(f"{x} / n", dtype, total.size, x=total, n=numpy.asarray(builtins.max(counts - ddof, 0), dtype))
    number = numpy.dtype(numpy.float32 if dtype == numpy.float16 else dtype).type
    return transform(f"{x} / fmax(c[i] - d, z)", dtype, total.size, x=total, c=counts, d=number(ddof), z=number(0))


def _check_counted(a, axis, where):
    """What NumPy asks for more where it counts elements: an array without dimensions has no axis, and None is no mask."""
    if where is None:
        raise TypeError("where must be bools, not None")
    if axis is not None and where is True:
        axes_of(axis, a.ndim)


def _counts(rows, mask):
    """How many elements of each row the mask has."""
    if mask is None or rows.count == 0 or rows.length == 0:
        return rows.length
    return fold("sum", Elements(mask), rows.count, numpy.uint64, numpy.dtype(numpy.uint64))


@public
def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """The mean of the elements, as numpy.mean: the sum, divided by their number. Integers have a float64 mean; a mean of
    float16 is computed in float32.

    >>> float(clprim.mean([1, 2, 4, 5]))
    3.0
    """
    a = numbers(a)
    _check_counted(a, axis, where)
    wanted = result_dtype("mean", a.dtype, dtype)
    running = numpy.dtype(numpy.float32) if dtype is None and wanted == numpy.float16 else wanted
    rows, mask = _asked(a, axis, where)
    shape = shape_of(rows, keepdims)
    check_out(out, shape, wanted, "unsafe")
    return deliver(cast(_means(rows, mask, running), wanted), shape, out, "unsafe")


def _is_any(counts, most):
    """Whether a count is at most so large. Those on a device are not waited for: then there is no warning."""
    return not (device() is not None and numpy.ndim(counts)) and numpy.size(counts) and numpy.min(counts) <= most


def _means(rows, mask, running):
    counts = _counts(rows, mask)
    if _is_any(counts, 0) and rows.count > 0:
        warnings.warn("Mean of empty slice.", RuntimeWarning, stacklevel=5)
    if rows.length == 0 or rows.count == 0:
        total = filled(rows.count, 0, running)
    else:
        total = fold("sum", _masked(_computed(rows.data, running), mask, 0), rows.count, running, running)
    return _divided(total, counts, running)


def _variance(a, axis, dtype, out, ddof, keepdims, where, mean, correction, is_root):
    a = numbers(a)
    _check_counted(a, axis, where)
    if correction is not _NOTHING:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    if ddof is None:
        raise TypeError("ddof must be a number, not None")
    wanted = result_dtype("mean", a.dtype, dtype)
    running = numpy.dtype(numpy.float32) if dtype is None and wanted == numpy.float16 else wanted
    if running.kind != "f":
        raise TypeError(f"dtype must be a float for a variance, not {running}")
    rows, mask = _asked(a, axis, where)
    shape = shape_of(rows, keepdims)
    check_out(out, shape, wanted, "same_kind" if is_root else "unsafe")
    counts = _counts(rows, mask)
    if rows.count > 0 and _is_any(counts, numpy.float64(ddof)):
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=4)
    if rows.length == 0 or rows.count == 0:
        total = filled(rows.count, 0, running)
    else:
        data = _computed(rows.data, running)
        if mean is not _NOTHING:
            means = plain(spread(cast(numbers(mean, "mean"), running), rows.kept)).reshape(-1)
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                means = _means(rows, mask, running)
        kind = {2: "float", 4: "float", 8: "double"}[running.itemsize]
        text = f"square(({kind}){element(data.dtype)} - {element(means.dtype, 'm', 'i / n')})"
        source = f"static {kind} square({kind} x) {{ return x * x; }}"
        names = {} if mask is None else {"w": mask}
        total = fold("sum", Elements(text=text if mask is None else f"w[i] ? {text} : 0", dtype=running, count=data.size,
                                     source=source, x=data, m=means, n=numpy.uint64(rows.length), **names),
                     rows.count, running)
    result = _divided(total, counts, running, ddof)
    if is_root:
        result = numpy.sqrt(result) if device() is None else \
            transform(f"sqrt({element(running)})", running, result.size, x=result)
    return deliver(cast(result, wanted), shape, out, "unsafe")


@public
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=_NOTHING,
        correction=_NOTHING):
    """The variance, as numpy.var: the mean of the squares of what differs from the mean; `ddof`, or `correction`, is
    subtracted from the number of elements. `mean` is the mean, if it is known, with keepdims=True.

    >>> float(clprim.var([1, 2, 3, 4]))
    1.25
    """
    return _variance(a, axis, dtype, out, ddof, keepdims, where, mean, correction, False)


@public
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=_NOTHING,
        correction=_NOTHING):
    """The standard deviation, as numpy.std: the square root of var.

    >>> float(clprim.std([1, 1, 3, 3]))
    1.0
    """
    return _variance(a, axis, dtype, out, ddof, keepdims, where, mean, correction, True)


def _extreme(op, a, axis, out, keepdims, initial, where):
    a = numbers(a)
    dtype = result_dtype(op, a.dtype, None, out)
    rows, mask = _asked(cast(a, dtype), axis, where)
    shape = shape_of(rows, keepdims)
    check_out(out, shape, dtype, "unsafe")
    first = _first(_COMBINED[op][0].__name__, initial, dtype, rows, mask)
    if rows.length == 0 or rows.count == 0:
        extreme = filled(rows.count, 0 if first is None else first, dtype)
    else:
        extreme = fold(op, _masked(rows.data, mask, first), rows.count, dtype)
        if first is not None:
            extreme = _combined(op, extreme, first)
    return deliver(extreme, shape, out, "unsafe")


@public
def min(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    """The least element, as numpy.min: a NaN if there is one. Of a -0.0 and a 0.0, which are equal, it may be either.

    >>> clprim.min([[3, 1], [2, 4]], axis=1)
    array([1, 2])
    """
    return _extreme("min", a, axis, out, keepdims, initial, where)


@public
def max(a, axis=None, out=None, keepdims=False, initial=None, where=True):
    """The greatest element, as numpy.max: a NaN if there is one.

    >>> clprim.max([[3, 1], [2, 4]], axis=1)
    array([3, 4])
    """
    return _extreme("max", a, axis, out, keepdims, initial, where)


@public
def ptp(a, axis=None, out=None, keepdims=False):
    """The greatest element minus the least one, as numpy.ptp.

    >>> int(clprim.ptp([3, 1, 8]))
    7
    """
    a = numbers(a)
    rows = rows_of(a, axis)
    shape = shape_of(rows, keepdims)
    check_out(out, shape, a.dtype)
    most, least = (_extreme(op, a, axis, None, keepdims, None, True) for op in ("max", "min"))
    if a.dtype.kind == "b":
        raise TypeError("ptp subtracts, which bools cannot: use another dtype")
    return deliver(_combined("ptp", most, least), shape, out)


def _index_of(op, a, axis, out, keepdims):
    a = numbers(a)
    if axis is not None:
        axis = integer(axis)
    rows = rows_of(a, axis)
    shape = rows.kept if keepdims else rows.outer
    check_out(out, shape, INDEX, "unsafe")
    check_index_out(out)
    if rows.length == 0:
        raise ValueError(f"attempt to get {op} of an empty sequence")
    # A NaN is the least and the greatest.
    how = Order(a.dtype, "first_nan" if op == "argmin" else "image")
    found = numpy.dtype({"names": ["index", "value"], "formats": [numpy.uint64, how.dtype], "offsets": [0, 8],
                         "itemsize": 16})
    found = fold(op, how.keys(rows.data), rows.count, found) if rows.count > 0 else empty(0, found)
    if device() is None:
        return deliver(found["index"].astype(INDEX), shape, out, "unsafe")
    return deliver(transform("x[2 * i]", INDEX, rows.count, x=found.view(INDEX)) if rows.count else empty(0, INDEX), shape, out,
                   "unsafe")


@public
def argmin(a, axis=None, out=None, *, keepdims=False):
    """The index of the least element, the first one if there are several, as numpy.argmin; that of the first NaN, if
    there is one.

    >>> int(clprim.argmin([3, 1, 1]))
    1
    """
    return _index_of("argmin", a, axis, out, keepdims)


@public
def argmax(a, axis=None, out=None, *, keepdims=False):
    """The index of the greatest element, the first one if there are several, as numpy.argmax; that of the first NaN, if
    there is one.

    >>> int(clprim.argmax([3, 1, 3]))
    0
    """
    return _index_of("argmax", a, axis, out, keepdims)


def _truths(a, mask=None, instead=0):
    """Whether each element is not 0."""
    names = {} if mask is None else {"w": mask}
    text = truth(a) if mask is None else f"w[i] ? {truth(a)} : {instead}"
    return Elements(text=text, dtype=numpy.uint8, count=a.size, x=bits(a), **names)


def _any_or_all(op, a, axis, out, keepdims, where):
    a = numbers(a)
    rows, mask = _asked(a, axis, where)
    shape = shape_of(rows, keepdims)
    check_out(out, shape, numpy.dtype(bool), "unsafe")
    neutral = int(op == "min")
    if rows.length == 0 or rows.count == 0:
        result = filled(rows.count, neutral, numpy.dtype(bool))
    else:
        result = fold(op, _truths(rows.data, mask, neutral), rows.count, bool)
    return deliver(result, shape, out, "unsafe")


@public
def any(a, axis=None, out=None, keepdims=False, *, where=True):
    """Whether any element is not 0, as numpy.any. A NaN is not 0.

    >>> bool(clprim.any([0, 0, 3]))
    True
    """
    return _any_or_all("max", a, axis, out, keepdims, where)


@public
def all(a, axis=None, out=None, keepdims=False, *, where=True):
    """Whether all elements are not 0, as numpy.all.

    >>> clprim.all([[1, 0], [1, 1]], axis=1)
    array([False,  True])
    """
    return _any_or_all("min", a, axis, out, keepdims, where)


@public
def count_nonzero(a, axis=None, *, keepdims=False):
    """The number of elements that are not 0, as numpy.count_nonzero.

    >>> int(clprim.count_nonzero([0, 3, 0, 5]))
    2
    """
    a = numbers(a)
    rows = rows_of(a, axis)
    shape = shape_of(rows, keepdims or False)
    if rows.length == 0 or rows.count == 0:
        counts = filled(rows.count, 0, INDEX)
    else:
        counts = cast(fold("sum", _truths(rows.data), rows.count, numpy.uint64, numpy.dtype(numpy.uint64)), INDEX)
    return deliver(counts, shape)


def _running(op, a, axis, dtype, out):
    a = numbers(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    elif a.ndim == 0 and integer(axis) in (0, -1):
        a, axis = a.reshape(1), 0
    shape, axis = as_row_shape(a, integer(axis))
    dtype = result_dtype(op, a.dtype, dtype, out)
    check_out(out, a.shape, dtype, "unsafe")
    rows = rows_of(a, axis)
    data = _computed(rows.data, dtype)
    if dtype.kind == "b":
        op = {"sum": "max", "prod": "min"}[op]
    return deliver(back(scan(op, Elements(data), rows.count, dtype), shape, axis), a.shape, out, "unsafe")


@public
def cumsum(a, axis=None, dtype=None, out=None):
    """The sums of all elements up to each, along an axis, or of the flattened array (None), as numpy.cumsum. Dtypes are
    those of sum, and the bound of sum holds for each prefix.

    >>> clprim.cumsum(numpy.array([250, 10], numpy.uint8))
    array([250, 260], dtype=uint64)
    """
    return _running("sum", a, axis, dtype, out)


@public
def cumprod(a, axis=None, dtype=None, out=None):
    """The products of all elements up to each, as numpy.cumprod.

    >>> clprim.cumprod([1, 2, 3, 4])
    array([ 1,  2,  6, 24])
    """
    return _running("prod", a, axis, dtype, out)


@public
def diff(a, n=1, axis=-1, prepend=_NOTHING, append=_NOTHING):
    """The difference of each element and the one before it, `n` times, as numpy.diff. Integers wrap around; bools become
    whether neighbours differ.

    >>> clprim.diff([1, 4, 9, 16])
    array([3, 5, 7])
    """
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    a = numbers(a)
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    shape, axis = as_row_shape(a, axis)
    rows = rows_of(a, axis)
    data, length = rows.data, rows.length
    if prepend is not _NOTHING or append is not _NOTHING:
        ends = [None if end is _NOTHING else _end(numbers(end, name), a, axis)
                for name, end in (("prepend", prepend), ("append", append))]
        parts = [each for each in (ends[0], rows, ends[1]) if each is not None]
        data, length = joined([each.data for each in parts], rows.count), builtins.sum(each.length for each in parts)
    for _ in range(operator.index(n)):
        data, length = _differences(data, rows.count, length), builtins.max(length - 1, 0)
    return back(data, shape[:-1] + (length,), axis)


def _end(end, a, axis):
    """The rows that diff puts before an array, or behind it."""
    if end.ndim == 0:
        end = spread(end, a.shape[:axis] + (1,) + a.shape[axis + 1:])
    if end.shape[:axis] + end.shape[axis + 1:] != a.shape[:axis] + a.shape[axis + 1:]:
        raise ValueError(f"what is put before an array of shape {a.shape}, or behind it, must have its shape except along "
                         f"axis {axis}, not {end.shape}")
    return rows_of(end, axis)


def _differences(data, rows, length):
    if length <= 1 or rows == 0:
        return empty(0, data.dtype)
    names = {"x": data, "m": numpy.uint64(length - 1)}
    if data.dtype.kind == "b":
        return transform("x[i + i / m] != x[i + i / m + 1]", bool, rows * (length - 1), **names)
    if data.dtype.kind in "iu":  # unsigned, which may wrap around
        names["x"] = data.view(numpy.dtype(f"u{data.dtype.itemsize}"))
    a, b = (element(data.dtype, "x", place) for place in ("i + i / m", "i + i / m + 1"))
    return transform(f"{b} - {a}", names["x"].dtype, rows * (length - 1), **names).view(data.dtype)


@public
def dot(a, b, out=None):
    """The sum of products over the last axis of a and the last but one of b (or its only one), as numpy.dot. Floats have
    the bound of sum, for the rounded products.

    >>> int(clprim.dot([1, 2, 3], [4, 5, 6]))
    32
    """
    a, b = numbers(a), numbers(b, "b")
    dtype = check_dtype("the result", numpy.promote_types(a.dtype, b.dtype))
    a, b = cast(a, dtype), cast(b, dtype)
    if a.ndim == 0 or b.ndim == 0:
        shape, length, first, second = a.shape + b.shape, 1, plain(a).reshape(-1, 1), plain(b).reshape(-1, 1)
        first, second = (first, second) if a.ndim else (second, first)
        second = second.reshape(1, 1)
    else:
        axis = builtins.max(b.ndim - 2, 0)
        length = a.shape[-1]
        if b.shape[axis] != length:
            raise ValueError(f"shapes {a.shape} and {b.shape} not aligned: {length} (dim {a.ndim - 1}) != "
                             f"{b.shape[axis]} (dim {axis})")
        shape = a.shape[:-1] + b.shape[:axis] + b.shape[axis + 1:]
        first = plain(a).reshape(a.size // length if length else 0, length)
        second = rows_of(b, axis).data.reshape(b.size // length if length else 0, length)
    check_out(out, shape, dtype, "no")
    rows = numpy.prod(shape, dtype=int)
    if rows == 0 or length == 0:
        return deliver(filled(int(rows), 0, dtype), shape, out)
    columns = rows // first.shape[0]
    x, y = (element(dtype, "x", "i / n / c * n + i % n"), element(dtype, "y", "i / n % c * n + i % n"))
    if dtype.kind == "b":
        text, op, running = f"{x} && {y}", "max", None
    else:
        wide = {1: "(uint)", 2: "(uint)", 4: "(uint)", 8: "(ulong)"}[dtype.itemsize] if dtype.kind in "iu" else ""
        text, op = f"{wide}{x} * {wide}{y}", "sum"
        running = numpy.dtype(numpy.float32) if dtype == numpy.float16 else dtype
    names = {"x": first.reshape(-1), "y": second.reshape(-1), "n": numpy.uint64(length), "c": numpy.uint64(columns)}
    total = fold(op, Elements(text=text, dtype=dtype if running is None else running, count=int(rows) * length, **names), int(rows),
                 dtype if running is None else running)
    return deliver(cast(total, dtype), shape, out)


@public
def segmented_reduce(a, offsets, op="sum", *, dtype=None):
    """The folds of the parts a[offsets[s]:offsets[s + 1]] with `op`: sum, prod, min or max. Offsets ascend from 0 to
    a's length, as `indptr` of a sparse matrix in SciPy.

    It is numpy.add.reduceat(a, offsets[:-1]), but an empty part is 0 (prod: 1; min, max: ValueError), not an element.

    >>> clprim.segmented_reduce([1, 2, 3, 4], [0, 3, 3, 4])
    array([6, 0, 4])
    """
    a = numbers(a)
    if a.ndim != 1:
        raise ValueError(f"a must have one dimension, not {a.ndim}")
    offsets = numbers(offsets, "offsets")
    if offsets.ndim != 1 or offsets.size == 0:
        raise ValueError("offsets must be an array of one dimension, with at least one element")
    if offsets.dtype.kind not in "iu":
        raise TypeError(f"offsets must be integers, not {offsets.dtype}")
    offsets = plain(cast(offsets, numpy.int64))
    lengths = _differences(offsets, 1, offsets.size)
    shortest = extremes(lengths)[0] if lengths.size else 0
    if shortest < 0 or not 0 <= on_host(offsets[:1])[0] <= on_host(offsets[-1:])[0] <= a.size:
        raise ValueError(f"offsets must ascend from 0 to at most {a.size}")
    if op in ("min", "max"):
        if dtype is not None:
            raise TypeError(f"dtype applies to sums and products, not to {op}")
        if lengths.size and shortest == 0:
            raise ValueError(f"an empty part has no {op}")
        dtype, running, data = a.dtype.newbyteorder("="), None, plain(a)
    elif op in ("sum", "prod"):
        dtype = running = result_dtype(op, a.dtype, dtype)
        data = _computed(plain(a), dtype)
    else:
        raise ValueError(f"op must be sum, prod, min or max, not {op!r}")
    if a.size == 0 or lengths.size == 0:
        return filled(lengths.size, 1 if op == "prod" else 0, dtype)
    out = empty(lengths.size, dtype)
    desc = {"type": "u8" if data.dtype.kind == "b" else data.dtype, "op": op, "offsets_type": "u64", **limit(a.size)}
    if running is not None and running != data.dtype:
        desc["accumulator_type"] = running
    if data.dtype.kind == "f" and running is None:
        desc["nan_order"] = "last"
    call("segmented_reduce", desc, in_=data, offsets=offsets.view(numpy.uint64), count=a.size,
         segment_count=lengths.size, out=out)
    return out
