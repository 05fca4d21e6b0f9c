# SPDX-License-Identifier: MIT
"""Functions on PyOpenCL arrays, on expressions that are never in memory, and on NumPy arrays, in clPRIM's own terms.

    clprim.device.sort(array)                               # a pyopencl.array.Array: enqueued on its queue, nothing is copied
    clprim.device.sum(clprim.Expression("x[i] * y[i]", x=x, y=y))

clprim's functions of the same names mean what NumPy's mean. These differ: indices are uint32, -0.0 comes before 0.0,
`unique` compares neighbours, and the last bin of `histogram` excludes its upper end.

Arrays have one dimension. All arrays of a call are of one kind. With NumPy arrays a function returns when its result is
complete. With PyOpenCL arrays it enqueues the work and does not block: the work waits for the arrays' events, and the
results carry its event.

`at` chooses the device. For PyOpenCL arrays it is a pyopencl.CommandQueue that replaces the arrays' own. For NumPy
arrays it is a clprim.Runtime or a queue that replaces the best device: at=clprim.Runtime(select="gpu").

Copies: NumPy arrays travel to the device and back. Arrays that are not contiguous, not aligned or not in native byte
order are first copied on the host; results are always in native byte order. Lists become arrays. Masked arrays are
refused, because their masked elements would count. PyOpenCL arrays are never copied: they must be contiguous and in
native byte order.

bool arrays are read as bytes 0 and 1, and text sees a uchar. As in NumPy, any other byte is True: NumPy arrays that
have one are copied, and PyOpenCL arrays are read by an expression (a text that names one sees the byte). Sorts,
selections, minima and maxima of bools are bools. Sums and products are int64, as in NumPy.

Floats are ordered -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN < -NaN. So NaNs come last, as in NumPy, and min, max,
argmin, argmax and their scans propagate NaNs. In a descending sort NaNs come first. Unlike NumPy, the order tells -0.0
from +0.0, and a NaN from one with other bits. Sorts are stable.

nan="total" chooses C's default order, -NaN < -inf < ... < +inf < +NaN. The NaN that x86 processors compute (0.0 / 0.0)
has its sign bit set: in the total order it comes first, and max passes over it. Integers have no NaNs: `nan` has no
effect on them.

Expression("x[i] * y[i]", x=x, y=y) stands for an array that is never in memory: functions that read an array take it,
too, and compute each element as they need it. Texts of select, unique and comparison_sort take names in the same way:
select(a, "x > limit", limit=5). Another number needs no other plan, and compiles nothing. A name that no text uses is
refused, and so is an array that is shorter than the result if the text reads it as y[i] under no condition.

A Python number beside arrays has their type, as in NumPy 2: beside int8, 5 is an int8, and 200 raises OverflowError;
0.5 beside integers is a float64. Numbers of NumPy's, such as numpy.int64(200), keep their type.

Operators, predicates and orders given as text are OpenCL C that runs on the device. Never take them from someone you
would not let run code there."""
import collections
import contextlib
import difflib
import inspect
import re

import numpy

from . import _arrays, _operations, _types
from ._c import InvalidArgument
from ._runtime import Runtime, run
from ._types import dtype_of, name_of, whole

__all__ = ["Expression", "argmax", "argmin", "argsort", "comparison_sort", "exclusive_scan", "histogram", "inclusive_scan", "max",
           "min", "reduce", "select", "sort", "sort_pairs", "sum", "top_k", "transform", "unique"]


def __dir__():
    return list(__all__)


_MANY = 2**32  # elements, from which on a description has to say how many there may be


def _type_of(array):
    """clPRIM's type for the elements of an array. The elements of a bool array are bytes."""
    return "u8" if array.dtype.kind == "b" else name_of(array.dtype)


def _nan_order(a, nan):
    """The field that says where a's NaNs stand."""
    if nan not in ("last", "total"):
        raise ValueError(f"nan must be \"last\" or \"total\", not {nan!r}")
    return {"nan_order": nan} if a.dtype.kind == "f" else {}


def _plain(argument):
    """View a bool array as bytes; leave anything else alone. The callers make sure that C writes only 0 or 1 to bool
    arrays."""
    if isinstance(argument, list):
        return [_plain(each) for each in argument]
    is_bool = hasattr(argument, "dtype") and argument.dtype.kind == "b"
    return argument.view(numpy.uint8) if is_bool else argument


