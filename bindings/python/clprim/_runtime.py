# SPDX-License-Identifier: MIT
"""Devices, plans, and calls of every operation as C has it."""
import collections
import collections.abc
import contextlib
import ctypes
import functools
import signal
import threading

import numpy

from . import _arrays, _c, _distributed, _operations, _types
from ._c import Error
from ._distributed import Communicator, Part
from ._types import whole


class Runtime:
    """A device with its queue and compiled kernels.

    Runtime() takes the best device. Runtime(queue) and Runtime(context=..., device=...) take PyOpenCL's objects.
    Runtime(select="gpu") selects a device as the variable CLPRIM_DEVICE does: by "gpu", "cpu", "accelerator", an index,
    or part of a name. With profiling=True the runtime's own queue records times.

    >>> with_profiling = clprim.Runtime(profiling=True)
    >>> clprim.sum([1, 2], at=with_profiling).item()
    3
    """

    def __init__(self, queue=None, *, context=None, device=None, select=None, profiling=False):
        self._setup(ctypes.c_void_p(), is_owned=True)
        desc = _c.RuntimeDesc(profiling=_types.flag("profiling", profiling))
        if select is not None:
            desc.select = _types.text("select", select)
        for field, kind, thing in [("queue", "CommandQueue", queue), ("context", "Context", context),
                                   ("device", "Device", device)]:
            if thing is not None:
                if not _arrays.is_of(thing, kind):
                    raise TypeError(f"{field} must be a pyopencl.{kind}, not {thing!r}; to select a device by name say "
                                    "Runtime(select=\"gpu\")")
                setattr(desc, field, thing.int_ptr)
        _c.call("runtime_create", ctypes.byref(self.handle), ctypes.byref(desc))

    def _setup(self, handle, is_owned):
        self.handle = handle
        self._is_owned = is_owned
        self._plans = collections.OrderedDict()
        self._lock = threading.Lock()
        self._here = threading.local()
        self._progress = None  # C's function, kept for as long as C has it

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def default():
        """The process's shared runtime, on the best device."""
        runtime = Runtime.__new__(Runtime)
        runtime._setup(ctypes.c_void_p(), is_owned=False)
        _c.call("runtime_default", ctypes.byref(runtime.handle))
        return runtime

    _of_devices = {}

    @staticmethod
    def of(queue):
        """The runtime for the context and device of a pyopencl.CommandQueue, which C code of the process shares
        (clprim_runtime_of). It is kept, with the context, until the process ends."""
        if not _arrays.is_of(queue, "CommandQueue"):
            raise TypeError(f"queue must be a pyopencl.CommandQueue, not {queue!r}")
        key = (queue.context.int_ptr, queue.device.int_ptr)
        if key not in Runtime._of_devices:
            runtime = Runtime.__new__(Runtime)
            runtime._setup(ctypes.c_void_p(), is_owned=True)
            _c.call("runtime_of", ctypes.byref(runtime.handle), queue.int_ptr)
            Runtime._of_devices.setdefault(key, runtime)
        return Runtime._of_devices[key]

    @property
    def device_name(self):
        """The device's name, from its driver."""
        return _c.library().clprim_runtime_info(self.handle).contents.name.decode(errors="replace")

    def limit(self, device_memory=None, progress=None):
        """Limit all later calls with NumPy arrays on this runtime. Without arguments, remove the limits.

        device_memory: the largest number of bytes of device memory that a call may use, by default 7/8 of the memory.
        Arrays that do not fit go through the device in pieces. progress(operation, done, total) is called after each
        piece. If it raises, KeyboardInterrupt included, the call ends and raises the same. Do not call limit while
        another thread is in a call."""
        if progress is not None and not callable(progress):
            raise TypeError(f"progress must be a function of an operation's name and two numbers, not {progress!r}")
        limits = _c.RunLimits(device_memory=0 if device_memory is None else whole("device_memory", device_memory))
        if progress is not None:
            def tell(_user, operation, done, total):
                try:
                    if self._here.signals:
                        self._here.handler(*self._here.signals.pop())
                    progress(operation.decode(), done, total)
                    return 0
                except BaseException as error:
                    self._here.raised = error
                    return 1
            limits.progress = dict(_c.RunLimits._fields_)["progress"](tell)
        _c.call("runtime_set_run_limits", self.handle, ctypes.byref(limits))
        self._progress = limits.progress

    @contextlib.contextmanager
    def _watched(self):
        """Wrap a C call that may call progress, and raise what progress raised. A signal that arrives during the call,
        such as Ctrl-C, is handled in progress or after the call."""
        here, signals = self._here, []
        here.raised, here.signals = None, signals
        handler = signal.getsignal(signal.SIGINT)
        is_kept = (self._progress is not None and callable(handler)
                   and threading.current_thread() is threading.main_thread())
        if is_kept:
            signal.signal(signal.SIGINT, lambda *what: signals.append(what))
            here.handler = handler
        try:
            yield
        except Error:
            raised, here.raised = here.raised, None
            if raised is not None:
                raise raised from None
            raise
        finally:
            if is_kept:
                signal.signal(signal.SIGINT, handler)
        if signals:
            handler(*signals.pop())

    def plan(self, operation, **desc):
        """Return the Plan for this description. Each is made once; the last 256 plans are kept."""
        key = (operation, *sorted(_types.fields(_operations.operation(operation), desc).items()))
        with self._lock:
            if key in self._plans:
                self._plans.move_to_end(key)
                return self._plans[key]
        made = Plan(operation, self, **desc)  # takes its time
        with self._lock:
            self._plans[key] = made
            while len(self._plans) > 256:
                self._plans.popitem(last=False)
        return made

    def __del__(self):
        if getattr(self, "_is_owned", False):
            _c.destroy("runtime", self.handle)


