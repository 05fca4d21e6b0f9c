"""clPRIM: GPU primitives on OpenCL devices, for numpy's arrays and for PyOpenCL's.

    import clprim
    clprim.sort(numpy.array([3, 1, 2]))              # numpy in, numpy out
    clprim.sort(array)                               # a pyopencl.array.Array: enqueued on its queue, nothing is copied

Functions take one-dimensional arrays of one kind. With numpy's they return when the result is there; with PyOpenCL's
they enqueue, do not block, wait for the arrays' events and leave theirs in the result's. `at` says where: a
pyopencl.CommandQueue in place of the array's own, or for numpy's arrays a clprim.Runtime in place of the best device's.

Orders are clPRIM's one total order of floats (-NaN < -inf < ... < -0.0 < +0.0 < ... < +inf < +NaN), sorts are stable.
Operators, predicates and orders given as text are OpenCL C that runs on the device: never take them from someone you
would not let run code there.

For all else, and without looking plans up, there are Plan and host, which name the fields of the C descriptions
(include/clprim/<primitive>.h). A call that fails raises clprim.Error."""
import collections
import ctypes
import functools
import sys
import threading

import numpy

from . import _c
from ._c import Error

__all__ = ["Error", "Plan", "Runtime", "argmax", "argmin", "argsort", "comparison_sort", "exclusive_scan", "histogram",
           "host", "inclusive_scan", "max", "min", "reduce", "select", "sort", "sort_pairs", "sum", "top_k", "unique"]
__version__ = _c.VERSION

_MANY = 2**32  # elements, from which on a description has to say how many there may be


def type_of(dtype):
    """The name of clPRIM's type for a numpy.dtype: "f32"."""
    dtype = numpy.dtype(dtype)
    name = f"{'u' if dtype.kind == 'b' else dtype.kind}{8 * dtype.itemsize}"
    if name not in _c.TYPES or not dtype.isnative:
        raise TypeError(f"clPRIM has no type for {dtype}")
    return name


def _number(kind, value):
    """What a field of this kind has for a value of Python's."""
    if kind == "type" and not isinstance(value, int):
        return _c.TYPES.index(value if value in _c.TYPES[1:] else type_of(value))
    if kind == "op" and not isinstance(value, int):
        if value not in _c.OPS:
            raise ValueError(f"there is no operator {value!r}, only {', '.join(_c.OPS)}")
        return _c.OPS.index(value)
    return value.tobytes() if isinstance(value, (numpy.ndarray, numpy.generic)) and kind == "pointer" else value


def _fields(stem, desc):
    kinds = _c.kinds_of(stem)
    return {field: _number(kinds.get(field), value) for field, value in desc.items()}


class Runtime:
    """One device with its queue and compiled kernels: the best there is, the one of a pyopencl.CommandQueue or Context,
    or one selected as by the variable CLPRIM_DEVICE ("gpu", "cpu", part of a name)."""

    def __init__(self, queue=None, *, context=None, device=None, select=None, profiling=False):
        pointers = {name: thing.int_ptr for name, thing in
                    [("queue", queue), ("context", context), ("device", device)] if thing is not None}
        desc = _c.description("runtime", {**pointers, "select": select, "profiling": profiling})
        self._setup(ctypes.c_void_p(), is_owned=True)
        _c.call("runtime_create", ctypes.byref(self.handle), ctypes.byref(desc))

    def _setup(self, handle, is_owned):
        self.handle = handle
        self._is_owned = is_owned
        self._plans = collections.OrderedDict()
        self._lock = threading.Lock()

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def default():
        """The process's own, on the best device."""
        runtime = Runtime.__new__(Runtime)
        runtime._setup(ctypes.c_void_p(), is_owned=False)
        _c.call("runtime_default", ctypes.byref(runtime.handle))
        return runtime

    _of_devices = {}

    @staticmethod
    def of(queue):
        """The one for a queue's context and device; it is kept, with the context, until the process ends."""
        key = (queue.context.int_ptr, queue.device.int_ptr)
        if key not in Runtime._of_devices:
            Runtime._of_devices.setdefault(key, Runtime(context=queue.context, device=queue.device))
        return Runtime._of_devices[key]

    @property
    def device_name(self):
        return _c.library().clprim_runtime_info(self.handle).contents.name.decode(errors="replace")

    def plan(self, stem, **desc):
        """A Plan as described, made once; the last 256 ones are kept."""
        key = (stem, *sorted(_fields(stem, desc).items()))
        with self._lock:
            if key in self._plans:
                self._plans.move_to_end(key)
                return self._plans[key]
        made = Plan(stem, self, **desc)  # takes its time
        with self._lock:
            self._plans[key] = made
            while len(self._plans) > 256:
                self._plans.popitem(last=False)
        return made

    def __del__(self):
        if getattr(self, "_is_owned", False) and self.handle and not sys.is_finalizing():
            _c.library().clprim_runtime_destroy(self.handle)


