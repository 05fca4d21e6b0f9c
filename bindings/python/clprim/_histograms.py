# SPDX-License-Identifier: MIT
"""Histograms, as NumPy has them."""
import functools
import operator
import warnings

import numpy

from . import _arrays
from ._calls import (Elements, call, cast, device, element, empty, extremes, filled, fold, gather, limit, places, public, sort_rows,
                     transform)
from ._rules import INDEX, integer, numbers, parameters, placed, plain
from ._sorting import bounds

__all__ = ["bincount", "histogram", "histogram2d", "histogramdd"]

_MOST_BINS = 2**24  # of C's histogram


def _range_of(a, range):
    """The finite ends of the bins."""
    if range is not None:
        low, high = range
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
        if not (numpy.isfinite(low) and numpy.isfinite(high)):
            raise ValueError(f"supplied range of [{low}, {high}] is not finite")
    elif a.size == 0:
        low, high = 0, 1
    else:
        low, high = extremes(a)
        if not (numpy.isfinite(low) and numpy.isfinite(high)):
            raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return low, high


def _edges(a, bins, range, weights):
    if isinstance(bins, str):  # a rule for their number: on the host, by NumPy
        if device() is not None:
            raise TypeError("beside PyOpenCL arrays, bins must be a number or edges: numpy.histogram_bin_edges(a.get(), "
                            f"{bins!r}) has edges")
        return numpy.histogram_bin_edges(a, bins, range, weights)
    if numpy.ndim(bins) == 1:
        edges = parameters(bins, "bins")
        if (edges[:-1] > edges[1:]).any():
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges
    if numpy.ndim(bins) != 0:
        raise ValueError("`bins` must be 1d, when an array")
    try:
        number = operator.index(bins)
    except TypeError:
        raise TypeError("`bins` must be an integer, a string, or an array") from None
    if number < 1:
        raise ValueError("`bins` must be positive, when an integer")
    low, high = _range_of(a, range)
    dtype = numpy.result_type(low, high, numpy.empty(1, a.dtype))
    if dtype.kind in "iu":
        dtype = numpy.result_type(dtype, float)
    edges = numpy.linspace(low, high, number + 1, endpoint=True, dtype=dtype)
    if (edges[:-1] >= edges[1:]).any():
        raise ValueError(f"Too many bins for data range. Cannot create {number} finite-sized bins.")
    return edges


def _weights(weights, dtype):
    """Weights as C adds them up, and as what."""
    if dtype.kind in "iu":
        kind = numpy.dtype(numpy.int64 if dtype.kind == "i" else numpy.uint64)
    else:
        kind = numpy.dtype(float)
    return plain(cast(weights, kind)).reshape(-1), kind


def _counted(desc, fields, bins, count, weights=None):
    """The counters, or sums of weights, of C's histogram."""
    if weights is not None:
        weights, kind = weights
        desc, fields = {**desc, "weights_type": kind}, {**fields, "weights": weights}
    else:
        kind = places(count)
        desc = {**desc, "counter_type": kind}
    out = empty(bins, kind)
    call("histogram", {**desc, "bins": bins, **limit(count)}, **fields, out=out)
    return out


@public
def histogram(a, bins=10, range=None, density=None, weights=None):
    """(how many elements are in each bin, the bins' edges), as numpy.histogram: a bin has its lower edge, and the last bin
    its upper edge, too. Without a range, the bins reach from the least element to the greatest. With weights, a bin has
    their sum; with density, the counts are divided so that their integral is 1. The names of rules for the number of bins,
    such as "auto", are applied by NumPy on the host.

    >>> clprim.histogram([1, 2, 1, 4], bins=3)
    (array([2, 1, 1]), array([1., 2., 3., 4.]))
    """
    a = numbers(a)
    if weights is not None:
        weights = numbers(weights, "weights")
        if weights.shape != a.shape:
            raise ValueError("weights should have the same shape as a.")
        weights = weights.reshape(-1)
    data = plain(a).reshape(-1)
    if data.dtype.kind == "b":
        warnings.warn("Converting input from bool to <class 'numpy.uint8'> for compatibility.", RuntimeWarning, stacklevel=3)
        data = data.view(numpy.uint8)
    edges = parameters(_edges(data, bins, range, weights), "bins")
    counts = _binned(data, edges, weights)
    if density:
        counts = _density(counts, numpy.array(edges[1:] - edges[:-1], float))
    return counts, placed(edges)