def _runtime(runtime):
    if not isinstance(runtime, Runtime):
        raise TypeError(f"runtime must be a clprim.Runtime, not {runtime!r}")
    return runtime


def operations():
    """The names of all operations, such as "radix_sort", for Plan and run.

    >>> clprim.operations()[:2]
    ['reduce', 'scan']
    """
    return list(_operations.operations())


def device_source(*names):
    """The text of headers of clprim/device, such as "work_group_scan.h": functions for kernels of one's own, to be put in
    front of them (docs/guides/device_functions.md).

    >>> "clprim_" in clprim.device_source("work_group_scan.h")
    True
    """
    lib = _c.library()
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"names must be strings, not {name!r}")
    texts = [lib.clprim_device_source(name.encode()) for name in names]
    if None in texts:
        raise _c.error_of(_c.INVALID_ARGUMENT, lib.clprim_last_error().decode())
    return b"".join(texts).decode()


def device_options(device):
    """The compiler's options for these headers, for a pyopencl.Device."""
    if not _arrays.is_of(device, "Device"):
        raise TypeError(f"device must be a pyopencl.Device, not {device!r}")
    options = ctypes.create_string_buffer(_c.DEVICE_OPTIONS_SIZE)
    _c.call("device_options", options, len(options), device.int_ptr)
    return options.value.decode()


