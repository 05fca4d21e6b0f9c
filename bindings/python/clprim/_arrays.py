# SPDX-License-Identifier: MIT
"""The one check of arrays that every call of C goes through: type, length, layout, and write access. The library says
what an array must be, from the description and the counts of the call."""
import sys

import numpy

from . import _c
from ._types import exactly, need_of, whole


def is_device_array(array):
    """Whether it is a pyopencl.array.Array."""
    return hasattr(array, "base_data")


def check_kind(name, array, is_device=False):
    """Raise unless `array` is an array of NumPy or of PyOpenCL."""
    if is_device_array(array) != is_device or not (is_device or isinstance(array, numpy.ndarray)):
        raise TypeError(f"{name} must be a {'pyopencl.array.Array' if is_device else 'numpy.ndarray'}, not "
                        f"{type(array).__name__}")


def check(name, array, need, length, is_written, is_device=False):
    """Raise unless C may use `array` as its argument `name`: at least `length` elements as needed, contiguous, aligned,
    and writeable if C writes to it."""
    check_kind(name, array, is_device)
    if isinstance(array, numpy.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, and clPRIM ignores masks: pass {name}.compressed(), without the "
                        f"masked elements, or {name}.filled(value)")
    dtype = array.dtype
    if dtype.hasobject:
        raise TypeError(f"{name} holds Python objects, which a device cannot read")
    if need.size == 0:
        raise ValueError(f"{name} must be left out: the description gives its elements no size")
    if need.dtype is None:
        is_right = dtype.itemsize == need.size and dtype.isnative
    else:
        is_right = dtype == need.dtype or need.dtype == numpy.uint8 and dtype.kind == "b" and not is_written
    if not is_right:
        wanted = need.dtype or f"elements of {need.size} bytes"
        raise ValueError(f"{name} must be an array of {wanted}, not of {dtype!r}")
    if array.size < length:
        raise ValueError(f"{name} must have room for {length} elements, not {array.size}")
    if not array.flags.c_contiguous or not (is_device or array.flags.aligned):
        raise ValueError(f"{name} must be contiguous and aligned: pass a copy")
    if is_written and not is_device and not array.flags.writeable:
        raise ValueError(f"{name} is an output, but the array is read-only")


def plain_bools(array):
    """A bool array of NumPy whose bytes are 0 or 1, as C reads them: NumPy reads every other byte as True. A copy if
    there are such bytes."""
    if array.dtype.kind != "b" or array.size == 0 or array.view(numpy.uint8).max() <= 1:
        return array
    return array.view(numpy.uint8) != 0


