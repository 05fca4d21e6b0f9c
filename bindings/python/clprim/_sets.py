# SPDX-License-Identifier: MIT
"""Distinct elements and sets, as NumPy has them."""
import numpy

from ._calls import (Elements, Order, as_index, beginning, bits, call, cast, compact, device, empty, filled, first, gather,
                     joined, keys_of, limit, moved, on_host, order_rows, part, public, scan, transform, where)
from ._moving import _taken
from ._rules import INDEX, axes_of, check_dtype, numbers, ordered, plain, rows_of
from ._sorting import _sorted, bounds

__all__ = ["intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique"]


def _is_nan(a):
    return a.dtype.kind == "f" and a.size > 0 and bool(numpy.isnan(on_host(a[-1:])[0]))


def _distinct(data, equal_nan=True):
    """The sorted distinct elements."""
    if data.size == 0:
        return empty(0, data.dtype)
    ordered = _sorted(rows_of(data, None))
    how = Order(data.dtype)
    desc = {"type": how.dtype, "index_type": "u64", **limit(data.size)}
    if how.is_float:
        desc.update(equal=f"{how.key('a')} == {how.key('b')}", source=how.source)
        if not equal_nan:
            desc["equal"] += f" && {how.key('a')} != {how.key('nan')}"
            desc["parameters"] = {"nan": how.dtype}
    out, count = empty(ordered.size, ordered.dtype), empty(1, numpy.uint64)
    fields = {"arguments": [bits(numpy.array(numpy.nan, data.dtype).reshape(1))[0]]} if "parameters" in desc else {}
    call("unique", desc, in_=bits(ordered), **fields, out=bits(out), out_count=count)
    return beginning(out, count)


def _heads(keys, order, equal_nan):
    """Whether an element in this order differs by any key from the one before it."""
    texts, names, source = [], {"p": order}, None
    for number, key in enumerate(keys):
        how = Order(key.dtype)
        name, source = f"x{number}", how.source or source
        names[name] = bits(key)
        here, before = how.key(f"{name}[p[i]]"), how.key(f"{name}[p[i - 1]]")
        texts.append(f"{here} != {before}")
        if how.is_float and not equal_nan:
            names["nan"] = bits(numpy.array(numpy.nan, key.dtype).reshape(1))[0]
            texts.append(f"{here} == {how.key('nan')}")
    return transform(f"i == 0 || {' || '.join(texts)}", numpy.uint8, order.size, source, **names)


def _runs(keys, equal_nan):
    """(the order that sorts by keys, whether each element there begins a run of equal ones)."""
    order = order_rows(keys, 1)
    if len(keys) == 1:
        return order, _heads(keys, order, equal_nan)
    heads = None
    for key in keys:  # one after the other: a call has few arguments
        each = _heads([key], order, equal_nan)
        heads = each if heads is None else transform("a[i] | b[i]", numpy.uint8, heads.size, a=heads, b=each)
    return order, heads


def _lengths(begins, size):
    """Of the runs that begin there."""
    if device() is None:
        return numpy.diff(as_index(begins), append=size)
    text = "(i + 1 < c ? p[i + 1] : n) - p[i]"
    return transform(text, INDEX, begins.size, p=begins, c=numpy.uint64(begins.size), n=numpy.uint64(size))


