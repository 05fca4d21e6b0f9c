# SPDX-License-Identifier: MIT
"""Calls of C's operations for the functions that mean what NumPy's mean: what an operation reads, and folds, scans, sorts
and gathers of rows. Arrays are NumPy's, as _rules.plain() makes them, or, if the caller's are, PyOpenCL's: then all that is
computed is enqueued on one queue, and stays on the device."""
import contextlib
import functools
import inspect
import math
import threading

import numpy

from . import _arrays
from ._runtime import Runtime, run
from ._types import INDEX, name_of
from .device import Device

_MANY = 2**32
_place = threading.local()
# What takes PyOpenCL's arrays, and the keywords that it then does not take.
_ON_DEVICES = {"all", "any", "argmax", "argmin", "argpartition", "argsort", "compress", "count_nonzero", "cumprod", "cumsum",
               "diff", "dot", "extract", "flatnonzero", "max", "mean", "merge", "min", "partition", "prod", "searchsorted",
               "sort", "sum", "take", "top_k", "unique"}
_ON_HOSTS = ("append", "initial", "out", "prepend", "sorter", "where")


def public(function):
    """A public function, which gets the keyword `at`: the clprim.Runtime, or pyopencl.CommandQueue, that runs it."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def placed(*arguments, at=None, **keywords):
        on_device = next((each for each in (*arguments, *keywords.values()) if _arrays.is_device_array(each)), None)
        if on_device is not None:
            given = signature.bind(*arguments, **keywords).arguments
            wrong = [name for name in _ON_HOSTS if name in given and given[name] is not signature.parameters[name].default]
            if function.__name__ not in _ON_DEVICES or wrong:
                raise TypeError(f"{function.__name__} takes no {wrong[0] + ' with ' if wrong else ''}PyOpenCL arrays: pass "
                                "NumPy arrays, as a.get(), or see clprim.device")
            at = at or on_device.queue
            if not _arrays.is_of(at, "CommandQueue"):
                raise TypeError("for PyOpenCL arrays `at`, or the array's queue, must be a pyopencl.CommandQueue")
        elif at is None:
            return function(*arguments, **keywords)
        with _at(at, on_device is not None):
            return function(*arguments, **keywords)

    at = inspect.Parameter("at", inspect.Parameter.KEYWORD_ONLY, default=None)
    placed.__signature__ = signature.replace(parameters=[*signature.parameters.values(), at])
    placed.__module__ = "clprim"  # where it is public
    return placed


@contextlib.contextmanager
def _at(at, on_device=False):
    device = Device(at) if on_device else None
    if _arrays.is_of(at, "CommandQueue"):
        at = Runtime.of(at)
    if not isinstance(at, Runtime):
        raise TypeError(f"at must be a clprim.Runtime or a pyopencl.CommandQueue, not {at!r}; to select a device by name "
                        "say at=clprim.Runtime(select=\"gpu\")")
    before = vars(_place).copy()
    _place.runtime, _place.device = at, device
    try:
        yield
    finally:
        vars(_place).clear()
        vars(_place).update(before)


def device():
    """The device on which everything stays, or None: then arrays are NumPy's."""
    return getattr(_place, "device", None)


def empty(count, dtype):
    return numpy.empty(count, dtype) if device() is None else device().empty(count, numpy.dtype(dtype))


def first(array):
    """The first element, on the host: waits for it."""
    return array[0] if device() is None else array[:1].get()[0]


def call(operation, desc, **arrays):
    if device() is None:
        run(operation, desc, runtime=getattr(_place, "runtime", None),
            **{name: _bytes(array) for name, array in arrays.items()})
    else:
        device().call(operation, desc, **arrays)


def _bytes(argument):
    """bool arrays as bytes, to read them and to write them."""
    if isinstance(argument, list):
        return [_bytes(each) for each in argument]
    return argument.view(numpy.uint8) if getattr(argument, "dtype", None) == bool else argument


def type_of(dtype):
    """clPRIM's type of elements. Those of bool arrays are bytes."""
    return "u8" if dtype.kind == "b" else name_of(dtype)


def limit(count):
    return {"max_count": count} if count >= _MANY else {}


def places(count):
    """The dtype in which C counts so many elements."""
    return numpy.dtype(numpy.uint64 if count >= _MANY else numpy.uint32)


def offsets(rows, length):
    """Where rows of one length begin."""
    if device() is not None:
        return transform("i * n", places(rows * length), rows + 1, n=numpy.uint64(length))
    return numpy.arange(rows + 1, dtype=places(rows * length)) * places(rows * length).type(length)


def bits(a):
    """The elements' bits as unsigned integers, for floats and bools; integers as they are."""
    return a.view(numpy.dtype(f"u{a.dtype.itemsize}")) if a.dtype.kind in "fb" else a


