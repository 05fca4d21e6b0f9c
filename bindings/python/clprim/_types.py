"""Python's names and dtypes for clPRIM's types, and the values of a description's fields. Each value maps exactly, or
raises."""
import collections
import collections.abc
import ctypes
import operator

import numpy

from . import _c

_KINDS = {"i": "int", "u": "uint", "f": "float"}
DTYPES = {name: numpy.dtype(f"{_KINDS[name[0]]}{name[1:]}") for name in _c.TYPES[1:]}
_BY_NUMPYS_NAME = {dtype.name: name for name, dtype in DTYPES.items()}  # "int64": "i64"


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
        name = value if value in DTYPES else _BY_NUMPYS_NAME.get(value)
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
        raise ValueError(f"{name} must be from 0 to 2^{bits} - 1, not {number}")
    return number


def _flag(name, value):
    return bool(value if isinstance(value, numpy.bool_) else whole(name, value, 1))


def _sizes(name, value):
    if len(value) > 16:
        raise ValueError(f"{name} has room for 16 sizes, not {len(value)}")
    return tuple(whole(name, size) for size in value)


def _double(name, value):
    number = float(value)
    if isinstance(value, (int, numpy.integer)) and int(value) != number:
        raise ValueError(f"{name} must be exact in a 64-bit float, which {value} is not")
    return number


def _text(name, value):
    if not isinstance(value, str):
        raise TypeError(f"{name} must be OpenCL C text, such as \"x > 0.5f\" or \"a > b\", not "
                        f"{type(value).__name__}: it runs on the device, which has no Python")
    if "\0" in value:
        raise ValueError(f"{name} contains a null character, which ends a text in C")
    return value


def _op(name, value):
    if not isinstance(value, str) or value not in _c.OPS:
        raise ValueError(f"there is no operator {value!r}, only {', '.join(_c.OPS)}")
    return value


_TAKE = {"type": lambda name, value: type_of(value), "op": _op, "size": whole, "bool": _flag, "double": _double,
         "enum": lambda name, value: whole(name, value, 31), "unsigned": lambda name, value: whole(name, value, 32),
         "sizes": _sizes, "text": _text}


def exactly(name, values, dtype):
    """`values` as an array of this dtype. Integers must keep their value."""
    given = numpy.asarray(values)
    if given.dtype == dtype:
        return given
    if dtype.kind == "f" and given.dtype.kind in "biuf":
        return given.astype(dtype)
    numbers = numpy.asarray(values, object).ravel().tolist()  # Python's, which lose nothing however large they are
    least, most = (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max) if dtype.kind in "iu" else (-2**1023, 2**1023)
    try:
        is_exact = all(int(x) == x and least <= x <= most for x in numbers)
    except (OverflowError, TypeError, ValueError):  # infinite, not a number, no number at all
        is_exact = False
    if not is_exact:
        raise ValueError(f"{name} must be numbers that {dtype} can hold exactly, not {values!r}")
    return numpy.array([int(x) for x in numbers], dtype).reshape(given.shape)


# The elements that an array must have: a dtype; or if that is None, elements of `size` bytes, whose kind is in `kinds`.
Need = collections.namedtuple("Need", ["dtype", "size", "kinds"])


def _exact(name):
    return Need(DTYPES[name], DTYPES[name].itemsize, "")


def bytes_of(size):
    return Need(None, size, "")


def need_of(stem, fields, rule):
    """What the elements of an array must be, by the second word of its row in _c.ARRAYS."""
    kind, _, default = rule.partition(":")
    if kind == "bool":
        return Need(numpy.dtype(numpy.bool_), 1, "")
    if kind == "value":
        makes_indices = fields.get("argsort") or fields.get("indices")
        return Need(None, fields.get("value_size") or (4 if makes_indices else 0), "iu" if makes_indices else "")
    if kind == "heads":
        return _exact(fields.get("segments_type", "i32" if fields.get("segments") == 2 else "u8"))
    if kind == "counter":
        many = "u64" if fields.get("max_count", 0) >= 2**32 else "u32"
        return _exact(fields.get("counter_type", fields.get("weights_type", many)))
    if kind == "element" and "type_name" in fields:
        return bytes_of(fields.get("type_size", 0))
    if kind in ("folded", "result"):
        custom = dict(fields.get("custom", ()))
        if "type_name" in custom:
            return bytes_of(custom.get("type_size", 0))
        if kind == "result" and "custom" not in fields:
            if fields.get("op") in ("argmin", "argmax"):
                return bytes_of(16)
            default = fields.get("accumulator_type", fields.get("type", default))
            return _exact(default)
    if kind == "weights_type" and kind not in fields:
        return bytes_of(0)
    if kind in ("size", "u64"):  # size_t on the host, cl_ulong on the device
        return _exact("u64")
    return _exact(fields.get(kind if kind.endswith("type") else "type", default or "u32"))


def _boundaries(value, fields):
    dtype = DTYPES[fields.get("type", "u8")]
    dtype = dtype if dtype.kind in "iu" and dtype.itemsize == 8 else numpy.dtype(numpy.float64)
    boundaries = exactly("boundaries", value, dtype)
    bins = fields.get("bins") or 256
    if boundaries.shape != (bins + 1,):
        raise ValueError(f"{bins} bins have {bins + 1} boundaries, not an array of shape {boundaries.shape}")
    return boundaries.tobytes()


def _custom(value):
    """A custom operator, given as a dictionary or a structure, as a tuple of (field, value) pairs."""
    if isinstance(value, _c.STRUCTURES["clprim_custom_op"]):
        value = {field: getattr(value, field) for field in _c.kinds_of("clprim_custom_op")}
        value = {field: text.decode() if isinstance(text, bytes) else text for field, text in value.items()}
    if not isinstance(value, collections.abc.Mapping):
        raise TypeError('custom must be a dictionary such as {"combine": "a + b", "identity": "0"}')
    return tuple(sorted(fields("clprim_custom_op", value).items()))


def _initial(value, stem, known):
    need = need_of(stem, known, _c.ARRAYS[stem]["out"][0])
    if need.dtype is not None:
        given = exactly("initial", value, need.dtype)
    else:
        given = numpy.asarray(value)
        if given.dtype.itemsize != need.size or given.dtype.hasobject:
            raise ValueError(f"initial must be a NumPy value of {need.size} bytes, as the elements are")
    if given.size != 1:
        raise ValueError(f"initial must be one value, not {given.size}")
    return given.tobytes()


def fields(stem, desc):
    """The checked fields of a description, for _c.description(). None means the default."""
    kinds = _c.kinds_of(stem)
    for field in desc:
        if field not in kinds:
            raise TypeError(f"{stem} has no {field}: it has {', '.join(kinds)}")
    given = {field: value for field, value in desc.items() if value is not None}
    known = {field: _TAKE[kinds[field]](field, value) for field, value in given.items() if kinds[field] in _TAKE}
    if "boundaries" in given:
        known["boundaries"] = _boundaries(given["boundaries"], known)
    if "custom" in given:
        known["custom"] = _custom(given["custom"])
    if "initial" in given:
        known["initial"] = _initial(given["initial"], stem, known)
    return known