class Plan:
    """An operation compiled for a device: Plan("radix_sort", runtime, key_type="f32", value_size=4).

    The keywords are the members of clprim_<operation>_desc. A type is clPRIM's name ("i64"), NumPy's name ("int64"), a
    class (numpy.int64) or a numpy.dtype. An enumerator is a name, C's in lower case without its prefix: op="sum",
    nan_order="last". A variant has the name that benchmarks and traces show: variant="onesweep"; sort_by_key, which has
    none of its own, takes the number of one of radix_sort's. `custom` is a dictionary of the members of
    clprim_custom_op; `initial` and `boundaries` are numbers. Default of runtime: Runtime.default().

    >>> clprim.Plan("radix_sort", key_type="f32", value_size=4).operation
    'radix_sort'
    """

    def __init__(self, operation, runtime=None, **desc):
        self.handle = ctypes.c_void_p()
        self.runtime = _runtime(runtime) if runtime is not None else Runtime.default()
        self._lock = threading.Lock()  # calls of C run beside each other, but not of one plan
        self._operation, made = _described(operation, desc)
        _c.call(self._operation.create, ctypes.byref(self.handle), self.runtime.handle, ctypes.byref(made))
        self._layout = _arrays.Layout(self._operation, made)

    def enqueue(self, queue, *, wait_for=None, **call):
        """Enqueue the operation on a pyopencl.CommandQueue (None: the runtime's own) and return its pyopencl.Event.

        The keywords are the members of clprim_<operation>_call: enqueue(queue, keys_in=a, count=n, keys_out=b). An
        array is a pyopencl.Buffer, a pair (buffer, offset in elements), or a pyopencl.array.Array; a member with
        several arrays is a list of these. What is left out, or None, is zeroed in C. A count that is left out follows
        from the size of an input, if that is an Array. The operation begins when the events of wait_for are complete.

        An Array must have the type that the plan was made for, and at least the length that the call needs. Outputs
        whose elements out_count counts, such as those of select and reduce_by_key, may be shorter: C writes what fits,
        and out_count says how many elements there are in all. For a Buffer C checks the size."""
        import pyopencl

        if queue is not None and not isinstance(queue, pyopencl.CommandQueue):
            raise TypeError(f"queue must be a pyopencl.CommandQueue or None, not {type(queue).__name__}")
        if not isinstance(wait_for, (list, tuple, type(None))) or not all(isinstance(event, pyopencl.Event)
                                                                          for event in wait_for or ()):
            raise TypeError("wait_for must be a list of pyopencl.Events")
        made = self._layout.device_call(call)
        waits = [event.int_ptr for event in wait_for or ()]
        done = ctypes.c_void_p()
        with self._lock:
            _c.call(self._operation.enqueue, self.handle, None if queue is None else queue.int_ptr, ctypes.byref(made),
                    len(waits), (ctypes.c_void_p * len(waits))(*waits) if waits else None, ctypes.byref(done))
        return pyopencl.Event.from_int_ptr(done.value, retain=False)

    @property
    def operation(self):
        """The operation's name."""
        return self._operation.name

    @property
    def variant(self):
        """The name of the variant that the plan uses, never "auto"."""
        return _c.library().clprim_plan_variant(self.handle).contents.name.decode()

    def scratch_size(self, **counts):
        """Bytes of scratch memory that a call with these counts takes: scratch_size(count=1000)."""
        size = ctypes.c_size_t()
        _c.call("plan_scratch_size", ctypes.byref(size), self.handle, ctypes.byref(self._layout.counts(counts)))
        return size.value

    def set_scratch(self, buffer):
        """Use this pyopencl.Buffer as scratch memory from now on. None: use the library's own."""
        if buffer is not None and not _arrays.is_of(buffer, "MemoryObjectHolder"):
            raise TypeError(f"scratch memory must be a pyopencl.Buffer or None, not {type(buffer).__name__}")
        with self._lock:
            _c.call("plan_set_scratch", self.handle, None if buffer is None else buffer.int_ptr)

    def __del__(self):
        _c.destroy("plan", self.__dict__.get("handle"))


def _described(operation, desc):
    """(the operation, the structure of its description)."""
    if not isinstance(desc, collections.abc.Mapping):
        raise TypeError(f'desc must be a dictionary such as {{"type": "f32"}}, not {desc!r}')
    found = _operations.operation(operation)
    return found, found.description(_types.fields(found, desc))


def _frozen(value):
    """A key that two values of a description share only if they mean the same: 1, True and 1.0 differ, and so do 0.0 and
    -0.0. Raises TypeError if there is none."""
    if isinstance(value, (list, tuple)):
        return (type(value), *map(_frozen, value))
    if not isinstance(value, (str, int, numpy.dtype, type, type(None))):
        raise TypeError
    return (type(value), value)