class _Host:
    """Calls on NumPy arrays, which return when the result is complete."""

    is_host = True

    def __init__(self, runtime):
        self.runtime = runtime

    def empty(self, count, dtype):
        return numpy.empty(count, dtype)

    def call(self, operation, desc, **arrays):
        with _names_in_errors(desc):
            run(operation, desc, runtime=self.runtime, **{name: _plain(array) for name, array in arrays.items()})


class Device:
    """Calls on PyOpenCL arrays, which are enqueued. The outputs get the call's event."""

    is_host = False

    def __init__(self, queue):
        self.queue = queue
        self.runtime = Runtime.of(queue)

    def empty(self, count, dtype):
        import pyopencl.array

        return pyopencl.array.empty(self.queue, count, dtype)

    def call(self, operation, desc, **arrays):
        members = _operations.operation(operation).arrays
        several = {name: array if isinstance(array, list) else [array] for name, array in arrays.items()}
        with _names_in_errors(desc):
            done = self.runtime.plan(operation, **desc).enqueue(
                self.queue, **{name: _plain(array) for name, array in arrays.items()},
                wait_for=[event for of_one in several.values() for array in of_one if _arrays.is_device_array(array)
                          for event in array.events])
        for name, of_one in several.items():
            for array in of_one if name in members and members[name].is_written else []:
                array.add_event(done)


@contextlib.contextmanager
def _names_in_errors(desc):
    """C knows the values of names by their numbers: what it says of arguments[1] is said of the second name."""
    try:
        yield
    except InvalidArgument as error:
        names = list(desc.get("parameters", ()))
        sentence = re.sub(r"\barguments\[(\d+)\]", lambda at: names[int(at[1])] if int(at[1]) < len(names) else at[0],
                          error.sentence)
        if sentence == error.sentence:
            raise
        raise InvalidArgument(error.status, sentence) from None


def _check_array(name, array):
    """Refuse what NumPy would make an array of that nobody means."""
    if array is None or isinstance(array, (str, bytes, memoryview)):
        what = "None" if array is None else f"a {type(array).__name__}"
        raise TypeError(f"{name} must be an array, not {what}" +
                        (f": pass numpy.asarray({name})" if isinstance(array, memoryview) else ""))


def _input(name, array):
    """The argument as a NumPy array that C can read."""
    _check_array(name, array)
    if isinstance(array, numpy.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, and clPRIM ignores masks: pass {name}.compressed(), without the "
                        f"masked elements, or {name}.filled(value)")
    array = numpy.asarray(array)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one dimension, not {array.ndim}: pass {name}.reshape(-1)")
    if array.dtype.hasobject:
        raise TypeError(f"{name} holds Python objects, which a device cannot read: convert it with {name}.astype(...)")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return _arrays.plain_bools(numpy.require(array, requirements=["C", "A"]))


def _place(at, *named):
    """Where to call C, and the arrays in a form that C can read, from pairs (name, array)."""
    arrays = [array for _, array in named]
    for name, array in named:
        _check_array(name, array)
    is_queue = _arrays.is_of(at, "CommandQueue")
    if at is not None and not is_queue and not isinstance(at, Runtime):
        raise TypeError(f"at must be a clprim.Runtime or a pyopencl.CommandQueue, not {at!r}; to select a device by "
                        "name say at=clprim.Runtime(select=\"gpu\")")
    if not any(_arrays.is_device_array(array) for array in arrays):
        return (_Host(Runtime.of(at) if is_queue else at), *(_input(*pair) for pair in named))
    for name, array in named:
        if not _arrays.is_device_array(array):
            raise ValueError(f"the arrays must be of one kind, NumPy or PyOpenCL: {name} is a {type(array).__name__}")
        if array.ndim != 1 or not array.flags.c_contiguous:
            raise ValueError(f"{name}, a PyOpenCL array, must have one dimension and be contiguous: pass a copy")
        if not array.dtype.isnative:
            raise TypeError(f"{name}, a PyOpenCL array, must be in native byte order, not {array.dtype!r}")
    if at is not None and not is_queue:
        raise TypeError("for PyOpenCL arrays `at` must be a pyopencl.CommandQueue")
    queue = at if is_queue else arrays[0].queue
    if queue is None:
        raise ValueError("the array has no queue: pass one as `at`")
    return (Device(queue), *arrays)


