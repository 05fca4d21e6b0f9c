"""The one check of arrays that every call of C goes through: type, length, layout, and write access. The tables are
_c.CALLS and _c.ARRAYS."""
import ctypes
import sys

import numpy

from . import _c
from ._types import bytes_of, need_of, whole


def _active(fields):
    return fields.get("active_channels") or fields.get("channels") or 1


_LENGTHS = {
    "1": lambda fields, counts: 1,
    "both": lambda fields, counts: counts["a_count"] + counts["b_count"],
    "k": lambda fields, counts: min(fields.get("k", 0), counts["count"]),
    "offsets": lambda fields, counts: counts["num_segments"] + 1 if counts["num_segments"] > 0 else 0,
    "channels": lambda fields, counts: counts["count"] * (fields.get("channels") or 1),
    "active": lambda fields, counts: _active(fields),
    "bins": lambda fields, counts: _active(fields) * (fields.get("bins") or 256),
}


def is_device_array(array):
    """Whether it is a pyopencl.array.Array."""
    return hasattr(array, "base_data")


def check(name, array, need, length, is_written, is_device=False):
    """Raise unless C may use `array` as its argument `name`: at least `length` elements as needed, contiguous, aligned,
    and writeable if C writes to it."""
    if is_device_array(array) != is_device or not (is_device or isinstance(array, numpy.ndarray)):
        raise ValueError(f"{name} must be a {'pyopencl.array.Array' if is_device else 'numpy.ndarray'}, not "
                         f"{type(array).__name__}")
    if isinstance(array, numpy.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, and clPRIM ignores masks: pass {name}.compressed(), without the "
                        f"masked elements, or {name}.filled(value)")
    dtype = array.dtype
    if dtype.hasobject:
        raise TypeError(f"{name} holds Python objects, which a device cannot read")
    if need.size == 0:
        raise ValueError(f"{name} must be None: the description gives its elements no size")
    if need.dtype is None:
        is_right = dtype.itemsize == need.size and dtype.isnative and (not need.kinds or dtype.kind in need.kinds)
    else:
        is_right = dtype == need.dtype or need.dtype == numpy.uint8 and dtype.kind == "b" and not is_written
    if not is_right:
        wanted = need.dtype or f"{'integers' if need.kinds else 'elements'} of {need.size} bytes"
        raise ValueError(f"{name} must be an array of {wanted}, not of {dtype!r}")
    if array.size < length:
        raise ValueError(f"{name} must have room for {length} elements, not {array.size}")
    if not array.flags.c_contiguous or not (is_device or array.flags.aligned):
        raise ValueError(f"{name} must be contiguous and aligned: pass a copy")
    if is_written and not is_device and not array.flags.writeable:
        raise ValueError(f"{name} is an output, but the array is read-only")


def _named(stem, call, arguments):
    """({name: argument}, {name: count} for those that are counts)."""
    names = [name for name in _c.CALLS[stem][call].split() if name != "R"]
    if len(arguments) != len(names):
        raise TypeError(f"{stem}'s {call} takes {len(names)} arguments{'' if call == 'host' else ' after the queue'}: "
                        f"{', '.join(names)}")
    named = dict(zip(names, arguments))
    return named, {name: whole(name, value) for name, value in named.items()
                   if name != "arrays" and name not in _c.ARRAYS[stem]}


def _arrays_of_host(arrays, fields, count, kept):
    """The list of sort_by_key_host: a pointer to pointers."""
    _check_number(arrays, fields, count)
    for i, array in enumerate(arrays or ()):
        check(f"arrays[{i}]", array, bytes_of(_size_of_array(fields, i)), count, True)
    kept.append((ctypes.c_void_p * len(arrays or ()))(*(array.ctypes.data for array in arrays or ())))
    return ctypes.addressof(kept[-1]) if arrays else None


