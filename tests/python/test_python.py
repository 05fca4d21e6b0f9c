#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bindings/python against numpy, on numpy's and PyOpenCL's arrays, and its structures against the headers. CTest runs
it with CLPRIM_LIBRARY set, CLPRIM_TEST_CC and CLPRIM_TEST_INCLUDES for the headers, and the operations in
CLPRIM_TEST_STEMS."""
import concurrent.futures
import ctypes
import functools
import gc
import os
import pathlib
import pydoc
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "bindings" / "python")]
import system_python

system_python.need("numpy", "pyopencl")
import numpy
import pyopencl
import pyopencl.array

import clprim
from clprim import device
from clprim import _arrays, _c, _operations, _types
from orders import order, specials

N = 3001
RNG = numpy.random.default_rng(7)

WRONG = (TypeError, ValueError)

CONTEXT = pyopencl.Context([next(device for platform in pyopencl.get_platforms() for device in platform.get_devices())])
QUEUE = pyopencl.CommandQueue(CONTEXT)
RUNTIME = clprim.Runtime(context=CONTEXT)

C_TYPES = {ctypes.c_size_t: "size_t", ctypes.c_bool: "_Bool", ctypes.c_char_p: "const char *",
           ctypes.c_int: "clprim_status"}  # as a result: members with this type are enumerations


def c_type(kind):
    if hasattr(kind, "contents"):
        return f"{c_type(kind._type_)} const *"
    return C_TYPES.get(kind) or kind.__name__


def kind_in_c(expression, kind):
    """Properties that must hold in C: an expression and its value. (Sizes alone would not distinguish a text from a
    pointer, or functions from each other.)"""
    is_called = hasattr(kind, "_restype_")
    if is_called:
        given = ", ".join("number" if argument in (ctypes.c_size_t, ctypes.c_uint) else "pointer"
                          for argument in kind._argtypes_)
        expression, kind = f"{expression}({given})", kind._restype_
    if kind is None:
        return {f"sizeof(({expression}, 1))": ctypes.sizeof(ctypes.c_int)}
    if kind is ctypes.c_void_p:
        return {f"_Generic({expression}, const char *: 0, default: 1)": 1}
    if is_called or hasattr(kind, "contents") or kind in C_TYPES and kind is not ctypes.c_int:
        return {f"_Generic({expression}, {c_type(kind)}: 1, default: 0)": 1}
    return {}


class Headers(unittest.TestCase):
    """The structures match a C compiler's view of them. tests/contract tests the library's tables."""

    def equal(self, numbers):
        """The expressions in C have these values."""
        text = "".join(f'_Static_assert({expression} == {number}, "{expression}");\n'
                       for expression, number in numbers.items())
        text = f"#include <clprim/clprim.h>\n#include <stddef.h>\nextern void *pointer; extern size_t number;\n{text}"
        includes = [f"-I{path}" for path in os.environ["CLPRIM_TEST_INCLUDES"].split(":") if path]
        command = [*shlex.split(os.environ["CLPRIM_TEST_CC"]), *includes, "-std=c11", "-Wall", "-Werror"]
        done = subprocess.run([*command, "-fsyntax-only", "-xc", "-"], input=text, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_structures(self):
        said = {}
        for structure in filter(lambda thing: hasattr(thing, "_fields_"), vars(_c).values()):
            name = structure.__name__
            for field, kind in structure._fields_:
                expression = f"(({name} *)0)->{field}"
                said[f"offsetof({name}, {field})"] = getattr(structure, field).offset
                said[f"sizeof({expression})"] = getattr(structure, field).size
                said.update(kind_in_c(expression, kind))
            if name != "clprim_device_info":  # which is only the beginning
                said[f"sizeof({name})"] = ctypes.sizeof(structure)
        for name, (result, arguments) in _c._FUNCTIONS.items():
            said.update(kind_in_c(f"clprim_{name}", ctypes.CFUNCTYPE(result, *arguments)))
        self.equal(said)
        self.assertGreater(len(said), 165)

    def test_numbers(self):
        expected = {f"CLPRIM_{name.upper()}": i for i, name in enumerate(_c.TYPES) if i > 0}
        expected.update({f"CLPRIM_{name.upper()}": number for name, number in _c.KEY_TYPES.items()})
        expected.update({f"CLPRIM_MEMBER_{name.upper()}": i for i, name in enumerate(_c.MEMBER_KINDS)})
        expected.update(zip([f"CLPRIM_VERSION_{part}" for part in ("MAJOR", "MINOR", "PATCH")], _c.VERSION.split(".")))
        self.equal({**expected, "CLPRIM_TYPE_END": len(_c.TYPES), "sizeof(clprim_indexed)": 16,
                    "CLPRIM_DEVICE_OPTIONS_SIZE": _c.DEVICE_OPTIONS_SIZE,
                    "CLPRIM_INVALID_ARGUMENT": _c.INVALID_ARGUMENT, "CLPRIM_COMM_FAILED": _c.COMM_FAILED})

    def test_loaders(self):
        """A library beside the module uses the loader of PyOpenCL's wheel, or the system's; others are linked with one."""
        path = str(_c._HERE / "libclprim.so")
        with tempfile.TemporaryDirectory() as folder:
            inside = pathlib.Path(folder, "pyopencl", ".libs", "libOpenCL-1.so")
            inside.parent.mkdir(parents=True)
            spec = unittest.mock.Mock(submodule_search_locations=[str(pathlib.Path(folder, "pyopencl"))])
            for has_wheel, system, expected in [(False, True, ["libOpenCL.so.1", path]), (False, False, None),
                                                (True, True, [str(inside), path])]:
                inside.touch() if has_wheel else None
                load = unittest.mock.Mock(side_effect=None if system else OSError("none"))
                with unittest.mock.patch("importlib.util.find_spec", return_value=spec), \
                        unittest.mock.patch("ctypes.CDLL", load):
                    if expected is None:
                        self.assertRaisesRegex(OSError, "clprim\\[pocl\\]", _c._load, path)
                    else:
                        _c._load(path)
                        self.assertEqual([call.args[0] for call in load.call_args_list], expected)
        with unittest.mock.patch("ctypes.CDLL") as load:
            _c._load("libclprim.so")
            load.assert_called_once_with("libclprim.so")
        with unittest.mock.patch("ctypes.CDLL", side_effect=FileNotFoundError("or one of its dependencies")), \
                unittest.mock.patch("sys.platform", "win32"):
            self.assertRaisesRegex(OSError, "finds no OpenCL.dll: install a driver", _c._load, path)
            with unittest.mock.patch.object(_c, "_candidates", return_value=[path, "libclprim.dll"]):
                self.assertRaisesRegex(ImportError, f"^{path} finds no OpenCL.dll", _c.library.__wrapped__)

    def test_library_of_another_version(self):
        self.assertEqual(_c.library().clprim_version(), int("".join(f"{int(n):02}" for n in _c.VERSION.split("."))))
        self.assertEqual(_c._same(10203), (1, 2))
        major, minor = _c._same(_c.VERSION)
        loaded = _c.library.__wrapped__  # what is behind the cache
        with unittest.mock.patch.object(_c, "VERSION", f"{major}.{minor}.99"):
            loaded()
        with unittest.mock.patch.object(_c, "VERSION", f"{major}.{minor + 1}.0"):
            self.assertRaisesRegex(ImportError, "another version of libclprim", loaded)

    def test_complete(self):
        """The module has every operation."""
        self.assertEqual(sorted(os.environ["CLPRIM_TEST_STEMS"].split(":")), sorted(clprim.operations()))


def numbers(dtype, count=N, below=120):
    return RNG.integers(0, below, count).astype(dtype)


def buffer(contents):
    flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
    return pyopencl.Buffer(CONTEXT, flags, hostbuf=contents)


class Types(unittest.TestCase):
    """Types have the expected names, or are refused."""

    def test_exact(self):
        for name in _c.TYPES[1:]:
            dtype = _types.DTYPES[name]
            self.assertEqual((8 * dtype.itemsize, dtype.kind), (int(name[1:]), name[0]))
            for value in [name, dtype.name, dtype, dtype.type, dtype.newbyteorder("=")]:
                with self.subTest(value):
                    self.assertEqual(_types.type_of(value), name)
            self.assertEqual(_types.dtype_of(dtype.name), dtype)
        self.assertEqual([_types.type_of(t) for t in (int, float, ctypes.c_int16)], ["i64", "f64", "i16"])
        self.assertEqual([_types.dtype_of(t) for t in ("f8", "i32")], [numpy.float64, numpy.int32])

    def test_refused(self):
        for value in ["i4", "u4", "f8", "<i8", "l", "int", "I64", "", 7, 1.5, True, bool, complex, object, "bool", None,
                      numpy.int64(3), numpy.zeros(3), numpy.dtype(">i8"), numpy.dtype(">f4"), numpy.longdouble, "M8[s]",
                      numpy.dtype([("x", "i4")]), numpy.dtype("S4"), numpy.dtype(("i4", (2,)))]:
            with self.subTest(value), self.assertRaises(TypeError):
                _types.type_of(value)
        for value in ["i8", "u8", 7, None, "i5"]:
            self.assertRaises(TypeError, _types.dtype_of, value)

    def test_of_descriptions(self):
        """A number, or one of numpy's type codes, is not taken for a type."""
        a, total = numbers(numpy.int64) + 2**40, numpy.zeros(1, numpy.int64)
        clprim.run("reduce", {"type": numpy.dtype("int64")}, in_=a, out=total)
        self.assertEqual(total[0], a.sum())
        narrow = a.astype(numpy.int32)
        clprim.run("reduce", {"type": None}, in_=narrow, out=numpy.zeros(1, numpy.int32))  # C's default
        self.assertRaisesRegex(TypeError, "numpy.int64 or numpy.int8", device.sum, a, dtype="i8")
        self.assertEqual(device.sum(a, dtype="int64"), a.sum())

    def test_fields(self):
        """Numbers that C would truncate, and values that are no texts."""
        for stem, descs in [
                ("radix_sort", [{"value_size": -1}, {"value_size": 2.5}, {"begin_bit": 2**32 + 3}, {"descending": "no"},
                                {"variant": 2**32 + 1}, {"variant": 1}, {"nan_order": "first"}, {"nan_order": 1},
                                {"keytype": "u32"}]),
                ("select", [{"predicate": bad} for bad in (lambda x: x > 0, b"x > 0", "x > 0\0 && x < 3")]),
                ("histogram", [{"type": "i64", "high": 2**53 + 1}, {"bins": 3, "boundaries": [0.0, 1.0]},
                               *({"bins": 2, "type": kind, "boundaries": bad} for kind, bad in [
                                   ("i64", [0, 0.5, 1]), ("u64", [-1, 0, 1]), ("i64", [-1, 0, 2**63])])]),
                ("scan", [{"initial": 2**31}, {"initial": [1, 2]}, {"custom": "a + b"}, {"custom": {"combin": "a"}},
                          {"custom": {"combine": lambda a, b: a + b}}]),
                ("sort_by_key", [{"element_sizes": [4] * 17}, {"variant": 2**32 + 1}]),
                ("merge", [{"variant": "onesweep"}]),
                ("reduce", [*({"type": bad} for bad in (7, "i8x", numpy.dtype(">i8"))), {"op": 3},
                            {"op": numpy.int64(1)}])]:
            for desc in descs:
                with self.subTest(desc), self.assertRaises(WRONG):
                    clprim.Plan(stem, **desc)
        big = numpy.array([0, 2**62, 2**62 + 1], numpy.int64)
        counts = device.histogram(big, [-2**63, 2**62 + 1, 2**63 - 1])
        self.assertEqual(list(counts), [2, 1])
        out = numpy.zeros(4, numpy.float32)
        clprim.run("scan", {"type": "f32", "initial": 5}, in_=numpy.ones(4, numpy.float32), out=out)
        self.assertEqual(list(out), [6, 7, 8, 9])

    def test_enumerators(self):
        """Enumerators have names, and a variant's type is that of its description."""
        for variant in ["merge_path", "cpu_chunk"]:
            self.assertEqual(clprim.Plan("merge", variant=variant).variant, variant)
        self.assertNotEqual(clprim.Plan("merge", variant="auto").variant, "auto")
        with self.assertRaisesRegex(ValueError, "^op must be one of sum, prod, .*, not 'mean'"):
            clprim.Plan("reduce", op="mean")