@public
def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True,
           sorted=True):
    """The sorted distinct elements, as numpy.unique; with an axis, the distinct slices in lexicographic order. On request
    also the index of the first element that is equal to each, the indices that make the array of them (in the array's
    shape), and how often each occurs. NaNs are equal unless equal_nan=False; zeros are equal.
    They are sorted with sorted=False, too.

    >>> clprim.unique([3, 1, 3], return_counts=True)
    (array([1, 3]), array([1, 2]))
    """
    a = ordered(ar, "ar")
    is_number = a.dtype.kind in "biuf"
    if not is_number and not (equal_nan and axis is None):
        raise TypeError(f"ar is {a.dtype}: unique slices, and NaTs that differ, are for numbers")
    shape, slices = a.shape, None
    if axis is not None:
        axis, = axes_of(axis, a.ndim)
        slices = moved(a, axis, 0)
        size = slices.shape[0]
        rows = slices.reshape(size, slices.size // size) if slices.size else slices
        keys = [plain(rows[:, each]) for each in reversed(range(rows.shape[1]))] if slices.size else []
    else:
        data = plain(a).reshape(-1)
        keys, size = keys_of(data) if data.size else [], data.size
        if is_number and not (return_index or return_inverse or return_counts):
            return cast(_distinct(data, equal_nan), a.dtype)
    if keys:
        order, heads = _runs(keys, equal_nan)
        begins = where("h[i] != 0", size, h=heads)
        places = gather(order, begins)
    else:
        order, begins, heads = empty(0, numpy.uint32), filled(int(size > 0), 0, numpy.uint32), None
        places = begins
    if slices is None:
        values = gather(data, places) if is_number else _taken(data, as_index(places), 0, "raise")
    else:
        values = moved(_taken(slices, as_index(places), 0, "raise"), 0, axis)
    result = [cast(values, a.dtype)]
    if return_index:
        result.append(as_index(places))
    if return_inverse:
        inverse = empty(size, INDEX) if keys else filled(size, 0, INDEX)
        if keys:
            numbered = scan("sum", Elements(heads), 1, numpy.dtype(numpy.uint64))
            call("transform", {"expressions": ["r[i] - 1"], "types": ["i64"], "out_index": "p[i]",
                               "parameters": {"r": ["u64"], "p": [order.dtype]}, **limit(size)},
                 arguments=[numbered, order], count=size, out_length=size, out=[inverse])
        result.append(inverse.reshape(shape) if axis is None else inverse)
    if return_counts:
        result.append(_lengths(begins, size))
    return result[0] if len(result) == 1 else tuple(result)


def _two(a, b, names):
    """Both arrays, flattened, with their common dtype."""
    a, b = numbers(a, names[0]), numbers(b, names[1])
    dtype = check_dtype("the common dtype", numpy.promote_types(a.dtype, b.dtype))
    return [plain(cast(each, dtype)).reshape(-1) for each in (a, b)]


def _set_operation(op, a, b, **values):
    """A set operation on sorted arrays without NaNs; with values, those of the result's elements, too."""
    how = Order(a.dtype)
    room = min(a.size, b.size) if op == "intersection" else a.size if op == "difference" else a.size + b.size
    out, count = empty(room, a.dtype), empty(1, numpy.uint64)
    if room == 0:
        return out, empty(0, INDEX)
    outputs = {"values_out": empty(room, INDEX)} if values else {}
    desc = {"value_size": 8} if values else {}
    call("set_operation", {"key_type": how.dtype, "op": op, **how.less, "index_type": "u64", **desc,
                           **limit(a.size + b.size)},
         a_keys=bits(a), b_keys=bits(b), **values, keys_out=bits(out), **outputs, out_count=count)
    return beginning(out, count), beginning(outputs.get("values_out", out), count)


def _without_nan(a):
    """A sorted array of distinct elements, without a NaN, and those that were cut off."""
    if not _is_nan(a):
        return a, empty(0, a.dtype)
    end = int(first(bounds(a, a[-1:], "left")))
    return part(a, 0, end), part(a, end, a.size)


@public
def union1d(ar1, ar2):
    """The sorted distinct elements of both arrays, as numpy.union1d.

    >>> clprim.union1d([3, 1], [2, 3])
    array([1, 2, 3])
    """
    a, b = numbers(ar1, "ar1"), numbers(ar2, "ar2")
    # A number of Python's takes the type of the array, and wraps around in it.
    dtype = numpy.result_type(*(given if type(given) in (int, float) else each.dtype
                                for given, each in ((ar1, a), (ar2, b))))
    check_dtype("the common dtype", dtype)
    with numpy.errstate(over="ignore"):
        return _distinct(joined([plain(cast(each, dtype)).reshape(-1) for each in (a, b)]))


@public
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """The sorted distinct elements that are in both arrays, as numpy.intersect1d; NaNs are in none. With return_indices
    also the indices of their first occurrences in both.

    >>> clprim.intersect1d([3, 1, 2], [2, 3, 5])
    array([2, 3])
    """
    a, b = _two(ar1, ar2, ("ar1", "ar2"))
    sides = []
    for each in (a, b):
        if not return_indices:
            found = _sorted(rows_of(each, None)) if assume_unique else _distinct(each)
            sides.append((found, None))
        elif each.size == 0:
            sides.append((each, empty(0, INDEX)))
        else:
            order, heads = _runs([each], True)
            places = gather(order, where("h[i] != 0", each.size, h=heads))
            sides.append((gather(each, places), as_index(places)))
    (a, a_at), (b, b_at) = sides
    a, b = _without_nan(a)[0], _without_nan(b)[0]
    if not return_indices:
        return _set_operation("intersection", a, b)[0]
    common, ar1_at = _set_operation("intersection", a, b, a_values=part(a_at, 0, a.size))
    return common, ar1_at, _set_operation("intersection", b, a, a_values=part(b_at, 0, b.size))[1]


@public
def setdiff1d(ar1, ar2, assume_unique=False):
    """The sorted distinct elements of ar1 that are not in ar2, as numpy.setdiff1d. NaNs are not in ar2. With
    assume_unique, the elements are in the order of ar1.

    >>> clprim.setdiff1d([3, 1, 2], [2])
    array([1, 3])
    """
    if assume_unique:
        a = numbers(ar1, "ar1")
        flat = plain(a).reshape(-1)
        kept = _is_in(flat, numbers(ar2, "ar2"), True)
        return cast(compact(Elements(bits(flat)), "k[i] != 0", k=kept).view(flat.dtype), a.dtype) if flat.size else flat
    a = numbers(ar1, "ar1")
    dtype = a.dtype
    a, b = _two(ar1, ar2, ("ar1", "ar2"))
    a, nans = _without_nan(_distinct(a))
    b, _ = _without_nan(_distinct(b))
    return cast(joined([_set_operation("difference", a, b)[0], nans]), dtype)


@public
def setxor1d(ar1, ar2, assume_unique=False):
    """The sorted distinct elements that are in one of the arrays, but not in both, as numpy.setxor1d. A NaN of each is in
    the result.

    >>> clprim.setxor1d([1, 2, 3], [2, 3, 4])
    array([1, 4])
    """
    a, b = _two(ar1, ar2, ("ar1", "ar2"))
    a, b = ((_sorted(rows_of(each, None)) if assume_unique else _distinct(each)) for each in (a, b))
    (a, a_nans), (b, b_nans) = _without_nan(a), _without_nan(b)
    return joined([_set_operation("symmetric_difference", a, b)[0], a_nans, b_nans])


def _is_in(flat, tests, invert):
    """Whether each element is among others."""
    dtype = check_dtype("the common dtype", numpy.promote_types(flat.dtype, tests.dtype))
    x, tests = cast(flat, dtype), plain(cast(tests, dtype)).reshape(-1)
    if x.size == 0 or tests.size == 0:
        return filled(x.size, invert, numpy.dtype(bool))
    ordered = _sorted(rows_of(tests, None))
    how = Order(dtype)
    at = bounds(ordered, x, "left")
    found, sought = how.key("t[p[i]]"), how.key("x[i]")
    names = {"t": bits(ordered), "x": bits(x), "p": at, "m": numpy.int64(ordered.size)}
    text = f"p[i] < m && {found} == {sought}"
    if how.is_float:
        text += f" && {sought} != {how.key('nan')}"
        names["nan"] = bits(numpy.array(numpy.nan, dtype).reshape(1))[0]
    return transform(f"!({text})" if invert else text, bool, x.size, how.source, **names)


@public
def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """Whether each element is among test_elements, as numpy.isin; with `invert`, whether it is not. NaNs are in no set.
    assume_unique and kind only choose how NumPy works.

    >>> clprim.isin([1, 2, 3], [3, 1])
    array([ True, False,  True])
    """
    if kind not in (None, "sort", "table"):
        raise ValueError(f"Invalid kind: {kind!r}. Please use None, 'sort' or 'table'.")
    a, tests = numbers(element, "element"), numbers(test_elements, "test_elements")
    if kind == "table" and not {a.dtype.kind, tests.dtype.kind} <= set("biu"):
        raise ValueError("The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None "
                         "for kind.")
    return _is_in(plain(a).reshape(-1), tests, bool(invert)).reshape(a.shape)
