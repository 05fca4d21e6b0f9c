# SPDX-License-Identifier: MIT
"""Python's names and dtypes for clPRIM's types, and the values of a description's fields. Each value maps exactly, or
raises."""
import collections
import collections.abc
import ctypes
import operator

import numpy

from . import _c

INDEX = numpy.dtype(numpy.intp)

_KINDS = {"i": "int", "u": "uint", "f": "float"}
DTYPES = {name: numpy.dtype(f"{_KINDS[name[0]]}{name[1:]}") for name in _c.TYPES[1:]}
_BY_NUMPYS_NAME = {dtype.name: name for name, dtype in DTYPES.items()}  # "int64": "i64"
_NUMBERS = {**{name: number for number, name in enumerate(_c.TYPES)}, **_c.KEY_TYPES}
# NumPy has no such types: the bits of bf16, and any elements of 16 bytes for u128.
_KEY_DTYPES = {_c.KEY_TYPES["bf16"]: numpy.dtype("uint16"), _c.KEY_TYPES["u128"]: None}


class OutOfRange(OverflowError, ValueError):
    """A number that a type cannot hold."""


def name_of(dtype):
    """The name of clPRIM's type for a numpy.dtype: "f32"."""
    name = f"{dtype.kind}{8 * dtype.itemsize}"
    if not dtype.isnative:
        raise TypeError(f"{dtype!r} is not in native byte order: convert with "
                        "a.astype(a.dtype.newbyteorder('='))")
    if name not in DTYPES:
        raise TypeError(f"clPRIM has no type for {dtype!r}, only {', '.join(sorted(_BY_NUMPYS_NAME))}" +
                        ("; comparison_sort, unique and select take structures with type_name and source"
                         if dtype.names else ""))
    return name


def type_of(value):
    """clPRIM's name for a type given as clPRIM's name ("i64"), NumPy's name ("int64"), a class, or a numpy.dtype.
    NumPy's short codes are refused, because its "i8" has 64 bits; so are numbers, because C's and NumPy's differ."""
    if isinstance(value, str):
        name = value if value in DTYPES or value in _c.KEY_TYPES else _BY_NUMPYS_NAME.get(value)
        if name is None:
            raise TypeError(f"clPRIM has no type {value!r}, only {', '.join(DTYPES)}, or a numpy.dtype")
        return name
    if value is None or isinstance(value, (int, numpy.generic)):
        raise TypeError(f"{value!r} is no type: pass a name such as 'f32', or a numpy.dtype")
    return name_of(numpy.dtype(value))


def dtype_of(value):
    """The numpy.dtype for an argument `dtype`, as in NumPy. A name that means another type in clPRIM is refused."""
    if isinstance(value, str) and value in DTYPES:
        try:
            numpys = numpy.dtype(value)
        except TypeError:
            numpys = DTYPES[value]
        if numpys != DTYPES[value]:
            raise TypeError(f"dtype={value!r} means {numpys} in NumPy and {DTYPES[value]} in clPRIM: say "
                            f"numpy.{numpys} or numpy.{DTYPES[value]}")
        return numpys
    if value is None or isinstance(value, (int, numpy.generic)):
        raise TypeError(f"{value!r} is no dtype")
    return numpy.dtype(value)


def whole(name, value, bits=8 * ctypes.sizeof(ctypes.c_size_t)):
    """An integer that fits C's unsigned type of so many bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if not 0 <= number < 2**bits:
        raise OutOfRange(f"{name} must be from 0 to 2^{bits} - 1, not {number}")
    return number


def flag(name, value):
    return bool(value if isinstance(value, numpy.bool_) else whole(name, value, 1))


def double(name, value):
    """A number for C's double, which has to hold an integer exactly."""
    try:
        number = float(value) if not isinstance(value, (str, bytes, bytearray)) else None
    except (TypeError, ValueError):
        number = None
    except OverflowError:
        raise OutOfRange(f"{name} is {value}, which a 64-bit float cannot hold") from None
    if number is None:
        raise TypeError(f"{name} must be a number, not {value!r}")
    if isinstance(value, (int, numpy.integer)) and int(value) != number:
        raise ValueError(f"{name} must be exact in a 64-bit float, which {value} is not")
    return number