COUNTS = {"count": 37, "segment_count": 3, "needle_count": 5, "rank_count": 4, "a_count": 20, "b_count": 17,
          "in_count": 37, "out_count": 41}
OPERATOR = {"type_name": "uchar3_", "type_size": 3, "source": "typedef struct { uchar x, y, z; } uchar3_;",
            "combine": "a", "identity": "(uchar3_){0, 0, 0}"}
THREE = {key: OPERATOR[key] for key in ("type_name", "type_size", "source")}

# Additional descriptions for calls that differ in properties that this module has to find out: which arrays there are,
# whether they are in lists, whether their elements have a type or only a size, and what their length is derived from.
LAYOUTS = [
    ("reduce", {"type": "u8", "accumulator_type": "i64"}),
    ("reduce", {"type": "f64", "op": "argmin"}),
    ("reduce", {"custom": OPERATOR}),
    ("scan", {"segments": "by_flag"}),
    ("scan", {"segments": "by_offsets", "offsets_type": "u64"}),
    ("histogram", {"bins": 5, "channels": 3, "active_channels": 2, "counter_type": "u64"}),
    ("histogram", {"bins": 5, "weights_type": "i32", "variant": "global_atomic"}),
    ("radix_sort", {"key_type": "f64", "value_size": 2}),
    ("radix_sort", {"argsort": True}),
    ("bitonic_sort", {"value_size": 8, "segmented": True}),
    ("comparison_sort", {**THREE, "less": "a.x < b.x", "value_size": 1}),
    ("comparison_sort", {"value_size": 12}),
    ("sort_by_key", {"key_type": "u8", "num_arrays": 2, "element_sizes": [2]}),
    ("segmented_sort", {"argsort": True, "index_type": "u64", "offsets_type": "u64"}),
    ("top_k", {"k": 3, "indices": True}),
    ("segmented_top_k", {"k": 3, "indices": True}),
    ("merge", {"key_type": "i64", "value_size": 4}),
    ("batched_copy", {"packed": "none", "element_size": 3}),
    ("set_operation", {"op": "intersection", "value_size": 4}),
    ("partition", {"separate": True}),
    ("histogram", {"strided": True, "channels": 2}),
]
BEHIND = numpy.full(64, 0xa5, numpy.uint8)


def layouts():
    """(operation, description, layout, the counts of a call, {(member, index in it or None): (length, dtype)} of its
    arrays)."""
    for name, desc in [*((name, {}) for name in clprim.operations() if "top_k" not in name), *LAYOUTS]:
        operation = _operations.operation(name)
        made = _arrays.Layout(operation, operation.description(_types.fields(operation, desc)))
        counts = {count: COUNTS[count] for count in operation.counts if not count.endswith(("_length", "_stride"))
                  if count != "segment_count" or made._needs["offsets"][0].size > 0}
        call = made.counts({**dict.fromkeys(operation.counts, 0), **counts})
        yield name, desc, made, counts, {
            (member, None if member.repeat is None else i):
            (member.length_of(made.desc, call), need.dtype or numpy.dtype(f"V{need.size}"))
            for member in operation.arrays.values() for i, need in enumerate(made._needs[member.name]) if need.size > 0}


def call_of(counts, arrays):
    """A call's keywords."""
    call = dict(counts)
    for (member, index), array in arrays.items():
        call[member.name] = array if index is None else [*call.get(member.name, []), array]
    return call


def label(member, index):
    return member.name if index is None else rf"{member.name}\[{index}\]"