class Expression:
    """An array that is never in memory, for functions that read one: sum(Expression("x[i] * y[i]", x=x, y=y)).

    text is OpenCL C over the index i and the names. A name is an array, which the text may read anywhere, or a number.
    A Python number gets the type that NumPy 2 gives it beside the first array: that array's, if it is of such numbers.
    It must fit (OverflowError). Each name must occur in a text (TypeError). An array that the text reads as y[i] under
    no condition must have `size` elements (ValueError). There are `size` elements of `dtype`. Default: those of the
    first array among the names. source declares functions and types. Texts see float16 numbers as floats and read
    float16 arrays by vload_half(i, x).

    >>> x = numpy.float32([1, 2, 3])
    >>> print(clprim.device.sum(clprim.Expression("x[i] * x[i]", x=x)))
    14.0
    """

    def __init__(self, text, *, dtype=None, size=None, source=None, **names):
        _types.text("text", text)
        if source is not None:
            _types.text("source", source)
        self.text = text
        self.source = source
        self.names = names
        self._dtype = dtype
        self._size = size

    def _of(self, first):
        """(size, dtype) beside the first array among the names, or None."""
        if first is None and (self._dtype is None or self._size is None):
            raise ValueError("an expression without an array among its names needs size and dtype")
        return (first.size if self._size is None else whole("size", self._size),
                first.dtype if self._dtype is None else dtype_of(self._dtype))


_Elements = collections.namedtuple("_Elements", ["size", "dtype"])


_NOTHING = object()  # in place of an array, for transform
_WORD = re.compile(r"[A-Za-z_]\w*")


def _check_names(names, texts, function, of_function, operands=()):
    """Refuse names that no text uses, which are keywords that somebody mistyped, and those that texts cannot see
    because an operand has them. `of_function`: those that were passed to this function, not to an Expression."""
    texts = [text for text in texts if isinstance(text, str)]
    words = {word for text in texts for word in _WORD.findall(text)}
    for name in names:
        if name in of_function and name in operands:
            raise TypeError(f"{function}() has no room for a name {name!r}, which is an operand of its text: choose "
                            "another one")
        if name not in words and not any("##" in text for text in texts):  # which makes names
            keywords = inspect.signature(globals()[function]).parameters if name in of_function else ()
            close = difflib.get_close_matches(name, keywords, 1)
            raise TypeError(f"{function}() got an argument {name!r}, which no text uses"
                            f"{f'; did you mean {close[0]}?' if close else ''}")


def _as_read(array, name):
    """An Expression for a bool array on a device, whose bytes may be others than 0 and 1; else the array."""
    is_device_bool = _arrays.is_device_array(array) and array.dtype.kind == "b" and array.ndim == 1
    return Expression(f"{name}[i] != 0", **{name: array}) if is_device_bool else array


def _read(at, a, *others, member="in_", label="a", names=None, source=None, function="Expression", texts=(),
          operands=()):
    """(where to call C, what stands for `a`, fields of a description, fields of a call, the other arrays), for an array
    or an Expression that is the function's `label` and C's `member`, and for texts over names. `others` are pairs (name,
    array)."""
    if a is not _NOTHING:
        _check_array(label, a)
    a = _as_read(a, "clprim_a")
    is_expression = isinstance(a, Expression)
    names = names or {}
    every = {**(a.names if is_expression else {}), **names}
    if is_expression and any(every[name] is not value for name, value in a.names.items()):
        raise TypeError("a name stands for two things")
    _check_names(every, [*texts, source, *([a.text, a.source] if is_expression else [])], function, names, operands)
    arrays = {name: value for name, value in every.items()
              if _arrays.is_device_array(value) or not isinstance(value, memoryview) and numpy.ndim(value) > 0}
    where, *placed = _place(at, *([] if a is _NOTHING or is_expression else [(label, a)]), *others, *arrays.items())
    arrays = dict(zip(arrays, placed[len(placed) - len(arrays):]))
    desc, call = {}, {}
    first = next(iter(arrays.values()), None)
    if is_expression:
        desc["input"] = a.text
        source = "\n".join(text for text in (a.source, source) if text is not None) or None
        a = _Elements(*a._of(first))
        call["count"] = a.size
        beside = a if first is None else first
    elif a is not _NOTHING:
        a = beside = placed.pop(0)
        call[member] = a
    else:
        beside = numpy.empty(0) if first is None else first
    values = {name: arrays[name] if name in arrays else _types.beside(name, value, beside.dtype)
              for name, value in every.items()}
    if values:
        desc["parameters"] = {name: [_type_of(value)] if name in arrays else _type_of(value)
                              for name, value in values.items()}
        call["arguments"] = list(values.values())
    if source is not None:
        desc["source"] = source
    return (where, a, desc, call, *placed[:len(placed) - len(arrays)])