def text(name, value):
    if not isinstance(value, str):
        raise TypeError(f"{name} must be OpenCL C text, such as \"x > 0.5f\" or \"a > b\", not "
                        f"{type(value).__name__}: it runs on the device, which has no Python")
    if "\0" in value:
        raise ValueError(f"{name} contains a null character, which ends a text in C")
    return value.encode()


def _each(take):
    """A function that takes a member's value by `take`, or each value of a list if the member may have several."""
    def taken(member, value):
        if member.repeat is None:
            return take(member, value)
        if isinstance(value, str) or not hasattr(value, "__len__"):
            raise TypeError(f"{member.name} must be a list, not {value!r}")
        if len(value) > member.repeat:
            raise ValueError(f"{member.name} has room for {member.repeat} of them, not {len(value)}")
        return tuple(take(member, each) for each in value)
    return taken


def _parameters(member, value):
    """{name: type} for numbers and {name: [type]} for arrays; a type is one of clPRIM's or NumPy's, or a dictionary of
    type_name and type_size."""
    if not isinstance(value, collections.abc.Mapping) or len(value) > member.repeat:
        raise TypeError(f'{member.name} must be a dictionary such as {{"a": "f32", "x": ["f32"]}}, of at most '
                        f'{member.repeat} names: a list says that it is an array')
    rows = []
    for name, given in value.items():
        is_array = isinstance(given, list)
        if is_array and len(given) != 1:
            raise ValueError(f"{member.name}: {name} must be a list of one type, not of {len(given)}")
        given = given[0] if is_array else given
        if isinstance(given, collections.abc.Mapping):
            known = _given(name, ("type_name", "type_size"), given)
            if len(known) < 2:
                raise ValueError(f"{member.name}: {name} must have both type_name and type_size")
            own = (0, text("type_name", known["type_name"]), whole("type_size", known["type_size"]))
        else:
            own = (_NUMBERS[type_of(given)], None, 0)
        rows.append((text("a parameter's name", name), *own, is_array))
    return tuple(rows)


def _enumerator(name, value, numbers):
    if numbers is None:
        return whole(name, value, 31)
    if not isinstance(value, str) or value not in numbers:
        raise ValueError(f"{name} must be one of {', '.join(numbers)}, not {value!r}")
    return numbers[value]


def _custom(name, value):
    """A custom operator, given as a dictionary or a structure, as a tuple of (field, value) pairs."""
    kinds = dict(_c.CustomOp._fields_)
    if isinstance(value, _c.CustomOp):
        value = {field: getattr(value, field) for field in kinds}
        value = {field: given.decode() if isinstance(given, bytes) else given for field, given in value.items()}
    if not isinstance(value, collections.abc.Mapping):
        raise TypeError(f'{name} must be a dictionary such as {{"combine": "a + b", "identity": "0"}}')
    take = {ctypes.c_char_p: text, ctypes.c_size_t: whole, ctypes.c_bool: flag}
    return tuple(sorted((field, take[kinds[field]](field, given))
                        for field, given in _given("clprim_custom_op", kinds, value).items()))


_TAKE = {
    "type": _each(lambda member, value: _NUMBERS[type_of(value)]),
    "enum": lambda member, value: _enumerator(member.name, value, member.numbers),
    "bool": _each(lambda member, value: flag(member.name, value)),
    "unsigned": lambda member, value: whole(member.name, value, 8 * ctypes.sizeof(ctypes.c_uint)),
    "size": _each(lambda member, value: whole(member.name, value)),
    "double": lambda member, value: double(member.name, value),
    "text": _each(lambda member, value: text(member.name, value)),
    "parameter": _parameters,
    "custom_op": lambda member, value: _custom(member.name, value),
}