class Plan:
    """A primitive made ready for a device: Plan("radix_sort", runtime, key_type="f32", value_size=4). What it describes
    are the fields of clprim_<primitive>_desc; types also as numpy's.

    enqueue, and enqueue_pairs, _segments, _flagged or _weighted where C has them, take a queue (None: the runtime's
    own), the C function's arguments, and wait_for=[events]; they return a pyopencl.Event. A buffer with its offset is
    one argument: a pyopencl.Buffer, a pair (buffer, offset in elements), a pyopencl.array.Array, or None."""

    def __init__(self, stem, runtime=None, **desc):
        if stem not in _c.ENQUEUE:
            raise ValueError(f"there is no primitive {stem!r}, only {', '.join(_c.ENQUEUE)}")
        self.stem = stem
        self.runtime = runtime if runtime is not None else Runtime.default()
        self.handle = ctypes.c_void_p()
        self._lock = threading.Lock()  # calls of C run beside each other, but not of one plan
        made = _c.description(stem, _fields(stem, desc))
        _c.call(f"{stem}_create", ctypes.byref(self.handle), self.runtime.handle, ctypes.byref(made))

    def __getattr__(self, name):
        if name in _c.ENQUEUE[self.__dict__["stem"]]:
            return functools.partial(self._enqueue, name)
        raise AttributeError(f"a plan for {self.stem} has no {name}")

    def _enqueue(self, name, queue, *arguments, wait_for=None):
        import pyopencl

        letters = _c.ENQUEUE[self.stem][name]
        if len(arguments) != len(letters):
            raise TypeError(f"{self.stem}'s {name} takes {len(letters)} arguments behind the queue")
        kept = []  # until the call returns; OpenCL itself holds what is enqueued
        flat = []
        for letter, argument in zip(letters, arguments):
            flat += _memory(argument, kept) if letter == "m" else [argument]
        waits = [event.int_ptr for event in wait_for or ()]
        done = ctypes.c_void_p()
        with self._lock:
            _c.call(f"{self.stem}_{name}", self.handle, None if queue is None else queue.int_ptr, *flat, len(waits),
                    (ctypes.c_void_p * len(waits))(*waits) if waits else None, ctypes.byref(done))
        return pyopencl.Event.from_int_ptr(done.value, retain=False)

    def scratch_size(self, count):
        """Bytes of memory that enqueuing takes beside what is given."""
        size = ctypes.c_size_t()
        _c.call(f"{self.stem}_scratch_size", ctypes.byref(size), self.handle, count)
        return size.value

    def set_scratch(self, buffer):
        """Take it from this pyopencl.Buffer from now on; None: from the library's own."""
        with self._lock:
            _c.call(f"{self.stem}_set_scratch", self.handle, None if buffer is None else buffer.int_ptr)

    def __del__(self):
        if self.__dict__.get("handle") and not sys.is_finalizing():
            getattr(_c.library(), f"clprim_{self.stem}_destroy")(self.handle)


def _memory(argument, kept):
    """[cl_mem, offset in elements]"""
    if argument is None:
        return [None, 0]
    if isinstance(argument, tuple):
        return [argument[0].int_ptr, argument[1]]
    if not hasattr(argument, "base_data"):
        return [argument.int_ptr, 0]
    if argument.base_data is None:  # an array without elements has no buffer, but there must be one
        import pyopencl

        kept.append(pyopencl.Buffer(argument.context, pyopencl.mem_flags.READ_WRITE, 16))
        return [kept[-1].int_ptr, 0]
    offset, rest = divmod(argument.offset, argument.dtype.itemsize)
    if rest != 0 or not hasattr(argument.base_data, "int_ptr"):
        raise ValueError("the array does not begin at a whole element of a buffer")
    return [argument.base_data.int_ptr, offset]