class Elements:
    """What an operation reads: an array, or `count` elements of `dtype` that a text over `i` and names computes. A name
    is an array or a number of NumPy's."""

    def __init__(self, array=None, *, text=None, dtype=None, count=None, source=None, **names):
        self.array, self.text, self.source, self.names = array, text, source, names
        self.dtype = array.dtype if dtype is None else numpy.dtype(dtype)
        self.count = array.size if count is None else count

    def asked(self, member="in_"):
        """(fields of a description, fields of a call)."""
        if self.text is None:
            return {}, {member: self.array}
        desc, fields = with_names(self.source, self.names)
        return {"input": self.text, **desc}, {"count": self.count, **fields}


def with_names(source, names):
    """(fields of a description, fields of a call) for a source and the names of its texts."""
    names = {name: _bytes(value if _arrays.is_device_array(value) else numpy.asarray(value)) for name, value in names.items()}
    desc = {"parameters": {name: [type_of(value.dtype)] if value.ndim else type_of(value.dtype)
                           for name, value in names.items()}} if names else {}
    if source:
        desc["source"] = source
    return desc, {"arguments": list(names.values())} if names else {}


def element(dtype, name="x", place="i"):
    """The text of an element."""
    return f"vload_half({place}, {name})" if dtype == numpy.float16 else f"{name}[{place}]"


# NumPy's order of floats on their bits: zeros are equal, NaNs are equal and last. image() is an unsigned integer in this
# order; first_nan() is another, in which NaNs come first. Neither needs a device that has such floats, or denormals.
_IMAGES = """
static {type} image({type} bits)
{{
    const {type} size = bits & {size};
    return size > {infinity} ? ({type}){nan} : size == 0 ? ({type}){sign} : bits & {sign} ? ({type})~bits : ({type})(bits | {sign});
}}
static {type} first_nan({type} bits) {{ return (bits & {size}) > {infinity} ? ({type})0 : image(bits); }}
"""
_SOURCES = {2: _IMAGES.format(type="ushort", size="0x7fff", infinity="0x7c00", nan="0xffff", sign="0x8000"),
            4: _IMAGES.format(type="uint", size="0x7fffffffu", infinity="0x7f800000u", nan="0xffffffffu",
                              sign="0x80000000u"),
            8: _IMAGES.format(type="ulong", size="0x7ffffffffffffffful", infinity="0x7ff0000000000000ul",
                              nan="0xfffffffffffffffful", sign="0x8000000000000000ul")}
NAN_BITS = {2: ("0x7fff", "0x7c00"), 4: ("0x7fffffffu", "0x7f800000u"), 8: ("0x7ffffffffffffffful", "0x7ff0000000000000ul")}


class Order:
    """NumPy's order of a dtype's elements. `dtype` is that of keys which have this order, key(text) the text of a key by
    the text of an element of bits(a), `source` what the texts need."""

    def __init__(self, dtype, image="image"):
        self.is_float = dtype.kind == "f"
        self.dtype = numpy.dtype(f"u{dtype.itemsize}") if dtype.kind in "fb" else dtype.newbyteorder("=")
        self.source = _SOURCES[dtype.itemsize] if self.is_float else None
        self._image = image

    def key(self, text):
        return f"{self._image}({text})" if self.is_float else text

    def keys(self, a):
        """The keys of an array, for an operation that reads them."""
        if not self.is_float:
            return Elements(bits(a))
        return Elements(text=self.key("x[i]"), dtype=self.dtype, count=a.size, source=self.source, x=bits(a))

    @property
    def less(self):
        """The fields of a description of an operation that compares elements `a` and `b`."""
        if not self.is_float:
            return {}
        return {"less": f"{self.key('a')} < {self.key('b')}", "source": self.source}


def truth(a, element="x[i]"):
    """The text of whether an element of bits(a) is not 0. It does not depend on how devices treat denormals."""
    return f"({element} & {NAN_BITS[a.dtype.itemsize][0]}) != 0" if a.dtype.kind == "f" else f"{element} != 0"


