"""The C interface by ctypes: its descriptions and functions as tables, which tests/test_python.py holds against the
headers, and the library itself."""
import ctypes
import ctypes.util
import functools
import operator
import os
import pathlib
import sys

VERSION = "0.1.0"  # of the headers that the tables were made from

TYPES = ["default", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"]
OPS = ["sum", "prod", "min", "max", "and", "or", "xor", "argmin", "argmax"]
HISTOGRAM_MAPPINGS = ["identity", "even", "boundaries", "custom"]

KINDS = {"type": ctypes.c_int, "op": ctypes.c_int, "enum": ctypes.c_int, "size": ctypes.c_size_t,
         "sizes": ctypes.c_size_t * 16, "unsigned": ctypes.c_uint, "bool": ctypes.c_bool, "double": ctypes.c_double,
         "text": ctypes.c_char_p, "pointer": ctypes.c_void_p, "name": ctypes.c_char * 128}

_ORDER = "type type; text less source type_name; size type_size; bool descending"

# What each structure has, as "kind field field...; ...", in C's order. Those without a space are clprim_<name>_desc.
STRUCTS = {
    "runtime": "text select; pointer context device queue; bool profiling",
    "reduce": "type type; op op; type accumulator_type; pointer custom; enum variant; bool reproducible; "
              "size work_group_size items_per_work_item",
    "scan": "type type; op op; type accumulator_type; pointer custom; bool exclusive; pointer initial; enum segments; "
            "type segments_type; enum variant; bool reproducible; size work_group_size items_per_work_item banks",
    "histogram": "type type; enum mapping; size bins; double low high; pointer boundaries; text bin_of source; "
                 "unsigned channels active_channels; type weights_type counter_type; size max_count; bool accumulate; "
                 "enum variant; size work_group_size",
    "radix_sort": "type key_type; size value_size; bool argsort descending bit_range; unsigned begin_bit end_bit; enum variant; "
                  "size work_group_size max_count",
    "bitonic_sort": _ORDER + "; size value_size max_count; bool segmented; type offsets_type; enum variant; "
                    "size work_group_size",
    "comparison_sort": _ORDER + " stable in_place_only; size value_size max_count; enum variant; size work_group_size",
    "sort_by_key": "type key_type; bool descending bit_range; unsigned begin_bit end_bit; bool values_only; size num_arrays; "
                   "sizes element_sizes; enum variant; size work_group_size max_count",
    "segmented_sort": "type key_type; size value_size; bool argsort descending; type offsets_type; "
                      "size max_count max_segments max_segment_size; enum variant; size work_group_size",
    "select": "type type; text predicate source type_name; size type_size; type flags_type; bool partition; "
              "enum variant; size work_group_size items_per_work_item",
    "unique": "type type; text equal source type_name; size type_size; enum variant",
    "run_length_encode": "type type lengths_type; enum variant; size max_count",
    "reduce_by_key": "type key_type type; op op; type accumulator_type; pointer custom; enum variant; size max_count",
    "top_k": "type key_type; size k; bool smallest; size value_size; bool indices unsorted; enum variant; "
             "size work_group_size max_count",
    "merge": _ORDER + "; size value_size max_count; enum variant; size work_group_size",
    "is_sorted": _ORDER + "; type index_type; enum variant; size work_group_size",
    "search": _ORDER + "; enum bound; type index_type; bool needles_are_sorted; enum variant; size work_group_size",
    "clprim_custom_op": "text type_name; size type_size; text source combine identity; bool non_commutative",
    "clprim_sort_by_key_array": "pointer in; size in_offset; pointer out; size out_offset",
    "clprim_device_info": "size index; pointer platform device; name name",  # the beginning of it
}

# What the enqueuing functions take between queue and wait list: m a buffer and its offset, n a count, a an array of
# clprim_sort_by_key_array.
ENQUEUE = {
    "reduce": {"enqueue": "mnm"},
    "scan": {"enqueue": "mnm", "enqueue_segments": "mnmm"},
    "histogram": {"enqueue": "mnmm", "enqueue_weighted": "mnmmm"},
    "radix_sort": {"enqueue": "mnm", "enqueue_pairs": "mmnmm"},
    "bitonic_sort": {"enqueue": "mnm", "enqueue_pairs": "mmnmm", "enqueue_segments": "mmnmnmm"},
    "comparison_sort": {"enqueue": "mnm", "enqueue_pairs": "mmnmm"},
    "sort_by_key": {"enqueue": "mnma"},
    "segmented_sort": {"enqueue": "mnmnm", "enqueue_pairs": "mmnmnmm"},
    "select": {"enqueue": "mnmm", "enqueue_flagged": "mnmmm"},
    "unique": {"enqueue": "mnmm"},
    "run_length_encode": {"enqueue": "mnmmm"},
    "reduce_by_key": {"enqueue": "mmnmmm"},
    "top_k": {"enqueue": "mnm", "enqueue_pairs": "mmnmm"},
    "merge": {"enqueue": "mnmnm", "enqueue_pairs": "mmnmmnmm"},
    "is_sorted": {"enqueue": "mnm"},
    "search": {"enqueue": "mnmnm"},
}

# What the functions on host arrays take: o an output, i an input, a pointers to outputs, n a count, s b u where to put
# a size_t, a bool or uint64_t's, R the runtime and the description.
HOST = {
    "reduce": "oRin", "scan": "oRiin", "histogram": "ouRiin", "radix_sort": "ooRn", "bitonic_sort": "ooRn",
    "comparison_sort": "ooRn", "sort_by_key": "oaRn", "segmented_sort": "ooRnin", "select": "osRiin", "unique": "osRin",
    "run_length_encode": "oosRin", "reduce_by_key": "oosRiin", "top_k": "ooRiin", "merge": "ooRiiniin",
    "is_sorted": "bsRin", "search": "oRinin",
}
WITHOUT_SCRATCH = ["bitonic_sort", "merge", "search"]

_P = ctypes.c_void_p
ARGUMENTS = {"m": [_P, ctypes.c_size_t], "n": [ctypes.c_size_t], "a": [_P], "o": [_P], "i": [_P],
             "s": [ctypes.POINTER(ctypes.c_size_t)], "b": [ctypes.POINTER(ctypes.c_bool)],
             "u": [ctypes.POINTER(ctypes.c_uint64)], "R": [_P, _P]}


class Error(RuntimeError):
    """A function of clPRIM's failed: its status, by number, and what clprim_last_error() said."""

    def __init__(self, status, sentence):
        super().__init__(status, sentence)
        self.status = status
        self.sentence = sentence

    def __str__(self):
        return f"{self.sentence} ({self.status})"


def _structure(name):
    fields = [(field, KINDS[kind]) for kind, *names in (part.split() for part in STRUCTS[name].split(";"))
              for field in names]
    return type(name, (ctypes.Structure,), {"_fields_": fields})


STRUCTURES = {name: _structure(name) for name in STRUCTS}


def kinds_of(name):
    """{field: kind}, in order."""
    return {field: kind for kind, *names in (part.split() for part in STRUCTS[name].split(";")) for field in names}


def description(name, fields):
    """The structure `name` with these fields set, and by them what its pointers point to. Texts are copied; arrays are
    handed in as bytes."""
    desc = STRUCTURES[name]()
    desc.kept = []  # lives as long as the structure
    kinds = kinds_of(name)
    for field, value in fields.items():
        if field not in kinds:
            raise TypeError(f"{name} has no {field}: it has {', '.join(kinds)}")
        if value is None:
            continue
        if kinds[field] == "text":
            value = value.encode()
        elif kinds[field] in ("size", "unsigned"):
            value = operator.index(value)  # also numpy's
        elif kinds[field] == "double":
            value = float(value)
        elif kinds[field] == "sizes":
            value = KINDS["sizes"](*value)
        elif isinstance(value, bytes):
            desc.kept.append(ctypes.create_string_buffer(value, len(value)))
            value = ctypes.addressof(desc.kept[-1])
        elif isinstance(value, ctypes.Structure):
            desc.kept.append(value)
            value = ctypes.addressof(value)
        setattr(desc, field, value)
    return desc


def _candidates():
    """Where the library may be: CLPRIM_LIBRARY alone if it is set, else beside this module, else where the system
    looks."""
    named = os.environ.get("CLPRIM_LIBRARY")
    if named:
        return [named]
    stem = ".".join(VERSION.split(".")[:2])
    names = {"win32": ["clprim.dll"], "darwin": [f"libclprim.{stem}.dylib", "libclprim.dylib"]}
    names = names.get(sys.platform, [f"libclprim.so.{stem}", "libclprim.so"])
    here = pathlib.Path(__file__).resolve().parent
    found = [str(here / name) for name in names if (here / name).exists()] + names
    return found + [name for name in [ctypes.util.find_library("clprim")] if name]


def _same(version):
    """What two versions have in common whose descriptions are the same: 1.2 of "1.2.3" or of CLPRIM_VERSION, 10203."""
    if isinstance(version, str):
        return tuple(int(part) for part in version.split(".")[:2])
    return version // 10000, version // 100 % 100


@functools.lru_cache(maxsize=None)
def library():
    """libclprim, loaded at the first use."""
    problems = []
    for path in _candidates():
        try:
            lib = ctypes.CDLL(path)
            break
        except OSError as problem:
            problems.append(str(problem))
    else:
        raise ImportError("libclprim was not found; CLPRIM_LIBRARY may say where it is: " + "; ".join(problems))
    if not hasattr(lib, "clprim_version") or _same(lib.clprim_version()) != _same(VERSION):
        raise ImportError(f"{path} is another version of libclprim than this module, {VERSION}, was written for")
    pointer_out = ctypes.POINTER(_P)
    size_out = ctypes.POINTER(ctypes.c_size_t)
    for stem, calls in ENQUEUE.items():
        signatures = {"create": [pointer_out, _P, _P], "destroy": [_P],
                      "host": sum((ARGUMENTS[letter] for letter in HOST[stem]), [])}
        if stem not in WITHOUT_SCRATCH:
            signatures["scratch_size"] = [size_out, _P, ctypes.c_size_t]
            signatures["set_scratch"] = [_P, _P]
        for name, letters in calls.items():
            signatures[name] = [_P, _P, *sum((ARGUMENTS[letter] for letter in letters), []), ctypes.c_uint,
                                pointer_out, pointer_out]
        for name, arguments in signatures.items():
            getattr(lib, f"clprim_{stem}_{name}").argtypes = arguments
            getattr(lib, f"clprim_{stem}_{name}").restype = None if name == "destroy" else ctypes.c_int
    lib.clprim_runtime_create.argtypes = [pointer_out, _P]
    lib.clprim_runtime_default.argtypes = [pointer_out]
    lib.clprim_runtime_destroy.argtypes = [_P]
    lib.clprim_runtime_destroy.restype = None
    lib.clprim_runtime_info.argtypes = [_P]
    lib.clprim_runtime_info.restype = ctypes.POINTER(STRUCTURES["clprim_device_info"])
    lib.clprim_version_text.argtypes = []
    lib.clprim_version_text.restype = ctypes.c_char_p
    lib.clprim_last_error.argtypes = []
    lib.clprim_last_error.restype = ctypes.c_char_p
    return lib


def call(name, *arguments):
    """clprim_<name>(...), whose failure becomes an Error."""
    lib = library()
    status = getattr(lib, f"clprim_{name}")(*arguments)
    if status != 0:
        raise Error(status, lib.clprim_last_error().decode(errors="replace"))
