# SPDX-License-Identifier: MIT
"""Sorts, searches, selections by rank and quantiles, as NumPy has them, and the greatest elements."""
import math
import operator
import warnings

import numpy

from ._calls import (Elements, Order, as_index, bits, call, cast, device, element, empty, extremes, filled, gather, keys_of,
                     limit, order_rows, places, public, scan, sort_rows, transform)
from ._rules import (INDEX, as_row_shape, axes_of, back, check_dtype, check_out, deliver, integer, numbers, ordered, parameters,
                     placed, plain, rows_of)
from ._types import flag, whole

__all__ = ["argpartition", "argsort", "digitize", "lexsort", "median", "merge", "partition", "percentile", "quantile",
           "searchsorted", "sort", "top_k"]

_KINDS = {"quicksort": False, "heapsort": False, "mergesort": True, "stable": True}


def _is_stable(a, kind, order, stable):
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind is not None and stable is not None:
        raise ValueError("`kind` and `stable` parameters can't be provided at the same time. Use only one of them.")
    if kind is not None and kind not in _KINDS:
        raise (ValueError if isinstance(kind, str) else TypeError)(
            f"sort kind must be one of {', '.join(map(repr, _KINDS))}, not {kind!r}")
    return bool(stable) if kind is None else _KINDS[kind]


def _indexed(a, axis):
    """(the array, its axis) for the indices of a sort, of which an array without dimensions has one."""
    if axis is not None and integer(axis) in (0, -1) and a.ndim == 0:
        a = a.reshape(1)
    return _along(a, axis)


def _along(a, axis):
    """(the array, its axis) for a sort; None: flattened."""
    if axis is None:
        return a.reshape(-1), 0
    return a, operator.index(axis)


@public
def sort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False, out=None):
    """A sorted copy, along an axis, or of the flattened array (None), as numpy.sort. NaNs and NaTs are last. Text and dates
    are sorted, too, as by argsort, lexsort and unique.

    kind="stable" or stable=True: equal elements, such as -0.0 and 0.0, keep their order; otherwise these two may not.
    `descending` and `out` are not NumPy's: the greatest elements first (after NaNs), and the array for the result, which
    may be `a`.

    >>> clprim.sort([[3, 1, 2], [9, 7, 8]])
    array([[1, 2, 3],
           [7, 8, 9]])
    """
    a = ordered(a)
    stable = _is_stable(a, kind, order, stable)
    a, axis = _along(a, axis)
    descending = flag("descending", descending)
    shape, axis = as_row_shape(a, axis)
    check_out(out, a.shape, a.dtype)
    if a.dtype.kind not in "biuf":
        return deliver(numpy.take_along_axis(a, _order([a], axis, descending), axis), a.shape, out)
    rows = rows_of(a, axis)
    return deliver(cast(back(_sorted(rows, stable, descending), shape, axis), a.dtype), a.shape, out)


def _sorted(rows, stable=False, descending=False):
    data = rows.data
    if data.size == 0:
        return empty(0, data.dtype)
    if data.dtype.kind == "f" and stable:
        moved = bits(data)
        return sort_rows(Order(data.dtype).keys(data), rows.count, values=moved, descending=descending).view(data.dtype)
    return sort_rows(Elements(data), rows.count, descending=descending,
                     nan_order="last" if data.dtype.kind == "f" else None)


def _order(keys, axis, descending=False):
    """The indices along an axis that sort by keys of one shape, of which the last one counts most."""
    shape, axis = as_row_shape(keys[0], axis)
    rows = [rows_of(each, axis) for key in keys for each in keys_of(key)]
    if keys[0].size == 0:
        return empty(keys[0].shape, INDEX)
    order = order_rows([each.data for each in rows], rows[0].count, descending)
    if device() is not None:
        return back(transform("p[i] % n", INDEX, order.size, p=order, n=numpy.uint64(rows[0].length)), shape, axis)
    order = as_index(order)
    if rows[0].count > 1:
        order = order.reshape(-1, rows[0].length)
        order -= numpy.arange(rows[0].count, dtype=INDEX)[:, None] * rows[0].length
    return back(order, shape, axis)


