# SPDX-License-Identifier: MIT
"""The C library by ctypes: the structures that describe its operations (clprim/operation.h), and the library itself.
What the operations are, and what they take, is read from the library's own tables: _operations.py."""
import ctypes
import ctypes.util
import functools
import importlib.util
import os
import pathlib
import shutil
import sys

VERSION = "0.2.0"  # of the headers that the structures below were made from

TYPES = ["default", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"]
KEY_TYPES = {"bf16": len(TYPES) + 1, "u128": len(TYPES) + 2}  # only for keys that are ordered
MEMBER_KINDS = ["type", "enum", "bool", "unsigned", "size", "double", "text", "data", "custom_op", "parameter",
                "input", "output", "uint64"]
INVALID_ARGUMENT, INVALID_OPERATOR, COMM_FAILED = -30001, -30006, -30013  # of clprim_status
# What there is for arrays in pieces on ranks: whether the ranks share the output, so that C takes `room` and `part`.
DISTRIBUTED = {"radix_sort": True, "sort_by_key": True, "select": True, "partition": True, "unique": True,
               "run_length_encode": True, "reduce_by_key": True, "merge": True, "set_operation": True, "shuffle": True,
               "reduce": False, "scan": False, "histogram": False, "top_k": False, "nth_element": False,
               "adjacent_difference": False, "transform": False, "find": False, "is_sorted": False}

DEVICE_OPTIONS_SIZE = 256

_HERE = pathlib.Path(__file__).resolve().parent
_OPENCL = ["/System/Library/Frameworks/OpenCL.framework/OpenCL"] if sys.platform == "darwin" else ["libOpenCL.so.1"]

_P = ctypes.c_void_p
_SIZE = ctypes.c_size_t
_TEXT = ctypes.c_char_p


def _structure(name, /, **fields):
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


Array = _structure("clprim_array", buffer=_P, offset=_SIZE, host=_P, length=_SIZE, svm=_P)
Parameter = _structure("clprim_parameter", name=_TEXT, type=ctypes.c_int, type_name=_TEXT, type_size=_SIZE,
                       is_array=ctypes.c_bool)
Element = _structure("clprim_element", size=_SIZE, type=ctypes.c_int)
Enumerator = _structure("clprim_enumerator", name=_TEXT, value=ctypes.c_int)
Member = _structure("clprim_member", name=_TEXT, summary=_TEXT, kind=ctypes.c_int, place=_SIZE, size=_SIZE,
                    enumerators=ctypes.POINTER(Enumerator), repeat=_SIZE,
                    element=ctypes.CFUNCTYPE(Element, _P, _SIZE), length=ctypes.CFUNCTYPE(_SIZE, _P, _P),
                    in_place_of=_TEXT, counted_by=_TEXT, is_whole=ctypes.CFUNCTYPE(ctypes.c_bool, _P),
                    is_read=ctypes.CFUNCTYPE(ctypes.c_bool, _P),
                    is_value=ctypes.CFUNCTYPE(ctypes.c_bool, _P, _SIZE), is_optional=ctypes.c_bool,
                    is_partial=ctypes.c_bool, is_needed=ctypes.CFUNCTYPE(ctypes.c_bool, _P),
                    may_be_short=ctypes.c_bool)
VariantInfo = _structure("clprim_variant_info", id=ctypes.c_int, name=_TEXT, summary=_TEXT, needs=_TEXT, origin=_TEXT,
                         keeps_order=ctypes.c_bool)
Operation = _structure("clprim_operation", name=_TEXT, summary=_TEXT, desc_size=_SIZE, call_size=_SIZE,
                       desc_members=ctypes.POINTER(Member), call_members=ctypes.POINTER(Member),
                       variants=ctypes.CFUNCTYPE(ctypes.POINTER(VariantInfo), ctypes.POINTER(_SIZE)),
                       create=ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_P), _P, _P),
                       enqueue=ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, _P, ctypes.c_uint, ctypes.POINTER(_P),
                                                ctypes.POINTER(_P)),
                       run=ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, _P))
CustomOp = _structure("clprim_custom_op", type_name=_TEXT, type_size=_SIZE, source=_TEXT, combine=_TEXT,
                      identity=_TEXT, non_commutative=ctypes.c_bool)
RuntimeDesc = _structure("clprim_runtime_desc", select=_TEXT, context=_P, device=_P, queue=_P,
                         profiling=ctypes.c_bool)