def host(stem, *arguments, runtime=None, **desc):
    """clprim_<stem>_host on numpy's arrays: its arguments in C's order, without runtime and description. None is a
    NULL; for what C writes a number to, give an array of one. Types and sizes of arrays are not looked at: they must be
    what the description and the counts say."""
    made = _c.description(stem, _fields(stem, desc))
    letters = _c.HOST[stem]
    if len(arguments) != len(letters) - 1:
        raise TypeError(f"{stem} takes {len(letters) - 1} arguments")
    rest = iter(arguments)
    flat = []
    for letter, kinds in ((letter, _c.ARGUMENTS[letter]) for letter in letters):
        if letter == "R":
            flat += [runtime.handle if runtime is not None else None, ctypes.byref(made)]
            continue
        argument = next(rest)
        if isinstance(argument, numpy.ndarray):
            if not argument.flags.c_contiguous or (letter not in "ia" and not argument.flags.writeable):
                raise ValueError("arrays must be contiguous, and results writeable")
            argument = ctypes.cast(argument.ctypes.data, kinds[0])
        flat.append(argument)
    _c.call(f"{stem}_host", *flat)


class _Host:
    """Arrays of numpy's: calls return when all is done."""

    is_host = True

    def __init__(self, runtime):
        self.runtime = runtime

    def empty(self, count, dtype):
        return numpy.empty(count, dtype)

    def host(self, stem, desc, *arguments):
        host(stem, *arguments, runtime=self.runtime, **desc)


class _Device:
    """Arrays of PyOpenCL's: calls are enqueued."""

    is_host = False

    def __init__(self, queue):
        self.queue = queue
        self.runtime = Runtime.of(queue)

    def empty(self, count, dtype):
        import pyopencl.array

        return pyopencl.array.empty(self.queue, count, dtype)

    def enqueue(self, stem, desc, name, *arguments, writes):
        arrays = [array for array in arguments if hasattr(array, "events")]
        done = getattr(self.runtime.plan(stem, **desc), name)(
            self.queue, *arguments, wait_for=[event for array in arrays for event in array.events])
        for array in writes:
            array.add_event(done)


def _place(at, *arrays):
    """Where these arrays are, and they themselves, as calls of C can take them."""
    if any(hasattr(array, "base_data") for array in arrays):
        for array in arrays:
            if not hasattr(array, "base_data") or array.ndim != 1 or not array.flags.c_contiguous:
                raise ValueError("arrays must have one dimension, be contiguous and of one kind")
        queue = at if at is not None else arrays[0].queue
        if queue is None:
            raise ValueError("the array has no queue: say which by `at`")
        return (_Device(queue), *arrays)
    arrays = [numpy.ascontiguousarray(array) for array in arrays]
    if any(array.ndim != 1 for array in arrays):
        raise ValueError("arrays must have one dimension")
    return (_Host(at if at is None or isinstance(at, Runtime) else Runtime.of(at)), *arrays)


def _result(where, out, count, dtype):
    """`out`, or a new array."""
    if out is None:
        return where.empty(count, dtype)
    if out.shape != (count,) or out.dtype != dtype or not out.flags.c_contiguous:
        raise ValueError(f"out must be a contiguous array of {count} {numpy.dtype(dtype)}")
    return out


def _limit(count):
    return {"max_count": count} if count >= _MANY else {}


def _indices(count):
    return numpy.dtype(numpy.uint64 if count >= _MANY else numpy.uint32)


def sort(a, *, descending=False, out=None, at=None):
    """`a` in order, by a radix sort; in place with out=a."""
    where, a = _place(at, a)
    out = _result(where, out, a.size, a.dtype)
    desc = {"key_type": type_of(a.dtype), "descending": descending, **_limit(a.size)}
    if where.is_host:
        out[:] = a
        where.host("radix_sort", desc, out, None, a.size)
    else:
        where.enqueue("radix_sort", desc, "enqueue", a, a.size, out, writes=[out])
    return out


