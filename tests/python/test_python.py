#!/usr/bin/env python3
"""bindings/python against numpy, on numpy's and PyOpenCL's arrays, and its structures against the headers. CTest runs
it with CLPRIM_LIBRARY set, CLPRIM_TEST_CC and CLPRIM_TEST_INCLUDES for the headers, and the operations in
CLPRIM_TEST_STEMS."""
import os
import sys

try:
    import numpy
    import pyopencl
    import pyopencl.array
except ImportError as error:
    system = "/usr/bin/python3"  # python3 may be another one than the system's, without its packages
    if os.path.exists(system) and not os.environ.get("CLPRIM_TEST_AGAIN"):
        os.environ["CLPRIM_TEST_AGAIN"] = "yes"
        os.execv(system, [system, "-B", *sys.argv])
    print(f"skipped: {error} (Debian's python3-numpy and python3-pyopencl)")
    sys.exit(77)

import contextlib
import ctypes
import gc
import io
import pathlib
import pydoc
import re
import shlex
import subprocess
import threading
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bindings" / "python"))
import clprim
from clprim import _arrays, _c, _operations, _types

N = 3001
RNG = numpy.random.default_rng(7)

WRONG = (TypeError, ValueError)

STRUCTURES = {thing.__name__: thing for thing in vars(_c).values()
              if isinstance(thing, type) and issubclass(thing, ctypes.Structure)}

# The functions that the structures point to, and those that are called by name, as pointers in C.
POINTERS = {
    "clprim_member.element": "clprim_element (*)(const void *, size_t)",
    "clprim_member.length": "size_t (*)(const void *, const void *)",
    "clprim_member.is_whole": "bool (*)(const void *)",
    "clprim_member.is_read": "bool (*)(const void *)",
    "clprim_operation.variants": "const clprim_variant_info *(*)(size_t *)",
    "clprim_operation.create": "clprim_status (*)(clprim_plan **, clprim_runtime *, const void *)",
    "clprim_operation.enqueue": "clprim_status (*)(clprim_plan *, cl_command_queue, const void *, cl_uint, "
                                "const cl_event *, cl_event *)",
    "clprim_operation.run": "clprim_status (*)(clprim_runtime *, const void *, const void *)",
    "operations": "const clprim_operation *const *(*)(size_t *)",
    "plan_destroy": "void (*)(clprim_plan *)",
    "plan_scratch_size": "clprim_status (*)(size_t *, const clprim_plan *, const void *)",
    "plan_set_scratch": "clprim_status (*)(clprim_plan *, cl_mem)",
    "plan_variant": "const clprim_variant_info *(*)(const clprim_plan *)",
    "runtime_create": "clprim_status (*)(clprim_runtime **, const clprim_runtime_desc *)",
    "runtime_default": "clprim_status (*)(clprim_runtime **)",
    "runtime_destroy": "void (*)(clprim_runtime *)",
    "runtime_info": "const clprim_device_info *(*)(const clprim_runtime *)",
    "version_text": "const char *(*)(void)",
    "last_error": "const char *(*)(void)",
}