def _result(where, out, count, dtype):
    """`out`, or a new array."""
    if out is None:
        return where.empty(count, dtype)
    dtype = numpy.dtype(dtype)
    _arrays.check("out", out, _types.Need(dtype, dtype.itemsize), count, True, is_device=not where.is_host)
    if out.shape != (count,):
        raise ValueError(f"out must have the shape ({count},), not {out.shape}")
    return out


def _limit(count):
    return {"max_count": count} if count >= _MANY else {}


def _indices(count):
    return numpy.dtype(numpy.uint64 if count >= _MANY else numpy.uint32)


def _sort(where, operation, desc, a, out, **call):
    """Sort into `out` or a new array. If the call fails on the host, `out` is unchanged."""
    out = _result(where, out, a.size, a.dtype)
    where.call(operation, desc, **call, keys_out=out)
    return out


def sort(a, *, descending=False, nan="last", out=None, at=None):
    """Sort `a`, an array or an Expression, with a stable radix sort. out has a's length and dtype; out=a sorts in
    place.

    NaNs come last; first if descending. With nan="total", the order is the total order, in which NaNs with a sign bit
    are at the other end.

    >>> clprim.device.sort([3, 1, 2], descending=True)
    array([3, 2, 1])
    """
    where, a, texts, call = _read(at, a, member="keys_in")
    desc = {**texts, "key_type": _type_of(a), "descending": _types.flag("descending", descending),
            **_nan_order(a, nan), **_limit(a.size)}
    return _sort(where, "radix_sort", desc, a, out, **call)


def sort_pairs(keys, values, *, descending=False, nan="last", at=None):
    """Stably sort keys, an array or an Expression, and move values[i] along with keys[i]. Return new arrays (keys,
    values).

    A value has 1, 2, 4, 8 or 16 bytes. `nan` is that of sort.

    >>> clprim.sort_pairs([3, 1, 2], [30, 10, 20])
    (array([1, 2, 3]), array([10, 20, 30]))
    """
    where, keys, texts, call, values = _read(at, keys, ("values", values), member="keys_in", label="keys")
    if keys.size != values.size:
        raise ValueError(f"there must be a value for each key, not {values.size} for {keys.size}")
    if values.dtype.itemsize not in (1, 2, 4, 8, 16) or values.dtype.hasobject:
        raise TypeError(f"a value must have 1, 2, 4, 8 or 16 bytes and no Python objects, not {values.dtype!r}")
    desc = {**texts, "key_type": _type_of(keys), "value_size": values.dtype.itemsize,
            "descending": _types.flag("descending", descending), **_nan_order(keys, nan), **_limit(keys.size)}
    keys_out, values_out = where.empty(keys.size, keys.dtype), where.empty(keys.size, values.dtype)
    where.call("radix_sort", desc, **call, values_in=values, keys_out=keys_out, values_out=values_out)
    return keys_out, values_out


def _as_expression(key, number):
    """The Expression of a sort's key number `number`, which may be an array."""
    if isinstance(key, Expression):
        return key
    name = f"key_{number}"
    if not _arrays.is_device_array(key):
        key = _input("a" if number == 0 else f"then[{number - 1}]", key)
    key = _as_read(key, name)
    if isinstance(key, Expression):
        return key
    return Expression(f"vload_half(i, {name})" if key.dtype == numpy.float16 else f"{name}[i]", **{name: key})


def _further(keys, descending):
    """(the first of several keys as an Expression that has the names and sources of all, the fields of a description
    that say what the others are, all elements' dtypes)."""
    keys = [_as_expression(key, number) for number, key in enumerate(keys)]
    names = {}
    for key in keys:
        if any(names.setdefault(name, value) is not value for name, value in key.names.items()):
            raise TypeError("a name stands for two things")
    elements = [_Elements(*key._of(next((value for value in [*key.names.values(), *names.values()]
                                         if _arrays.is_device_array(value) or numpy.ndim(value) > 0), None)))
                for key in keys]
    if any(each.size != elements[0].size for each in elements):
        raise ValueError(f"keys must be of one length, not {', '.join(str(each.size) for each in elements)}")
    sources = dict.fromkeys(key.source for key in keys if key.source is not None)  # each once, in order
    first = Expression(keys[0].text, dtype=elements[0].dtype, size=elements[0].size, source="\n".join(sources) or None,
                       **names)
    return first, {"then": [key.text for key in keys[1:]], "then_types": [_type_of(each) for each in elements[1:]],
                   "then_descending": descending[1:]}, [each.dtype for each in elements]


