# SPDX-License-Identifier: MIT
"""Elements that are selected, gathered, scattered and shuffled, as NumPy has it. Elements may be of any dtype without
Python objects."""
import math
import secrets

import numpy

from . import _arrays
from ._calls import (Elements, bits, call, cast, copied, device, empty, extremes, limit, public, sort_rows, transform, truth,
                     where)
from ._rules import INDEX, anything, axes_of, check_out, check_written, deliver, integer, numbers, placed, plain
from ._types import whole

__all__ = ["compress", "extract", "flatnonzero", "permutation", "put", "shuffle", "take"]

_MODES = ("raise", "wrap", "clip")
_PLACES = {"raise": "j < 0 ? j + n : j", "wrap": "((j % n) + n) % n", "clip": "clamp(j, 0L, n - 1)"}


def _units(a):
    """(the array as unsigned integers, how many of them an element is)."""
    unit = next(size for size in (8, 4, 2, 1) if a.dtype.itemsize % size == 0)
    flat = (numpy.ascontiguousarray(a) if device() is None else a).reshape(-1)
    return flat.view(numpy.dtype(f"u{unit}")), a.dtype.itemsize // unit


def _indices(indices, rule):
    indices = numpy.asarray(indices) if device() is None else anything(indices, "indices")
    if indices.size == 0 and indices.dtype == float:  # an empty list
        indices = cast(indices, INDEX)
    if not numpy.can_cast(indices.dtype, INDEX, rule) or indices.dtype.kind not in "biu":
        raise TypeError(f"cannot cast indices from {indices.dtype} to {INDEX} according to the rule {rule!r}")
    return plain(cast(indices, INDEX))


def _check_indices(indices, length, axis):
    """Raise IndexError as NumPy does. The extremes are found on the device."""
    if indices.size == 0:
        return
    for wrong in extremes(indices):
        if not -length <= wrong < length:
            raise IndexError(f"index {wrong} is out of bounds for axis {axis} with size {length}")


def _taken(a, indices, axis, mode):
    """The elements at indices that exist along an axis, in a's own byte order."""
    shape = a.shape[:axis] + indices.shape + a.shape[axis + 1:]
    if math.prod(shape) == 0 or a.dtype.itemsize == 0:
        return empty(shape, a.dtype)
    data, units = _units(a)
    inner, length = math.prod(a.shape[axis + 1:]) * units, a.shape[axis]
    source = f"static ulong place(long j, long n) {{ return {_PLACES[mode]}; }}"
    names = {"x": data, "p": indices.reshape(-1), "n": numpy.int64(length)}
    if inner == 1 and axis == 0:
        text = "x[place(p[i], n)]"
    else:
        names.update(m=numpy.uint64(indices.size), w=numpy.uint64(inner))
        text = "x[(i / (m * w) * n + place(p[i / w % m], n)) * w + i % w]"
    return transform(text, data.dtype, math.prod(shape) * units, source, **names).view(a.dtype).reshape(shape)