class Arrays(unittest.TestCase):
    """C is never called with arrays that are too short, have another type, or cannot be written to."""

    def test_host(self):
        for name, desc, made, counts, needs in layouts():
            behind = []  # bytes behind each array, which nothing may write to

            def make(length, dtype):
                size = dtype.itemsize * length
                memory = numpy.append(numpy.zeros(size, numpy.uint8), BEHIND)
                behind.append(memory[size:])
                return memory[:size].view(dtype)

            arrays = {place: make(*need) for place, need in needs.items()}
            with self.subTest(name, desc=desc):
                clprim.run(name, desc, runtime=RUNTIME, **call_of(counts, arrays))
                for memory in behind:
                    numpy.testing.assert_array_equal(memory, BEHIND)
                self.refused(name, made, desc, counts, arrays)
                if not all(member.is_written for member, _ in arrays):
                    # The counts are derived from the arrays that are read.
                    found = made.counts(call_of({}, arrays))
                    self.assertEqual({count: getattr(found, count) for count in counts}, counts)
                self.assertRaisesRegex(TypeError, f"^{name} takes {next(iter(counts))}", clprim.run, name, desc,
                                       runtime=RUNTIME)

    def refused(self, name, made, desc, counts, arrays):
        def expect(kind, sentence, bad):
            with self.subTest(sentence=sentence):
                self.assertRaisesRegex(kind, sentence, clprim.run, name, desc, runtime=RUNTIME, **bad)

        call = call_of(counts, arrays)
        for place, array in arrays.items():
            member, _ = place
            locked, apart = numpy.broadcast_to(array, array.shape), numpy.zeros(2 * array.size, array.dtype)[::2]
            is_short = member.may_be_short(made.desc) and array.size > 1  # C writes what fits
            if is_short:
                clprim.run(name, desc, runtime=RUNTIME, **call_of(counts, {**arrays, place: array[:-1]}))
            for bad, sentence in [
                    (array[:0] if is_short else array[:-1], "room for"), (numpy.zeros(array.size, "V5"), "must be an array of"),
                    (numpy.ma.masked_array(array), "masked"), (array.tolist(), "must be a numpy.ndarray"),
                    (4096, "must be a numpy.ndarray"), *([(apart, "contiguous")] if array.size > 1 else []),
                    *([(locked, "read-only")] if member.is_written else [])]:
                expect(WRONG, f"^{label(*place)} .*{sentence}", call_of(counts, {**arrays, place: bad}))
            if member.name != "outside_out":  # C itself reports the missing array
                expect(clprim.Error, f"^{member.name.rstrip('_')} ", call_of(counts, {**arrays, place: None}))
        for count in counts:
            for bad in [-1, 1.5, 2**64]:
                expect(WRONG, f"^{count} must be", {**call, count: bad})
        for member, row in _operations.operation(name).arrays.items():
            if member not in call:
                none = numpy.zeros(99, numpy.uint8)
                expect(ValueError, f"^{member}.* must be left out", {**call, member: [none] if row.repeat else none})
        expect(TypeError, f"^{name} has no keys: its calls have {'|'.join(call)}", {**call, "keys": None})

    def test_kept_descriptions(self):
        """What is kept of a description is not taken for another one, nor a failure for a success."""
        a, out = numpy.ones(4, numpy.float32), numpy.empty(4, numpy.float32)

        def scan(**desc):
            clprim.run("scan", {"type": "f32", **desc}, in_=a, out=out)
            return out.tolist()

        for _ in range(2):
            self.assertEqual(scan(), [1, 2, 3, 4])
            self.assertEqual(scan(exclusive=True), [0, 1, 2, 3])
            self.assertEqual(scan(exclusive=False), [1, 2, 3, 4])
            self.assertRaisesRegex(TypeError, "^clPRIM has no type", scan, type="f33")
            self.assertRaisesRegex(TypeError, "has no typ", scan, typ="f32")
            self.assertEqual(scan(type=numpy.float32, op="max"), [1, 1, 1, 1])

    def test_counts(self):
        sort = RUNTIME.plan("segmented_sort")
        for offsets, expected in [(0, 0), (1, 0), (2, 1)]:
            call = sort._layout.counts({"count": 3, "offsets": numpy.zeros(offsets, numpy.uint32)})
            self.assertEqual(call.segment_count, expected)
        self.assertRaisesRegex(ValueError, "^count does not follow from the 7 elements of in_",
                               RUNTIME.plan("histogram", channels=3)._layout.counts,
                               {"in_": numpy.zeros(7, numpy.uint8)})
        self.assertRaisesRegex(TypeError, "takes count", RUNTIME.plan("reduce").enqueue, QUEUE,
                               in_=buffer(bytearray(16)), out=buffer(bytearray(4)))
        self.assertGreaterEqual(sort.scratch_size(count=2**20, segment_count=2), 2**20)
        self.assertRaisesRegex(TypeError, "has no segments", sort.scratch_size, count=9, segments=2)

    def test_device(self):
        """The documented lengths are enough for C, and arrays are compared with them."""
        for name, desc, _, counts, needs in layouts():
            plan = RUNTIME.plan(name, **desc)
            arrays = {place: buffer(numpy.zeros(*need)) for place, need in needs.items()}
            plan.enqueue(QUEUE, **call_of(counts, arrays)).wait()
            for place, need in needs.items():
                with self.subTest(name, desc=desc, array=label(*place)):
                    self.held_against(plan, counts, arrays, place, *need)

    def held_against(self, plan, counts, arrays, place, length, dtype):
        def enqueue(array):
            return plan.enqueue(QUEUE, **call_of(counts, {**arrays, place: array}))

        memory = pyopencl.array.zeros(QUEUE, dtype.itemsize * (length + 1), numpy.uint8)
        enqueue(memory.view(dtype)[1:]).wait()
        is_short = place[0].may_be_short(plan._layout.desc) and length > 1  # C writes what fits
        if is_short:
            enqueue(memory.view(dtype)[2:]).wait()
        for bad, sentence in [(memory.view(dtype)[length + 1 if is_short else 2:], "room for"), (numpy.zeros(length, dtype), "must be a pyopencl"),
                              (pyopencl.array.empty(QUEUE, length, numpy.dtype("V5")), "must be an array of"),
                              ((buffer(bytearray(16)), -1), "offset"), (QUEUE, "must be a pyopencl")]:
            self.assertRaisesRegex(WRONG, f"{label(*place)} .*{sentence}|{sentence} of {label(*place)}", enqueue, bad)

    def test_short_outputs(self):
        """Selections and runs write as many elements as fit, and count all."""
        a, ones = numpy.array([5, 5, 7, 1, 9, 9, 3], numpy.int32), numpy.ones(7, numpy.int32)
        lengths = [2, 1, 1, 2, 1]
        for name, desc, inputs, outputs in [
                ("select", {"predicate": "x > 2"}, {"in_": a}, {"out": ([5, 5, 7, 9, 9, 3], "out_count")}),
                ("unique", {}, {"in_": a}, {"out": ([5, 7, 1, 9, 3], "out_count")}),
                ("partition", {"predicate": "x > 5", "separate": True}, {"in_": a},
                 {"out": ([7, 9, 9], "out_count"), "rest_out": ([5, 5, 1, 3], "rest_count")}),
                ("run_length_encode", {"index_type": "u32"}, {"in_": a},
                 {"out": ([5, 7, 1, 9, 3], "out_count"), "lengths_out": (lengths, "out_count")}),
                ("reduce_by_key", {}, {"keys_in": a, "values_in": ones},
                 {"keys_out": ([5, 7, 1, 9, 3], "out_count"), "values_out": (lengths, "out_count")})]:
            plan = RUNTIME.plan(name, **desc)
            for room in range(1, 9):
                with self.subTest(name, room=room):
                    self.short(plan, name, desc, inputs, outputs, room)

    def short(self, plan, name, desc, inputs, outputs, room):
        """Each output has room for one element more than the previous one."""
        operation = _operations.operation(name)
        dtypes = {out: plan._layout._needs[out][0].dtype for out in outputs}
        rooms = {out: room + i for i, out in enumerate(outputs)}
        memory = {out: numpy.full(12, 77, dtypes[out]) for out in outputs}
        counts = {count: numpy.zeros(1, numpy.uint32) for _, count in outputs.values()}
        self.assertTrue(all(operation.arrays[out].may_be_short(plan._layout.desc) for out in outputs))
        clprim.run(name, desc, runtime=RUNTIME, **inputs, **counts, **{out: memory[out][:rooms[out]] for out in outputs})
        to_device = functools.partial(pyopencl.array.to_device, QUEUE)
        there = {out: to_device(numpy.full(12, 77, dtypes[out])) for out in outputs}
        numbers_there = {count: pyopencl.array.zeros(QUEUE, 1, numpy.uint32) for count in counts}
        plan.enqueue(QUEUE, **{each: to_device(array) for each, array in inputs.items()}, **numbers_there,
                     **{out: there[out][:rooms[out]] for out in outputs}).wait()
        for out, (expected, count) in outputs.items():
            fits = expected[:rooms[out]]
            for written, number in [(memory[out], counts[count]), (there[out].get(), numbers_there[count].get())]:
                self.assertEqual(number[0], len(expected))
                self.assertEqual(written.tolist(), fits + [77] * (12 - len(fits)))

    def test_rows_with_gaps(self):
        """A region of an image, in one call: nothing around it is counted."""
        image = RNG.integers(0, 256, (40, 90), numpy.uint8)
        region = image[7:33, 11:72]
        expected = numpy.bincount(region.ravel(), minlength=256)
        counts = {"count": region.size, "row_length": region.shape[1], "row_stride": image.shape[1]}
        first = 7 * 90 + 11
        out = numpy.zeros(256, numpy.uint32)
        clprim.run("histogram", {"strided": True}, runtime=RUNTIME, in_=image.ravel()[first:], out=out, **counts)
        self.assertEqual(out.tolist(), expected.tolist())
        there, found = pyopencl.array.to_device(QUEUE, image.ravel()), pyopencl.array.zeros(QUEUE, 256, numpy.uint32)
        RUNTIME.plan("histogram", strided=True).enqueue(QUEUE, in_=there[first:], out=found, **counts).wait()
        self.assertEqual(found.get().tolist(), expected.tolist())
        clprim.run("histogram", {"strided": True}, runtime=RUNTIME, in_=image.ravel(), out=out)  # one row
        self.assertEqual(out.tolist(), numpy.bincount(image.ravel(), minlength=256).tolist())

    def test_lists_of_arrays(self):
        desc = {"key_type": "u8", "num_arrays": 2, "element_sizes": [2]}  # the other has the default, 4
        given = [numbers(numpy.uint8), numpy.arange(N, dtype=numpy.int16), RNG.random(N).astype(numpy.float32)]
        there = [pyopencl.array.to_device(QUEUE, x) for x in given]
        plan = RUNTIME.plan("sort_by_key", **desc)
        for (keys, a, b), act, back in [
                ([x.copy() for x in given], lambda **call: clprim.run("sort_by_key", desc, **call), numpy.asarray),
                (there, lambda **call: plan.enqueue(QUEUE, **call).wait(), pyopencl.array.Array.get)]:
            call = {"keys_in": keys, "keys_out": keys, "arrays_in": [a, b], "arrays_out": [a, b]}
            for name in ("arrays_in", "arrays_out"):
                for bad in [None, a, [a], [a, b, a], [b, a], [a, b[1:]], [a, None], [a, b, *[None] * 15]]:
                    self.assertRaises((*WRONG, clprim.Error), act, **{**call, name: bad})
            act(**call)
            for got, x in zip((keys, a, b), given):
                numpy.testing.assert_array_equal(back(got), x[numpy.argsort(given[0], kind="stable")])

    def test_objects(self):
        """An argument that is no memory object, queue or event is not asked for its handle."""
        plan, a = RUNTIME.plan("reduce"), pyopencl.array.zeros(QUEUE, 4, numpy.int32)
        for queue, waits in [(CONTEXT, None), ("gpu", None), (QUEUE, [QUEUE]), (QUEUE, [1])]:
            self.assertRaises(TypeError, plan.enqueue, queue, in_=a, out=a[:1], wait_for=waits)
        for bad in [a, QUEUE, 7]:
            self.assertRaises(TypeError, plan.set_scratch, bad)
        for bad in [lambda: clprim.Runtime("gpu"), lambda: clprim.Runtime(context=QUEUE),
                    lambda: clprim.Runtime.of("gpu"), lambda: clprim.Plan("reduce", QUEUE),
                    lambda: clprim.run("unique", count=0, runtime=7)]:
            self.assertRaises(TypeError, bad)