class Layout:
    """What the arrays of an operation's calls must be with a description, which it keeps alive. Made once for a
    plan. Calls of several threads may use it."""

    def __init__(self, operation, desc):
        self.operation = operation
        self.desc = desc
        self._needs = {name: [need_of(member.element_of(desc, i)) for i in range(member.repeat or 1)]
                       for name, member in operation.arrays.items()}
        self._follows = {}  # of a count: what _following found

    def host_call(self, given, room=None):
        """The structure of a call on NumPy arrays. `room`: outputs are as long as those of a call of so many elements, and
        those that another output counts are that long."""
        return self._call(given, _of_host, room)

    def device_call(self, given):
        """The structure of a call on PyOpenCL's buffers and arrays."""
        return self._call(given, _of_device)

    def counts(self, given):
        """The structure of a call in which only the counts are set. Counts that are not given follow from arrays."""
        members = self.operation.call_members
        for name in given:
            if name not in members:
                raise TypeError(f"{self.operation.name} has no {name}: its calls have {', '.join(members)}")
        given = {name: value for name, value in given.items() if value is not None}
        call = self.operation.Call()
        for name in [*self.operation.counts, *self.operation.numbers]:
            if name in given:
                setattr(call, name, whole(name, given[name]))
        for name in self.operation.counts:
            if name not in given:
                setattr(call, name, self._count(name, given))
        return call

    def _call(self, given, memory_of, room=None):
        if memory_of is _of_host:
            self._check_kinds(given)
        call = self.counts(given)
        outputs = call
        if room is not None:
            counts = {"count": room} if "count" in self.operation.counts else {"a_count": room, "b_count": 0}
            outputs = self.counts({**given, **counts})
        for name, member in self.operation.arrays.items():
            if given.get(name) is not None:
                arrays = [(name, given[name])] if member.repeat is None else _listed(member, given[name])
                length = room if room is not None and member.is_counted else member.length_of(
                    self.desc, outputs if member.is_written else call)
                rows = (_c.Array * len(arrays)).from_buffer(call, member.place)
                for i, (label, array) in enumerate(arrays):
                    need = self._needs[name][i]
                    if member.is_value_of(self.desc, i):
                        rows[i] = _value(call, label, array, need)
                    elif array is not None:
                        if member.is_value is not None and hasattr(array, "dtype") and array.size == 0 and length > 0:
                            raise ValueError(f"{label} has no elements: C cannot tell it from an array of {length}")
                        has_length = hasattr(array, "dtype") and (
                            member.is_value is not None  # an argument, whose length is its own
                            or room is None and member.may_be_short(self.desc) and 0 < array.size < length)
                        least = 0 if has_length or member.is_value is not None else length
                        rows[i] = memory_of(label, array, need, least, member.is_written)
                        if memory_of is _of_host and array.dtype.kind == "b":  # it is read, not written
                            call.kept = [*getattr(call, "kept", []), plain_bools(array)]
                            rows[i].host = call.kept[-1].ctypes.data
                        rows[i].length = array.size if has_length else 0
        return call

    def _check_kinds(self, given):
        """Before counts are taken from arrays, that they are some."""
        for name, arrays in given.items():
            member = self.operation.arrays.get(name)
            if member is not None and arrays is not None:
                for i, (label, array) in enumerate([(name, arrays)] if member.repeat is None
                                                   else _listed(member, arrays)):
                    if array is not None and not member.is_value_of(self.desc, i):
                        check_kind(label, array)

    def _count(self, name, given):
        """A count, by the first input whose length depends on it and that is an array: lengths are a * count + b, or
        0 without any. The lengths of arguments are their own. If only outputs depend on it, the first of them counts; a
        length or a stride (..._length, ..._stride) has a default."""
        if name.endswith(("_length", "_stride")):
            return 0
        if name not in self._follows:
            self._follows[name] = self._following(name)
        rows, kind = self._follows[name]
        for array_name, is_list, none, first, step in rows:
            array = given.get(array_name)
            array = array[0] if is_list and isinstance(array, (list, tuple)) and array else array
            if is_device_array(array) or hasattr(array, "dtype"):
                count, rest = divmod(array.size - first, step)
                if array.size == none:
                    return 0
                if count < 0 or rest != 0:
                    raise ValueError(f"{name} does not follow from the {array.size} elements of {array_name}: pass it")
                return count
        if kind is not None:
            raise TypeError(f"{self.operation.name} takes {name}, unless it follows from the size of an array that is "
                            f"an {kind}")
        return 0

    def _following(self, name):
        """(the arrays from whose lengths a count follows: each one's name, whether it is a list, its length without any
        elements, and what count * step is added to; what these arrays are: input, output, None: none depends on it)."""
        tried = self.operation.Call()
        depend = [array_name for array_name, member in self.operation.arrays.items()
                  if any(need.size > 0 for need in self._needs[array_name]) and
                  self._length_with(tried, member, name, 1) != self._length_with(tried, member, name, 2)]
        inputs = [array_name for array_name in depend if not self.operation.arrays[array_name].is_written]
        rows = []
        for array_name in inputs or depend:
            member = self.operation.arrays[array_name]
            none, one, two = (self._length_with(tried, member, name, count) for count in (0, 1, 2))
            if member.is_value is None:
                rows.append((array_name, member.repeat is not None, none, 2 * one - two, two - one))
        return rows, ("input" if inputs else "output") if depend else None

    def _length_with(self, call, member, name, count):
        setattr(call, name, count)
        return member.length_of(self.desc, call)


def _listed(member, arrays):
    if not isinstance(arrays, (list, tuple)) or len(arrays) > member.repeat:
        raise TypeError(f"{member.name} must be a list of arrays, at most {member.repeat}")
    return [(f"{member.name}[{i}]", array) for i, array in enumerate(arrays)]


def _value(call, name, value, need):
    """A value of the caller, which lives as long as the call does."""
    if value is None or isinstance(value, memoryview):
        raise TypeError(f"{name} must be one value, not {value!r}")
    given = exactly(name, value, need.dtype) if need.dtype is not None else numpy.asarray(value)
    if given.size != 1 or given.dtype.itemsize != need.size or given.dtype.hasobject:
        raise ValueError(f"{name} must be one value{'' if need.dtype else f' of {need.size} bytes'}")
    call.kept = [*getattr(call, "kept", []), given]
    return _c.Array(host=given.ctypes.data)


def _of_host(name, array, need, length, is_written):
    check(name, array, need, length, is_written)
    return _c.Array(host=array.ctypes.data)


def _of_device(name, argument, need, length, is_written):
    """C checks the size of buffers; it cannot know where an array ends within one."""
    if is_device_array(argument):
        check(name, argument, need, length, is_written, is_device=True)
        return _of_device_array(name, argument)
    buffer, offset = argument if isinstance(argument, tuple) and len(argument) == 2 else (argument, 0)
    if not is_of(buffer, "MemoryObjectHolder"):
        raise TypeError(f"{name} must be a pyopencl.Buffer, a pair (buffer, offset in elements), a "
                        f"pyopencl.array.Array or None, not {type(buffer).__name__}")
    return _c.Array(buffer=buffer.int_ptr, offset=whole(f"the offset of {name}", offset))


def _of_device_array(name, array):
    if array.base_data is None:  # it is empty
        return _c.Array()
    offset, rest = divmod(array.offset, array.dtype.itemsize)
    if rest != 0 or not hasattr(array.base_data, "int_ptr"):
        raise ValueError(f"{name} must begin at a whole element of a buffer")
    return _c.Array(buffer=array.base_data.int_ptr, offset=offset)


def is_of(thing, name):
    """Whether `thing` is a pyopencl.<name>. Does not import PyOpenCL."""
    return "pyopencl" in sys.modules and isinstance(thing, getattr(sys.modules["pyopencl"], name))