def sort_pairs(keys, values, *, descending=False, at=None):
    """(keys in order, the values that go with them); a value has 1, 2, 4, 8 or 16 bytes."""
    where, keys, values = _place(at, keys, values)
    if keys.size != values.size:
        raise ValueError("there must be a value for each key")
    keys_out, values_out = where.empty(keys.size, keys.dtype), where.empty(keys.size, values.dtype)
    desc = {"key_type": type_of(keys.dtype), "value_size": values.dtype.itemsize, "descending": descending,
            **_limit(keys.size)}
    if where.is_host:
        keys_out[:], values_out[:] = keys, values
        where.host("radix_sort", desc, keys_out, values_out, keys.size)
    else:
        where.enqueue("radix_sort", desc, "enqueue_pairs", keys, values, keys.size, keys_out, values_out,
                      writes=[keys_out, values_out])
    return keys_out, values_out


def argsort(a, *, descending=False, at=None):
    """The indices that put `a` in order, as uint32, or uint64 for 2^32 elements and more."""
    where, a = _place(at, a)
    keys, indices = where.empty(a.size, a.dtype), where.empty(a.size, _indices(a.size))
    desc = {"key_type": type_of(a.dtype), "argsort": True, "value_size": indices.dtype.itemsize,
            "descending": descending, **_limit(a.size)}
    if where.is_host:
        keys[:] = a
        where.host("radix_sort", desc, keys, indices, a.size)
    else:
        where.enqueue("radix_sort", desc, "enqueue_pairs", a, None, a.size, keys, indices, writes=[indices])
    return indices


def comparison_sort(a, less=None, *, source=None, type_name=None, stable=False, descending=False, out=None, at=None):
    """`a` in the order of `less`, OpenCL C text over the elements a and b: "a > b". Elements of a structured dtype need
    the name of their type, and the source that declares it."""
    where, a = _place(at, a)
    out = _result(where, out, a.size, a.dtype)
    desc = {"less": less, "source": source, "type_name": type_name, "stable": stable, "descending": descending,
            **_limit(a.size)}
    desc.update({"type_size": a.dtype.itemsize} if type_name else {"type": type_of(a.dtype)})
    if where.is_host:
        out[:] = a
        where.host("comparison_sort", desc, out, None, a.size)
    else:
        where.enqueue("comparison_sort", desc, "enqueue", a, a.size, out, writes=[out])
    return out


def reduce(a, op="sum", *, dtype=None, at=None):
    """All elements folded by sum, prod, min, max, and, or, xor, argmin or argmax. Sums and products are of `dtype`: by
    default, as numpy's, of 64 bits for integers, of a's own for floats. argmin and argmax have fields index and value.
    Of numpy's arrays a scalar, of PyOpenCL's an array of one element."""
    where, a = _place(at, a)
    desc = {"type": type_of(a.dtype), "op": op}
    result = a.dtype
    if op in ("argmin", "argmax"):
        result = numpy.dtype({"names": ["index", "value"], "formats": [numpy.uint64, a.dtype], "offsets": [0, 8],
                              "itemsize": 16})
    elif op in ("sum", "prod"):
        wide = {"i": numpy.int64, "u": numpy.uint64, "b": numpy.uint64}
        result = numpy.dtype(dtype or wide.get(a.dtype.kind, result))
        desc["accumulator_type"] = type_of(result)
    out = where.empty(1, result)
    if where.is_host:
        where.host("reduce", desc, out, a, a.size)
        return out[0]
    where.enqueue("reduce", desc, "enqueue", a, a.size, out, writes=[out])
    return out


def sum(a, *, dtype=None, at=None):
    return reduce(a, "sum", dtype=dtype, at=at)


def min(a, *, at=None):
    return reduce(a, "min", at=at)


def max(a, *, at=None):
    return reduce(a, "max", at=at)


def argmin(a, *, at=None):
    return reduce(a, "argmin", at=at)


def argmax(a, *, at=None):
    return reduce(a, "argmax", at=at)