RunLimits = _structure("clprim_run_limits", device_memory=_SIZE, allocate=ctypes.CFUNCTYPE(_P, _P, _SIZE),
                       release=ctypes.CFUNCTYPE(None, _P, _P, _SIZE),
                       progress=ctypes.CFUNCTYPE(ctypes.c_int, _P, _TEXT, _SIZE, _SIZE), user=_P)
DeviceInfo = _structure("clprim_device_info", index=_SIZE, platform=_P, device=_P,
                        name=ctypes.c_char * 128)  # the beginning of it
Comm = _structure("clprim_comm", rank=ctypes.c_uint, size=ctypes.c_uint, user=_P,
                  all_gather=ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, _SIZE, _P),
                  all_reduce_sum=ctypes.CFUNCTYPE(ctypes.c_int, _P, ctypes.POINTER(ctypes.c_uint64), _SIZE),
                  all_to_all=ctypes.CFUNCTYPE(ctypes.c_int, _P, _P, ctypes.POINTER(_SIZE), _P, ctypes.POINTER(_SIZE)),
                  abort=ctypes.CFUNCTYPE(None, _P),
                  share=ctypes.CFUNCTYPE(ctypes.c_int, _P, _SIZE, ctypes.POINTER(_P), ctypes.POINTER(_P),
                                       ctypes.POINTER(ctypes.c_uint64)))
DistributedPart = _structure("clprim_distributed_part", first=ctypes.c_uint64, count=_SIZE, total=ctypes.c_uint64)

# The functions that are not in the tables: what each returns, and its arguments.
_FUNCTIONS = {
    "operations": (ctypes.POINTER(ctypes.POINTER(Operation)), [ctypes.POINTER(_SIZE)]),
    "plan_destroy": (None, [_P]),
    "plan_scratch_size": (ctypes.c_int, [ctypes.POINTER(_SIZE), _P, _P]),
    "plan_set_scratch": (ctypes.c_int, [_P, _P]),
    "plan_variant": (ctypes.POINTER(VariantInfo), [_P]),
    "runtime_create": (ctypes.c_int, [ctypes.POINTER(_P), _P]),
    "runtime_default": (ctypes.c_int, [ctypes.POINTER(_P)]),
    "runtime_destroy": (None, [_P]),
    "runtime_of": (ctypes.c_int, [ctypes.POINTER(_P), _P]),
    "runtime_set_run_limits": (ctypes.c_int, [_P, ctypes.POINTER(RunLimits)]),
    "runtime_info": (ctypes.POINTER(DeviceInfo), [_P]),
    "last_error": (_TEXT, []),
    "device_source": (_TEXT, [_TEXT]),
    "device_options": (ctypes.c_int, [_P, _SIZE, _P]),
    "comm_threads_create": (ctypes.c_int, [_P, ctypes.c_uint]),
    "comm_threads_destroy": (None, [_P]),
    **{f"distributed_{name}": (ctypes.c_int, [_P] * (6 if has_shares else 4))
       for name, has_shares in DISTRIBUTED.items()},
}


class Error(RuntimeError):
    """A call of the C library failed. `status` is its number (include/clprim/status.h), `sentence` says why."""

    def __init__(self, status, sentence):
        super().__init__(status, sentence)
        self.status = status
        self.sentence = sentence

    def __str__(self):
        return f"{self.sentence} ({self.status})"


class InvalidArgument(Error, ValueError):
    """The C library refused an argument (CLPRIM_INVALID_*): nothing was enqueued and nothing was written."""


def error_of(status, sentence):
    """The exception for a status of C."""
    is_refused = INVALID_OPERATOR <= status <= INVALID_ARGUMENT
    return (InvalidArgument if is_refused else Error)(status, sentence)


def _candidates():
    """Where the library may be: CLPRIM_LIBRARY alone if it is set, else beside this module, else where the system
    looks."""
    named = os.environ.get("CLPRIM_LIBRARY")
    if named:
        return [named]
    stem = ".".join(VERSION.split(".")[:2])
    names = {"win32": ["libclprim.dll", "clprim.dll"], "darwin": [f"libclprim.{stem}.dylib", "libclprim.dylib"]}
    names = names.get(sys.platform, [f"libclprim.so.{stem}", "libclprim.so"])
    found = [str(_HERE / name) for name in names if (_HERE / name).exists()] + names
    return found + [name for name in [ctypes.util.find_library("clprim")] if name]