def fold(op, elements, rows, result, accumulator=None):
    """The folds of so many rows of equal length, whose NaNs propagate."""
    desc, fields = elements.asked()
    desc.update(type=type_of(elements.dtype), op=op, **limit(elements.count))
    if elements.dtype.kind == "f" and op not in ("sum", "prod"):
        desc["nan_order"] = "last"
    if accumulator is not None and type_of(accumulator) != desc["type"]:
        desc["accumulator_type"] = accumulator
    out = empty(rows, result)
    if rows == 1:
        call("reduce", desc, **fields, out=out)
    elif rows > 0:
        begins = offsets(rows, elements.count // rows)
        fields.update(count=elements.count, segment_count=rows, offsets=begins)
        call("segmented_reduce", {**desc, "offsets_type": begins.dtype}, **fields, out=out)
    return out


def scan(op, elements, rows, result):
    """The inclusive prefixes of each row."""
    desc, fields = elements.asked()
    desc.update(type=type_of(elements.dtype), op=op, **limit(elements.count))
    if type_of(result) != desc["type"]:
        desc["accumulator_type"] = result
    if rows > 1:
        begins = offsets(rows, elements.count // rows)
        desc.update(segments="by_offsets", offsets_type=begins.dtype)
        fields.update(count=elements.count, segment_count=rows, offsets=begins)
    out = empty(elements.count, result)
    if elements.count > 0:
        call("scan", desc, **fields, out=out)
    return out


def transform(text, dtype, count, source=None, **names):
    """`count` elements of dtype by a text."""
    out = empty(count, dtype)
    if count > 0:
        desc, fields = with_names(source, names)
        kind = {"type_names": ["bool"], "type_sizes": [1]} if out.dtype.kind == "b" else {"types": [type_of(out.dtype)]}
        call("transform", {**desc, "expressions": [text], **kind, **limit(count)}, **fields, count=count, out=[out])
    return out


def sort_rows(elements, rows, *, values=None, argsort=False, descending=False, nan_order=None):
    """Stably sorted keys of each row; or, with values or argsort, the values that move along, or the places in all rows
    together."""
    desc, fields = elements.asked("keys_in")
    desc.update(key_type=type_of(elements.dtype), descending=descending, **limit(elements.count))
    if nan_order is not None:
        desc["nan_order"] = nan_order
    out = {}
    if values is not None:
        desc["value_size"] = values.dtype.itemsize
        fields["values_in"] = values
        out["values_out"] = empty(values.size, values.dtype)
    elif argsort:
        desc.update(argsort=True, index_type=places(elements.count))
        out["values_out"] = empty(elements.count, places(elements.count))
    if not out or elements.text is None:
        out["keys_out"] = empty(elements.count, elements.dtype)
    if elements.count > 0:
        if rows > 1:
            desc["segment_length"] = elements.count // rows
            fields.update(count=elements.count, segment_count=rows)
        call("radix_sort" if rows == 1 else "segmented_sort", desc, **fields, **out)
    return out.get("values_out", out.get("keys_out"))


def order_rows(keys, rows, descending=False):
    """The places, in all rows together, that stably sort each row by keys, of which the last one counts most."""
    order = None
    for key in keys:
        how = Order(key.dtype)
        if order is None:
            order = sort_rows(how.keys(key), rows, argsort=True, descending=descending)
        else:
            elements = Elements(text=how.key("x[p[i]]"), dtype=how.dtype, count=key.size, source=how.source,
                                x=bits(key), p=order)
            order = sort_rows(elements, rows, values=order, descending=descending)
    return order


def as_index(order):
    """Places as NumPy's indices."""
    return cast(order, INDEX)


def cast(a, dtype):
    """The same elements in another dtype; the array itself if it has it."""
    dtype = numpy.dtype(dtype)
    if a.dtype == dtype:
        return a
    if device() is None:
        return a.astype(dtype)
    return transform(element(a.dtype) + (" != 0" if dtype == bool else ""), dtype, a.size, x=a.reshape(-1)).reshape(a.shape)


def permuted(a, shape, order):
    """The elements of a device's array of this shape, with its dimensions in another order, flat."""
    steps = [math.prod(shape[each + 1:]) for each in range(len(shape))]
    kept = [each for each in order if shape[each] != 1]
    groups = []  # of neighbours that remain neighbours: [length, step]
    for before, each in zip([None, *kept], kept):
        if before is not None and steps[before] == shape[each] * steps[each]:
            groups[-1] = [groups[-1][0] * shape[each], steps[each]]
        else:
            groups.append([shape[each], steps[each]])
    if len(groups) <= 1 or a.size == 0:
        return a.reshape(-1)
    terms, names, inner = [], {}, 1
    for number, (length, step) in reversed(list(enumerate(groups))):
        names.update({f"d{number}": numpy.uint64(length), f"s{number}": numpy.uint64(step), f"o{number}": numpy.uint64(inner)})
        terms.append(f"i / o{number} % d{number} * s{number}")
        inner *= length
    moved = bits(a.reshape(-1))
    return transform(f"x[{' + '.join(terms)}]", moved.dtype, a.size, x=moved, **names).view(a.dtype)


def gather(a, order):
    """a[order], of one dimension, for places that exist."""
    moved = bits(a)
    return transform("x[p[i]]", moved.dtype, order.size, x=moved, p=order).view(a.dtype) if order.size else empty(0, a.dtype)


def compact(elements, predicate, source=None, **names):
    """The elements for which the predicate holds, a text over the element `x`, its place `i` and names."""
    if elements.count == 0:
        return empty(0, elements.dtype)
    desc, fields = elements.asked()
    more, arguments = with_names(source, {**elements.names, **names})
    if source and elements.source and elements.source != source:
        more["source"] = elements.source + source
    out, count = empty(elements.count, elements.dtype), empty(1, numpy.uint64)
    call("select", {**desc, **more, "type": type_of(elements.dtype), "predicate": predicate, "index_type": "u64",
                    **limit(elements.count)}, **{**fields, **arguments}, out=out, out_count=count)
    return beginning(out, count)


def beginning(out, count):
    """So many elements of an output, without those behind them; of a device's, a view."""
    count = int(first(count))
    return out[:count].copy() if device() is None else out[:count] if count > 0 else empty(0, out.dtype)


def where(text, count, source=None, **names):
    """The places, as uint32 or uint64, where the text holds."""
    return compact(Elements(text="i", dtype=places(count), count=count, **{}), text, source, **names)