class Inputs(unittest.TestCase):
    """Arrays of numpy are taken as they come: they are copied if C could not take them, or refused with advice."""

    a = numbers(numpy.int32)
    expected = numpy.sort(a)

    def test_copied(self):
        a = self.a
        odd, locked = numpy.frombuffer(b"1" + a.tobytes(), a.dtype, offset=1), numpy.broadcast_to(a, a.shape)
        for given in [a.astype(">i4"), numpy.repeat(a, 2)[::2], a[::-1], odd, locked, a.tolist()]:
            before = numpy.array(given)
            result = device.sort(given)
            self.assertTrue(result.dtype.isnative)
            numpy.testing.assert_array_equal(result, self.expected)
            numpy.testing.assert_array_equal(given, before)
            self.assertEqual(device.sum(given), a.sum())
        pairs = numpy.zeros(N, [("key", ">u4"), ("at", ">u4")])
        pairs["key"], pairs["at"] = a, numpy.arange(N)
        result = device.select(pairs, "x.key > 50", type_name="pair", source="typedef struct { uint key, at; } pair;")
        numpy.testing.assert_array_equal(result["at"], numpy.flatnonzero(a > 50))

    def test_refused(self):
        a = self.a
        objects = numpy.array([{}, []], object)
        for bad, sentence in [(numpy.ma.masked_array(a, a > 50), r"compressed\(\)"), (objects, "Python objects"),
                              (numpy.int32(5), "one dimension"), (a.reshape(1, N), "one dimension"),
                              (numpy.zeros(3, "c8"), "no type"), (["a", "b"], "no type"),
                              (numpy.zeros(3, [("x", "i4")]), "type_name"), (numpy.zeros(3, "M8[s]"), "no type")]:
            for function in [device.sort, device.sum, device.argsort, device.unique, device.histogram,
                             clprim.inclusive_scan, lambda x: device.top_k(x, 1), lambda x: device.select(x, "1"),
                             lambda x: clprim.sort_pairs(x, x), clprim.comparison_sort]:
                with self.subTest(sentence=sentence):
                    self.assertRaisesRegex(WRONG, sentence, function, bad)
        for sentence, function, *arguments in [
                ("Python objects", clprim.sort_pairs, a[:2], objects),
                ("1, 2, 4, 8 or 16 bytes", clprim.sort_pairs, a[:2], numpy.zeros(2, "S3")),
                ("OpenCL C", clprim.comparison_sort, a, lambda a, b: a > b),
                ("OpenCL C", device.unique, a, lambda a, b: a == b)]:
            self.assertRaisesRegex(TypeError, sentence, function, *arguments)

    def test_out(self):
        """The output array must have the result's type; then it is filled and returned."""
        a, swapped = self.a.copy(), self.a.astype(">i4")
        locked, odd = numpy.broadcast_to(a, a.shape), numpy.frombuffer(bytearray(4 * N + 1), a.dtype, offset=1)
        for bad, sentence in [(locked, "read-only"), (swapped, "byte order|not of"), (odd, "aligned"),
                              (numpy.ma.zeros(N, numpy.int32), "masked"), (numpy.zeros((1, N), numpy.int32), "shape"),
                              (numpy.zeros(N + 1, numpy.int32), "shape"), (list(a), "numpy.ndarray")]:
            for function in [device.sort, clprim.comparison_sort, clprim.inclusive_scan, clprim.exclusive_scan]:
                with self.subTest(sentence=sentence), self.assertRaisesRegex(WRONG, sentence):
                    function(a, out=bad)
        out = numpy.zeros(N, numpy.int32)
        self.assertRaises(clprim.Error, clprim.comparison_sort, a, "a plus b", out=out)
        self.assertFalse(out.any())
        for given in [out, a]:
            self.assertIs(device.sort(a, out=given), given)
            numpy.testing.assert_array_equal(given, self.expected)
        before = a.copy()
        for limit in [0, 4096]:  # as a whole, and in pieces
            RUNTIME.limit(device_memory=limit)
            for function in [device.sort, clprim.inclusive_scan, clprim.exclusive_scan]:
                self.assertRaisesRegex(clprim.InvalidArgument, "overlap", function, a[:-1], out=a[1:], at=RUNTIME)
            numpy.testing.assert_array_equal(a, before)
        RUNTIME.limit()
        x = {"expressions": ["x[n - 1 - i]"], "parameters": {"x": ["i32"], "n": "u64"}, "types": ["i32"]}
        self.assertRaisesRegex(clprim.InvalidArgument, "overlap", clprim.run, "transform", x, arguments=[a, N], count=N,
                               out=[a])
        numpy.testing.assert_array_equal(a, before)

    def test_run(self):
        """It takes arrays as they are, and numbers that fit."""
        a, out = numpy.arange(5, dtype=numpy.int32), numpy.zeros(1, numpy.int64)
        desc = {"type": "i32", "accumulator_type": "i64"}
        for name, call in [("in_", {"in_": memoryview(a), "out": out}), ("out", {"in_": a, "out": memoryview(out)}),
                           ("in_", {"in_": [1, 2], "out": out, "count": 2})]:
            self.assertRaisesRegex(TypeError, f"^{name} must be a numpy.ndarray", clprim.run, "reduce", desc, **call)
        text = {"expressions": ["y + x[i]"], "parameters": {"y": "i32", "x": ["i32"]}}
        for kind, sentence, y, x in [
                (TypeError, r"^arguments\[0\] must be", None, a), (TypeError, r"^arguments\[0\] must be", memoryview(b"abcd"), a),
                (OverflowError, r"^arguments\[0\] must be", 2**31, a), (ValueError, r"^arguments\[0\] must be", 0.5, a),
                (TypeError, r"^arguments\[1\] must be", 1, memoryview(a)),
                (ValueError, r"^arguments\[1\] has a length of 4", 1, a[:4]),
                (ValueError, r"^arguments\[1\] has no elements", 1, a[:0])]:
            self.assertRaisesRegex(kind, sentence, clprim.run, "transform", text, arguments=[y, x], count=5, out=[a.copy()])
        bools = numpy.array([0, 2, 255, 1], numpy.uint8).view(numpy.bool_)
        clprim.run("reduce", {"type": "u8", "accumulator_type": "i64"}, in_=bools, out=out)
        self.assertEqual(out[0], 3)
        self.assertRaises(TypeError, RUNTIME.limit, progress=3)
        for bad in [3, "f32", [("type", "i32")], ()]:
            self.assertRaisesRegex(TypeError, "^desc must be a dictionary", clprim.run, "reduce", bad, in_=a, out=out)
        self.assertRaisesRegex(TypeError, "^wait_for must be a list", RUNTIME.plan("reduce").enqueue, QUEUE, wait_for=3)
        for bad in [None, "2", -1, 2.5]:
            self.assertRaisesRegex(WRONG, "^size must be", clprim.Communicator.threads, bad)


class OwnKernels(unittest.TestCase):
    def test_scan(self):
        text = clprim.device_source("work_group_scan.h", "work_group_reduce.h") + """
            CLPRIM_WORK_GROUP_SCAN(sums, uint, a + b, 0, 100)
            CLPRIM_WORK_GROUP_REDUCE(most, uint, max(a, b), 100)
            __kernel __attribute__((reqd_work_group_size(100, 1, 1))) void scan(__global uint *data, __global uint *found)
            {
                __local sums_memory summing;
                __local most_memory comparing;
                const uint i = get_local_id(0);
                const uint x = data[i];
                uint total;
                data[i] = sums_exclusive(x, &total, &summing);
                found[0] = total;
                found[1] = most_reduce(x, &comparing);
            }"""
        options = clprim.device_options(QUEUE.device)
        self.assertIn("-DCLPRIM_SUB_GROUP_MEANS=", options)
        numbers = numpy.arange(100, dtype=numpy.uint32) * 7 % 31
        data, found = pyopencl.array.to_device(QUEUE, numbers), pyopencl.array.zeros(QUEUE, 2, numpy.uint32)
        program = pyopencl.Program(CONTEXT, text).build(options.split())
        program.scan(QUEUE, (100,), (100,), data.data, found.data)
        self.assertEqual(data.get().tolist(), (numbers.cumsum() - numbers).tolist())
        self.assertEqual(found.get().tolist(), [numbers.sum(), numbers.max()])
        self.assertRaisesRegex(clprim.InvalidArgument, "work_group_scan.h", clprim.device_source, "scan.h")
        self.assertRaisesRegex(TypeError, "names must be strings", clprim.device_source, "work_group_scan.h", None)
        self.assertRaisesRegex(TypeError, "pyopencl.Device", clprim.device_options, QUEUE)


class Process(unittest.TestCase):
    def test_help(self):
        """All public names have documentation, and private names are not shown."""
        text = pydoc.render_doc(clprim, renderer=pydoc.plaintext)
        contents = text.split("PACKAGE CONTENTS")[1].split("CLASSES")[0]  # files, as of any package
        self.assertEqual(re.findall(r"(?m)^[ |]*(_[a-z]\w*|class _\w+)", text.replace(contents, "")), [])
        for name in clprim.__all__:
            thing = getattr(clprim, name)
            public = vars(thing).items() if isinstance(thing, type) else []
            for name, part in [(name, thing), *((f"{name}.{key}", getattr(thing, key)) for key, _ in public
                                                if not key.startswith("_"))]:
                with self.subTest(name):
                    self.assertRegex(part.__doc__ or "", r"\w+.*[.:]")
        self.assertEqual(repr(clprim.Error), "<class 'clprim.Error'>")

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork")
    def test_fork(self):
        """Calls in a forked process do not hang: they report why they cannot work. If clPRIM was not used before, they
        work."""
        code = """if True:
            import os, sys, numpy, clprim
            if sys.argv[1] == "used":
                plan = clprim.Plan("reduce")
            child = os.fork()
            if child == 0:
                try:
                    code = 10 + clprim.sum(numpy.ones(5, numpy.int32))
                except RuntimeError as error:
                    code = 1 if "spawn" in str(error) else 2
                plan = None
                os._exit(code)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"""
        environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(clprim.__file__).parent.parent)}
        for use, expected in [("used", 1), ("unused", 15)]:
            done = subprocess.run([sys.executable, "-B", "-c", code, use], env=environment, timeout=60)
            self.assertEqual(done.returncode, expected)