def _density(counts, volumes):
    """The counts, divided by their sum and by the volumes of the bins."""
    if device() is None:
        return counts / volumes / counts.sum()
    names = {"c": counts.reshape(-1), "v": placed(volumes).reshape(-1)}
    names["t"] = fold("sum", Elements(names["c"]), 1, counts.dtype)
    text = f"{element(counts.dtype, 'c')} / v[i] / {element(counts.dtype, 't', '0')}"
    return transform(text, float, counts.size, **names).reshape(counts.shape)


def _binned(data, edges, weights):
    dtype = INDEX if weights is None else weights.dtype
    bins = edges.size - 1
    if bins < 1:
        return filled(max(bins, 0), 0, dtype)
    if data.size == 0:
        return filled(bins, 0, dtype)
    limits = edges.astype(float)
    limits[-1] = numpy.nextafter(limits[-1], numpy.inf)  # so that the last bin has its upper edge
    if numpy.isnan(limits).any() or bins > _MOST_BINS:
        raise ValueError(f"bins must be at most {_MOST_BINS}, and their edges no NaNs")
    asked = Elements(data)
    if data.dtype.kind in "iu" and data.dtype.itemsize == 8:
        asked = Elements(text="x[i]", dtype=float, count=data.size, x=data)  # NumPy compares floats, too
    desc, fields = asked.asked()
    return cast(_counted({**desc, "type": asked.dtype, "mapping": "boundaries", "boundaries": limits}, fields, bins, data.size,
                         None if weights is None else _weights(weights, dtype)), dtype)


@public
def bincount(x, /, weights=None, minlength=0):
    """How often each number from 0 on occurs, or the sum of its weights, as numpy.bincount.

    >>> clprim.bincount([0, 1, 1, 3], minlength=5)
    array([1, 2, 0, 1, 0])
    """
    x = numbers(x, "x")
    if x.ndim != 1:
        raise ValueError(f"x must have one dimension, not {x.ndim}")
    if x.size == 0 and x.dtype == float:  # an empty list
        x = cast(x, INDEX)
    if x.dtype != numpy.uint64 and not numpy.can_cast(x.dtype, INDEX, "safe"):
        raise TypeError(f"Cannot cast array data from {x.dtype!r} to {INDEX!r} according to the rule 'safe'")
    if weights is not None:
        weights = numbers(weights, "weights")
        if weights.ndim != 1 or weights.size != x.size:
            raise ValueError("The weights and list don't have the same length.")
    minlength = integer(minlength)
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    data = plain(x)
    data = data.view(numpy.uint8) if data.dtype.kind == "b" else data
    if data.size == 0:
        return filled(minlength, 0, INDEX if weights is None else float)
    least, most = extremes(data)
    if least < 0:
        raise ValueError("'list' argument must have no negative elements")
    return _by_number(data, max(int(most) + 1, minlength), None if weights is None else plain(cast(weights, float)))


def _by_number(data, bins, weights):
    """Counts, or sums of float64 weights, of each number below `bins`."""
    if bins <= _MOST_BINS:
        return cast(_counted({"type": data.dtype}, {"in_": data}, bins, data.size,
                             None if weights is None else (weights, weights.dtype)), INDEX if weights is None else float)
    order = sort_rows(Elements(data), 1, argsort=True)
    numbered = transform("i", numpy.int64, bins + 1)
    begins = bounds(cast(gather(data, order), numpy.int64), numbered, "left")
    if weights is None:
        return transform("b[i + 1] - b[i]", INDEX, bins, b=begins)
    sums = empty(bins, float)
    call("segmented_reduce", {"type": "f64", "offsets_type": "u64", **limit(data.size)}, in_=gather(weights, order),
         offsets=begins.view(numpy.uint64), count=data.size, segment_count=bins, out=sums)
    return sums