def argsort(a, *, then=(), descending=False, nan="last", at=None):
    """The indices that stably sort `a`, an array or an Expression: uint32, or uint64 for 2^32 elements and more.

    then: a list of further arrays and Expressions, each of which decides between elements that are equal by all before
    it, as in numpy.lexsort((then[0], a)). All keys together have at most 64 bits. `descending` may then be a list with
    a flag for each key. Texts see all names, those of arrays as key_0, key_1, ...

    `nan` is that of sort.

    >>> print(clprim.device.argsort([3, 1, 2]))
    [1 2 0]
    """
    if not isinstance(then, (list, tuple)):
        raise TypeError(f"then must be a list of arrays and Expressions, not {type(then).__name__}")
    keys = [a, *then]
    directions = list(descending) if isinstance(descending, (list, tuple)) else [descending] * len(keys)
    directions = [_types.flag("descending", direction) for direction in directions]
    if len(directions) != len(keys):
        raise ValueError(f"descending must be a flag, or one for each of {len(keys)} keys, not {len(directions)}")
    further, dtypes = {}, []
    if len(keys) > 1:
        a, further, dtypes = _further(keys, directions)
    where, a, texts, call = _read(at, a, member="keys_in", texts=further.get("then", ()))
    floats = [dtype for dtype in [a.dtype, *dtypes] if numpy.dtype(dtype).kind == "f"]
    desc = {**texts, **further, "key_type": _type_of(a), "argsort": True, "index_type": _indices(a.size),
            "descending": directions[0], **_nan_order(_Elements(a.size, (floats or [a.dtype])[0]), nan),
            **_limit(a.size)}
    if "input" not in desc:  # otherwise nobody wants the keys
        call["keys_out"] = where.empty(a.size, a.dtype)
    indices = where.empty(a.size, _indices(a.size))
    where.call("radix_sort", desc, **call, values_out=indices)
    return indices


def _element(a, type_name, member="type"):
    """The fields that describe a's elements: their type, or type_name and the size."""
    if type_name is None:
        return {member: _type_of(a)}
    return {"type_name": type_name, "type_size": a.dtype.itemsize}


def comparison_sort(a, less=None, *, source=None, type_name=None, stable=False, descending=False, nan=None, out=None,
                    at=None, **names):
    """Sort `a` in the caller's order: `less` is OpenCL C text over the elements a and b and the names, as in
    Expression, such as "a > b".

    Without `less` the order is that of sort(), with its `nan`. With `less` pass no `nan`: the text says where NaNs go.
    Equal elements may be reordered unless stable=True. A structured dtype needs type_name, the name of its type in
    OpenCL C, and source, the text that declares it. out has a's length and dtype; out=a sorts in place.

    >>> clprim.comparison_sort([1, 12, 3, 10], "a % 10 < b % 10", stable=True)
    array([10,  1, 12,  3])
    """
    where, a, texts, call = _read(at, a, member="keys_in", names=names, source=source, function="comparison_sort",
                                  texts=[less], operands=("a", "b"))
    if less is not None and nan is not None:
        raise ValueError("pass less or nan, not both: less says where NaNs go")
    nans = {} if less is not None else _nan_order(a, "last" if nan is None else nan)
    desc = {**texts, "less": less, "stable": _types.flag("stable", stable),
            "descending": _types.flag("descending", descending), **nans, **_limit(a.size),
            **_element(a, type_name, "key_type")}
    return _sort(where, "comparison_sort", desc, a, out, **call)


def _folded(op, a, dtype, nan, wide):
    """(the fields, the result's dtype) for folding `a` with `op`. `wide` maps dtype kinds to the default dtypes of sums
    and products."""
    if not isinstance(op, str):
        raise TypeError(f"op must be the name of an operator, such as \"sum\", not {op!r}")
    desc = {"type": _type_of(a), "op": op, **_nan_order(a, nan), **_limit(a.size)}
    if op in ("argmin", "argmax"):
        value = numpy.dtype(numpy.uint8) if a.dtype.kind == "b" else a.dtype
        result = numpy.dtype({"names": ["index", "value"], "formats": [numpy.uint64, value], "offsets": [0, 8],
                              "itemsize": 16})
    elif op in ("sum", "prod"):
        result = dtype_of(dtype) if dtype is not None else numpy.dtype(wide.get(a.dtype.kind, a.dtype))
        if result.kind == "b":
            raise TypeError(f"the {op} cannot be a bool: use another dtype, or the operator \"or\" or \"and\"")
        if name_of(result) != desc["type"]:
            desc["accumulator_type"] = result
    else:
        result = a.dtype
    if dtype is not None and dtype_of(dtype) != result:
        raise TypeError(f"dtype applies to sums and products: {op} of {a.dtype} returns {result}")
    return desc, result