class _NoOpenCL(OSError):
    pass


def _load(path):
    """A library of clPRIM's. The one beside this module, in a wheel, is not linked with OpenCL's loader: it uses the one
    that PyOpenCL's wheel has inside, if that is installed, so that both see the same devices, or else the system's.
    PoCL's wheel links kernels by `ld` with gcc's libraries. Where the system lacks either, ld/ld calls the linker in
    PyPI's ziglang. Its folder is then the first in PATH, so that programs which this process starts find that `ld`, too."""
    is_inside = pathlib.Path(path).parent == _HERE
    if sys.platform == "win32" and is_inside:
        try:
            return ctypes.CDLL(path)
        except FileNotFoundError as problem:
            raise _NoOpenCL(f"{path} finds no OpenCL.dll: install a driver for your device ({problem})") from None
    if not is_inside:
        return ctypes.CDLL(path)
    spec = importlib.util.find_spec("pyopencl")
    loaders = [str(found) for folder in getattr(spec, "submodule_search_locations", None) or []
               for pattern in ("pyopencl/.libs/libOpenCL*", "pyopencl.libs/libOpenCL*")
               for found in pathlib.Path(folder).parent.glob(pattern)]
    if loaders:
        import pyopencl  # noqa: F401  # which tells its loader where PoCL's wheel is
        can_link = shutil.which("ld") and any(pathlib.Path("/usr").glob("lib*/gcc/x86_64*linux*/*/libgcc.a"))
        if not can_link and (_HERE.parent / "ziglang").exists():
            os.environ["PATH"] = os.pathsep.join([str(_HERE / "ld"), os.environ.get("PATH", os.defpath)])
    for loader in [*loaders, *_OPENCL]:
        try:
            ctypes.CDLL(loader, ctypes.RTLD_GLOBAL)
            return ctypes.CDLL(path)
        except OSError as problem:
            last = problem
    raise _NoOpenCL(f"{path} finds no OpenCL: install a driver for your device, or PoCL for the CPU by "
                    f'pip install "clprim[pocl]" ({last})')


def _same(version):
    """The part of a version that compatible versions share: 1.2 of "1.2.3" or of CLPRIM_VERSION, 10203."""
    if isinstance(version, str):
        return tuple(int(part) for part in version.split(".")[:2])
    return version // 10000, version // 100 % 100


@functools.lru_cache(maxsize=None)
def library():
    """libclprim, loaded at the first use."""
    problems = []
    for path in _candidates():
        try:
            lib = _load(path)
            break
        except _NoOpenCL as problem:
            raise ImportError(str(problem)) from None
        except OSError as problem:
            problems.append(str(problem))
    else:
        raise ImportError("libclprim was not found; CLPRIM_LIBRARY may say where it is: " + "; ".join(problems))
    if not hasattr(lib, "clprim_version") or _same(lib.clprim_version()) != _same(VERSION):
        raise ImportError(f"{path} is another version of libclprim than this module, {VERSION}, was written for")
    if not hasattr(lib, "clprim_operations"):
        raise ImportError(f"{path} is not the whole library: it has no clprim_operations")
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(lib, f"clprim_{name}")
        function.restype, function.argtypes = result, arguments
    return lib


_is_used = False  # this process has called the library
_is_child = False  # this process was forked from one that had


def _after_fork():
    global _is_child
    _is_child = _is_used


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def call(function, *arguments):
    """Call a function of C, by its name without clprim_ or as a table has it. Its failure becomes an Error."""
    global _is_used
    if _is_child:
        raise RuntimeError('OpenCL does not survive a fork, and clPRIM was used before this process was forked: start '
                           'processes with multiprocessing.get_context("spawn"), or use clPRIM only in the children')
    lib = library()
    _is_used = True
    status = (getattr(lib, f"clprim_{function}") if isinstance(function, str) else function)(*arguments)
    if status != 0:
        raise error_of(status, lib.clprim_last_error().decode(errors="replace"))


def destroy(name, handle):
    """Call clprim_<name>_destroy(handle). Not while Python exits, and not in a forked process."""
    if handle and not _is_child and not sys.is_finalizing():
        getattr(library(), f"clprim_{name}_destroy")(handle)