@functools.lru_cache(maxsize=256)
def _layout_of(frozen):
    return [None]  # to be filled by the first who asks


def _layout(operation, desc):
    """The Layout of a description. Those of descriptions of texts, integers and types are kept, for to make one takes as long
    as a small call."""
    try:
        kept = _layout_of((operation, *((name, _frozen(value)) for name, value in desc.items())))
    except (TypeError, AttributeError):
        kept = [None]
    if kept[0] is None:
        kept[0] = _arrays.Layout(*_described(operation, desc))
    return kept[0]


def run(operation, desc=None, *, runtime=None, **call):
    """Run an operation on NumPy arrays and wait for its result: run("radix_sort", {"key_type": "f32"}, keys_in=a,
    keys_out=a).

    desc is a dictionary of the members of clprim_<operation>_desc, as for Plan. The keywords are the members of
    clprim_<operation>_call; a member with several arrays is a list. What is left out, or None, is zeroed in C. A count
    that is left out follows from the size of an input.

    Every array is checked before the call. It must have the description's type and at least the length that the counts
    ask for, be contiguous, and be writeable if C writes to it. Nothing is converted. Outputs whose elements
    out_count counts, such as those of select and reduce_by_key, may be shorter: C writes what fits, and out_count says
    how many elements there are in all.

    >>> out = numpy.empty(4, numpy.int32)
    >>> clprim.run("merge", {"key_type": "i32"}, a_keys=numpy.int32([1, 4]), b_keys=numpy.int32([2, 3]), keys_out=out)
    >>> out
    array([1, 2, 3, 4], dtype=int32)
    """
    layout = _layout(operation, {} if desc is None else desc)
    made_call = layout.host_call(call)
    where = Runtime.default() if runtime is None else _runtime(runtime)
    with where._watched():
        _c.call(layout.operation.run, where.handle, ctypes.byref(layout.desc), ctypes.byref(made_call))


def run_distributed(operation, desc=None, *, comm, runtime=None, room=None, **call):
    """Run an operation on arrays that are distributed over several ranks:
    run_distributed("radix_sort", {"key_type": "f32"}, comm=comm, keys_in=mine, keys_out=mine).

    Collective: each rank calls it with its clprim.Communicator, the same description, and its own piece of the arrays,
    as it calls `run`. include/clprim/distributed.h says what each rank gets. If the output is distributed over the
    ranks, a rank gets as many elements as it passed, or `room` elements, and the function returns a Part. Otherwise it
    returns None.

    If a rank fails, the function raises on all ranks: on that rank what it raises there, on the others a clprim.Error
    that names the rank. If communication itself has failed, the others may wait forever: run such programs by
    `python3 -m mpi4py`, which ends all processes."""
    if not isinstance(comm, Communicator):
        raise TypeError(f"comm must be a clprim.Communicator, not {comm!r}")
    failure = None
    try:
        has_shares = _distributed.has_shares(operation)
        if room is not None and not has_shares:
            raise TypeError(f"{operation} takes no room: its output is not distributed over the ranks")
        found, made = _described(operation, {} if desc is None else desc)
        size = None if room is None else ctypes.c_size_t(whole("room", room))
        layout = _arrays.Layout(found, made)
        if has_shares and size is None and "a_count" in found.counts:
            counts = layout.counts(call)
            size = ctypes.c_size_t(counts.a_count + counts.b_count)
        made_call = layout.host_call(call, None if size is None else size.value)
        where = Runtime.default() if runtime is None else _runtime(runtime)
    except Exception as error:
        failure = error
    comm.agree(failure)
    part = _c.DistributedPart()
    shares = [None if size is None else ctypes.byref(size), ctypes.byref(part)] if has_shares else []
    with where._watched():
        comm.call(operation, where.handle, ctypes.byref(made), ctypes.byref(made_call), *shares)
    return Part(part.first, part.count, part.total) if has_shares else None