def reduce(a, op="sum", *, dtype=None, nan="last", at=None):
    """Fold all elements of `a`, an array or an Expression, with `op`: sum, prod, min, max, and, or, xor, argmin or
    argmax.

    dtype is the type of a sum or product. Default: int64 for signed integers and bools, uint64 for unsigned integers,
    a's dtype for floats. The other operators keep a's dtype. argmin and argmax return a structure with the fields index
    and value. min, max, argmin and argmax of an empty array raise ValueError.

    min, max, argmin and argmax propagate NaNs: if any element is a NaN, so is the result, with the index of the first
    one. With nan="total", they use the total order, in which a NaN is either less or greater than all numbers.

    The result is a scalar for a NumPy array, an array of one element for a PyOpenCL array.

    >>> print(clprim.reduce(numpy.uint32([1, 2, 4]), "xor"))
    7
    """
    where, a, texts, call = _read(at, a)
    if a.size == 0 and op in ("min", "max", "argmin", "argmax"):
        raise ValueError(f"an empty array has no {op}")
    desc, result = _folded(op, a, dtype, nan, {"i": numpy.int64, "u": numpy.uint64, "b": numpy.int64})
    if a.size == 0 and a.dtype.kind == "b" and op == "and":
        desc["custom"] = {"combine": "a & b", "identity": "1"}  # uchar's own is 255
    out = where.empty(1, result)
    where.call("reduce", {**desc, **texts}, **call, out=out)
    return out[0] if where.is_host else out


def sum(a, *, dtype=None, at=None):
    """The sum of all elements. Integers wrap around.

    Default of dtype: int64 for signed integers and bools, uint64 for unsigned integers, a's dtype for floats. The
    result is a scalar for a NumPy array, an array of one element for a PyOpenCL array.

    >>> print(clprim.device.sum([1, 2, 3]))
    6
    """
    return reduce(a, "sum", dtype=dtype, at=at)


def min(a, *, nan="last", at=None):
    """The least element: a scalar for a NumPy array, an array of one element for a PyOpenCL array.

    It is a NaN if any element is; `nan` is that of reduce. An empty array raises ValueError.

    >>> print(clprim.device.min([3, 1, 2]))
    1
    """
    return reduce(a, "min", nan=nan, at=at)


def max(a, *, nan="last", at=None):
    """The greatest element: a scalar for a NumPy array, an array of one element for a PyOpenCL array.

    It is a NaN if any element is; `nan` is that of reduce. An empty array raises ValueError.

    >>> print(clprim.device.max([3, 1, 2]))
    3
    """
    return reduce(a, "max", nan=nan, at=at)


def argmin(a, *, nan="last", at=None):
    """The index of the least element, the first one if there are several: a[argmin(a)] is min(a).

    If there are NaNs, it is the index of the first one; `nan` is that of reduce. The result is an integer for a NumPy
    array, an array of one int64 for a PyOpenCL array. An empty array raises ValueError. reduce(a, "argmin") returns the
    value, too.

    >>> print(clprim.device.argmin([3, 1, 2]))
    1
    """
    return _index(reduce(a, "argmin", nan=nan, at=at))


def argmax(a, *, nan="last", at=None):
    """The index of the greatest element, the first one if there are several: a[argmax(a)] is max(a).

    If there are NaNs, it is the index of the first one; `nan` is that of reduce. The result is an integer for a NumPy
    array, an array of one int64 for a PyOpenCL array. An empty array raises ValueError. reduce(a, "argmax") returns the
    value, too.

    >>> print(clprim.device.argmax([3, 1, 2]))
    0
    """
    return _index(reduce(a, "argmax", nan=nan, at=at))


def _index(indexed):
    if _arrays.is_device_array(indexed):
        return indexed.view(numpy.int64)[:1]  # shares the memory and the events
    return numpy.intp(indexed["index"])


