"""The C interface by ctypes: its descriptions and functions as tables, which tests/test_python.py holds against the
headers, and the library itself."""
import ctypes
import ctypes.util
import functools
import os
import pathlib
import sys

VERSION = "0.1.0"  # of the headers that the tables were made from

TYPES = ["default", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"]
OPS = ["sum", "prod", "min", "max", "and", "or", "xor", "argmin", "argmax"]
NAN_ORDERS = ["total", "last"]
HISTOGRAM_MAPPINGS = ["identity", "even", "boundaries", "custom"]

KINDS = {"type": ctypes.c_int, "op": ctypes.c_int, "enum": ctypes.c_int, "size": ctypes.c_size_t,
         "sizes": ctypes.c_size_t * 16, "unsigned": ctypes.c_uint, "bool": ctypes.c_bool, "double": ctypes.c_double,
         "text": ctypes.c_char_p, "pointer": ctypes.c_void_p, "name": ctypes.c_char * 128}

_ORDER = "type type; text less source type_name; size type_size; bool descending; enum nan_order"

# What each structure has, as "kind field field...; ...", in C's order. Those without a space are clprim_<name>_desc.
STRUCTS = {
    "runtime": "text select; pointer context device queue; bool profiling",
    "reduce": "type type; op op; type accumulator_type; pointer custom; enum nan_order variant; bool reproducible; "
              "size work_group_size items_per_work_item",
    "scan": "type type; op op; type accumulator_type; pointer custom; enum nan_order; bool exclusive; pointer initial; "
            "enum segments; type segments_type; enum variant; bool reproducible; "
            "size work_group_size items_per_work_item banks",
    "histogram": "type type; enum mapping; size bins; double low high; pointer boundaries; text bin_of source; "
                 "unsigned channels active_channels; type weights_type counter_type; size max_count; bool accumulate; "
                 "enum variant; size work_group_size",
    "radix_sort": "type key_type; size value_size; bool argsort descending; enum nan_order; bool bit_range; "
                  "unsigned begin_bit end_bit; enum variant; size work_group_size max_count",
    "bitonic_sort": _ORDER + "; size value_size max_count; bool segmented; type offsets_type; enum variant; "
                    "size work_group_size",
    "comparison_sort": _ORDER + "; bool stable in_place_only; size value_size max_count; enum variant; "
                       "size work_group_size",
    "sort_by_key": "type key_type; bool descending; enum nan_order; bool bit_range; unsigned begin_bit end_bit; "
                   "bool values_only; size num_arrays; sizes element_sizes; enum variant; size work_group_size max_count",
    "segmented_sort": "type key_type; size value_size; bool argsort descending; enum nan_order; type offsets_type; "
                      "size max_count max_segments max_segment_size; enum variant; size work_group_size",
    "select": "type type; text predicate source type_name; size type_size; type flags_type; bool partition; "
              "enum variant; size work_group_size items_per_work_item",
    "unique": "type type; text equal source type_name; size type_size; enum variant",
    "run_length_encode": "type type lengths_type; enum variant; size max_count",
    "reduce_by_key": "type key_type type; op op; type accumulator_type; pointer custom; enum nan_order variant; "
                     "size max_count",
    "top_k": "type key_type; size k; bool smallest; enum nan_order; size value_size; bool indices unsorted; "
             "enum variant; size work_group_size max_count",
    "merge": _ORDER + "; size value_size max_count; enum variant; size work_group_size",
    "is_sorted": _ORDER + "; type index_type; enum variant; size work_group_size",
    "search": _ORDER + "; enum bound; type index_type; bool needles_are_sorted; enum variant; size work_group_size",
    "clprim_custom_op": "text type_name; size type_size; text source combine identity; bool non_commutative",
    "clprim_sort_by_key_array": "pointer in; size in_offset; pointer out; size out_offset",
    "clprim_device_info": "size index; pointer platform device; name name",  # the beginning of it
}

# The arguments of each function, in C's order, by their names in the headers. A name is an array (see ARRAYS below), a
# count, `arrays` (sort_by_key's list of arrays), or R: the runtime and the description. Enqueuing functions take an
# offset after each array.
CALLS = {
    "reduce": {"enqueue": "in count out", "host": "out R in count"},
    "scan": {"enqueue": "in count out", "enqueue_segments": "in count heads out", "host": "out R in heads count"},
    "histogram": {"enqueue": "in count out outside", "enqueue_weighted": "in count weights out outside",
                  "host": "out outside R in weights count"},
    "radix_sort": {"enqueue": "keys_in count keys_out",
                   "enqueue_pairs": "keys_in values_in count keys_out values_out",
                   "host": "keys_out values_out R count"},
    "bitonic_sort": {"enqueue": "keys_in count keys_out",
                     "enqueue_pairs": "keys_in values_in count keys_out values_out",
                     "enqueue_segments": "keys_in values_in count offsets num_segments keys_out values_out",
                     "host": "keys_out values_out R count"},
    "comparison_sort": {"enqueue": "keys_in count keys_out",
                        "enqueue_pairs": "keys_in values_in count keys_out values_out",
                        "host": "keys_out values_out R count"},
    "sort_by_key": {"enqueue": "keys_in count keys_out arrays", "host": "keys_out arrays R count"},
    "segmented_sort": {"enqueue": "keys_in count offsets num_segments keys_out",
                       "enqueue_pairs": "keys_in values_in count offsets num_segments keys_out values_out",
                       "host": "keys_out values_out R count offsets num_segments"},
    "select": {"enqueue": "in count out selected", "enqueue_flagged": "in count flags out selected",
               "host": "out selected R in flags count"},
    "unique": {"enqueue": "in count out selected", "host": "out selected R in count"},
    "run_length_encode": {"enqueue": "in count out lengths runs", "host": "out lengths runs R in count"},
    "reduce_by_key": {"enqueue": "keys_in values_in count keys_out values_out runs",
                      "host": "keys_out values_out runs R keys_in values_in count"},
    "top_k": {"enqueue": "keys_in count keys_out", "enqueue_pairs": "keys_in values_in count keys_out values_out",
              "host": "keys_out values_out R keys_in values_in count"},
    "merge": {"enqueue": "a a_count b b_count out",
              "enqueue_pairs": "a a_values a_count b b_values b_count out out_values",
              "host": "out out_values R a a_values a_count b b_values b_count"},
    "is_sorted": {"enqueue": "in count out", "host": "in_order until R in count"},
    "search": {"enqueue": "in count needles num_needles out", "host": "out R in count needles num_needles"},
}
CALLS = {stem: {call: names.split() for call, names in calls.items()} for stem, calls in CALLS.items()}

# What those arrays hold, as "name element length; ...". The type after a colon is the description's default.
# _types.need_of() resolves elements, _arrays._LENGTHS lengths.
_PAIRS = "keys_in {0} count; values_in value count; keys_out {0} count; values_out value count"
ARRAYS = {
    "reduce": "in folded:i32 count; out result:i32 1",
    "scan": "in folded:i32 count; heads heads count; out result:i32 count",
    "histogram": "in type:u8 channels; weights weights_type count; out counter bins; outside u64 active",
    "radix_sort": _PAIRS.format("key_type:u32"),
    "bitonic_sort": _PAIRS.format("element:u32") + "; offsets offsets_type:u32 offsets",
    "comparison_sort": _PAIRS.format("element:u32"),
    "sort_by_key": "keys_in key_type:u32 count; keys_out key_type:u32 count",
    "segmented_sort": _PAIRS.format("key_type:u32") + "; offsets offsets_type:u32 offsets",
    "select": "in element:i32 count; flags flags_type:u8 count; out element:i32 count; selected size 1",
    "unique": "in element:i32 count; out element:i32 count; selected size 1",
    "run_length_encode": "in type:i32 count; out type:i32 count; lengths lengths_type:u32 count; runs size 1",
    "reduce_by_key": "keys_in key_type:i32 count; values_in folded:i32 count; keys_out key_type:i32 count; "
                     "values_out result:i32 count; runs size 1",
    "top_k": "keys_in key_type:u32 count; values_in value count; keys_out key_type:u32 k; values_out value k",
    "merge": "a element:u32 a_count; a_values value a_count; b element:u32 b_count; b_values value b_count; "
             "out element:u32 both; out_values value both",
    "is_sorted": "in element:u32 count; out index_type:u32 1; in_order bool 1; until size 1",
    "search": "in element:u32 count; needles element:u32 num_needles; out index_type:u32 num_needles",
}
ARRAYS = {stem: {name: (element, length) for name, element, length in (row.split() for row in rows.split(";"))}
          for stem, rows in ARRAYS.items()}
WRITTEN = {"out", "outside", "keys_out", "values_out", "out_values", "selected", "lengths", "runs", "in_order", "until"}
WITHOUT_SCRATCH = ["bitonic_sort", "merge", "search"]

_P = ctypes.c_void_p


def _signature(stem, call):
    """The ctypes of a function's arguments, except plan, queue, wait list and event."""
    offset = [] if call == "host" else [ctypes.c_size_t]
    kinds = {"R": [_P, _P], "arrays": [_P], **{name: [_P, *offset] for name in ARRAYS[stem]}}
    return [kind for name in CALLS[stem][call] for kind in kinds.get(name, [ctypes.c_size_t])]


class Error(RuntimeError):
    """A call of the C library failed. `status` is its number (include/clprim/status.h), `sentence` says why."""

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


@functools.lru_cache(maxsize=None)
def kinds_of(name):
    """{field: kind}, in order."""
    return {field: kind for kind, *names in (part.split() for part in STRUCTS[name].split(";")) for field in names}


def description(name, fields):
    """The structure `name` with these fields set; it keeps alive what its pointers point to. The values come from
    _types.fields(): types and operators are names, arrays are bytes, a structure is a tuple of (field, value) pairs."""
    desc = STRUCTURES[name]()
    desc.kept = []  # lives as long as the structure
    kinds = kinds_of(name)
    for field, value in fields.items():
        if kinds[field] == "text":
            value = value.encode()
        elif kinds[field] == "type":
            value = TYPES.index(value)
        elif kinds[field] == "op":
            value = OPS.index(value)
        elif kinds[field] == "sizes":
            value = KINDS["sizes"](*value)
        elif isinstance(value, bytes):
            desc.kept.append(ctypes.create_string_buffer(value, len(value)))
            value = ctypes.addressof(desc.kept[-1])
        elif isinstance(value, tuple):
            desc.kept.append(description("clprim_custom_op", dict(value)))
            value = ctypes.addressof(desc.kept[-1])
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
    for stem, calls in CALLS.items():
        signatures = {"create": [pointer_out, _P, _P], "destroy": [_P], "host": _signature(stem, "host")}
        if stem not in WITHOUT_SCRATCH:
            signatures["scratch_size"] = [size_out, _P, ctypes.c_size_t]
            signatures["set_scratch"] = [_P, _P]
        for name in calls.keys() - {"host"}:
            signatures[name] = [_P, _P, *_signature(stem, name), ctypes.c_uint, pointer_out, pointer_out]
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


_is_used = False  # this process has called the library
_is_child = False  # this process was forked from one that had


def _after_fork():
    global _is_child
    _is_child = _is_used


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def call(name, *arguments):
    """clprim_<name>(...), whose failure becomes an Error."""
    global _is_used
    if _is_child:
        raise RuntimeError('OpenCL does not survive a fork, and clPRIM was used before this process was forked: start '
                           'processes with multiprocessing.get_context("spawn"), or use clPRIM only in the children')
    lib = library()
    _is_used = True
    status = getattr(lib, f"clprim_{name}")(*arguments)
    if status != 0:
        raise Error(status, lib.clprim_last_error().decode(errors="replace"))


def destroy(name, handle):
    """Call clprim_<name>_destroy(handle). Not while Python exits, and not in a forked process."""
    if handle and not _is_child and not sys.is_finalizing():
        getattr(library(), f"clprim_{name}_destroy")(handle)