def _arrays_of_device(arrays, fields, count, kept):
    """The list of sort_by_key_enqueue: a pointer to clprim_sort_by_key_array."""
    _check_number(arrays, fields, count)
    rows = []
    for i, pair in enumerate(arrays or ()):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError("arrays must be a list of pairs (input, output)")
        need = bytes_of(_size_of_array(fields, i))
        rows.append(_c.STRUCTURES["clprim_sort_by_key_array"](*(
            word for j, memory in enumerate(pair) for word in _memory(f"arrays[{i}][{j}]", memory, need, count, kept))))
    kept.append((_c.STRUCTURES["clprim_sort_by_key_array"] * len(rows))(*rows))
    return ctypes.addressof(kept[-1]) if rows else None


def _check_number(arrays, fields, count):
    number = fields.get("num_arrays") or 1
    if arrays is not None and not isinstance(arrays, (list, tuple)):
        raise TypeError("arrays must be a list")
    if len(arrays or ()) != number and (count > 0 or arrays):
        raise ValueError(f"arrays must have {number} elements, as num_arrays says, not {len(arrays or ())}")


def _size_of_array(fields, i):
    sizes = fields.get("element_sizes", ())
    return (sizes[i] if i < len(sizes) else 0) or 4


def host_arguments(stem, fields, arguments, between):
    """(the arguments of clprim_<stem>_host, what must live until it returns). `between` is runtime and description."""
    named, counts = _named(stem, "host", arguments)
    flat, kept = [], []
    for name in _c.CALLS[stem]["host"].split():
        if name == "R":
            flat += between
        elif name in counts:
            flat.append(counts[name])
        elif name == "arrays":
            flat.append(_arrays_of_host(named[name], fields, counts["count"], kept))
        elif named[name] is None:
            flat.append(None)
        else:
            element, length = _c.ARRAYS[stem][name]
            check(name, named[name], need_of(stem, fields, element), length_of(length, fields, counts),
                  name in _c.WRITTEN)
            flat.append(named[name].ctypes.data)
    return flat, kept


def length_of(rule, fields, counts):
    """How many elements an array needs, by the third word of its row in _c.ARRAYS."""
    return _LENGTHS[rule](fields, counts) if rule in _LENGTHS else counts[rule]


def device_arguments(stem, call, fields, arguments):
    """(the arguments of clprim_<stem>_<call> between queue and wait list, what must live until it returns)."""
    named, counts = _named(stem, call, arguments)
    flat, kept = [], []
    for name in _c.CALLS[stem][call].split():
        if name in counts:
            flat.append(counts[name])
        elif name == "arrays":
            flat.append(_arrays_of_device(named[name], fields, counts["count"], kept))
        else:
            element, length = _c.ARRAYS[stem][name]
            element = "u64" if element == "size" else element  # a cl_ulong on every device
            flat += _memory(name, named[name], need_of(stem, fields, element), length_of(length, fields, counts), kept)
    return flat, kept


def _memory(name, argument, need, length, kept):
    """[cl_mem, offset in elements]. C checks the size of buffers; it cannot know where an array ends within one."""
    import pyopencl

    if argument is None:
        return [None, 0]
    if is_device_array(argument):
        check(name, argument, need, length, name in _c.WRITTEN, is_device=True)
        return _memory_of_array(name, argument, kept)
    buffer, offset = argument if isinstance(argument, tuple) and len(argument) == 2 else (argument, 0)
    if not isinstance(buffer, pyopencl.MemoryObjectHolder):
        raise TypeError(f"{name} must be a pyopencl.Buffer, a pair (buffer, offset in elements), a "
                        f"pyopencl.array.Array or None, not {type(buffer).__name__}")
    return [buffer.int_ptr, whole(f"the offset of {name}", offset)]


def _memory_of_array(name, array, kept):
    if array.base_data is None:  # an empty array has no buffer, but C wants one
        import pyopencl

        kept.append(pyopencl.Buffer(array.context, pyopencl.mem_flags.READ_WRITE, 16))
        return [kept[-1].int_ptr, 0]
    offset, rest = divmod(array.offset, array.dtype.itemsize)
    if rest != 0 or not hasattr(array.base_data, "int_ptr"):
        raise ValueError(f"{name} must begin at a whole element of a buffer")
    return [array.base_data.int_ptr, offset]


def is_of(thing, name):
    """Whether `thing` is a pyopencl.<name>. Does not import PyOpenCL."""
    return "pyopencl" in sys.modules and isinstance(thing, getattr(sys.modules["pyopencl"], name))