@public
def argsort(a, axis=-1, kind=None, order=None, *, stable=None, descending=False, out=None):
    """The indices (intp) that sort the array along an axis, as numpy.argsort. The sort is always stable: equal elements,
    such as -0.0 and 0.0, or NaNs, keep their order. `descending` and `out` are those of sort.

    >>> clprim.argsort([3, 1, 2])
    array([1, 2, 0])
    """
    a = ordered(a)
    _is_stable(a, kind, order, stable)
    a, axis = _indexed(a, axis)
    descending = flag("descending", descending)
    as_row_shape(a, axis)
    check_out(out, a.shape, INDEX, "safe")
    return deliver(_order([a], axis, descending), a.shape, out)


@public
def lexsort(keys, axis=-1):
    """The indices that sort by several keys, of which the last one counts most, as numpy.lexsort. Keys are the rows of
    an array, or arrays of one shape.

    >>> clprim.lexsort(([1, 0, 2], [5, 5, 4]))
    array([2, 1, 0])
    """
    keys = [ordered(key, "keys") for key in keys]
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if len({key.shape for key in keys}) > 1:
        raise ValueError("all keys need to be the same shape")
    if keys[0].ndim == 0:
        return deliver(filled(1, 0, INDEX), ())
    return _order(keys, operator.index(axis))


def _check_kth(kth, shape, kind, order):
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect', not {kind!r}")
    kth = numpy.asarray(kth)
    if kth.dtype.kind not in "iu" or kth.ndim > 1:
        raise (TypeError if kth.ndim <= 1 else ValueError)("Partition index must be integer, or a sequence of them")
    length = shape[-1]
    for each in kth.reshape(-1).tolist() if math.prod(shape) else ():
        if not -length <= each < length:
            raise ValueError(f"kth(={each}) out of bounds ({length})")


@public
def partition(a, kth, axis=-1, kind="introselect", order=None):
    """A copy in which element `kth` is where a sort would put it, no element before it is greater, and none after it is
    less, as numpy.partition. The result is the sorted array, one of those that NumPy allows.

    >>> clprim.partition([7, 1, 5, 3], 1)
    array([1, 3, 5, 7])
    """
    a, axis = _along(numbers(a), axis)
    shape, axis = as_row_shape(a, axis)
    _check_kth(kth, shape, kind, order)
    return cast(back(_sorted(rows_of(a, axis)), shape, axis), a.dtype)


@public
def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    """The indices that partition the array, as numpy.argpartition: those that sort it.

    >>> clprim.argpartition([7, 1, 5, 3], 1)
    array([1, 3, 2, 0])
    """
    a, axis = _indexed(numbers(a), axis)
    shape, axis = as_row_shape(a, axis)
    _check_kth(kth, shape, kind, order)
    return _order([a], axis)


@public
def top_k(a, k, axis=-1, *, smallest=False):
    """(the k greatest elements along an axis, greatest first, their indices). Not NumPy's. Of equal elements, the first
    one comes first. NaNs are greater than all numbers. With `smallest`, the k least elements, least first. If there are
    fewer than k elements, all of them.

    >>> clprim.top_k([3, 9, 4, 9], 3)
    (array([9, 9, 4]), array([1, 3, 2]))
    """
    a, axis = _along(numbers(a), axis)
    smallest, k = flag("smallest", smallest), whole("k", k)
    shape, axis = as_row_shape(a, axis)
    rows = rows_of(a, axis)
    k = min(k, rows.length)
    shape = shape[:-1] + (k,)
    if k == 0 or rows.count == 0:
        return back(empty(0, a.dtype), shape, axis), back(empty(0, INDEX), shape, axis)
    how = Order(a.dtype)
    keys = how.keys(rows.data)
    desc = {"key_type": how.dtype, "k": k, "smallest": smallest, "indices": True, "index_type": places(rows.data.size),
            **limit(rows.data.size)}
    keys_out, found = empty(rows.count * k, how.dtype), empty(rows.count * k, places(rows.data.size))
    if rows.count == 1:
        more, fields = keys.asked("keys_in")
        call("top_k", {**desc, **more}, **fields, keys_out=keys_out, values_out=found)
        order = found
    else:
        if keys.text is not None:
            keys = Elements(transform(keys.text, keys.dtype, keys.count, keys.source, **keys.names))
        call("segmented_top_k", {**desc, "segment_length": rows.length}, keys_in=keys.array, count=keys.count,
             segment_count=rows.count, keys_out=keys_out, values_out=found)
        order = transform("p[i] + i / k * n", numpy.uint64, found.size, p=found, k=numpy.uint64(k),
                          n=numpy.uint64(rows.length))
    return (cast(back(gather(rows.data, order), shape, axis), a.dtype),
            back(as_index(found), shape, axis))


