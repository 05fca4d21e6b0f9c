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


def public(function):
    """A public function, which gets the keyword `at`: the clprim.Runtime, or pyopencl.CommandQueue, that runs it."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def placed(*arguments, at=None, **keywords):
        given = (each[0] if isinstance(each, (list, tuple)) and each else each for each in (*arguments, *keywords.values()))
        on_device = next(filter(_arrays.is_device_array, given), None)
        if on_device is not None:
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


def filled(count, value, dtype):
    """So many elements of one value."""
    if device() is None:
        return numpy.full(count, value, dtype)
    return transform("v", dtype, count, v=numpy.float32(value) if dtype == numpy.float16 else numpy.asarray(value, dtype))


def on_host(a):
    """The elements on the host: waits for those of a device's array."""
    return packed(a).get() if _arrays.is_device_array(a) else a


def first(array):
    """The first element, on the host."""
    return on_host(array[:1])[0]


def extremes(a):
    """The least and the greatest element, on the host, of an array that has some."""
    return [first(fold(op, Elements(a.reshape(-1)), 1, a.dtype)) for op in ("min", "max")]


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


def transform(text, dtype, count, source=None, out=None, **names):
    """`count` elements of dtype by a text."""
    out = empty(count, dtype) if out is None else out
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


def keys_of(a):
    """Arrays of numbers that have the order of the elements, of which the last one counts most."""
    kind = a.dtype.kind
    if kind not in "mMSU":
        return [a]
    flat = numpy.ascontiguousarray(a, a.dtype.newbyteorder("=")).reshape(-1)
    if kind in "mM":  # NaT, the least int64, is last
        return [(flat.view(numpy.uint64) - numpy.uint64(2**63 + 1)).reshape(a.shape)]
    width, unit = (8, numpy.uint8) if kind == "S" else (21, numpy.uint32)  # bits of a character
    characters = flat.view(unit).reshape(flat.size, -1).T if flat.size and a.dtype.itemsize else numpy.zeros((1, flat.size))
    characters, several = characters.astype(numpy.uint64), 64 // width
    keys = []
    for begin in range(0, len(characters), several):
        shifts = numpy.arange(several, dtype=numpy.uint64)[::-1, None] * numpy.uint64(width)
        some = characters[begin:begin + several]
        keys.append(numpy.bitwise_or.reduce(some << shifts[:len(some)], axis=0).reshape(a.shape))
    return keys[::-1]


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
    return copied(a, empty(a.size, dtype)).reshape(a.shape)


def copied(a, out):
    """A device's array, into another one of its size, of any dtype."""
    text = element(a.dtype) + (" != 0" if out.dtype == bool and a.dtype != bool else "")
    transform(text, out.dtype, a.size, out=out.reshape(-1), x=a.reshape(-1))
    return out


def steps_of(shape):
    """How far neighbours in each dimension are from each other, in elements of a contiguous array."""
    return [math.prod(shape[each + 1:]) for each in range(len(shape))]


def strided(a, shape, steps, offset=0):
    """The elements at `offset`, and at so many steps in each dimension, of a device's flat array: contiguous and flat."""
    groups = []  # of neighbours that remain neighbours: [length, step]
    for length, step in zip(shape, steps):
        if groups and groups[-1][1] == length * step:
            groups[-1] = [groups[-1][0] * length, step]
        elif length != 1:
            groups.append([length, step])
    count = math.prod(shape)
    if count == 0:
        return empty(0, a.dtype)
    if count == a.size and groups in ([], [[count, 1]]):
        return a
    terms, names, inner = ["o"], {"o": numpy.int64(offset)}, 1
    for number, (length, step) in reversed(list(enumerate(groups))):
        names.update({f"d{number}": numpy.uint64(length), f"s{number}": numpy.int64(step), f"i{number}": numpy.uint64(inner)})
        terms.append(f"(long)(i / i{number} % d{number}) * s{number}")
        inner *= length
    moved = bits(a)
    return transform(f"x[{' + '.join(terms)}]", moved.dtype, count, x=moved, **names).view(a.dtype)


def permuted(a, shape, order):
    """The elements of a device's array of this shape, with its dimensions in another order, flat."""
    steps = steps_of(shape)
    return strided(a.reshape(-1), [shape[each] for each in order], [steps[each] for each in order])


def packed(a):
    """A device's array as C reads it: contiguous. A copy if it is not."""
    if a.flags.c_contiguous:
        return a
    steps = [step // a.dtype.itemsize for step in a.strides]
    ends = [step * (length - 1) for length, step in zip(a.shape, steps)]
    if a.size == 0:
        return empty(a.shape, a.dtype)
    before = -sum(end for end in ends if end < 0)
    base = type(a)(device().queue, sum(map(abs, ends)) + 1, a.dtype, data=a.base_data,
                   offset=a.offset - before * a.dtype.itemsize, events=a.events)
    return strided(base, a.shape, steps, before).reshape(a.shape)


def spread(a, shape):
    """The array, broadcast to a shape."""
    if device() is None:
        return numpy.broadcast_to(a, shape)
    if a.shape == tuple(shape):
        return a
    numpy.broadcast_to(numpy.broadcast_to(0, a.shape), shape)  # raises ValueError
    own = (1,) * (len(shape) - a.ndim) + a.shape
    steps = [0 if length == 1 else step for length, step in zip(own, steps_of(own))]
    return strided(a.reshape(-1), shape, steps).reshape(shape)


def moved(a, source, destination):
    """The array, with one axis moved."""
    if device() is None:
        return numpy.moveaxis(a, source, destination)
    order = [each for each in range(a.ndim) if each != source]
    order.insert(destination, source)
    return permuted(a, a.shape, order).reshape(tuple(a.shape[each] for each in order))


def joined(pieces, rows=1):
    """Arrays one behind the other in each row, flat."""
    dtype = functools.reduce(numpy.promote_types, [each.dtype for each in pieces])
    if rows == 0:
        return empty(0, dtype)
    if device() is None:
        return numpy.concatenate([each.reshape(rows, -1) for each in pieces], axis=1, dtype=dtype).reshape(-1)
    return functools.reduce(lambda a, b: _joined(a, b, rows), [cast(each, dtype).reshape(-1) for each in pieces])


def _joined(a, b, rows):
    if a.size == 0 or b.size == 0:
        return a if b.size == 0 else b
    count, here = (a.size + b.size) // rows, a.size // rows
    names = {"x": bits(a), "y": bits(b), "n": numpy.uint64(count), "k": numpy.uint64(here)}
    text = "i % n < k ? x[i / n * k + i % n] : y[i / n * (n - k) + i % n - k]"
    return transform(text, names["x"].dtype, a.size + b.size, **names).view(a.dtype)


def part(a, begin, end):
    """These elements of an array of one dimension."""
    return a[begin:end] if begin < end else empty(0, a.dtype)


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
    return out[:count].copy() if device() is None else part(out, 0, count)


def where(text, count, source=None, **names):
    """The places, as uint32 or uint64, where the text holds."""
    return compact(Elements(text="i", dtype=places(count), count=count, **{}), text, source, **names)
