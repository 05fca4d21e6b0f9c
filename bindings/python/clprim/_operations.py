# SPDX-License-Identifier: MIT
"""The operations as the library describes them (clprim_operations()): the members of their descriptions and calls, and
the structures that hold these."""
import ctypes
import functools
import itertools
import keyword

from . import _c

_CTYPES = {"type": ctypes.c_int, "enum": ctypes.c_int, "bool": ctypes.c_bool, "unsigned": ctypes.c_uint,
           "size": ctypes.c_size_t, "double": ctypes.c_double, "text": ctypes.c_char_p, "data": ctypes.c_void_p,
           "custom_op": ctypes.c_void_p, "parameter": _c.Parameter, "input": _c.Array, "output": _c.Array,
           "uint64": ctypes.c_uint64}


class Member:
    """A member of a description or of a call. `name` is C's, but with an underscore behind it if it is a keyword in
    Python: in_. A `repeat` is how many of its C type there are; None: one, not an array of one."""

    def __init__(self, row, variants):
        self.name = row.name.decode()
        self.name += "_" if keyword.iskeyword(self.name) else ""
        self.kind = _c.MEMBER_KINDS[row.kind]
        self.is_written = self.kind == "output"
        self.is_array = self.is_written or self.kind == "input"
        self.repeat = row.size // ctypes.sizeof(_CTYPES[self.kind])
        self.repeat = None if self.repeat == 1 and row.repeat == 0 else self.repeat
        self.place, self.size = row.place, row.size
        self.numbers = None  # of an enumeration: {name: number}; None if C has no names for them
        if row.enumerators:
            self.numbers = {each.name.decode(): each.value for each in _until_null(row.enumerators)}
        elif self.kind == "enum":
            self.numbers = variants
        self.element, self.length = row.element, row.length
        self.is_value = row.is_value if row.is_value else None  # None: it is no argument
        self.is_counted = bool(row.counted_by)  # another output says how many elements are written
        self._may_be_short, self._is_whole = row.may_be_short, row.is_whole if row.is_whole else None

    def ctype(self):
        return _CTYPES[self.kind] * self.repeat if self.repeat is not None else _CTYPES[self.kind]

    def element_of(self, desc, index=0):
        """What the elements of this array are, by a description."""
        return self.element(ctypes.addressof(desc), index)

    def is_value_of(self, desc, index):
        """Whether this argument is one value, by a description."""
        return self.is_value is not None and self.is_value(ctypes.addressof(desc), index)

    def may_be_short(self, desc):
        """Whether this output may have room for fewer elements than there are, by a description."""
        return self._may_be_short and not (self._is_whole and self._is_whole(ctypes.addressof(desc)))

    def length_of(self, desc, call=None):
        """How many elements this array must have, by a description and, if it is an array of a call, by the counts
        there."""
        return self.length(ctypes.addressof(desc), None if call is None else ctypes.addressof(call))


class Operation:
    """A row of clprim_operations()."""

    def __init__(self, row):
        self.name = row.name.decode()
        self.create, self.enqueue, self.run = row.create, row.enqueue, row.run
        variants = None
        if row.variants:
            count = ctypes.c_size_t()
            infos = row.variants(ctypes.byref(count))
            variants = {"auto": 0, **{infos[i].name.decode(): infos[i].id for i in range(count.value)}}
        self.desc_members = _members(row.desc_members, variants)
        self.call_members = _members(row.call_members, None)
        self.counts = {name: member for name, member in self.call_members.items() if member.kind == "size"}
        self.numbers = {name: member for name, member in self.call_members.items() if member.kind == "uint64"}
        self.arrays = {name: member for name, member in self.call_members.items() if member.is_array}
        self._Desc = _structure(f"clprim_{self.name}_desc", self.desc_members, row.desc_size)
        self.Call = _structure(f"clprim_{self.name}_call", self.call_members, row.call_size)

    def description(self, fields):
        """A clprim_<name>_desc with these fields, which come from _types.fields(). It keeps alive what it points to."""
        return fill(self._Desc(), fields)


def fill(structure, fields):
    """Set fields of a structure. Bytes for a pointer to data are copied; a tuple of (field, value) pairs becomes a
    clprim_custom_op, other tuples arrays."""
    structure.kept = []  # lives as long as the structure
    ctype_of = dict(structure._fields_)
    for field, value in fields.items():
        if ctype_of[field] is ctypes.c_void_p and isinstance(value, bytes):
            structure.kept.append(ctypes.create_string_buffer(value, len(value)))
            value = ctypes.addressof(structure.kept[-1])
        elif ctype_of[field] is ctypes.c_void_p and isinstance(value, tuple):
            structure.kept.append(fill(_c.CustomOp(), dict(value)))
            value = ctypes.addressof(structure.kept[-1])
        elif isinstance(value, tuple):
            value = ctype_of[field](*value)
        setattr(structure, field, value)
    return structure


def _until_null(rows):
    return itertools.takewhile(lambda row: row.name is not None, map(rows.__getitem__, itertools.count()))


def _members(rows, variants):
    """{name: Member}, in C's order."""
    return {member.name: member for member in (Member(row, variants) for row in _until_null(rows))}


def _structure(name, members, size):
    """The ctypes.Structure of these members. C's layout must be that of the table."""
    made = type(name, (ctypes.Structure,), {"_fields_": [(m.name, m.ctype()) for m in members.values()]})
    places = [(getattr(made, member.name).offset, getattr(made, member.name).size) for member in members.values()]
    if ctypes.sizeof(made) != size or places != [(member.place, member.size) for member in members.values()]:
        raise ImportError(f"{name} is laid out in another way than libclprim says: this Python was built for another "
                          "platform")
    return made


@functools.lru_cache(maxsize=None)
def operations():
    """{name: Operation} of all that the library has."""
    count = ctypes.c_size_t()
    rows = _c.library().clprim_operations(ctypes.byref(count))
    return {operation.name: operation for operation in (Operation(rows[i].contents) for i in range(count.value))}


def operation(name):
    """The operation of this name."""
    if name not in operations():
        raise ValueError(f"there is no operation {name!r}, only {', '.join(operations())}")
    return operations()[name]