def _sorted_input(a, name="a"):
    a = numbers(a, name)
    if a.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not {a.ndim}")
    return a


def bounds(elements, needles, side):
    """The lower ("left") or upper bounds of needles in sorted elements of the same dtype."""
    if needles.size == 0 or elements.size == 0:
        return empty(0, INDEX) if needles.size == 0 else transform("0", INDEX, needles.size)
    how, count = Order(elements.dtype), max(elements.size, needles.size)
    out = empty(needles.size, places(count))
    call("search", {"type": how.dtype, **how.less, "bound": {"left": "lower", "right": "upper"}[side],
                    "index_type": places(count), **limit(count)}, in_=bits(elements), needles=bits(needles), out=out)
    return as_index(out)


@public
def searchsorted(a, v, side="left", sorter=None):
    """Where each element of `v` belongs in the sorted array `a`: before the elements that are equal to it, or after them
    (side="right"), as numpy.searchsorted. NaNs belong at the end. `sorter` are the indices that sort `a`.

    >>> clprim.searchsorted([1, 2, 2, 5], [2, 3])
    array([1, 3])
    """
    if side not in ("left", "right"):
        raise (ValueError if isinstance(side, str) else TypeError)(f"side must be 'left' or 'right', not {side!r}")
    a, v = _sorted_input(a), numbers(v, "v")
    dtype = check_dtype("the common dtype", numpy.promote_types(a.dtype, v.dtype))
    elements = plain(cast(a, dtype))
    if sorter is not None:
        sorter = numbers(sorter, "sorter")
        if sorter.ndim != 1 or sorter.size != a.size:
            raise ValueError(f"sorter must have one dimension and {a.size} elements")
        if sorter.dtype.kind not in "iu":
            raise TypeError(f"sorter must only contain integers, not {sorter.dtype}")
        sorter = plain(sorter)
        if sorter.size:
            least, most = extremes(sorter)
            if least < 0 or most >= a.size:
                raise ValueError("Sorter index out of range.")
        elements = gather(elements, sorter)
    found = bounds(elements, plain(cast(v, dtype)).reshape(-1), side)
    return deliver(found, v.shape)


@public
def digitize(x, bins, right=False):
    """The number of the bin of each element: i if bins[i - 1] <= x < bins[i], or, with `right`, if
    bins[i - 1] < x <= bins[i], as numpy.digitize. Bins ascend or descend.

    >>> clprim.digitize([0.2, 6.4, 3.0], [0.0, 1.0, 2.5, 4.0, 10.0])
    array([1, 4, 3])
    """
    x, bins = numbers(x, "x"), parameters(bins, "bins")
    if bins.ndim != 1:
        raise ValueError(f"bins must have one dimension, not {bins.ndim}")
    steps = bins[1:] >= bins[:-1]
    if steps.all():
        descending = False
    elif (bins[1:] <= bins[:-1]).all():
        descending, bins = True, bins[::-1]
    else:
        raise ValueError("bins must be monotonically increasing or decreasing")
    dtype = check_dtype("the common dtype", numpy.promote_types(x.dtype, bins.dtype))
    side = "left" if right else "right"
    found = bounds(placed(bins.astype(dtype, copy=False)), plain(cast(x, dtype)).reshape(-1), side)
    if descending:
        found = transform("n - p[i]", INDEX, found.size, p=found, n=INDEX.type(bins.size))
    return deliver(found, x.shape)


