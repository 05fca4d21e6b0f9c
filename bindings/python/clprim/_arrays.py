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


class Layout:
    """What the arrays of a primitive's calls must be under a description: made once for a plan."""

    def __init__(self, stem, fields):
        self.stem = stem
        self.fields = fields
        self.needs = {name: need_of(stem, fields, element) for name, (element, _) in _c.ARRAYS[stem].items()}

    def host_arguments(self, arguments, between):
        """(the arguments of clprim_<stem>_host, what must live until it returns). `between` is runtime and description."""
        named, counts = self._named("host", arguments)
        flat, kept = [], []
        for name in _c.CALLS[self.stem]["host"]:
            if name == "R":
                flat += between
            elif name in counts:
                flat.append(counts[name])
            elif name == "arrays":
                flat.append(self._arrays_of_host(named[name], counts["count"], kept))
            elif named[name] is None:
                flat.append(None)
            else:
                check(name, named[name], self.needs[name], self.length(name, counts), name in _c.WRITTEN)
                flat.append(named[name].ctypes.data)
        return flat, kept

    def device_arguments(self, call, arguments):
        """(the arguments of clprim_<stem>_<call> between queue and wait list, what must live until it returns)."""
        named, counts = self._named(call, arguments)
        flat, kept = [], []
        for name, argument in named.items():
            if name in counts:
                flat.append(counts[name])
            elif name == "arrays":
                flat.append(self._arrays_of_device(argument, counts["count"], kept))
            else:
                flat += _memory(name, argument, self.needs[name], self.length(name, counts), kept)
        return flat, kept

    def length(self, name, counts):
        """How many elements an array needs, by the last word of its row in _c.ARRAYS."""
        rule = _c.ARRAYS[self.stem][name][1]
        return _LENGTHS[rule](self.fields, counts) if rule in _LENGTHS else counts[rule]

    def _named(self, call, arguments):
        """({name: argument}, {name: count} for those that are counts)."""
        names = [name for name in _c.CALLS[self.stem][call] if name != "R"]
        if len(arguments) != len(names):
            where = "" if call == "host" else " after the queue"
            raise TypeError(f"{self.stem}'s {call} takes {len(names)} arguments{where}: {', '.join(names)}")
        named = dict(zip(names, arguments))
        return named, {name: whole(name, value) for name, value in named.items()
                       if name != "arrays" and name not in self.needs}

    def _arrays_of_host(self, arrays, count, kept):
        """The list of sort_by_key_host: a pointer to pointers."""
        needs = self._needs_of_list(arrays, count)
        for i, need in enumerate(needs):
            check(f"arrays[{i}]", arrays[i], need, count, True)
        kept.append((ctypes.c_void_p * len(needs))(*(array.ctypes.data for array in arrays or ())))
        return ctypes.addressof(kept[-1]) if needs else None

    def _arrays_of_device(self, arrays, count, kept):
        """The list of sort_by_key_enqueue: a pointer to clprim_sort_by_key_array."""
        rows = []
        for i, need in enumerate(self._needs_of_list(arrays, count)):
            if not isinstance(arrays[i], (tuple, list)) or len(arrays[i]) != 2:
                raise TypeError("arrays must be a list of pairs (input, output)")
            source, target = (_memory(f"arrays[{i}]", memory, need, count, kept) for memory in arrays[i])
            rows.append(_c.STRUCTURES["clprim_sort_by_key_array"](*source, *target))
        kept.append((_c.STRUCTURES["clprim_sort_by_key_array"] * len(rows))(*rows))
        return ctypes.addressof(kept[-1]) if rows else None

    def _needs_of_list(self, arrays, count):
        """What sort_by_key's arrays must be: as many as num_arrays, of element_sizes."""
        if arrays is None and count == 0:
            return []
        number = self.fields.get("num_arrays") or 1
        if not isinstance(arrays, (list, tuple)) or len(arrays) != number:
            raise ValueError(f"arrays must be a list of {number}, as num_arrays says")
        sizes = [*self.fields.get("element_sizes", ()), *[0] * number]
        return [bytes_of(size or 4) for size in sizes[:number]]


def _memory(name, argument, need, length, kept):
    """[cl_mem, offset in elements]. C checks the size of buffers; it cannot know where an array ends within one."""
    if argument is None:
        return [None, 0]
    if is_device_array(argument):
        check(name, argument, need, length, name in _c.WRITTEN, is_device=True)
        return _memory_of_array(name, argument, kept)
    buffer, offset = argument if isinstance(argument, tuple) and len(argument) == 2 else (argument, 0)
    if not is_of(buffer, "MemoryObjectHolder"):
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