class Host(unittest.TestCase):
    """On numpy's arrays. Device does the same on PyOpenCL's."""

    # An array on which calls are made, and results here: an array, a selection, and a fold.
    there = back = compacted = scalar = staticmethod(lambda a: a)

    def equal(self, result, expected, bits=False):
        """The same type and values, and bools are 0 or 1; with `bits`, -0.0 differs from 0.0, and NaNs with different
        bits differ. If a scalar is expected, it is the result of a fold."""
        result = self.scalar(result) if numpy.ndim(expected) == 0 else self.back(result)
        self.assertEqual(result.dtype, expected.dtype)
        if bits or expected.dtype == numpy.bool_:
            result, expected = (numpy.asarray(x).view(f"u{x.itemsize}") for x in (result, expected))
        numpy.testing.assert_array_equal(result, expected)

    def test_sorts(self):
        """NaNs are last, as in numpy, whatever their sign; with nan="total" the sign decides."""
        total = {"nan": "total"}
        for dtype, is_up, nan in [("f4", True, {}), ("f8", False, {}), ("f2", True, total), ("f4", False, total),
                                  ("i8", True, total), ("u1", True, {}), ("u2", False, {})]:
            a = specials(dtype, N) if dtype[0] == "f" else numbers(dtype)
            way = {**nan, **({} if is_up else {"descending": True})}
            there, indices, k = self.there(a), order(a, **way), N // 2 if dtype[0] == "f" else 2 * N
            ordered = a[indices]
            with self.subTest(dtype, **way):
                if not nan:
                    numpy.testing.assert_array_equal(ordered[::1 if is_up else -1], numpy.sort(a))
                self.equal(device.sort(there, **way), ordered, bits=True)
                self.equal(clprim.comparison_sort(there, **way), ordered, bits=True)
                self.equal(device.argsort(there, **way), indices.astype(numpy.uint32))
                keys, values = clprim.sort_pairs(there, self.there(numpy.arange(N, dtype=numpy.uint64)), **way)
                self.equal(keys, ordered, bits=True)
                self.equal(values, indices)
                keys, places = device.top_k(there, k, **nan, **({"smallest": True} if is_up else {}))
                self.equal(keys, ordered[:k], bits=True)
                self.equal(places, indices[:k].astype(numpy.uint32))
                self.equal(there, a, bits=True)
        device.sort(there, out=there, descending=True)
        self.equal(there, ordered)

    def test_texts_over_names(self):
        """Names in expressions are arrays, which may have other lengths, or numbers, which get the type of the first
        array if it can represent them."""
        x, y = numbers(numpy.float32) % 100, numbers(numpy.int32) % 100
        halves, table = x.astype(numpy.float16), numpy.arange(200, dtype=numpy.float64)

        def by(*keys):
            return numpy.lexsort(keys[::-1]).astype(numpy.uint32)

        for result, expected in [
                (lambda x, y: clprim.transform("a * x[i] + y[i]", a=2, x=x, y=y), 2 * x + y.astype(numpy.float32)),
                (lambda x, y: clprim.transform("y[i] % m + 0 * (int)x[i]", dtype=numpy.int8, m=7, y=y, x=x),
                 numpy.fmod(y, 7).astype(numpy.int8)),
                (lambda x, y: clprim.transform("x[i] > limit", dtype=bool, limit=12.5, x=x), x > 12.5),
                (lambda x, y: clprim.transform("table[abs(y[i])]", dtype=float, y=y, table=self.there(table)),
                 table[abs(y)]),
                (lambda x, y: clprim.transform("vload_half(i, h) + a", h=self.there(halves), a=numpy.float16(0.5)),
                 halves + numpy.float16(0.5)),
                (lambda x, y: clprim.transform("f(x[i])", source="static float f(float x) { return -x; }", x=x), -x),
                (lambda x, y: device.sum(clprim.Expression("y[i] > m ? y[i] : 0", m=50, y=y)), y[y > 50].sum()),
                (lambda x, y: device.max(clprim.Expression("x[i] - f(y[i])", source="float f(int a) { return 2 * a; }",
                                                           x=x, y=y)), (x - 2 * y.astype(numpy.float32)).max()),
                (lambda x, y: device.sum(clprim.Expression("y[i * step]", dtype="int64", size=5, step=3, y=y)),
                 y[:13:3].sum()),
                (lambda x, y: device.argmin(clprim.Expression("-y[i]", y=y)), y.argmax()),
                (lambda x, y: clprim.inclusive_scan(clprim.Expression("y[i] > m", m=50, y=y)),
                 (y > 50).cumsum().astype(numpy.int32)),
                (lambda x, y: device.histogram(clprim.Expression("y[i] % m", m=7, y=y), 7),
                 numpy.bincount(y % 7, minlength=7).astype(numpy.uint32)),
                (lambda x, y: device.sort(clprim.Expression("-y[i]", y=y)), numpy.sort(-y)),
                (lambda x, y: device.argsort(clprim.Expression("-y[i]", y=y)),
                 numpy.argsort(-y, kind="stable").astype(numpy.uint32)),
                (lambda x, y: device.argsort(y, then=[x]), by(y, x)),
                (lambda x, y: device.argsort(clprim.Expression("y[i] % 3", dtype="i1", y=y), descending=[True, False],
                                             then=[clprim.Expression("-x[i]", x=x)]), by(-numpy.fmod(y, 3), -x)),
                (lambda x, y: device.argsort(clprim.Expression("y[i] % 3", dtype="i1", y=y), descending=True,
                                             then=[self.there(halves), clprim.Expression("y[i]", dtype="i16", y=y)]),
                 by(-numpy.fmod(y, 3), -halves, -y)),
                (lambda x, y: device.top_k(clprim.Expression("x[i] * x[i]", x=x), 5)[0], numpy.sort(x * x)[:-6:-1]),
                (lambda x, y: clprim.comparison_sort(y, "a % m < b % m", m=10, stable=True),
                 y[numpy.argsort(y % 10, kind="stable")])]:
            self.equal(result(self.there(x), self.there(y)), expected)
        for result, expected in [
                (lambda x, y: device.select(y, "x > limit", limit=50), y[y > 50]),
                (lambda x, y: device.select(clprim.Expression("i", y=y), "y[i] > limit", y=y, limit=50),
                 numpy.flatnonzero(y > 50).astype(numpy.int32)),
                (lambda x, y: device.unique(clprim.Expression("y[i] / m", m=50, y=y)),
                 (y // 50)[numpy.flatnonzero(numpy.diff(y // 50, prepend=-1))])]:
            got = result(self.there(x), self.there(y))
            self.equal(got if isinstance(got, numpy.ndarray) else got[0][:int(got[1].get()[0])], expected)

    def test_texts_are_refused(self):
        a = self.there(numbers(numpy.float32))
        for kind, sentence, call in [
                (ValueError, "needs an array among its names", lambda: clprim.transform("i + n", n=3)),
                (ValueError, "needs size and dtype", lambda: device.sum(clprim.Expression("i", size=3))),
                (clprim.Error, "input:1", lambda: device.sum(clprim.Expression("nothing[i] + a[i]", a=a))),
                (clprim.Error, "then_0:1", lambda: device.argsort(a, then=[clprim.Expression("nothing[i] + a[i]", a=a)])),
                (clprim.Error, "96 bits", lambda: device.argsort(a, then=[a, a])),
                (ValueError, "one length", lambda: device.argsort(a, then=[a[1:]])),
                (ValueError, "one for each of 2", lambda: device.argsort(a, then=[a], descending=[True])),
                (TypeError, "two things", lambda: device.argsort(clprim.Expression("a[i]", a=a),
                                                                 then=[clprim.Expression("a[i]", a=a[:])])),
                (TypeError, "must be a list", lambda: RUNTIME.plan("radix_sort", input="i", argsort=True,
                                                                   then=["i"], then_descending=True)),
                (clprim.Error, "expressions_0:1", lambda: clprim.transform("b[i] + a[i]", a=a)),
                (clprim.Error, "expressions_0:1:9: '[)]' closes", lambda: clprim.transform("a[i] > 3) || (1", a=a)),
                (clprim.Error, "expressions_0:1:9: '[)]' closes",
                 lambda: clprim.transform("a[i] > 3) || (1", dtype=bool, a=a)),
                (clprim.Error, "expressions_0:2:6", lambda: clprim.transform("\na[i]+", dtype=bool, a=a)),
                (clprim.Error, "predicate:1:6: '[)]' closes", lambda: device.select(a, "x > 3) || (1")),
                (clprim.InvalidArgument, "predicate is blank", lambda: device.select(a, " ")),
                (clprim.Error, "less:1:7: a comment", lambda: clprim.comparison_sort(a, "a < b /*")),
                (clprim.Error, "source:1:9: '{'", lambda: device.unique(a, "f()", source="int f() {")),
                (clprim.InvalidArgument, "parameter's name", lambda: clprim.transform("float[i]", **{"float": a})),
                (clprim.Error, "'i'", lambda: clprim.transform("i[i]", i=a)),
                (TypeError, "OpenCL C text", lambda: clprim.transform(len, a=a)),
                (TypeError, "means int64 in NumPy and int8 in clPRIM",
                 lambda: clprim.transform("a[i]", dtype="i8", a=a)),
                (TypeError, "must be a list", lambda: RUNTIME.plan("transform", expressions="i")),
                (ValueError, "has room for 8", lambda: RUNTIME.plan("transform", expressions=["i"] * 9)),
                (ValueError, "both type_name and type_size",
                 lambda: RUNTIME.plan("transform", parameters={"a": {"type_name": "uint"}})),
                (TypeError, "takes count", lambda: clprim.run("transform", {"parameters": {"x": ["u8"]}},
                                                              arguments=[numpy.zeros(3, "u1")],
                                                              out=[numpy.zeros(3, "i4")]))]:
            with self.subTest(sentence):
                self.assertRaisesRegex(kind, sentence, call)

    def test_numbers_beside_arrays(self):
        """They have the type that NumPy 2 gives them, and fit in it."""
        def add(x, n, **more):
            return clprim.transform("x[i] + n", x=self.there(x), n=n, **more)

        small, words, big = (numpy.array([1, 2, 100], dtype) for dtype in ("i1", "u1", "u8"))
        floats, halves, flags = numpy.float32([1, 2, 100]), numpy.float16([1, 2, 100]), numpy.array([True, False, True])
        for call in [
                lambda: device.select(self.there(small), "x > limit", limit=200),
                lambda: device.select(self.there(small), "x > limit", limit=-129),
                lambda: device.select(self.there(big), "x > limit", limit=-1),
                lambda: device.select(clprim.Expression("x[i]", x=self.there(small)), "x > limit", limit=200),
                lambda: device.unique(self.there(words), "a / n == b / n", n=256),
                lambda: clprim.comparison_sort(self.there(words), "a % n < b % n", n=-1),
                lambda: device.sum(clprim.Expression("x[i] + n", x=self.there(words), n=300)),
                lambda: device.sum(clprim.Expression("x[i] + n", dtype="int64", x=self.there(words), n=300)),
                lambda: add(words, 300), lambda: add(words, -1), lambda: add(big, 2**64), lambda: add(small, 128),
                lambda: add(flags, 2**63), lambda: add(floats, 10**39), lambda: add(floats, 1e39),
                lambda: add(floats, -1e39), lambda: add(floats, 10**400)]:
            self.assertRaises(OverflowError, call)
        self.assertRaisesRegex(OverflowError, "^n is 300, which does not fit uint8", add, words, 300)
        self.assertRaises(OverflowError, clprim.transform, "vload_half(i, x) + n", x=self.there(halves), n=70000)
        for result, expected in [
                (add(small, 127), small + numpy.int8(127)), (add(words, 255), words + numpy.uint8(255)),
                (add(words, True), words + numpy.uint8(1)), (add(words, -0), words), (add(big, 2**64 - 200), big + numpy.uint64(2**64 - 200)),
                (add(words, numpy.int64(300), dtype="int64"), words + numpy.int64([300])),
                (add(words, numpy.array(300), dtype="int64"), words + numpy.int64([300])),
                (add(words, 0.5, dtype=float), words + 0.5), (add(floats, 2), floats + 2),
                (add(floats, float("inf")), floats + numpy.float32("inf")),
                (add(floats, numpy.float64(1e39), dtype=float), floats + numpy.float64([1e39])),
                (add(flags, 300, dtype=int), flags + numpy.int64([300])),
                (add(flags, -2**63, dtype=int), flags + numpy.int64([-2**63])),
                (device.sum(clprim.Expression("x[i] > n", dtype="u1", x=self.there(numpy.arange(2000)), n=1000)),
                 numpy.uint64(999))]:
            self.equal(result, expected)
        for bad in [None, "1", 1j, numpy.complex64(1), [[1]], memoryview(b"1"), {}, numpy.array(">i4")]:
            self.assertRaisesRegex(WRONG, "(^| )n( |:)", add, words, bad)

    def test_arrays_shorter_than_the_text_reads(self):
        x, y, nothing = (self.there(numpy.arange(n, dtype=numpy.int32)) for n in (5, 3, 0))
        halves = self.there(numpy.zeros(3, numpy.float16))
        for call in [lambda: device.sum(clprim.Expression("x[i] + y[i]", x=x, y=y)),
                     lambda: device.sort(clprim.Expression("x[i] + y[i]", x=x, y=y)),
                     lambda: clprim.inclusive_scan(clprim.Expression("-y[i]", size=4, y=y)),
                     lambda: device.top_k(clprim.Expression("-y[i]", size=4, y=y), 2),
                     lambda: device.argsort(clprim.Expression("x[i]", x=x), then=[clprim.Expression("y[i]", size=5, y=y)]),
                     lambda: device.histogram(clprim.Expression("x[i] + y[i]", x=x, y=y), 3),
                     lambda: device.select(x, "y[i] > 2", y=y),
                     lambda: device.unique(clprim.Expression("x[i] + y[i]", x=x, y=y)),
                     lambda: clprim.transform("x[i] * y[i]", x=x, y=y),
                     lambda: clprim.transform("x[i] * vload_half(i, y)", x=x, y=halves)]:
            with self.assertRaisesRegex(ValueError, "^y has a length of 3: a text reads it at i, up to [45] ") as caught:
                call()
            self.assertIsInstance(caught.exception, clprim.InvalidArgument)
        self.assertRaisesRegex(ValueError, r"arguments\[1\] has no elements", clprim.transform, "x[i] + n[i]", x=x,
                               n=nothing)
        for text, expected in [("i < 3 ? y[i] : x[i]", [0, 1, 2, 3, 4]), ("y[i % 3]", [0, 1, 2, 0, 1]),
                               ("y[x[i] % 3]", [0, 1, 2, 0, 1])]:
            self.equal(device.sort(clprim.Expression(text, size=5, y=y, **({"x": x} if "x[" in text else {}))),
                       numpy.sort(numpy.int32(expected)))

    def test_keywords(self):
        """A name that no text uses is an error, and the name of an operand cannot be used."""
        x, y = self.there(numpy.arange(5, dtype=numpy.int32)), self.there(numpy.arange(5, dtype=numpy.int32))
        for call in [lambda **more: clprim.comparison_sort(x, "a > b", **more), lambda **more: clprim.comparison_sort(x, **more),
                     lambda **more: device.unique(x, **more), lambda **more: device.unique(x, "a == b", **more),
                     lambda **more: device.select(x, "x > 2", **more), lambda **more: device.select(x, y, **more),
                     lambda **more: clprim.transform("x[i]", x=x, **more),
                     lambda **more: device.sum(clprim.Expression("x[i]", x=x, **more)),
                     lambda **more: device.argsort(clprim.Expression("x[i]", x=x, **more), then=[y]),
                     lambda **more: device.argsort(y, then=[clprim.Expression("x[i]", x=x, **more)]),
                     lambda **more: device.sort(x, **more), lambda **more: device.top_k(x, 2, **more),
                     lambda **more: device.histogram(x, 3, **more), lambda **more: device.sum(x, **more)]:
            for bad in ["axis", "stabel", "sizes"]:
                self.assertRaisesRegex(TypeError, bad, call, **{bad: 1})
        self.assertRaisesRegex(TypeError, "'stabel', which no text uses; did you mean stable", clprim.comparison_sort, x,
                               "a > b", stabel=True)
        for function, *given in [(device.select, x, "x > 2"), (device.unique, x), (clprim.transform, "y[i]")]:
            self.assertRaisesRegex(TypeError, "'out', which no text uses", function, *given, out=y,
                                   **({"y": y} if function is clprim.transform else {}))
        for call in [lambda: device.select(x, "x > x", x=3), lambda: device.select(x, "x > i", i=3),
                     lambda: device.unique(x, "a == b", b=3), lambda: clprim.comparison_sort(x, "a > b", b=3)]:
            self.assertRaisesRegex(TypeError, "operand of its text", call)
        made = {"source": "#define AT(n) x##n[i]"}  # names that the preprocessor makes
        self.equal(clprim.transform("AT(1)", x1=x, **made), numpy.arange(5, dtype=numpy.int32))

    def test_no_arrays(self):
        """None and a memoryview are refused with the argument's name, wherever an array is expected."""
        a = self.there(numpy.arange(5, dtype=numpy.int32))
        for name, call in [
                *(("a", function) for function in [
                    device.sort, device.argsort, clprim.comparison_sort, device.sum, device.min, device.max,
                    device.argmin, device.argmax, clprim.reduce, clprim.inclusive_scan, clprim.exclusive_scan,
                    device.histogram, device.unique]),
                ("a", lambda bad: device.top_k(bad, 2)), ("a", lambda bad: device.select(bad, "x > 2")),
                ("a", lambda bad: device.select(bad, a)), ("predicate", lambda bad: device.select(a, bad)),
                ("keys", lambda bad: clprim.sort_pairs(bad, a)), ("values", lambda bad: clprim.sort_pairs(a, bad)),
                (r"then\[1\]", lambda bad: device.argsort(a, then=[a, bad])), ("then", lambda bad: device.argsort(a, then=bad)),
                ("y", lambda bad: clprim.transform("x[i] + y[i]", x=a, y=bad)),
                ("y", lambda bad: device.sum(clprim.Expression("x[i] + y[i]", x=a, y=bad))),
                ("y", lambda bad: device.select(a, "x > y[i]", y=bad))]:
            for bad in [None, memoryview(numpy.arange(5, dtype=numpy.int32))]:
                self.assertRaisesRegex(TypeError, f"^{name} must be ", call, bad)
        for name, call in [("out", lambda bad: device.sort(a, out=bad)), ("bins", lambda bad: device.histogram(a, bad)),
                           ("range", lambda bad: device.histogram(a, 3, bad))]:
            self.assertRaisesRegex(TypeError, f"^{name} must be ", call, memoryview(bytearray(20)))
        for name, call in [("low", lambda: device.histogram(a, 3, (None, 3))), ("k", lambda: device.top_k(a, None)),
                           ("high", lambda: device.histogram(a, 3, (0, None))), ("op", lambda: clprim.reduce(a, None)),
                           ("descending", lambda: device.sort(a, descending=None)),
                           ("descending", lambda: device.argsort(a, descending=None)),
                           ("descending", lambda: clprim.sort_pairs(a, a, descending=None)),
                           ("stable", lambda: clprim.comparison_sort(a, stable=None)),
                           ("smallest", lambda: device.top_k(a, 2, smallest=None)),
                           ("op", lambda: clprim.inclusive_scan(a, None)),
                           ("expression", lambda: clprim.transform(None, y=a)),
                           ("text", lambda: clprim.Expression(None, y=a))]:
            self.assertRaisesRegex(TypeError, f"^{name} must be ", call)

    def test_bytes_of_bools(self):
        """Any byte but 0 is True, as in NumPy."""
        a = numpy.array([0, 2, 255, 0, 1, 128, 1, 0, 3], numpy.uint8).view(numpy.bool_)
        plain = a.view(numpy.uint8) != 0
        there = self.there(a)
        for result, expected in [
                (device.sum(there), plain.sum()), (device.sort(there), numpy.sort(plain)), (device.max(there), numpy.True_),
                (device.argsort(there), numpy.argsort(plain, kind="stable").astype(numpy.uint32)),
                (device.argsort(there, then=[there]), numpy.argsort(plain, kind="stable").astype(numpy.uint32)),
                (device.argmax(there), plain.argmax()), (clprim.inclusive_scan(there), numpy.cumsum(plain)),
                (clprim.inclusive_scan(there, "max"), numpy.maximum.accumulate(plain)),
                (device.histogram(there, 2), numpy.bincount(plain).astype(numpy.uint32)),
                (clprim.comparison_sort(there, "a > b"), numpy.sort(plain)[::-1]),
                (self.compacted(device.unique(there)), plain[numpy.append(True, plain[1:] != plain[:-1])]),
                (self.compacted(device.select(there, "x")), plain[plain]),
                (self.compacted(device.select(there, there)), plain[plain]),
                (device.top_k(there, 3)[0], numpy.array([True] * 3)),
                (clprim.sort_pairs(there, there)[0], numpy.sort(plain)),
                (clprim.sort_pairs(there, self.there(numpy.arange(9)))[1], numpy.argsort(plain, kind="stable"))]:
            self.equal(result, expected)
        self.equal(there, a, bits=True)
        device.sort(there, out=there)
        self.equal(there, numpy.sort(plain))

    def test_nans_in_folds(self):
        """min, max and their indices propagate NaNs, as in numpy."""
        a = numbers(numpy.float32) - 50
        a[9:N:17], a[10:N:19], a[11:N:23] = -numpy.inf, numpy.inf, -0.0
        negative, positive = numpy.array([-numpy.nan, numpy.nan], a.dtype)  # x86's has its sign bit set
        mixed = a.copy()
        mixed[5:N:11], mixed[7:N:13] = negative, positive
        for given in [mixed, mixed[::-1].copy(), a, numpy.append(a, negative), numpy.append(a, positive)]:
            there = self.there(given)
            for op, extreme, index, ufunc in [("min", device.min, device.argmin, numpy.minimum),
                                              ("max", device.max, device.argmax, numpy.maximum)]:
                self.equal(extreme(there), ufunc.reduce(given))
                found, expected = self.scalar(index(there)), getattr(given, f"arg{op}")()
                if numpy.isnan(given).any():
                    self.assertEqual(found, expected)
                numpy.testing.assert_array_equal(given[found], given[expected])
                running = ufunc.accumulate(given)
                self.equal(clprim.inclusive_scan(there, op), running)
                self.equal(clprim.exclusive_scan(there, op)[1:], running[:-1])

    def test_nans_in_the_total_order(self):
        a = numpy.array([1, numpy.inf, -numpy.nan, -numpy.inf, numpy.nan, -2], numpy.float32)
        there, no_positive = self.there(a), self.there(a[[0, 2, 5]])
        for function, array, expected in [
                (device.argmin, there, 2), (device.argmax, there, 4), (device.min, no_positive, a[2]),
                (device.max, no_positive, 1)]:  # which misses x86's NaN
            numpy.testing.assert_equal(self.scalar(function(array, nan="total")), expected)
        self.equal(clprim.inclusive_scan(no_positive, "max", nan="total"), numpy.ones_like(a[:3]))
        for call in [device.sort, device.argsort, device.min, device.argmax, clprim.comparison_sort,
                     clprim.inclusive_scan, lambda x, nan: device.top_k(x, 1, nan=nan)]:
            for bad in ["first", 1, True] + [None] * (call is not clprim.comparison_sort):
                self.assertRaisesRegex(ValueError, '^nan must be "last" or "total"', call, there, nan=bad)
        self.assertRaisesRegex(ValueError, "less or nan", clprim.comparison_sort, there, "a > b", nan="last")
        self.equal(clprim.comparison_sort(there[:2], "a > b"), a[[1, 0]])  # where only the text decides

    def test_comparison_sort(self):
        a = numbers(numpy.int32)
        self.equal(clprim.comparison_sort(self.there(a), "a > b"), numpy.sort(a)[::-1])
        pairs = numpy.zeros(N, [("begin", "u4"), ("end", "u4")])
        pairs["begin"], pairs["end"] = numbers(numpy.uint32), numpy.arange(N)
        result = self.back(clprim.comparison_sort(
            self.there(pairs), "a.begin < b.begin", stable=True, type_name="range",
            source="typedef struct { uint begin, end; } range;"))
        numpy.testing.assert_array_equal(result["end"], numpy.argsort(pairs["begin"], kind="stable"))

    def test_folds(self):
        a = numbers(numpy.int32)
        there = self.there(a)
        total, sums = a.sum(dtype=numpy.int64), numpy.cumsum(a, dtype=numpy.int32)
        for result, expected in [
                (device.sum(there), total), (device.min(there), a.min()), (device.max(there), a.max()),
                (device.sum(there, dtype=numpy.int32), numpy.int32(total)),
                (clprim.reduce(there, "xor"), numpy.bitwise_xor.reduce(a)),
                (device.argmin(there), a.argmin()), (device.argmax(there), a.argmax()),
                (there[device.argmin(there)], a.min()),  # it is an index, like numpy's
                (clprim.inclusive_scan(there), sums), (clprim.exclusive_scan(there), sums - a),
                (clprim.inclusive_scan(there, dtype=numpy.int64), numpy.cumsum(a, dtype=numpy.int64)),
                (clprim.inclusive_scan(there, "max"), numpy.maximum.accumulate(a))]:
            self.equal(result, expected)
        best = self.scalar(clprim.reduce(there, "argmax"))
        self.assertEqual((best["index"], best["value"]), (a.argmax(), a.max()))
        floats = RNG.random(N).astype(numpy.float32)
        self.assertAlmostEqual(float(self.scalar(device.sum(self.there(floats)))), float(floats.sum()), places=1)

    def test_histograms(self):
        """There must be at least one bin, and floats need a range."""
        a, floats, edges = numbers(numpy.uint8), RNG.random(N).astype(numpy.float32), [0, 0.25, 0.3, 0.9]
        whole, there = self.there(a), self.there(floats)
        for result, expected in [
                (device.histogram(whole), numpy.bincount(a, minlength=256)),
                (device.histogram(there, 16, (0, 1)), numpy.histogram(floats, 16, (0, 1))[0]),
                (device.histogram(there, edges), numpy.histogram(floats, edges)[0]),
                (device.histogram(there, [0, 1]), numpy.array([N]))]:
            self.equal(result, expected.astype(numpy.uint32))
        for arguments in [*((whole, bad) for bad in [0, -1, [], [1], 2.5, "10", [[0, 1], [2, 3]]]),
                          *((there, 10, bad) for bad in [(0,), 1, (0, 1, 2), "01"]), (there, [0, 1], (0, 1))]:
            with self.subTest(arguments[1:]):
                self.assertRaises(WRONG, device.histogram, *arguments)
        self.assertRaisesRegex(ValueError, r"range=\(low, high\)", device.histogram, there, 10)

    def test_selections(self):
        """An array of bools, or of integers, selects as it does in numpy."""
        a, flags = numpy.sort(numbers(numpy.int32)), numbers(numpy.int16, below=3)
        there = self.there(a)
        for result, expected in [
                (device.unique(there), numpy.unique(a)),
                (device.select(there, "x % 2 == 1 && i > 10"), a[(a % 2 == 1) & (numpy.arange(N) > 10)]),
                (device.select(there, self.there(flags == 1)), a[flags == 1]),
                (device.select(there, self.there(flags)), a[flags != 0])]:
            self.equal(self.compacted(result), expected)
        for bad in [flags[1:], flags.astype(numpy.float32)]:
            self.assertRaises(ValueError, device.select, there, self.there(bad))
        for bad in [lambda x: x > 0, None]:
            self.assertRaisesRegex(TypeError, "OpenCL C", device.select, there, bad)

    def test_nothing(self):
        nothing = self.there(numpy.empty(0, numpy.int32))
        for result in [device.sort(nothing), clprim.inclusive_scan(nothing), self.compacted(device.unique(nothing))]:
            self.equal(result, numpy.empty(0, numpy.int32))
        self.assertEqual(self.scalar(device.sum(nothing)), 0)
        for function in [device.min, device.max, device.argmin, device.argmax, lambda a: clprim.reduce(a, "max")]:
            self.assertRaisesRegex(ValueError, "empty", function, nothing)

    def test_outputs(self):
        """Arguments that do not match are refused before anything is written."""
        a = numbers(numpy.int32, 100)
        there = self.there(a)
        indexed = numpy.dtype({"names": ["index", "value"], "formats": ["u8", "i4"], "offsets": [0, 8], "itemsize": 16})
        for out, call in [
                (numpy.int32, lambda out: clprim.inclusive_scan(there, "argmin", out=out)),
                (numpy.int32, lambda out: clprim.exclusive_scan(there, "argmax", out=out)),
                (numpy.int64, lambda out: clprim.inclusive_scan(there, "max", out=out)),
                (numpy.bool_, lambda out: clprim.inclusive_scan(there, out=out)),
                (numpy.int64, lambda out: clprim.inclusive_scan(there, dtype=numpy.int32, out=out)),
                (numpy.uint32, lambda out: device.sort(there, out=out)),
                (numpy.float32, lambda out: clprim.comparison_sort(there, "a > b", out=out)),
                (numpy.int32, lambda out: device.sort(there, out=out[:99])),
                (numpy.int32, lambda out: clprim.comparison_sort(there, "a > b", out=out[::2])),
                (numpy.int32, lambda out: clprim.inclusive_scan(there, out=out[:99])),
                (numpy.int32, lambda out: device.sort(there, out=self.back(out).tolist()))]:
            memory = self.there(numpy.full(100, 1, out))
            self.assertRaises(WRONG, call, memory)
            self.equal(memory, numpy.full(100, 1, out))
        out = self.there(numpy.zeros(100, indexed))
        lowest = self.back(clprim.inclusive_scan(there, "argmin", out=out))
        numpy.testing.assert_array_equal(lowest["value"], numpy.minimum.accumulate(a))
        numpy.testing.assert_array_equal(a[lowest["index"]], numpy.minimum.accumulate(a))
        numpy.testing.assert_array_equal(self.back(clprim.inclusive_scan(there, "argmin")), self.back(out))
        self.assertRaises(TypeError, clprim.reduce, there, "max", dtype=numpy.float64)

    def test_bools(self):
        a = numbers(numpy.bool_, below=2)
        a[:3] = True, False, True
        there = self.there(a)
        for result, expected in [
                (device.sort(there), numpy.sort(a)), (clprim.sort_pairs(there, there)[1], numpy.sort(a)),
                (self.compacted(device.unique(there)), a[numpy.append(True, a[1:] != a[:-1])]),
                (self.compacted(device.select(there, "x")), a[a]),
                (device.histogram(there, 2), numpy.bincount(a).astype(numpy.uint32)),
                (clprim.inclusive_scan(there), numpy.cumsum(a)), (clprim.exclusive_scan(there), numpy.cumsum(a) - a),
                (clprim.inclusive_scan(there, dtype=numpy.uint8), numpy.cumsum(a, dtype=numpy.uint8)),
                (clprim.reduce(self.there(a[:0]), "and"), numpy.True_),
                (device.sum(there), a.sum()), (device.min(there), a.min()), (device.argmin(there), a.argmin())]:
            self.equal(result, expected)
        for op, fold in [("min", numpy.logical_and), ("and", numpy.logical_and), ("or", numpy.logical_or)]:
            with self.subTest(op):
                first = op in ("min", "and")  # the identity
                running = fold.accumulate(a).astype(numpy.bool_)
                self.equal(clprim.reduce(there, op), running[-1])
                self.equal(clprim.inclusive_scan(there, op), running)
                self.equal(clprim.exclusive_scan(there, op), numpy.append(first, running[:-1]))
        for function in [device.sum, clprim.inclusive_scan]:
            self.assertRaisesRegex(TypeError, "cannot be a bool", function, there, dtype=bool)

    def test_errors(self):
        a = numbers(numpy.int32)
        there = self.there(a)
        for at in ["gpu", 0, there]:
            self.assertRaisesRegex(TypeError, r"Runtime\(select=", device.sum, there, at=at)
        with self.assertRaisesRegex(clprim.Error, r"\(-30010\)$") as caught:
            clprim.comparison_sort(there, "a plus b")
        self.assertEqual((caught.exception.status, "less" in caught.exception.sentence), (-30010, True))
        self.assertRaisesRegex(clprim.Error, r"^k is 0 \(-30001\)$", device.top_k, there, 0)
        self.assertRaises(TypeError, device.sort, self.there(numpy.zeros(3, numpy.complex64)))
        self.assertRaises(ValueError, device.sort, there, out=self.there(numpy.zeros(3, numpy.int32)))
        self.assertRaises(ValueError, clprim.reduce, there, "mean")
        self.equal(there, a)


class Device(Host):
    """On PyOpenCL's context and queue."""

    def there(self, a):
        return pyopencl.array.to_device(QUEUE, a)

    def back(self, a):
        self.assertIsInstance(a, pyopencl.array.Array)
        return a.get()

    def compacted(self, result):
        elements, count = result
        return elements[:int(count.get()[0])] if elements.size else elements

    def scalar(self, result):
        return self.back(result)[0]

    def test_zero_copy(self):
        """Parts of arrays are written in place, on an out-of-order queue, after the given events."""
        queue = pyopencl.CommandQueue(
            CONTEXT, properties=pyopencl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
        a = numbers(numpy.float32)
        there = self.there(a)
        part = there[1000:2000]
        device.sort(part, out=part, at=queue)
        pyopencl.wait_for_events(part.events)
        expected = a.copy()
        expected[1000:2000].sort()
        self.equal(there, expected)
        self.assertRaises(ValueError, device.sort, there[::2])
        self.assertRaises(ValueError, clprim.sort_pairs, there, a)
        self.assertRaisesRegex(TypeError, "`at` must be a pyopencl.CommandQueue", device.sort, there, at=RUNTIME)
        for at in [RUNTIME, queue]:
            numpy.testing.assert_array_equal(device.sort(a, at=at), numpy.sort(a))

    def test_events(self):
        """Functions wait for the arrays' events, and the arrays of their results have the calls' events."""
        a = numbers(numpy.int32)
        results = []
        gate = pyopencl.UserEvent(CONTEXT)
        there = self.there(a)  # waits for the queue
        there.add_event(gate)
        for call in [device.sort, device.argsort, device.sum, clprim.inclusive_scan, device.histogram, device.unique,
                     lambda x: device.top_k(x, 5), lambda x: clprim.comparison_sort(x, "a > b"),
                     lambda x: clprim.sort_pairs(x, x)]:
            result = call(there)
            results.append(result if isinstance(result, tuple) else (result,))
            for array in results[-1]:
                with self.subTest(results=len(results)):
                    self.assertEqual(len(array.events), 1)
                    self.assertNotEqual(array.events[0].command_execution_status,
                                        pyopencl.command_execution_status.COMPLETE)
        gate.set_status(pyopencl.command_execution_status.COMPLETE)
        self.equal(results[0][0], numpy.sort(a))
        self.equal(results[1][0], numpy.argsort(a, kind="stable").astype(numpy.uint32))
        self.equal(results[-1][1], numpy.sort(a))

    def test_plans(self):
        """Buffers, events and wait lists, and the caller's memory."""
        runtime = clprim.Runtime(QUEUE)
        self.assertEqual(runtime.device_name.strip(), QUEUE.device.name.strip())
        a, out = numbers(numpy.uint32), numpy.empty(N + 1, numpy.uint32)
        given, result = buffer(a), buffer(out)
        sort = clprim.Plan("radix_sort", runtime, key_type=numpy.uint32)
        sort.set_scratch(buffer(bytearray(sort.scratch_size(count=N))))
        gate = pyopencl.UserEvent(CONTEXT)
        done = sort.enqueue(QUEUE, keys_in=given, count=N, keys_out=(result, 1), wait_for=[gate])
        self.assertNotEqual(done.command_execution_status, pyopencl.command_execution_status.COMPLETE)
        gate.set_status(pyopencl.command_execution_status.COMPLETE)
        pyopencl.enqueue_copy(QUEUE, out, result, wait_for=[done]).wait()
        numpy.testing.assert_array_equal(out[1:], numpy.sort(a))
        self.assertRaisesRegex(clprim.Error, "-30003", sort.enqueue, QUEUE, keys_in=given, count=N + 1, keys_out=given)
        self.assertRaisesRegex(ValueError, "there is no operation 'sort', only reduce, ", clprim.Plan, "sort", runtime)
        self.assertEqual(sort.operation, "radix_sort")
        del sort, runtime
        gc.collect()

    def test_run(self):
        """Operations without a function in the module, and a custom operator as a structure."""
        a, b = numpy.sort(numbers(numpy.uint32)), numpy.sort(numbers(numpy.uint32, 100))
        add = _c.CustomOp(combine=b"a + b", identity=b"0")
        for expected, name, desc, result, arrays in [
                (numpy.sort(numpy.append(a, b)), "merge", {}, "keys_out", {"a_keys": a, "b_keys": b}),
                (numpy.searchsorted(a, b), "search", {}, "out", {"in_": a, "needles": b}),
                (numpy.searchsorted(a, b, "right"), "search", {"bound": "upper"}, "out", {"in_": a, "needles": b}),
                ([a.sum()], "reduce", {"type": "u32", "custom": add}, "out", {"in_": a}),
                ([a.max().astype(numpy.float32) / 2], "reduce",
                 {"type": "u32", "op": "max", "output": "r / 2.0f", "output_type": numpy.float32}, "out", {"in_": a})]:
            out = numpy.empty(len(expected), desc.get("output_type", numpy.uint32))
            clprim.run(name, desc, **arrays, **{result: out})
            numpy.testing.assert_array_equal(out, expected)

    def test_types_of_keys_and_scatter(self):
        floats = numpy.array([1.5, -2, 0.25, -0.0, numpy.inf, 3], numpy.float32)
        bits = (floats.view(numpy.uint32) >> 16).astype(numpy.uint16)  # exact: these have few digits
        out = numpy.empty_like(bits)
        clprim.run("radix_sort", {"key_type": "bf16"}, keys_in=bits, keys_out=out)
        numpy.testing.assert_array_equal(out, bits[numpy.argsort(floats, kind="stable")])
        wide = numpy.array([(3, 1), (2, 1), (9, 0), (0, 2)], [("low", numpy.uint64), ("high", numpy.uint64)])
        out = numpy.empty_like(wide)
        clprim.run("radix_sort", {"key_type": "u128"}, keys_in=wide, keys_out=out)
        numpy.testing.assert_array_equal(out, wide[[2, 1, 0, 3]])
        self.assertRaisesRegex(clprim.Error, "bf16", clprim.run, "reduce", {"type": "bf16"}, in_=bits,
                               out=bits[:1].copy())
        moved = numpy.zeros(7, numpy.float32)
        clprim.run("transform", {"expressions": ["x[i]"], "types": ["f32"], "out_index": "6 - 2 * i",
                                 "parameters": {"x": ["f32"]}}, arguments=[floats], count=6, out_length=7, out=[moved])
        numpy.testing.assert_array_equal(moved, [-0.0, 0, 0.25, 0, -2, 0, 1.5])

    def test_set_operations(self):
        a, b = numpy.unique(numbers(numpy.uint32)), numpy.unique(numbers(numpy.uint32, 100))
        for op, function in [("union", numpy.union1d), ("intersection", numpy.intersect1d),
                             ("difference", numpy.setdiff1d), ("symmetric_difference", numpy.setxor1d)]:
            out, count = numpy.empty(len(a) + len(b), numpy.uint32), numpy.empty(1, numpy.uint32)
            clprim.run("set_operation", {"op": op}, a_keys=a, b_keys=b, keys_out=out, out_count=count)
            numpy.testing.assert_array_equal(out[:count[0]], function(a, b))

    def test_limits(self):
        a = numbers(numpy.uint32, 2_000_000)
        runtime = clprim.Runtime(QUEUE)
        steps = []

        def stop(operation, done, total):
            raise KeyboardInterrupt
        runtime.limit(4 << 20, lambda *step: steps.append(step))
        numpy.testing.assert_array_equal(device.sort(a, at=runtime), numpy.sort(a))
        self.assertEqual((steps[0][0], steps[-1]), ("radix_sort", ("radix_sort", a.size, a.size)))
        self.assertGreater(len(steps), 8)
        runtime.limit(4 << 20, stop)
        self.assertRaises(KeyboardInterrupt, device.sort, a, at=runtime)
        for delay in (0, 0.001, 0.005):  # while C works
            begun = threading.Event()
            runtime.limit(4 << 20, lambda *step: begun.set())

            def interrupt():
                begun.wait(60)
                time.sleep(delay)
                os.kill(os.getpid(), signal.SIGINT)
            thread = threading.Thread(target=interrupt)
            thread.start()
            with self.assertRaises(KeyboardInterrupt):
                device.sort(a, at=runtime)
                thread.join()
            thread.join()
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        comm, = clprim.Communicator.threads(1)
        runtime.limit(4 << 20, stop)
        self.assertRaises(KeyboardInterrupt, clprim.run_distributed, "radix_sort", {"key_type": "u32"}, comm=comm,
                          runtime=runtime, keys_in=a, keys_out=a.copy())
        with self.assertRaises(clprim.Error):  # its own exception, not the one that progress raised before
            clprim.run("radix_sort", {"key_type": "u32", "bit_range": True, "begin_bit": 9, "end_bit": 3}, runtime=runtime,
                       keys_in=a, keys_out=a.copy())
        runtime.limit()
        steps.clear()
        numpy.testing.assert_array_equal(device.sort(a, at=runtime), numpy.sort(a))
        self.assertEqual(steps, [])
        self.assertRaises(TypeError, runtime.limit, 0.5)

    def test_threads(self):
        """Calls run in parallel; a plan is used by one thread at a time."""
        arrays = [numbers(numpy.float32) for _ in range(4)]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for a, result in zip(5 * arrays, pool.map(device.sort, 5 * [self.there(a) for a in arrays])):
                self.equal(result, numpy.sort(a))


def load_tests(loader, tests, pattern):
    """In a quick run one test in three, as tests/support/sample.c does."""
    del loader, pattern
    if not os.environ.get("CLPRIM_TEST_QUICK") or os.environ.get("CLPRIM_TEST_FULL"):
        return tests
    every = [test for case in tests for test in case]
    return unittest.TestSuite(test for test in every if zlib.crc32(test.id().encode()) % 3 == 0)


if __name__ == "__main__":
    unittest.main()