@public
def merge(a, b):
    """The elements of two sorted arrays as one sorted array. Not NumPy's. Of equal elements, those of `a` come first.

    >>> clprim.merge([1, 4, 6], [2, 4])
    array([1, 2, 4, 4, 6])
    """
    a, b = _sorted_input(a), _sorted_input(b, "b")
    dtype = check_dtype("the common dtype", numpy.promote_types(a.dtype, b.dtype))
    a, b = (plain(cast(each, dtype)) for each in (a, b))
    how, merged = Order(dtype), empty(a.size + b.size, dtype)
    if a.size == 0 or b.size == 0:
        return (b if a.size == 0 else a).copy()
    call("merge", {"key_type": how.dtype, **how.less, **limit(merged.size)}, a_keys=bits(a), b_keys=bits(b),
         keys_out=bits(merged))
    return merged


# NumPy's methods: the position of quantile q among n sorted elements.
def _position(alpha, beta):
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


_CONTINUOUS = {"linear": lambda n, q: (n - 1) * q, "interpolated_inverted_cdf": _position(0, 1),
               "hazen": _position(0.5, 0.5), "weibull": _position(0, 0), "median_unbiased": _position(1 / 3, 1 / 3),
               "normal_unbiased": _position(3 / 8, 3 / 8)}


def _around(method, n, q):
    """(the ranks below and above, the weight of the one above) of quantiles q of n elements."""
    if method in _CONTINUOUS:
        at = _CONTINUOUS[method](n, q)
        below = numpy.floor(at)
        return below, below + 1, numpy.where((at < 0) | (at >= n - 1), 0, at - below)
    if method in ("lower", "higher", "nearest", "midpoint"):
        at = (n - 1) * q
        below, above = numpy.floor(at), numpy.ceil(at)
        if method == "midpoint":
            return below, above, numpy.where(below == above, 0, 0.5)
        at = {"lower": below, "higher": above, "nearest": numpy.around(at)}[method]
    elif method == "closest_observation":
        at = n * q - 1 - 0.5
        below = numpy.floor(at)
        at = numpy.where((at == below) & (below % 2 == 1), below, below + 1)
    elif method in ("inverted_cdf", "averaged_inverted_cdf"):
        at = n * q - 1
        below = numpy.floor(at)
        if method == "averaged_inverted_cdf":
            return below, below + 1, numpy.where(at == below, 0.5, 1)
        at = numpy.where(at == below, below, below + 1)
    else:
        raise ValueError(f"{method!r} is not a valid method: use one of "
                         f"{', '.join([*_CONTINUOUS, 'lower', 'higher', 'nearest', 'midpoint', 'inverted_cdf'])}, "
                         "averaged_inverted_cdf, closest_observation")
    return at, at, numpy.zeros_like(at)


_DISCRETE = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")
_WHOLE = ("linear", "averaged_inverted_cdf", "interpolated_inverted_cdf", "weibull")  # integers q have integer positions


def _any_axes(a, axis):
    """The axes of quantiles, which may be a list, too; an array without dimensions has none."""
    return None if axis is None else axes_of(tuple(axis) if numpy.ndim(axis) == 1 else axis, a.ndim)


def _kept(result, keepdims):
    """NumPy's quantile with keepdims is an array, even without dimensions."""
    return numpy.asanyarray(result) if keepdims and device() is None else result


def _at_ranks(rows, ranks):
    """The elements at these ranks of each row, which is not sorted if there is one row and few ranks: (rows, ranks)."""
    if rows.count == 1 and ranks.size <= 16:
        data = rows.data
        desc = {"key_type": "u8" if data.dtype.kind == "b" else data.dtype, "max_ranks": 16,
                "index_type": places(data.size), **limit(data.size)}
        if data.dtype.kind == "f":
            desc["nan_order"] = "last"
        out = empty(ranks.size, data.dtype)
        call("nth_element", desc, keys_in=data, ranks=placed(ranks.astype(places(data.size))), keys_out=out)
        return out.reshape(1, -1)
    ordered = _sorted(rows)
    if device() is None:
        return ordered.reshape(rows.count, rows.length)[:, ranks]
    names = {"x": bits(ordered), "p": placed(ranks), "n": INDEX.type(rows.length), "k": numpy.uint64(ranks.size)}
    found = transform("x[i / k * n + p[i % k]]", names["x"].dtype, rows.count * ranks.size, **names)
    return found.view(ordered.dtype).reshape(rows.count, ranks.size)


_MEAN = -1  # the weight of a mean of both
_BETWEEN = """static {type} between({type} a, {type} b, {type} w) {{
    return w == 0 ? a : w == 1 ? b : w < 0 ? (a + b) / 2 : w < 0.5f ? a + (b - a) * w : b - (b - a) * (1 - w); }}"""