def _scan(a, op, exclusive, dtype, nan, out, at):
    where, a, texts, call = _read(at, a)
    if dtype is None and out is not None and op in ("sum", "prod"):
        dtype = getattr(out, "dtype", None)
    desc, result = _folded(op, a, dtype, nan, {"b": numpy.int64})
    desc["exclusive"] = exclusive
    if a.dtype.kind == "b" and op in ("min", "and"):
        desc["initial"] = 1  # uchar's own is 255
    out = _result(where, out, a.size, result)
    where.call("scan", {**desc, **texts}, **call, out=out)
    return out


def inclusive_scan(a, op="sum", *, dtype=None, nan="last", out=None, at=None):
    """out[i] = a[0] op ... op a[i], of an array or an Expression. The operators are those of reduce.

    dtype is the type of sums and products. Default: out's dtype, else a's dtype, else int64 for bools. Integers wrap
    around. argmin and argmax return structures with the fields index and value; the other operators keep a's dtype.
    After a NaN all results of min, max, argmin and argmax are NaN; `nan` is that of reduce. out has a's length and the
    result's dtype.

    >>> clprim.inclusive_scan([3, 1, 2], "max")
    array([3, 3, 3])
    """
    return _scan(a, op, False, dtype, nan, out, at)


def exclusive_scan(a, op="sum", *, dtype=None, nan="last", out=None, at=None):
    """out[i] = a[0] op ... op a[i - 1]; out[0] is the operator's identity. Everything else is as in inclusive_scan.

    >>> clprim.exclusive_scan([3, 1, 2])
    array([0, 3, 4])
    """
    return _scan(a, op, True, dtype, nan, out, at)


def _bins(a, bins, range):
    """The fields that map elements to bins."""
    if isinstance(bins, (str, bytes, memoryview)):
        raise TypeError(f"bins must be a number or a sequence of boundaries, not a {type(bins).__name__}")
    if numpy.ndim(bins) > 1:
        raise ValueError("bins must be a number or a sequence of boundaries")
    if bins is not None and numpy.ndim(bins) == 1:
        if range is not None:
            raise ValueError("pass range or boundaries, not both")
        if len(bins) < 2:
            raise ValueError(f"a histogram needs at least two boundaries, not {len(bins)}")
        return {"mapping": "boundaries", "boundaries": bins, "bins": len(bins) - 1}
    number = 256 if bins is None else whole("bins", bins)
    if number == 0:
        raise ValueError("a histogram needs at least one bin")
    if range is not None:
        if isinstance(range, memoryview) or numpy.shape(range) != (2,):
            raise (TypeError if isinstance(range, memoryview) else ValueError)(
                f"range must be (low, high), not {range!r}")
        return {"mapping": "even", "low": _types.double("low", range[0]), "high": _types.double("high", range[1]),
                "bins": number}
    if a.dtype.kind == "f":
        raise ValueError("a histogram of floats needs range=(low, high), such as range=(0, 1), or a sequence of "
                         "boundaries for bins")
    return {"bins": number}


def histogram(a, bins=None, range=None, *, at=None):
    """Count the elements of `a`, an array or an Expression, in each bin: uint32, or uint64 for 2^32 elements and more.

    bins is a number (default: 256) or an ascending sequence of boundaries:
    - a number without a range: bin b counts the elements equal to b. Integers and bools only.
    - a number with range=(low, high): bins of equal width over low <= x < high. Floats need the range.
    - boundaries: bin b counts boundaries[b] <= x < boundaries[b + 1].
    The last bin excludes its upper end, too. Elements outside all bins are not counted.

    >>> print(clprim.device.histogram([1.0, 2.5, 2.0], 3, (0, 3)))
    [0 1 2]
    """
    where, a, texts, call = _read(at, a)
    desc = {**texts, "type": _type_of(a), "counter_type": _indices(a.size), **_bins(a, bins, range), **_limit(a.size)}
    out = where.empty(desc["bins"], _indices(a.size))
    where.call("histogram", desc, **call, out=out)
    return out


def _compact(operation, desc, where, a, **call):
    """The result of select and unique: the elements for a NumPy array; for a PyOpenCL array (an array with room for all
    elements, their number)."""
    out, count = where.empty(a.size, a.dtype), where.empty(1, numpy.uint64)
    where.call(operation, {**desc, "index_type": "u64", **_limit(a.size)}, **call, out=out, out_count=count)
    return out[:count[0]].copy() if where.is_host else (out, count)