def exactly(name, values, dtype):
    """`values` as an array of this dtype. Integers must keep their value."""
    if values is None or isinstance(values, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"{name} must be numbers, not {values!r}")
    given = numpy.asarray(values)
    if given.dtype == dtype:
        return given
    if dtype.kind == "f" and given.dtype.kind in "biuf":
        return given.astype(dtype)
    numbers = numpy.asarray(values, object).ravel().tolist()  # Python's, which lose nothing however large they are
    least, most = (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max) if dtype.kind in "iu" else (-2**1023, 2**1023)
    try:
        is_exact = all(int(x) == x for x in numbers)
    except (OverflowError, TypeError, ValueError):  # infinite, not a number, no number at all
        is_exact = False
    if not is_exact or not all(least <= x <= most for x in numbers):
        raise (OutOfRange if is_exact else ValueError)(f"{name} must be numbers that {dtype} can hold exactly, not "
                                                       f"{values!r}")
    return numpy.array([int(x) for x in numbers], dtype).reshape(given.shape)


def beside(name, value, dtype):
    """A number beside arrays of this dtype, as an array without dimensions. NumPy 2's rules: a number of Python's takes
    their type if they are of its kind, or of a wider one, and has to fit; a number of NumPy's keeps its own type."""
    if hasattr(value, "dtype"):
        given = numpy.asarray(value)
    elif not isinstance(value, (bool, int, float)):
        raise TypeError(f"{name} must be a number or an array, not {value!r}")
    elif isinstance(value, float):
        given = _float_beside(name, value, dtype if dtype.kind == "f" else numpy.dtype(float))
    elif dtype.kind == "f":
        given = _float_beside(name, value, dtype)
    else:
        own = dtype if dtype.kind in "iu" else numpy.dtype(bool if isinstance(value, bool) else numpy.int64)
        if own.kind != "b" and not numpy.iinfo(own).min <= value <= numpy.iinfo(own).max:
            raise OutOfRange(f"{name} is {int(value)}, which does not fit {own}")
        given = numpy.array(value, own)
    try:
        name_of(given.dtype if given.dtype.kind != "b" else numpy.dtype(numpy.uint8))
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    return given


def _float_beside(name, value, dtype):
    try:
        with numpy.errstate(over="ignore"):
            given = numpy.array(float(value)).astype(dtype)
        is_lost = numpy.isinf(given) and abs(value) != float("inf")
    except OverflowError:  # an integer of Python's
        is_lost = True
    if is_lost:
        raise OutOfRange(f"{name} is {value}, which does not fit {dtype}")
    return given


# What the elements of an array must be: a dtype; or, if that is None, anything of `size` bytes.
Need = collections.namedtuple("Need", ["dtype", "size"])


def need_of(element):
    """What the elements must be, by a clprim_element."""
    if element.type in _KEY_DTYPES:
        return Need(_KEY_DTYPES[element.type], element.size)
    return Need(DTYPES[_c.TYPES[element.type]] if element.type != 0 else None, element.size)


def _data(name, value, need, length):
    """The bytes of an array of so many elements, or of one number."""
    given = exactly(name, value, need.dtype) if need.dtype is not None else numpy.asarray(value)
    if given.dtype.itemsize != need.size or given.dtype.hasobject:
        raise ValueError(f"{name} must be NumPy values of {need.size} bytes, as the elements are")
    if given.shape != (length,) and not (length == 1 and given.size == 1):
        raise ValueError(f"{name} must be {'one value' if length == 1 else f'{length} values'}, not an array of shape "
                         f"{given.shape}")
    return given.tobytes()


def _given(owner, known, values):
    """The values that are not None. Names that `owner` does not have are refused."""
    for name in values:
        if name not in known:
            raise TypeError(f"{owner} has no {name}: it has {', '.join(known)}")
    return {name: value for name, value in values.items() if value is not None}


def fields(operation, desc):
    """The fields of a description, for operation.description(). All of them can be hashed. None means the default."""
    members = operation.desc_members
    given = _given(operation.name, members, desc)
    taken = {name: _TAKE[members[name].kind](members[name], value) for name, value in given.items()
             if members[name].kind != "data"}
    made = operation.description(taken)  # which says what the data must be
    for name in given.keys() - taken.keys():
        taken[name] = _data(name, given[name], need_of(members[name].element_of(made)), members[name].length_of(made))
    return taken