def _between(found, below, above, weight, dtype):
    """For each column `below`, with the one above and its weight, what is between them in each row; NaN if the last column
    is. None: the columns below."""
    is_float = found.dtype.kind == "f"
    running = numpy.dtype(numpy.float32) if dtype == numpy.float16 else dtype
    if device() is None:
        low, high, last = found[:, below].T, found[:, above].T, found[:, -1]
        if weight is not None:
            running = running if weight[0] == _MEAN else dtype
            low, high, weight = low.astype(running), high.astype(running), weight.astype(running)[:, None]
            with numpy.errstate(invalid="ignore", over="ignore"):
                distance = high - low
                between = numpy.where(weight >= 0.5, high - distance * (1 - weight), low + distance * weight)
                between = numpy.where(weight == _MEAN, (low + high) / 2, between)
                low = numpy.where(weight == 0, low, numpy.where(weight == 1, high, between))
        result = low.astype(dtype)
        if is_float:
            result[:, numpy.isnan(last)] = numpy.nan
        return result
    rows, columns = found.shape
    x = found.reshape(-1)
    names = {"x": x, "l": placed(below), "r": numpy.uint64(rows), "k": numpy.uint64(columns)}
    low, last = (element(found.dtype, "x", f"i % r * k + {place}") for place in ("l[i / r]", "k - 1"))
    text, source = low, None
    if weight is not None:
        high = element(found.dtype, "x", "i % r * k + h[i / r]")
        names.update(h=placed(above), w=placed(weight.astype(running)))
        text, source = f"between({low}, {high}, w[i / r])", _BETWEEN.format(type={4: "float", 8: "double"}[running.itemsize])
    if is_float:
        text = f"{last} != {last} ? {last} : {text}"
    return transform(text, dtype, below.size * rows, source, **names).reshape(below.size, rows)


def _weighted(rows, weights, q):
    """The least element of each row up to which the row has the share q of its weights: (q.size, rows)."""
    order = order_rows([rows.data], rows.count)
    shares = scan("sum", Elements(gather(weights.data, order)), rows.count, numpy.dtype(float))
    shares, ordered = (each.reshape(rows.count, rows.length) for each in (shares, gather(rows.data, order)))
    with numpy.errstate(invalid="ignore", divide="ignore"):
        shares = shares / shares[:, -1:]
    if numpy.isnan(shares[:, -1]).any():
        raise ValueError("Weights included NaN, inf or were all zero.")
    shares[shares == 0] = -1  # a first element without weight is no quantile 0
    result = numpy.empty((q.size, rows.count), rows.data.dtype)
    for row, (share, elements) in enumerate(zip(shares, ordered)):
        result[:, row] = elements[numpy.minimum(bounds(plain(share), plain(q), "left"), rows.length - 1)]
    if result.dtype.kind == "f":
        result[:, numpy.isnan(ordered[:, -1])] = numpy.nan
    return result


def _weights_of(a, axis, weights):
    """The rows of weights beside a's."""
    weights = numbers(weights, "weights").astype(float)
    if weights.shape != a.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        axes = axis if isinstance(axis, tuple) else (axis,)
        if weights.shape != tuple(a.shape[each] for each in axes):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        moved = numpy.moveaxis(numpy.broadcast_to(weights, numpy.moveaxis(a, axes, range(-len(axes), 0)).shape),
                               range(-len(axes), 0), axes)
        weights = moved
    if (weights < 0).any():
        raise ValueError("Weights must be non-negative.")
    return rows_of(weights, axis)