def unique(a, equal=None, *, source=None, type_name=None, at=None, **names):
    """The first element of each run of equal elements. For a sorted array this is numpy.unique.

    `a` is an array or an Expression. Elements are equal if their bits are equal, or if `equal` says so: OpenCL C text
    over the element a, its successor b and the names, as in Expression, such as "a / 10 == b / 10". NaNs with the same
    bits are equal. A structured dtype needs type_name and source, as in comparison_sort. For a PyOpenCL array the
    result is (an array with room for all elements, their number).

    >>> clprim.device.unique([1, 1, 2, 1])
    array([1, 2, 1])
    """
    where, a, texts, call = _read(at, a, names=names, source=source, function="unique", texts=[equal],
                                  operands=("a", "b"))
    return _compact("unique", {**texts, "equal": equal, **_element(a, type_name)}, where, a, **call)


def select(a, predicate, *, source=None, type_name=None, at=None, **names):
    """The elements of `a`, an array or an Expression, for which `predicate` holds, in their order.

    predicate is OpenCL C text over the element x, its index i and the names, as in Expression, such as "x > limit", or
    an array of bools or integers of a's length, which selects where it is not 0. A structured dtype needs type_name and
    source, as in comparison_sort. For a PyOpenCL array the result is (an array with room for all elements, their
    number).

    >>> clprim.device.select([5, 1, 4], "x > limit", limit=3)
    array([5, 4])
    """
    if isinstance(predicate, str):
        where, a, texts, call = _read(at, a, names=names, source=source, function="select", texts=[predicate],
                                      operands=("x", "i"))
        return _compact("select", {**texts, "predicate": predicate, **_element(a, type_name)}, where, a, **call)
    if predicate is None or callable(predicate):
        raise TypeError("predicate must be OpenCL C text, such as \"x > 0.5f\", or an array of bools, not "
                        f"{type(predicate).__name__}: it runs on the device, which has no Python")
    where, a, texts, call, flags = _read(at, a, ("predicate", predicate), names=names, source=source, function="select")
    if flags.dtype.kind not in "biu" or flags.size != a.size:
        raise ValueError(f"flags must be bools or integers, one for each element, not {flags.size} "
                         f"{flags.dtype} for {a.size} elements")
    desc = {**texts, "flags_type": _type_of(flags), **_element(a, type_name)}
    return _compact("select", desc, where, a, **call, flags=flags)


def transform(expression, *, dtype=None, source=None, at=None, **names):
    """An array whose element i is `expression`, OpenCL C text over i and the names, as in Expression:
    transform("a * x[i] + y[i]", a=2, x=x, y=y). The result has the length of the first array and, unless dtype says
    otherwise, its type.

    >>> clprim.transform("a * x[i] + 1", a=2, x=numpy.int32([1, 2]))
    array([3, 5], dtype=int32)
    """
    _types.text("expression", expression)
    where, _, texts, call = _read(at, _NOTHING, names=names, source=source, function="transform", texts=[expression])
    arrays = [value for value in call.get("arguments", ()) if value.ndim > 0]
    if not arrays:
        raise ValueError("transform needs an array among its names: they say how long the result is")
    dtype = arrays[0].dtype if dtype is None else dtype_of(dtype)
    out = where.empty(arrays[0].size, dtype)
    kind = {"type_names": ["bool"], "type_sizes": [1]} if dtype.kind == "b" else {"types": [_type_of(out)]}
    desc = {**texts, "expressions": [expression], **kind, **_limit(out.size)}
    where.call("transform", desc, **call, count=out.size, out=[out])
    return out


def top_k(a, k, *, smallest=False, nan="last", at=None):
    """The k greatest elements of an array or an Expression, greatest first, and their indices: (elements, indices). If
    there are fewer than k elements, all of them.

    smallest=True: the k least elements, least first. NaNs are greater than all numbers; `nan` is that of sort. Indices
    are uint32, or uint64 for 2^32 elements and more.

    >>> elements, indices = clprim.device.top_k([3, 1, 2], 2)
    >>> print(elements, indices)
    [3 2] [0 2]
    """
    where, a, texts, call = _read(at, a, member="keys_in")
    k = whole("k", k)
    count = a.size if a.size < k else k
    desc = {**texts, "key_type": _type_of(a), "k": k, "smallest": _types.flag("smallest", smallest), "indices": True,
            **_nan_order(a, nan), "index_type": _indices(a.size), **_limit(a.size)}
    keys, indices = where.empty(count, a.dtype), where.empty(count, _indices(a.size))
    where.call("top_k", desc, **call, keys_out=keys, values_out=indices)
    return keys, indices