@public
def take(a, indices, axis=None, out=None, mode="raise"):
    """The elements, or slices along an axis, at these indices, as numpy.take. mode "raise": negative indices count from
    the end, others that do not exist raise IndexError; "wrap" and "clip" make indices that exist.

    >>> clprim.take([4, 5, 6], [2, 0, -1])
    array([6, 4, 6])
    """
    if mode not in _MODES:
        raise ValueError(f"mode must be one of {', '.join(map(repr, _MODES))}, not {mode!r}")
    a = anything(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    elif a.ndim == 0 and integer(axis) in (0, -1):
        a, axis = a.reshape(1), 0
    axis, = axes_of(integer(axis), a.ndim)
    indices = _indices(indices, "same_kind")
    shape = a.shape[:axis] + indices.shape + a.shape[axis + 1:]
    check_out(out, shape, a.dtype)
    if a.shape[axis] == 0 and math.prod(shape) > 0:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    if mode == "raise" and math.prod(a.shape[:axis]) > 0:  # of nothing, NumPy looks at no index
        _check_indices(indices, a.shape[axis], axis)
    return deliver(_taken(a, indices, axis, mode), shape, out)


def _check_changed(name, a):
    """Raise unless a function may change this array."""
    if device() is not None:
        check_written(name, a)
    elif not isinstance(a, numpy.ndarray):
        raise TypeError(f"{name} must be a numpy.ndarray, not {type(a).__name__}")
    elif not a.flags.writeable:
        raise ValueError(f"{name} is read-only")


@public
def put(a, ind, v, mode="raise"):
    """Set elements of the flattened array to values, which are repeated if there are fewer, as numpy.put. Of several
    values for one element, the last one stays. It changes `a`.

    >>> a = numpy.zeros(4, int)
    >>> clprim.put(a, [0, 2], [7, 8])
    >>> a
    array([7, 0, 8, 0])
    """
    if mode not in _MODES:
        raise ValueError(f"mode must be one of {', '.join(map(repr, _MODES))}, not {mode!r}")
    _check_changed("a", a)
    anything(a)
    indices = _indices(ind, "safe").reshape(-1)
    is_array = isinstance(v, numpy.ndarray) or _arrays.is_device_array(v)
    # Of numbers that are no array, those that do not fit are refused, as by NumPy.
    values = cast(anything(v, "v") if is_array else placed(numpy.asarray(v, a.dtype)), a.dtype).reshape(-1)
    if indices.size == 0 or values.size == 0:
        return
    if a.size == 0:
        raise IndexError("cannot replace elements of an empty array")
    if mode == "raise":
        _check_indices(indices, a.size, 0)
    source = f"static long place(long j, long n) {{ return {_PLACES[mode]}; }}"
    indices = transform("place(p[i], n)", INDEX, indices.size, source, p=indices, n=numpy.int64(a.size))
    # Of equal indices the last one counts: it is the last of its run in a stable order.
    order = sort_rows(Elements(indices), 1, argsort=True)
    data, units = _units(a)
    given, _ = _units(values)
    desc = {"expressions": ["v[p[i / u] % m * u + i % u]"], "types": [data.dtype],
            "out_index": "i / u + 1 < c && x[p[i / u]] == x[p[i / u + 1]] ? -1L : (long)(x[p[i / u]] * u + i % u)",
            "parameters": {"v": [given.dtype], "p": [order.dtype], "x": ["i64"], "u": "i64", "m": "u64", "c": "u64"},
            **limit(max(data.size, indices.size * units))}
    call("transform", desc, arguments=[given, order, indices, numpy.int64(units), numpy.uint64(values.size),
                                       numpy.uint64(indices.size)],
         count=indices.size * units, out_length=data.size, out=[data])
    if device() is None and not numpy.shares_memory(data, a):
        a[...] = data.view(a.dtype).reshape(a.shape)


def _nonzero(a):
    if a.size == 0:
        return empty(0, INDEX)
    return cast(where(truth(a, "v[i]"), a.size, v=bits(a)), INDEX)


@public
def flatnonzero(a):
    """The indices of the elements of the flattened array that are not 0, as numpy.flatnonzero.

    >>> clprim.flatnonzero([0, 5, 0, 7])
    array([1, 3])
    """
    return _nonzero(plain(numbers(a)).reshape(-1))


@public
def compress(condition, a, axis=None, out=None):
    """The slices along an axis, or the elements of the flattened array (None), where the condition is true, as
    numpy.compress. A short condition is false at its end.

    >>> clprim.compress([0, 1, 1], [4, 5, 6])
    array([5, 6])
    """
    condition = numbers(condition, "condition")
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take.__wrapped__(anything(a), _nonzero(plain(condition)), axis, out)


@public
def extract(condition, arr):
    """The elements of the flattened array where the flattened condition is true, as numpy.extract.

    >>> clprim.extract([True, False, True], [4, 5, 6])
    array([4, 6])
    """
    return take.__wrapped__(anything(arr, "arr").reshape(-1), _nonzero(plain(numbers(condition, "condition")).reshape(-1)))


def _permuted(count, seed):
    seed = secrets.randbits(64) if seed is None else whole("seed", seed, 64)
    order = empty(count, numpy.uint64)
    if count > 0:
        call("shuffle", {"indices": True, "index_type": "u64", **limit(count)}, count=count, seed=seed, out=order)
    return order.view(INDEX)


@public
def permutation(x, *, seed=None, axis=0):
    """A random permutation of 0 .. x - 1, or a copy of an array that is shuffled along an axis, as
    numpy.random.permutation, but by clPRIM's generator: one seed, from 0 to 2**64 - 1, always makes the same permutation.

    >>> clprim.sort(clprim.permutation(5, seed=1))
    array([0, 1, 2, 3, 4])
    """
    if isinstance(x, (int, numpy.integer)):
        return _permuted(whole("x", x), seed)
    x = anything(x, "x")
    axis, = axes_of(axis, x.ndim)
    return _taken(x, _permuted(x.shape[axis], seed), axis, "raise")


@public
def shuffle(x, *, seed=None, axis=0):
    """Shuffle an array along an axis, in place, as numpy.random.shuffle: x becomes permutation(x, seed=seed).

    >>> x = numpy.arange(5)
    >>> clprim.shuffle(x, seed=1)
    >>> bool((x == clprim.permutation(5, seed=1)).all())
    True
    """
    _check_changed("x", x)
    mixed = permutation.__wrapped__(x, seed=seed, axis=axis)
    if device() is not None:
        copied(mixed, x)
    else:
        x[...] = mixed