def _scan(a, op, exclusive, dtype, out, at):
    where, a = _place(at, a)
    result = numpy.dtype(dtype or (out.dtype if out is not None else a.dtype))
    out = _result(where, out, a.size, result)
    desc = {"type": type_of(a.dtype), "op": op, "exclusive": exclusive}
    if result != a.dtype:
        desc["accumulator_type"] = type_of(result)
    if where.is_host:
        where.host("scan", desc, out, a, None, a.size)
    else:
        where.enqueue("scan", desc, "enqueue", a, a.size, out, writes=[out])
    return out


def inclusive_scan(a, op="sum", *, dtype=None, out=None, at=None):
    """out[i]: the elements up to `i` folded. Of a's type, unless a wider one is named; integers wrap around."""
    return _scan(a, op, False, dtype, out, at)


def exclusive_scan(a, op="sum", *, dtype=None, out=None, at=None):
    """out[i]: the elements before `i` folded."""
    return _scan(a, op, True, dtype, out, at)


def histogram(a, bins=None, range=None, *, at=None):
    """How many elements are in each bin: `bins` (default 256) by the elements' value, 0 to bins - 1; with range=(low,
    high) of one width each, from low to below high; or between the boundaries in the sequence `bins`. The last bin,
    too, is without its upper end. As uint32, or uint64 for 2^32 elements and more."""
    where, a = _place(at, a)
    desc = {"type": type_of(a.dtype), "bins": 256 if bins is None else bins, "counter_type": _indices(a.size),
            **_limit(a.size)}
    if numpy.ndim(desc["bins"]) == 1:
        boundaries = numpy.ascontiguousarray(bins, a.dtype if type_of(a.dtype) in ("i64", "u64") else numpy.float64)
        desc.update(mapping=_c.HISTOGRAM_MAPPINGS.index("boundaries"), boundaries=boundaries,
                    bins=boundaries.size - 1)
    elif range is not None:
        desc.update(mapping=_c.HISTOGRAM_MAPPINGS.index("even"), low=range[0], high=range[1])
    out = where.empty(desc["bins"], _indices(a.size))
    if where.is_host:
        where.host("histogram", desc, out, None, a, None, a.size)
    else:
        where.enqueue("histogram", desc, "enqueue", a, a.size, out, None, writes=[out])
    return out


def _compact(stem, desc, extra, a, at):
    """What select and unique leave: of numpy's arrays those elements, of PyOpenCL's an array with room for all, and one
    with their number."""
    where, a = _place(at, a)
    out, count = where.empty(a.size, a.dtype), where.empty(1, numpy.uint64)
    desc = {**desc, **({"type_size": a.dtype.itemsize} if desc["type_name"] else {"type": type_of(a.dtype)})}
    if where.is_host:
        where.host(stem, desc, out, count, a, *extra, a.size)
        return out[:count[0]].copy()
    where.enqueue(stem, desc, "enqueue", a, a.size, out, count, writes=[out, count])
    return out, count


def unique(a, equal=None, *, source=None, type_name=None, at=None):
    """The first element of each run of equal ones: of a sorted array what numpy.unique gives. Equal are the same bits,
    or what `equal` says, OpenCL C text over a and b. Of PyOpenCL's arrays: (elements with room for all, their
    number)."""
    return _compact("unique", {"equal": equal, "source": source, "type_name": type_name}, [], a, at)


def select(a, predicate, *, source=None, type_name=None, at=None):
    """The elements for which `predicate` holds, OpenCL C text over the element x and its index i: "x > 0.5f". Of
    PyOpenCL's arrays: (elements with room for all, their number)."""
    return _compact("select", {"predicate": predicate, "source": source, "type_name": type_name}, [None], a, at)


def top_k(a, k, *, smallest=False, at=None):
    """(the k largest elements, the largest first, their indices); of fewer than k elements all."""
    where, a = _place(at, a)
    count = a.size if a.size < k else k
    keys, indices = where.empty(count, a.dtype), where.empty(count, _indices(a.size))
    desc = {"key_type": type_of(a.dtype), "k": k, "smallest": smallest, "indices": True,
            "value_size": indices.dtype.itemsize, **_limit(a.size)}
    if where.is_host:
        where.host("top_k", desc, keys, indices, a, None, a.size)
    else:
        where.enqueue("top_k", desc, "enqueue_pairs", a, None, a.size, keys, indices, writes=[keys, indices])
    return keys, indices