@public
def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """(counts, list of edges) in several dimensions, as numpy.histogramdd. A sample is an array with a column for each
    dimension, or a list of arrays.

    >>> counts, edges = clprim.histogramdd([[0, 0, 2, 2], [0, 2, 2, 2]], bins=2)
    >>> counts
    array([[1., 1.],
           [0., 2.]])
    """
    try:
        size, dimensions = sample.shape
        columns = [numbers(sample, "sample")[:, each] for each in numpy.arange(dimensions)]
    except (AttributeError, ValueError):
        columns = list(numpy.atleast_2d(numbers(sample, "sample"))) if device() is None else \
            [numbers(each, "sample") for each in ([sample] if _arrays.is_device_array(sample) else sample)]
        size, dimensions = columns[0].size, len(columns)
    if weights is not None:
        weights = numbers(weights, "weights")
    try:
        if len(bins) != dimensions:
            raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    except TypeError:
        bins = dimensions * [bins]
    if range is None:
        range = (None,) * dimensions
    elif len(range) != dimensions:
        raise ValueError("range argument must have one entry per dimension")
    edges, joint = [], None
    for column, number, ends in zip(columns, bins, range):
        column = plain(column)
        edges.append(_edges_in(column, number, ends, len(edges)))
        joint = _joint(joint, column, edges[-1])
    shape = [each.size - 1 for each in edges]
    bins_in_all = int(numpy.prod(shape))
    if size == 0:
        counts = filled(bins_in_all, 0, numpy.dtype(float))
    else:
        kept = None if weights is None else plain(cast(weights, float)).reshape(-1)
        # Elements outside of all bins have a number of their own, behind them.
        joint = transform("j[i] < 0 ? n : j[i]", numpy.int64, joint.size, j=joint, n=numpy.int64(bins_in_all))
        counts = cast(_by_number(joint, bins_in_all + 1, kept)[:-1], float)
    counts = counts.reshape(shape)
    if density:
        counts = _density(counts, functools.reduce(numpy.multiply.outer, map(numpy.diff, edges)))
    return counts, [placed(each) for each in edges]


def _edges_in(column, number, ends, place):
    if numpy.ndim(number) == 0:
        if number < 1:
            raise ValueError(f"`bins[{place}]` must be positive, when an integer")
        low, high = _range_of(column, ends)
        try:
            return numpy.linspace(low, high, operator.index(number) + 1)
        except TypeError as error:
            raise TypeError(f"`bins[{place}]` must be an integer, when a scalar") from error
    if numpy.ndim(number) != 1:
        raise ValueError(f"`bins[{place}]` must be a scalar or 1d array")
    edges = parameters(number, f"bins[{place}]")
    if (edges[:-1] > edges[1:]).any():
        raise ValueError(f"`bins[{place}]` must be monotonically increasing, when an array")
    return edges


def _joint(joint, column, edges):
    """The number of the joint bin of each element, with one more dimension: below 0 outside of all bins."""
    dtype = numpy.promote_types(column.dtype, edges.dtype)
    x, limits = cast(column, dtype), placed(edges.astype(dtype))
    after, last = bounds(limits, x, "right"), bounds(limits, x, "left")
    # The last bin has its upper edge.
    text = "a[i] == e ? (b[i] < e ? e - 2 : -1) : a[i] - 1"
    names = {"a": after, "b": last, "e": numpy.int64(edges.size)}
    here = transform(text, numpy.int64, x.size, **names)
    if joint is None:
        return here
    return transform("j[i] < 0 || h[i] < 0 ? -1 : j[i] * n + h[i]", numpy.int64, x.size, j=joint, h=here,
                     n=numpy.int64(edges.size - 1))


@public
def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """(counts, edges in x, edges in y), as numpy.histogram2d.

    >>> counts, x_edges, y_edges = clprim.histogram2d([0, 0, 2], [0, 2, 2], bins=2)
    >>> counts
    array([[1., 1.],
           [0., 1.]])
    """
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    try:
        number = len(bins)
    except TypeError:
        number = 1
    if number not in (1, 2):
        bins = [bins] * 2
    counts, edges = histogramdd.__wrapped__([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]