class Headers(unittest.TestCase):
    """What the structures say is what a C compiler sees. What the library's tables say is tests/contract's to test."""

    def equal(self, numbers):
        """The expressions in C have these values."""
        compiler = os.environ.get("CLPRIM_TEST_CC")
        if not compiler:
            self.skipTest("CLPRIM_TEST_CC is not set")
        text = "".join(f'_Static_assert({expression} == {number}, "{expression}");\n'
                       for expression, number in numbers.items())
        includes = [f"-I{path}" for path in os.environ["CLPRIM_TEST_INCLUDES"].split(":") if path]
        done = subprocess.run([*shlex.split(compiler), "-std=c11", "-Wall", "-Werror", "-fsyntax-only", *includes,
                               "-xc", "-"], input=f"#include <clprim/clprim.h>\n#include <stddef.h>\n{text}",
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_structures(self):
        said = {}
        for name, structure in STRUCTURES.items():
            for field, _ in structure._fields_:
                said[f"offsetof({name}, {field})"] = getattr(structure, field).offset
                said[f"sizeof((({name} *)0)->{field})"] = getattr(structure, field).size
            if name != "clprim_device_info":  # which is only the beginning
                said[f"sizeof({name})"] = ctypes.sizeof(structure)
        self.equal(said)
        self.assertGreater(len(said), 110)

    def test_kinds(self):
        """A field's C type, too: sizes alone would not tell a text from a pointer, or functions from each other."""
        c_types = {ctypes.c_size_t: "size_t", ctypes.c_bool: "_Bool", ctypes.c_char_p: "const char *"}
        fields = [(f"{name}.{field}", f"(({name} *)0)->{field}", kind) for name, structure in STRUCTURES.items()
                  for field, kind in structure._fields_]
        fields += [(name, f"&clprim_{name}", ctypes.CFUNCTYPE(result, *arguments))
                   for name, (result, arguments) in _c._FUNCTIONS.items()]
        said, functions = {}, []
        for name, expression, kind in fields:
            is_right = 1
            if hasattr(kind, "_restype_"):
                functions.append(name)
                c_type = POINTERS[name]
                arguments = c_type.split("(*)")[1]
                self.assertEqual(len(kind._argtypes_), 0 if arguments == "(void)" else arguments.count(",") + 1, name)
            elif kind is ctypes.c_void_p:
                c_type, is_right = "const char *", 0
            elif hasattr(kind, "contents"):
                c_type = f"const {kind._type_.__name__} *"
            elif kind in c_types:
                c_type = c_types[kind]
            else:
                continue  # an enumeration's number, or an array of characters
            said[f"_Generic({expression}, {c_type}: 1, default: 0)"] = is_right
        self.equal(said)
        self.assertEqual(sorted(functions), sorted(POINTERS))

    def test_numbers(self):
        expected = {f"CLPRIM_{name.upper()}": i for i, name in enumerate(_c.TYPES) if i > 0}
        expected.update({f"CLPRIM_MEMBER_{name.upper()}": i for i, name in enumerate(_c.MEMBER_KINDS)})
        expected.update(zip([f"CLPRIM_VERSION_{part}" for part in ("MAJOR", "MINOR", "PATCH")], _c.VERSION.split(".")))
        self.equal({**expected, "CLPRIM_TYPE_END": len(_c.TYPES), "sizeof(clprim_indexed)": 16})
        project = pathlib.Path(clprim.__file__).parent.parent / "pyproject.toml"
        self.assertIn(f'version = "{_c.VERSION}"', project.read_text())

    def test_library_of_another_version(self):
        self.assertEqual(_c.library().clprim_version_text().decode(), _c.VERSION)
        self.assertEqual(_c._same(10203), (1, 2))
        major, minor = _c._same(_c.VERSION)
        loaded = _c.library.__wrapped__  # what is behind the cache
        with unittest.mock.patch.object(_c, "VERSION", f"{major}.{minor}.99"):
            loaded()
        with unittest.mock.patch.object(_c, "VERSION", f"{major}.{minor + 1}.0"):
            self.assertRaisesRegex(ImportError, "another version of libclprim", loaded)

    def test_complete(self):
        """Every operation is there."""
        stems = os.environ.get("CLPRIM_TEST_STEMS", "").split(":")
        if stems == [""]:
            self.skipTest("CLPRIM_TEST_STEMS is not set")
        self.assertEqual(sorted(stems), sorted(clprim.operations()))


def numbers(dtype, count=N, below=120):
    return RNG.integers(0, below, count).astype(dtype)


def opened():
    """A context and a queue on the first device."""
    device = next(device for platform in pyopencl.get_platforms() for device in platform.get_devices())
    context = pyopencl.Context([device])
    return context, pyopencl.CommandQueue(context)


class Types(unittest.TestCase):
    """Types are what they are called, or refused."""

    def test_exact(self):
        for name in _c.TYPES[1:]:
            dtype = _types.DTYPES[name]
            self.assertEqual((8 * dtype.itemsize, dtype.kind), (int(name[1:]), name[0]))
            for value in [name, dtype.name, dtype, dtype.type, dtype.newbyteorder("=")]:
                with self.subTest(value):
                    self.assertEqual(_types.type_of(value), name)
            self.assertEqual(_types.dtype_of(dtype.name), dtype)
        self.assertEqual([_types.type_of(t) for t in (int, float, ctypes.c_int16)], ["i64", "f64", "i16"])
        self.assertEqual(_types.dtype_of("f8"), numpy.float64)
        self.assertEqual(_types.dtype_of("i32"), numpy.int32)

    def test_refused(self):
        for value in ["i4", "u4", "f8", "<i8", "l", "int", "I64", "", 7, 1.5, True, bool, complex, object, "bool", None,
                      numpy.int64(3), numpy.zeros(3), numpy.dtype(">i8"), numpy.dtype(">f4"), numpy.longdouble, "M8[s]",
                      numpy.dtype([("x", "i4")]), numpy.dtype("S4"), numpy.dtype(("i4", (2,)))]:
            with self.subTest(value), self.assertRaises(TypeError):
                _types.type_of(value)
        for value in ["i8", "u8", 7, None, "i5"]:
            self.assertRaises(TypeError, _types.dtype_of, value)

    def test_of_descriptions(self):
        """A dtype is not the type that its number, or numpy's code, would be."""
        a = numbers(numpy.int64) + 2**40
        for value in [numpy.dtype("int64"), numpy.dtype(numpy.int64), numpy.int64, "int64", "i64"]:
            total = numpy.zeros(1, numpy.int64)
            clprim.run("reduce", {"type": value}, in_=a, out=total)
            self.assertEqual(total[0], a.sum())
        narrow = a.astype(numpy.int32)
        clprim.run("reduce", {"type": None}, in_=narrow, out=numpy.zeros(1, numpy.int32))  # C's default
        self.assertRaisesRegex(TypeError, "numpy.int64 or numpy.int8", clprim.sum, a, dtype="i8")
        self.assertEqual(clprim.sum(a, dtype="int64"), a.sum())

    def test_fields(self):
        """Numbers that C would cut off, and texts that are none."""
        for stem, desc in [("radix_sort", {"value_size": -1}), ("radix_sort", {"begin_bit": 2**32 + 3}),
                           ("radix_sort", {"variant": 2**32 + 1}), ("radix_sort", {"value_size": 2.5}),
                           ("radix_sort", {"descending": "no"}), ("select", {"predicate": lambda x: x > 0}),
                           ("select", {"predicate": b"x > 0"}), ("select", {"predicate": "x > 0\0 && x < 3"}),
                           ("histogram", {"type": "i64", "high": 2**53 + 1}),
                           ("histogram", {"bins": 3, "boundaries": [0.0, 1.0]}),
                           ("histogram", {"bins": 2, "type": "i64", "boundaries": [0, 0.5, 1]}),
                           ("histogram", {"bins": 2, "type": "u64", "boundaries": [-1, 0, 1]}),
                           ("histogram", {"bins": 2, "type": "i64", "boundaries": [-1, 0, 2**63]}),
                           ("scan", {"initial": 2**31}), ("scan", {"initial": [1, 2]}), ("scan", {"custom": "a + b"}),
                           ("scan", {"custom": {"combine": lambda a, b: a + b}}),
                           ("sort_by_key", {"element_sizes": [4] * 17}), ("sort_by_key", {"variant": 2**32 + 1}),
                           ("radix_sort", {"nan_order": "first"}), ("radix_sort", {"nan_order": 1}),
                           ("radix_sort", {"variant": 1}), ("merge", {"variant": "onesweep"}),
                           ("reduce", {"type": 7}), ("reduce", {"type": "i8x"}), ("reduce", {"op": 3}),
                           ("reduce", {"type": numpy.dtype(">i8")}), ("reduce", {"op": numpy.int64(1)}),
                           ("scan", {"custom": {"combin": "a"}}), ("radix_sort", {"keytype": "u32"})]:
            with self.subTest(desc), self.assertRaises(WRONG):
                clprim.Plan(stem, **desc)
        big = numpy.array([0, 2**62, 2**62 + 1], numpy.int64)
        counts = clprim.histogram(big, [-2**63, 2**62 + 1, 2**63 - 1])
        self.assertEqual(list(counts), [2, 1])
        out = numpy.zeros(4, numpy.float32)
        clprim.run("scan", {"type": "f32", "initial": 5}, in_=numpy.ones(4, numpy.float32), out=out)
        self.assertEqual(list(out), [6, 7, 8, 9])

    def test_enumerators(self):
        """They have names; a variant has that of its description."""
        for variant in ["merge_path", "cpu_chunk"]:
            self.assertEqual(clprim.Plan("merge", variant=variant).variant, variant)
        self.assertNotEqual(clprim.Plan("merge", variant="auto").variant, "auto")
        with self.assertRaisesRegex(ValueError, "^op must be one of sum, prod, .*, not 'mean'"):
            clprim.Plan("reduce", op="mean")


COUNTS = {"count": 37, "segment_count": 3, "needle_count": 5, "a_count": 20, "b_count": 17}
OPERATOR = {"type_name": "uchar3_", "type_size": 3, "source": "typedef struct { uchar x, y, z; } uchar3_;",
            "combine": "a", "identity": "(uchar3_){0, 0, 0}"}
THREE = {key: OPERATOR[key] for key in ("type_name", "type_size", "source")}

# Calls whose arrays differ in what they hold or how much of it.
LAYOUTS = [
    ("reduce", {"type": "u8", "accumulator_type": "i64"}),
    ("reduce", {"type": "f64", "op": "argmin"}),
    ("reduce", {"custom": OPERATOR}),
    ("scan", {}),
    ("scan", {"type": "i16", "op": "argmax"}),
    ("scan", {"segments": "by_flag"}),
    ("scan", {"segments": "by_key"}),
    ("histogram", {}),
    ("histogram", {"bins": 5, "channels": 3, "active_channels": 2, "counter_type": "u64"}),
    ("histogram", {"bins": 5, "weights_type": "i32", "variant": "global_atomic"}),
    ("radix_sort", {"key_type": "f64", "value_size": 2}),
    ("radix_sort", {"argsort": True}),
    ("bitonic_sort", {"value_size": 8}),
    ("bitonic_sort", {"value_size": 8, "segmented": True}),
    ("comparison_sort", {**THREE, "less": "a.x < b.x", "value_size": 1}),
    ("sort_by_key", {"key_type": "u8", "num_arrays": 2, "element_sizes": [2]}),
    ("segmented_sort", {"argsort": True, "index_type": "u64", "offsets_type": "u64"}),
    ("select", {"type": "f64"}),
    ("unique", {}),
    ("run_length_encode", {"index_type": "u64"}),
    ("reduce_by_key", {"key_type": "u8", "type": "u8", "op": "max"}),
    ("top_k", {"k": 3, "indices": True}),
    ("merge", {"key_type": "i64", "value_size": 4}),
    ("is_sorted", {"index_type": "u64"}),
    ("search", {"type": "f32", "index_type": "u64"}),
]
BEHIND = 0xa5  # every byte behind an array


def layout(name, desc):
    """(the counts of a call, its arrays as [(member, index in it or None, dtype, length)])."""
    operation = _operations.operation(name)
    made = operation.description(_types.fields(operation, desc))
    counts = {count: COUNTS[count] for count in operation.counts if count != "segment_count" or
              operation.arrays["offsets"].element_of(made).size > 0}
    call = _arrays.Layout(operation, made).counts({**dict.fromkeys(operation.counts, 0), **counts})
    arrays = []
    for member in operation.arrays.values():
        for i in range(member.repeat or 1):
            need = _types.need_of(member.element_of(made, i))
            if need.size > 0:
                arrays.append((member, None if member.repeat is None else i, need.dtype or numpy.dtype(f"V{need.size}"),
                               member.length_of(made, call)))
    return counts, arrays


def put(call, member, index, array):
    """The call with another array there."""
    if index is None:
        return {**call, member.name: array}
    arrays = list(call.get(member.name, []))
    arrays[index:index + 1] = [array]
    return {**call, member.name: arrays}


def filled(call, arrays, make=numpy.zeros):
    """The call with arrays that make(length, dtype) returns."""
    for member, index, dtype, length in arrays:
        call = put(call, member, index, make(length, dtype))
    return call


def label(member, index):
    return member.name if index is None else rf"{member.name}\[{index}\]"


def spoilt(array, is_written):
    """What must be refused in place of an array of numpy's, and why."""
    locked = array.view()
    locked.flags.writeable = False
    apart = numpy.zeros(2 * array.size, array.dtype)[::2]
    return [(array[:-1], "room for"), (numpy.zeros(array.size, "V5"), "must be an array of"),
            (numpy.ma.masked_array(array), "masked"), (array.tolist(), "must be a numpy.ndarray"),
            (4096, "must be a numpy.ndarray"), *([(apart, "contiguous")] if array.size > 1 else []),
            *([(locked, "read-only")] if is_written else [])]


class Case(unittest.TestCase):
    def fails(self, status, function, *arguments, **named):
        """C refuses it with this status. Returns the sentence."""
        with self.assertRaises(clprim.Error) as caught:
            function(*arguments, **named)
        self.assertEqual(caught.exception.status, status)
        return caught.exception.sentence


class Arrays(Case):
    """Nothing is called with arrays that are too short, of another type, or not to be written to."""

    @classmethod
    def setUpClass(cls):
        cls.context, cls.queue = opened()
        cls.runtime = clprim.Runtime(context=cls.context)

    def test_host(self):
        for name, desc in LAYOUTS:
            counts, arrays = layout(name, desc)
            wholes = []  # each array with bytes behind it that nothing may write to

            def make(length, dtype):
                size = dtype.itemsize * length
                wholes.append((numpy.full(size + 64, BEHIND, numpy.uint8), size))
                wholes[-1][0][:size] = 0
                return wholes[-1][0][:size].view(dtype)

            call = filled(counts, arrays, make)
            with self.subTest(name, desc=desc):
                clprim.run(name, desc, runtime=self.runtime, **call)
                for memory, size in wholes:
                    self.assertTrue((memory[size:] == BEHIND).all())
                self.refused(name, desc, call, arrays)
                self.counted(name, desc, call, counts)

    def refused(self, name, desc, call, arrays):
        def expect(kind, sentence, bad):
            with self.subTest(sentence=sentence):
                self.assertRaisesRegex(kind, sentence, clprim.run, name, desc, runtime=self.runtime, **bad)

        for member, index, _, _ in arrays:
            array = call[member.name] if index is None else call[member.name][index]
            for bad, sentence in spoilt(array, member.is_written):
                expect(WRONG, f"^{label(member, index)} .*{sentence}", put(call, member, index, bad))
            if member.name != "outside_out":  # C says itself that it wants an array
                expect(clprim.Error, f"^{member.name.rstrip('_')} ", put(call, member, index, None))
        for count in COUNTS.keys() & call.keys():
            for bad in [-1, 1.5, 2**64]:
                expect(WRONG, f"^{count} must be", {**call, count: bad})
        for member in _operations.operation(name).arrays.keys() - call.keys():
            expect(ValueError, f"^{member} must be left out", {**call, member: numpy.zeros(99, numpy.uint8)})
        expect(TypeError, f"^{name} has no keys: its calls have {'|'.join(call)}", {**call, "keys": None})

    def counted(self, name, desc, call, counts):
        """The counts follow from the arrays that are read."""
        operation = _operations.operation(name)
        made = _arrays.Layout(operation, operation.description(_types.fields(operation, desc)))
        found = made.counts({key: value for key, value in call.items() if key not in counts})
        self.assertEqual({count: getattr(found, count) for count in counts}, counts)
        self.assertRaisesRegex(TypeError, f"^{name} takes {next(iter(counts))}", clprim.run, name, desc,
                               runtime=self.runtime)

    def test_counts(self):
        sort = self.runtime.plan("segmented_sort")
        for offsets, expected in [(0, 0), (1, 0), (2, 1)]:
            call = sort._layout.counts({"count": 3, "offsets": numpy.zeros(offsets, numpy.uint32)})
            self.assertEqual(call.segment_count, expected)
        self.assertRaisesRegex(ValueError, "^count does not follow from the 7 elements of in_",
                               self.runtime.plan("histogram", channels=3)._layout.counts,
                               {"in_": numpy.zeros(7, numpy.uint8)})
        self.assertRaisesRegex(TypeError, "takes count", self.runtime.plan("reduce").enqueue, self.queue,
                               in_=self.buffer(16), out=self.buffer(4))
        self.assertGreaterEqual(sort.scratch_size(count=2**20, segment_count=2), 2**20)
        self.assertRaisesRegex(TypeError, "has no segments", sort.scratch_size, count=9, segments=2)

    def test_device(self):
        """What is said to be needed is what C asks of buffers, to the byte; and arrays are held against it."""
        for name, desc in LAYOUTS:
            counts, arrays = layout(name, desc)
            plan = self.runtime.plan(name, **desc)
            call = filled(counts, arrays, lambda length, dtype: self.buffer(dtype.itemsize * length))
            with self.subTest(name, desc=desc):
                plan.enqueue(self.queue, **call).wait()
                for each in arrays:
                    self.held_against(plan, call, *each)

    def buffer(self, size):
        return pyopencl.Buffer(self.context, pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR,
                               hostbuf=numpy.zeros(size, numpy.uint8))

    def held_against(self, plan, call, member, index, dtype, length):
        name = label(member, index)
        with self.subTest(name=name):
            if dtype.itemsize * length > 1:
                self.fails(-30003, plan.enqueue, self.queue,
                           **put(call, member, index, self.buffer(dtype.itemsize * length - 1)))
            memory = pyopencl.array.zeros(self.queue, dtype.itemsize * (length + 1), numpy.uint8)
            plan.enqueue(self.queue, **put(call, member, index, memory.view(dtype)[1:])).wait()
            other = pyopencl.array.empty(self.queue, length, numpy.dtype("V5"))
            for bad, sentence in [(memory.view(dtype)[2:], "room for"), (other, "must be an array of"),
                                  (numpy.zeros(length, dtype), "must be a pyopencl"),
                                  ((self.buffer(16), -1), "offset"), (self.queue, "must be a pyopencl")]:
                self.assertRaisesRegex(WRONG, f"{name} .*{sentence}|{sentence} of {name}", plan.enqueue, self.queue,
                                       **put(call, member, index, bad))

    def test_sort_by_key(self):
        keys, a, b = numbers(numpy.uint8), numpy.arange(N, dtype=numpy.int16), RNG.random(N).astype(numpy.float32)
        order, mine = numpy.argsort(keys, kind="stable"), [a.copy(), b.copy()]
        desc = {"key_type": "u8", "num_arrays": 2, "element_sizes": [2]}  # the other has the default, 4

        def run(arrays, out):
            clprim.run("sort_by_key", desc, keys_in=keys, keys_out=keys.copy(), arrays_in=arrays, arrays_out=out)

        for bad in [None, mine[:1], [*mine, mine[0]], [mine[1], mine[0]], [mine[0], mine[1][:-1]], mine[0], [a, None],
                    [*mine, *[None] * 15]]:
            self.assertRaises((*WRONG, clprim.Error), run, mine, bad)
            self.assertRaises((*WRONG, clprim.Error), run, bad, mine)
        numpy.testing.assert_array_equal(mine[0], a)
        run(mine, mine)
        for got, expected in zip(mine, (a, b)):
            numpy.testing.assert_array_equal(got, expected[order])
        there = [pyopencl.array.to_device(self.queue, x) for x in (keys, a, b)]
        plan = self.runtime.plan("sort_by_key", **desc)

        def enqueue(out):
            return plan.enqueue(self.queue, keys_in=there[0], keys_out=there[0], arrays_in=there[1:], arrays_out=out)

        for bad in [there[1], there[1:2], there[:0:-1], [there[1], there[2][1:]]]:
            self.assertRaises((*WRONG, clprim.Error), enqueue, bad)
        enqueue(there[1:]).wait()
        for got, expected in zip(there[1:], (a, b)):
            numpy.testing.assert_array_equal(got.get(), expected[order])

    def test_objects(self):
        """What is no memory object, queue or event is not asked for its handle."""
        plan, a = self.runtime.plan("reduce"), pyopencl.array.zeros(self.queue, 4, numpy.int32)
        for queue, waits in [(self.context, None), ("gpu", None), (self.queue, [self.queue]), (self.queue, [1])]:
            self.assertRaises(TypeError, plan.enqueue, queue, in_=a, out=a[:1], wait_for=waits)
        for bad in [a, self.queue, 7]:
            self.assertRaises(TypeError, plan.set_scratch, bad)
        for bad in [lambda: clprim.Runtime("gpu"), lambda: clprim.Runtime(context=self.queue),
                    lambda: clprim.Runtime.of("gpu"), lambda: clprim.Plan("reduce", self.queue),
                    lambda: clprim.run("unique", count=0, runtime=7)]:
            self.assertRaises(TypeError, bad)


class Inputs(unittest.TestCase):
    """Arrays of numpy's as they come: copied where C could not take them, or refused with what to do."""

    def setUp(self):
        self.a = numbers(numpy.int32)
        self.expected = numpy.sort(self.a)

    def test_copied(self):
        a = self.a
        odd = numpy.zeros(4 * N + 1, numpy.uint8)
        odd[1:] = a.view(numpy.uint8)
        locked = a.copy()
        locked.flags.writeable = False
        for given in [a.astype(">i4"), numpy.repeat(a, 2)[::2], a[::-1], odd[1:].view(numpy.int32), locked, a.tolist()]:
            before = numpy.array(given)
            result = clprim.sort(given)
            self.assertTrue(result.dtype.isnative)
            numpy.testing.assert_array_equal(result, self.expected)
            numpy.testing.assert_array_equal(given, before)
            self.assertEqual(clprim.sum(given), a.sum())
        pairs = numpy.zeros(N, [("key", ">u4"), ("at", ">u4")])
        pairs["key"], pairs["at"] = a, numpy.arange(N)
        result = clprim.select(pairs, "x.key > 50", type_name="pair", source="typedef struct { uint key, at; } pair;")
        numpy.testing.assert_array_equal(result["at"], numpy.flatnonzero(a > 50))

    def test_refused(self):
        a = self.a
        masked = numpy.ma.masked_array(a, a > 50)
        objects = numpy.array([{}, []], object)
        for bad, sentence in [(masked, r"compressed\(\)"), (numpy.int32(5), "one dimension"),
                              (a.reshape(1, N), "one dimension"), (objects, "Python objects"),
                              (numpy.zeros(3, "c8"), "no type"), (["a", "b"], "no type"),
                              (numpy.zeros(3, [("x", "i4")]), "type_name"), (numpy.zeros(3, "M8[s]"), "no type")]:
            for function in [clprim.sort, clprim.sum, clprim.argsort, clprim.unique, clprim.histogram,
                             clprim.inclusive_scan, lambda x: clprim.top_k(x, 1), lambda x: clprim.select(x, "1"),
                             lambda x: clprim.sort_pairs(x, x), clprim.comparison_sort]:
                with self.subTest(sentence=sentence):
                    self.assertRaisesRegex(WRONG, sentence, function, bad)
        for sentence, function, *arguments in [
                ("Python objects", clprim.sort_pairs, a[:2], objects),
                ("1, 2, 4, 8 or 16 bytes", clprim.sort_pairs, a[:2], numpy.zeros(2, "S3")),
                ("OpenCL C", clprim.comparison_sort, a, lambda a, b: a > b),
                ("OpenCL C", clprim.unique, a, lambda a, b: a == b)]:
            self.assertRaisesRegex(TypeError, sentence, function, *arguments)

    def test_out(self):
        """It has to be what is written there; then it holds it, and it is handed back."""
        a, swapped = self.a, self.a.astype(">i4")
        locked = numpy.zeros(N, numpy.int32)
        locked.flags.writeable = False
        odd = numpy.zeros(4 * N + 1, numpy.uint8)[1:].view(numpy.int32)
        for bad, sentence in [(locked, "read-only"), (swapped, "byte order|not of"), (odd, "aligned"),
                              (numpy.ma.zeros(N, numpy.int32), "masked"), (numpy.zeros((1, N), numpy.int32), "shape"),
                              (numpy.zeros(N + 1, numpy.int32), "shape"), (list(a), "numpy.ndarray")]:
            for function in [clprim.sort, clprim.comparison_sort, clprim.inclusive_scan, clprim.exclusive_scan]:
                with self.subTest(sentence=sentence), self.assertRaisesRegex(WRONG, sentence):
                    function(a, out=bad)
        out = numpy.zeros(N, numpy.int32)
        self.assertRaises(clprim.Error, clprim.comparison_sort, a, "a plus b", out=out)
        self.assertFalse(out.any())
        for given in [out, a]:
            self.assertIs(clprim.sort(a, out=given), given)
            numpy.testing.assert_array_equal(given, self.expected)


class Process(unittest.TestCase):
    def test_help(self):
        """Whatever is public says what it does; nothing private is shown."""
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
        """In a forked process calls do not hang: they say why not. Where clPRIM was not used before, they work."""
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


class Readme(unittest.TestCase):
    def test_example(self):
        """It runs as it is printed."""
        text = (pathlib.Path(__file__).resolve().parent.parent.parent / "README.md").read_text()
        code = text.split("```python\n")[1].split("```")[0]
        said = io.StringIO()
        names = {}
        with contextlib.redirect_stdout(said):
            exec(code, names)
        numpy.testing.assert_array_equal(names["ordered"].get(), numpy.sort(names["prices"]))
        self.assertEqual(names["highest"][0], names["prices"].max())
        self.assertEqual(len(said.getvalue().splitlines()), 2)


class Host(Case):
    """On numpy's arrays. Device does the same on PyOpenCL's."""

    def there(self, a):
        return a

    def back(self, a):
        return a

    def compacted(self, result):
        return result

    def scalar(self, result):
        return result

    def equal(self, result, expected):
        """The same type and values, and bools are 0 or 1. Where a scalar is expected, it is the result of a fold."""
        result = self.scalar(result) if numpy.ndim(expected) == 0 else self.back(result)
        self.assertEqual(result.dtype, expected.dtype)
        if expected.dtype == numpy.bool_:
            result, expected = numpy.asarray(result).view(numpy.uint8), numpy.asarray(expected).view(numpy.uint8)
        numpy.testing.assert_array_equal(result, expected)

    def test_sorts(self):
        for dtype in [numpy.float32, numpy.int64, numpy.uint8]:
            a = numbers(dtype)
            there = self.there(a)
            self.equal(clprim.sort(there), numpy.sort(a))
            self.equal(clprim.sort(there, descending=True), numpy.sort(a)[::-1])
            self.equal(there, a)
        order = numpy.argsort(a, kind="stable").astype(numpy.uint32)
        self.equal(clprim.argsort(there), order)
        values = RNG.random(N)
        keys, moved = clprim.sort_pairs(there, self.there(values))
        self.equal(keys, numpy.sort(a))
        self.equal(moved, values[order])
        clprim.sort(there, out=there)
        self.equal(there, numpy.sort(a))

    def nans(self, dtype):
        """Floats with both zeros, infinities, and NaNs of both signs: x86's has its sign bit set, numpy.nan has not."""
        a = RNG.integers(-50, 50, N).astype(dtype)
        a[5:N:11], a[7:N:13], a[9:N:17], a[10:N:19] = -numpy.nan, numpy.nan, -numpy.inf, numpy.inf
        a[11:N:23] = -0.0
        self.assertEqual(set(numpy.signbit(a[numpy.isnan(a)])), {False, True})
        return a

    def test_nans(self):
        """They are last, as in numpy, whatever their sign; with nan="total" the sign decides on the end."""
        for dtype in [numpy.float16, numpy.float32, numpy.float64]:
            a = self.nans(dtype)
            there = self.there(a)
            with self.subTest(dtype):
                self.equal(clprim.sort(there), numpy.sort(a))
                self.equal(clprim.sort(there, descending=True), numpy.sort(a)[::-1])
                zeros = numpy.signbit([x for x in self.back(clprim.sort(there)) if x == 0]).tolist()
                self.assertEqual(zeros, sorted(zeros, reverse=True))
                self.assertEqual(set(zeros), {False, True})
                self.equal(clprim.comparison_sort(there), numpy.sort(a))
                order = self.back(clprim.argsort(there))
                self.assertEqual(sorted(order), list(range(N)))
                self.equal(clprim.sort(there), a[order])
                signs = list(numpy.signbit(a[order][numpy.isnan(a[order])]))
                self.assertEqual(signs, sorted(signs))  # +NaN before -NaN, which numpy does not tell apart
                for nan in [numpy.nan, -numpy.nan]:
                    one = numpy.where(a == 0, dtype(0), numpy.where(numpy.isnan(a), dtype(nan), a))
                    expected = numpy.argsort(one, kind="stable").astype(numpy.uint32)
                    self.equal(clprim.argsort(self.there(one)), expected)
                    self.equal(clprim.sort_pairs(self.there(one), self.there(numpy.arange(N)))[1],
                               expected.astype(numpy.int64))
                keys, indices = clprim.top_k(there, N // 2)
                self.equal(keys, numpy.sort(a)[::-1][:N // 2])
                self.equal(keys, a[self.back(indices)])
                self.equal(clprim.top_k(there, 50, smallest=True)[0], numpy.sort(a)[:50])

    def test_nans_in_folds(self):
        """min, max and their indices propagate them, as in numpy."""
        a = self.nans(numpy.float32)
        finite = a[~numpy.isnan(a)]
        for given in [a, a[::-1].copy(), finite, numpy.append(finite, -numpy.float32(numpy.nan)),
                      numpy.append(finite, numpy.float32(numpy.nan))]:
            there = self.there(given)
            self.equal(clprim.min(there), given.min())
            self.equal(clprim.max(there), given.max())
            for mine, numpys in [(clprim.argmin, numpy.argmin), (clprim.argmax, numpy.argmax)]:
                found = self.scalar(mine(there))
                if numpy.isnan(given).any():
                    self.assertEqual(found, numpys(given))
                numpy.testing.assert_array_equal(given[found], given[numpys(given)])
            for op, ufunc in [("min", numpy.minimum), ("max", numpy.maximum)]:
                running = ufunc.accumulate(given)
                self.equal(clprim.inclusive_scan(there, op), running)
                self.equal(clprim.exclusive_scan(there, op)[1:], running[:-1])

    def test_nans_in_the_total_order(self):
        a = numpy.array([1, numpy.inf, -numpy.nan, -numpy.inf, numpy.nan, -2], numpy.float32)
        there = self.there(a)
        expected = a[[2, 3, 5, 0, 1, 4]]
        for result in [clprim.sort(there, nan="total"), clprim.comparison_sort(there, nan="total"),
                       clprim.sort_pairs(there, there, nan="total")[1],
                       clprim.top_k(there, 6, smallest=True, nan="total")[0]]:
            self.assertEqual(self.back(result).tobytes(), expected.tobytes())
        self.assertEqual(list(self.back(clprim.argsort(there, nan="total"))), [2, 3, 5, 0, 1, 4])
        self.assertEqual(self.scalar(clprim.argmin(there, nan="total")), 2)
        self.assertEqual(self.scalar(clprim.argmax(there, nan="total")), 4)
        no_positive = self.there(a[[0, 2, 5]])  # max passes over x86's NaN
        self.assertEqual(self.scalar(clprim.max(no_positive, nan="total")), 1)
        self.assertTrue(numpy.isnan(self.scalar(clprim.min(no_positive, nan="total"))))
        self.assertEqual(list(self.back(clprim.inclusive_scan(no_positive, "max", nan="total"))), [1, 1, 1])
        for call in [clprim.sort, clprim.argsort, clprim.min, clprim.argmax, clprim.comparison_sort,
                     clprim.inclusive_scan, lambda x, nan: clprim.top_k(x, 1, nan=nan)]:
            for bad in ["first", 1, True] + [None] * (call is not clprim.comparison_sort):
                self.assertRaisesRegex(ValueError, '^nan must be "last" or "total"', call, there, nan=bad)
        self.assertRaisesRegex(ValueError, "less or nan", clprim.comparison_sort, there, "a > b", nan="last")
        self.equal(clprim.comparison_sort(there[:2], "a > b"), a[[1, 0]])  # where the text alone decides
        self.equal(clprim.sort(self.there(numpy.array([2, 1])), nan="total"), numpy.array([1, 2]))

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
                (clprim.sum(there), total), (clprim.min(there), a.min()), (clprim.max(there), a.max()),
                (clprim.sum(there, dtype=numpy.int32), numpy.int32(total)),
                (clprim.reduce(there, "xor"), numpy.bitwise_xor.reduce(a)),
                (clprim.argmin(there), a.argmin()), (clprim.argmax(there), a.argmax()),
                (there[clprim.argmin(there)], a.min()),  # it is an index, as numpy's is
                (clprim.inclusive_scan(there), sums), (clprim.exclusive_scan(there), sums - a),
                (clprim.inclusive_scan(there, dtype=numpy.int64), numpy.cumsum(a, dtype=numpy.int64)),
                (clprim.inclusive_scan(there, "max"), numpy.maximum.accumulate(a))]:
            self.equal(result, expected)
        best = self.scalar(clprim.reduce(there, "argmax"))
        self.assertEqual((best["index"], best["value"]), (a.argmax(), a.max()))
        floats = RNG.random(N).astype(numpy.float32)
        self.assertAlmostEqual(float(self.scalar(clprim.sum(self.there(floats)))), float(floats.sum()), places=1)

    def test_histograms(self):
        a, floats, edges = numbers(numpy.uint8), RNG.random(N).astype(numpy.float32), [0, 0.25, 0.3, 0.9]
        there = self.there(floats)
        for result, expected in [
                (clprim.histogram(self.there(a)), numpy.bincount(a, minlength=256)),
                (clprim.histogram(there, 16, (0, 1)), numpy.histogram(floats, 16, (0, 1))[0]),
                (clprim.histogram(there, edges), numpy.histogram(floats, edges)[0])]:
            self.equal(result, expected.astype(numpy.uint32))

    def test_selections(self):
        a = numpy.sort(numbers(numpy.int32))
        there = self.there(a)
        self.equal(self.compacted(clprim.unique(there)), numpy.unique(a))
        self.equal(self.compacted(clprim.select(there, "x % 2 == 1 && i > 10")),
                   a[(a % 2 == 1) & (numpy.arange(N) > 10)])

    def test_top_k(self):
        a = RNG.permutation(N).astype(numpy.float32)
        keys, indices = clprim.top_k(self.there(a), 10)
        self.equal(keys, numpy.sort(a)[::-1][:10])
        self.equal(indices, numpy.argsort(-a)[:10].astype(numpy.uint32))
        self.equal(clprim.top_k(self.there(a[:3].copy()), 10, smallest=True)[0], numpy.sort(a[:3]))

    def test_nothing(self):
        nothing = self.there(numpy.empty(0, numpy.int32))
        for result in [clprim.sort(nothing), clprim.inclusive_scan(nothing), self.compacted(clprim.unique(nothing))]:
            self.equal(result, numpy.empty(0, numpy.int32))
        self.assertEqual(self.scalar(clprim.sum(nothing)), 0)
        for function in [clprim.min, clprim.max, clprim.argmin, clprim.argmax, lambda a: clprim.reduce(a, "max")]:
            self.assertRaisesRegex(ValueError, "empty", function, nothing)

    def test_outputs(self):
        """What does not fit is refused before anything is written."""
        a = numbers(numpy.int32, 100)
        there = self.there(a)
        indexed = numpy.dtype({"names": ["index", "value"], "formats": ["u8", "i4"], "offsets": [0, 8], "itemsize": 16})
        for out, call in [
                (numpy.int32, lambda out: clprim.inclusive_scan(there, "argmin", out=out)),
                (numpy.int32, lambda out: clprim.exclusive_scan(there, "argmax", out=out)),
                (numpy.int64, lambda out: clprim.inclusive_scan(there, "max", out=out)),
                (numpy.bool_, lambda out: clprim.inclusive_scan(there, out=out)),
                (numpy.int64, lambda out: clprim.inclusive_scan(there, dtype=numpy.int32, out=out)),
                (numpy.uint32, lambda out: clprim.sort(there, out=out)),
                (numpy.float32, lambda out: clprim.comparison_sort(there, "a > b", out=out)),
                (numpy.int32, lambda out: clprim.sort(there, out=out[:99])),
                (numpy.int32, lambda out: clprim.comparison_sort(there, "a > b", out=out[::2])),
                (numpy.int32, lambda out: clprim.inclusive_scan(there, out=out[:99])),
                (numpy.int32, lambda out: clprim.sort(there, out=self.back(out).tolist()))]:
            memory = self.there(numpy.full(100, 1, out))
            self.assertRaises(WRONG, call, memory)
            self.equal(memory, numpy.full(100, 1, out))
        out = self.there(numpy.zeros(100, indexed))
        lowest = self.back(clprim.inclusive_scan(there, "argmin", out=out))
        numpy.testing.assert_array_equal(lowest["value"], numpy.minimum.accumulate(a))
        numpy.testing.assert_array_equal(a[lowest["index"]], numpy.minimum.accumulate(a))
        numpy.testing.assert_array_equal(self.back(clprim.inclusive_scan(there, "argmin")), self.back(out))
        self.assertRaises(TypeError, clprim.reduce, there, "max", dtype=numpy.float64)

    def test_bins(self):
        """There is at least one, and floats have to be told where."""
        a, floats = self.there(numbers(numpy.uint8)), self.there(RNG.random(N))
        bad = [(a, bins) for bins in [0, -1, [], [1], 2.5, "10", [[0, 1], [2, 3]]]]
        bad += [(floats, 10, range) for range in [(0,), 1, (0, 1, 2), "01"]] + [(floats, [0, 1], (0, 1))]
        for arguments in bad:
            with self.subTest(arguments[1:]):
                self.assertRaises(WRONG, clprim.histogram, *arguments)
        self.assertRaisesRegex(ValueError, r"range=\(low, high\)", clprim.histogram, floats, 10)
        self.equal(clprim.histogram(floats, [0, 1]), numpy.array([N], numpy.uint32))

    def test_bools(self):
        a = numbers(numpy.bool_, below=2)
        a[:3] = True, False, True
        there = self.there(a)
        for result, expected in [
                (clprim.sort(there), numpy.sort(a)), (clprim.sort_pairs(there, there)[1], numpy.sort(a)),
                (self.compacted(clprim.unique(there)), a[numpy.append(True, a[1:] != a[:-1])]),
                (self.compacted(clprim.select(there, "x")), a[a]),
                (clprim.histogram(there, 2), numpy.bincount(a).astype(numpy.uint32)),
                (clprim.inclusive_scan(there), numpy.cumsum(a)), (clprim.exclusive_scan(there), numpy.cumsum(a) - a),
                (clprim.inclusive_scan(there, dtype=numpy.uint8), numpy.cumsum(a, dtype=numpy.uint8)),
                (clprim.reduce(self.there(a[:0]), "and"), numpy.True_),
                (clprim.sum(there), a.sum()), (clprim.min(there), a.min()), (clprim.argmin(there), a.argmin())]:
            self.equal(result, expected)
        for op, fold in [("min", numpy.logical_and), ("and", numpy.logical_and), ("or", numpy.logical_or)]:
            with self.subTest(op):
                first = op in ("min", "and")  # the identity
                running = fold.accumulate(a).astype(numpy.bool_)
                self.equal(clprim.reduce(there, op), running[-1])
                self.equal(clprim.inclusive_scan(there, op), running)
                self.equal(clprim.exclusive_scan(there, op), numpy.append(first, running[:-1]))
        for function in [clprim.sum, clprim.inclusive_scan]:
            self.assertRaisesRegex(TypeError, "cannot be a bool", function, there, dtype=bool)

    def test_flags(self):
        """An array of bools, or of integers, selects as it does in numpy."""
        a, flags = numbers(numpy.float32), numbers(numpy.int16, below=3)
        there = self.there(a)
        self.equal(self.compacted(clprim.select(there, self.there(flags == 1))), a[flags == 1])
        self.equal(self.compacted(clprim.select(there, self.there(flags))), a[flags != 0])
        for bad in [flags[1:], flags.astype(numpy.float32)]:
            self.assertRaises(ValueError, clprim.select, there, self.there(bad))
        for bad in [lambda x: x > 0, None]:
            self.assertRaisesRegex(TypeError, "OpenCL C", clprim.select, there, bad)

    def test_errors(self):
        a = numbers(numpy.int32)
        there = self.there(a)
        for at in ["gpu", 0, there]:
            self.assertRaisesRegex(TypeError, r"Runtime\(select=", clprim.sum, there, at=at)
        self.assertIn("less", self.fails(-30010, clprim.comparison_sort, there, "a plus b"))
        self.fails(-30001, clprim.top_k, there, 0)
        self.assertRaises(TypeError, clprim.sort, self.there(numpy.zeros(3, numpy.complex64)))
        self.assertRaises(ValueError, clprim.sort, there, out=self.there(numpy.zeros(3, numpy.int32)))
        self.assertRaises(ValueError, clprim.reduce, there, "mean")
        self.equal(there, a)


class Device(Host):
    """On PyOpenCL's context and queue."""

    @classmethod
    def setUpClass(cls):
        cls.context, cls.queue = opened()

    def there(self, a):
        return pyopencl.array.to_device(self.queue, a)

    def back(self, a):
        self.assertIsInstance(a, pyopencl.array.Array)
        return a.get()

    def compacted(self, result):
        elements, count = result
        return elements[:int(count.get()[0])] if elements.size else elements

    def scalar(self, result):
        return self.back(result)[0]

    def test_zero_copy(self):
        """Parts of arrays are written where they lie, on a queue that is out of order, after the events given."""
        queue = pyopencl.CommandQueue(
            self.context, properties=pyopencl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
        a = numbers(numpy.float32)
        there = self.there(a)
        part = there[1000:2000]
        clprim.sort(part, out=part, at=queue)
        pyopencl.wait_for_events(part.events)
        expected = a.copy()
        expected[1000:2000].sort()
        self.equal(there, expected)
        self.assertRaises(ValueError, clprim.sort, there[::2])
        self.assertRaises(ValueError, clprim.sort_pairs, there, a)

    def test_events(self):
        """Functions wait for the arrays' events, and their results' arrays have those of the calls."""
        a = numbers(numpy.int32)
        results = []
        gate = pyopencl.UserEvent(self.context)
        there = self.there(a)  # waits for the queue
        there.add_event(gate)
        for call in [clprim.sort, clprim.argsort, clprim.sum, clprim.inclusive_scan, clprim.histogram, clprim.unique,
                     lambda x: clprim.top_k(x, 5), lambda x: clprim.comparison_sort(x, "a > b"),
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
        """Buffers, events and wait lists, and memory of the caller's."""
        runtime = clprim.Runtime(self.queue)
        self.assertEqual(runtime.device_name.strip(), self.queue.device.name.strip())
        a = numbers(numpy.uint32)
        flags = pyopencl.mem_flags
        given = pyopencl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=a)
        result = pyopencl.Buffer(self.context, flags.READ_WRITE, a.nbytes + 4)
        sort = clprim.Plan("radix_sort", runtime, key_type=numpy.uint32)
        scratch = pyopencl.Buffer(self.context, flags.READ_WRITE, sort.scratch_size(count=N))
        sort.set_scratch(scratch)
        gate = pyopencl.UserEvent(self.context)
        done = sort.enqueue(self.queue, keys_in=given, count=N, keys_out=(result, 1), wait_for=[gate])
        self.assertNotEqual(done.command_execution_status, pyopencl.command_execution_status.COMPLETE)
        gate.set_status(pyopencl.command_execution_status.COMPLETE)
        out = numpy.empty(N + 1, numpy.uint32)
        pyopencl.enqueue_copy(self.queue, out, result, wait_for=[done]).wait()
        numpy.testing.assert_array_equal(out[1:], numpy.sort(a))
        self.fails(-30003, sort.enqueue, self.queue, keys_in=given, count=N + 1, keys_out=given)
        self.assertRaisesRegex(ValueError, "there is no operation 'sort', only reduce, ", clprim.Plan, "sort", runtime)
        self.assertEqual(sort.operation, "radix_sort")
        del sort, runtime
        gc.collect()

    def test_run(self):
        """What has no function of its own, and a custom operator as a structure."""
        a, b = numpy.sort(numbers(numpy.uint32)), numpy.sort(numbers(numpy.uint32, 100))
        add = _c.CustomOp(combine=b"a + b", identity=b"0")
        for expected, *call, arrays in [
                (numpy.sort(numpy.append(a, b)), "merge", {}, "keys_out", {"a_keys": a, "b_keys": b}),
                (numpy.searchsorted(a, b), "search", {}, "out", {"in_": a, "needles": b}),
                (numpy.searchsorted(a, b, "right"), "search", {"bound": "upper"}, "out", {"in_": a, "needles": b}),
                ([a.sum()], "reduce", {"type": "u32", "custom": add}, "out", {"in_": a})]:
            name, desc, result = call
            out = numpy.empty(len(expected), numpy.uint32)
            clprim.run(name, desc, **arrays, **{result: out})
            numpy.testing.assert_array_equal(out, expected)

    def test_threads(self):
        """Calls run beside each other; a plan is used by one thread at a time."""
        a = [numbers(numpy.float32) for _ in range(4)]
        there = [self.there(x) for x in a]
        results = [None] * 4

        def work(i):
            for _ in range(5):
                results[i] = clprim.sort(there[i])

        threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
        for act in (threading.Thread.start, threading.Thread.join):
            for thread in threads:
                act(thread)
        for x, result in zip(a, results):
            self.equal(result, numpy.sort(x))


if __name__ == "__main__":
    unittest.main()