def _quantiles(a, q, axis, out, method, keepdims, weights):
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    axis = _any_axes(a, axis)
    rows = rows_of(a, axis)
    shape = rows.kept if keepdims else rows.outer
    own = a.dtype.newbyteorder("=")
    is_whole = q.dtype.kind != "f" and method in _WHOLE
    is_element = method in _DISCRETE or is_whole and method == "linear"
    if a.dtype.kind == "b" and not is_element:
        raise TypeError("quantiles of bools need a method that does not interpolate, such as 'nearest'")
    if is_element:
        dtype = own
    elif is_whole:
        dtype = numpy.result_type(own, INDEX if q.dtype.kind == "b" else q.dtype)
    else:
        dtype = numpy.result_type(own, q.dtype if q.dtype.kind == "f" else numpy.float64, numpy.float16)
    check_out(out, q.shape + shape, dtype)
    wanted = q.reshape(-1).astype(numpy.float64)
    if rows.count == 0 or wanted.size == 0:
        return deliver(empty(wanted.size * rows.count, dtype), q.shape + shape, out)
    if rows.length == 0:
        if dtype.kind != "f":
            raise IndexError("a quantile of no elements")
        return deliver(filled(wanted.size * rows.count, numpy.nan, dtype), q.shape + shape, out)
    if weights is not None:
        if device() is not None:
            raise TypeError("weighted quantiles are for NumPy arrays: pass a.get()")
        return deliver(_weighted(rows, _weights_of(a, axis, weights), wanted), q.shape + shape, out)
    below, above, weight = _around(method, rows.length, wanted)
    below, above = (numpy.clip(each, 0, rows.length - 1).astype(INDEX) for each in (below, above))
    ranks, which = numpy.unique(numpy.concatenate([below, above, [rows.length - 1]]), return_inverse=True)
    which = which.reshape(-1)
    result = _between(_at_ranks(rows, ranks), which[:wanted.size], which[wanted.size:-1],
                      None if is_element or is_whole else weight, dtype)
    return deliver(result, q.shape + shape, out)


def _asked_quantiles(a, q, most, what):
    if type(q) in (int, float) and a.dtype.kind == "f":  # a number of Python's has a's type
        q = numpy.asarray(q, a.dtype)
    q = parameters(q, "q")
    if not numpy.all((q >= 0) & (q <= most)):
        raise ValueError(f"{what} must be in the range [0, {most}]")
    return q


@public
def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
             weights=None):
    """The quantiles q, from 0 to 1, as numpy.quantile, with all of its methods, and weights for "inverted_cdf". A NaN makes
    a quantile NaN. Positions are computed in float64. Quantiles 0 and 1, as integers, are elements.

    >>> float(clprim.quantile([1, 2, 3, 4], 0.5))
    2.5
    """
    a = numbers(a)
    is_weak = type(q) is int and method != "linear"
    q = _asked_quantiles(a, q, 1, "Quantiles")
    return _kept(_quantiles(a, q.astype(float) if is_weak and q.dtype.kind != "f" else q, axis, out, method, keepdims, weights),
                 keepdims)


@public
def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *,
             weights=None):
    """The percentiles q, from 0 to 100, as numpy.percentile.

    >>> clprim.percentile([1, 2, 3, 4, 5], [25, 50])
    array([2., 3.])
    """
    a = numbers(a)
    q = _asked_quantiles(a, q, 100, "Percentiles")
    q = q if q.dtype.kind == "f" else q.astype(float)
    return _kept(_quantiles(a, numpy.true_divide(q, q.dtype.type(100)), axis, out, method, keepdims, weights), keepdims)


@public
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The median, as numpy.median: the middle element of the sorted ones, or the mean of the two in the middle. It is NaN
    if there is a NaN.

    >>> float(clprim.median([3, 1, 2, 10]))
    2.5
    """
    a = numbers(a)
    rows = rows_of(a, _any_axes(a, axis))
    shape = rows.kept if keepdims else rows.outer
    dtype = a.dtype.newbyteorder("=") if a.dtype.kind == "f" else numpy.dtype(float)
    check_out(out, shape, dtype, "unsafe")
    if rows.count == 0 or rows.length == 0:
        if rows.count > 0:
            warnings.warn("Mean of empty slice.", RuntimeWarning, stacklevel=3)
        return _kept(deliver(filled(rows.count, numpy.nan, dtype), shape, out, "unsafe"), keepdims)
    middle = (rows.length - 1) // 2, rows.length // 2
    ranks, which = numpy.unique([*middle, rows.length - 1], return_inverse=True)
    weight = numpy.array([_MEAN if rows.length % 2 == 0 else 0.0])
    result = _between(_at_ranks(rows, ranks), which[:1], which[1:2], weight, dtype)
    return _kept(deliver(result, shape, out, "unsafe"), keepdims)
