#!/usr/bin/env python3
"""bindings/python against numpy, on numpy's and PyOpenCL's arrays, and its tables against the headers. CTest runs it
with CLPRIM_LIBRARY set, CLPRIM_TEST_CC and CLPRIM_TEST_INCLUDES for the headers, and the primitives in
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
import tempfile
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bindings" / "python"))
import clprim
from clprim import _arrays, _c, _types

N = 3001
RNG = numpy.random.default_rng(7)


class Headers(unittest.TestCase):
    """What the tables say is what a C compiler sees."""

    def build(self, text, link=True):
        compiler = os.environ.get("CLPRIM_TEST_CC")
        if not compiler:
            self.skipTest("CLPRIM_TEST_CC is not set")
        with tempfile.TemporaryDirectory() as folder:
            source, program = pathlib.Path(folder, "check.c"), pathlib.Path(folder, "check")
            source.write_text(f"#include <clprim/clprim.h>\n#include <stdio.h>\n{text}")
            includes = [f"-I{path}" for path in os.environ["CLPRIM_TEST_INCLUDES"].split(":") if path]
            mode = ["-o", str(program)] if link else ["-fsyntax-only"]
            done = subprocess.run([*shlex.split(compiler), "-std=c11", "-Wall", "-Werror", "-Wno-unused-variable",
                                   *includes, *mode, str(source)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return subprocess.run([program], capture_output=True, text=True, check=True).stdout if link else ""

    def test_structures(self):
        said = {}
        text = "int main(void)\n{\n"
        for name, structure in _c.STRUCTURES.items():
            c_name = name if name.startswith("clprim_") else f"clprim_{name}_desc"
            is_partial = name == "clprim_device_info"
            for field, _ in structure._fields_:
                member = getattr(structure, field)
                said[f"{c_name}.{field}"] = (member.offset, member.size)
                text += (f'    printf("{c_name}.{field} %zu %zu\\n", offsetof({c_name}, {field}), '
                         f'sizeof((({c_name} *)0)->{field}));\n')
            if not is_partial:
                said[c_name] = (ctypes.sizeof(structure), 0)
                text += f'    printf("{c_name} %zu 0\\n", sizeof({c_name}));\n'
        seen = {name: (int(a), int(b)) for name, a, b in
                (line.split() for line in self.build(text + "    return 0;\n}\n").splitlines())}
        self.assertEqual(said, seen)
        self.assertGreater(len(seen), 150)

    def test_kinds(self):
        """A field's kind, too: sizes alone would not tell a text from a pointer, or types from operators."""
        not_c_types = {"pointer": "const char *", "enum": "clprim_type"}
        c_types = {"type": "clprim_type", "op": "clprim_op", "size": "size_t", "unsigned": "unsigned", "bool": "_Bool",
                   "double": "double", "text": "const char *"}
        text = ""
        for name in _c.STRUCTURES:
            c_name = name if name.startswith("clprim_") else f"clprim_{name}_desc"
            for field, kind in _c.kinds_of(name).items():
                if kind in c_types:
                    text += (f'_Static_assert(_Generic((({c_name} *)0)->{field}, {c_types[kind]}: 1, default: 0), '
                             f'"{c_name}.{field}");\n')
                if kind in not_c_types:
                    text += (f'_Static_assert(_Generic((({c_name} *)0)->{field}, {not_c_types[kind]}: 0, default: 1), '
                             f'"{c_name}.{field}");\n')
        self.build(text, link=False)

    def test_numbers(self):
        expected = {f"CLPRIM_{name.upper()}": i for i, name in enumerate(_c.TYPES) if i > 0}
        expected.update({f"CLPRIM_{name.upper()}": i for i, name in enumerate(_c.OPS)})
        expected.update({f"CLPRIM_HISTOGRAM_{name.upper()}": i for i, name in enumerate(_c.HISTOGRAM_MAPPINGS)})
        expected.update({f"CLPRIM_NAN_{name.upper()}": i for i, name in enumerate(_c.NAN_ORDERS)})
        expected["CLPRIM_TYPE_END"] = len(_c.TYPES)
        expected["CLPRIM_OP_END"] = len(_c.OPS)
        expected["CLPRIM_SORT_BY_KEY_MAX_ARRAYS"] = 16
        self.build("".join(f'_Static_assert({name} == {number}, "{name}");\n' for name, number in expected.items()) +
                   '_Static_assert(sizeof(clprim_indexed) == 16, "indexed");\n', link=False)
        major, minor, patch = _c.VERSION.split(".")
        self.build(f'_Static_assert(CLPRIM_VERSION_MAJOR == {major} && CLPRIM_VERSION_MINOR == {minor} && '
                   f'CLPRIM_VERSION_PATCH == {patch}, "version");\n', link=False)
        project = pathlib.Path(clprim.__file__).parent.parent / "pyproject.toml"
        self.assertIn(f'version = "{_c.VERSION}"', project.read_text())

    def test_library_of_another_version(self):
        self.assertEqual(_c.library().clprim_version_text().decode(), _c.VERSION)
        self.assertEqual(_c._same(10203), (1, 2))
        known, major_minor = _c.VERSION, _c._same(_c.VERSION)
        loaded = _c.library.__wrapped__  # what is behind the cache
        try:
            _c.VERSION = f"{major_minor[0]}.{major_minor[1]}.99"
            loaded()
            _c.VERSION = f"{major_minor[0]}.{major_minor[1] + 1}.0"
            with self.assertRaisesRegex(ImportError, "another version of libclprim"):
                loaded()
        finally:
            _c.VERSION = known

    def test_complete(self):
        """Every primitive is in both covers."""
        stems = os.environ.get("CLPRIM_TEST_STEMS", "").split(":")
        if stems == [""]:
            self.skipTest("CLPRIM_TEST_STEMS is not set")
        self.assertEqual(sorted(stems), sorted(_c.CALLS))
        self.assertEqual(sorted(stems), sorted(_c.ARRAYS))
        header = pathlib.Path(__file__).resolve().parent.parent / "include" / "clprim" / "clprim.hpp"
        self.assertEqual(sorted(stems), sorted(re.findall(r"^CLPRIM_CPP_API\((\w+),", header.read_text(), re.M)))

    def test_functions(self):
        """A pointer with the signature that the tables say can hold the function."""
        def arguments(stem, call):
            pointers = {"R": f"clprim_runtime *, const clprim_{stem}_desc *",
                        "arrays": "void *const *" if call == "host" else "const clprim_sort_by_key_array *"}
            for name, (element, _) in _c.ARRAYS[stem].items():
                of_host = {"size": "size_t *", "bool": "bool *", "u64": "uint64_t *"}.get(
                    element, "void *" if name in _c.WRITTEN else "const void *")
                pointers[name] = of_host if call == "host" else "cl_mem, size_t"
            return ", ".join(pointers.get(name, "size_t") for name in _c.CALLS[stem][call])

        text = ""
        for stem, calls in _c.CALLS.items():
            plan, ends = f"clprim_{stem} *", "cl_uint, const cl_event *, cl_event *"
            wanted = {name: f"{plan}, cl_command_queue, {arguments(stem, name)}, {ends}" for name in calls}
            wanted["host"] = arguments(stem, "host")
            wanted["create"] = f"{plan} *, clprim_runtime *, const clprim_{stem}_desc *"
            if stem not in _c.WITHOUT_SCRATCH:
                wanted["scratch_size"] = f"size_t *, const {plan}, size_t"
                wanted["set_scratch"] = f"{plan}, cl_mem"
            for name, signature in wanted.items():
                text += f"static clprim_status (*{stem}_{name})({signature}) = clprim_{stem}_{name};\n"
        text += "\n".join(f"static void (*{stem}_destroy)(clprim_{stem} *) = clprim_{stem}_destroy;"
                          for stem in _c.CALLS)
        self.build(text + "\n", link=False)


def numbers(dtype, count=N, below=120):
    return RNG.integers(0, below, count).astype(dtype)


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
            with self.subTest(value), self.assertRaises(TypeError):
                _types.dtype_of(value)

    def test_of_descriptions(self):
        """A dtype is not the type that its number, or numpy's code, would be."""
        a = numbers(numpy.int64) + 2**40
        for value in [numpy.dtype("int64"), numpy.dtype(numpy.int64), numpy.int64, "int64", "i64"]:
            total = numpy.zeros(1, numpy.int64)
            clprim.host("reduce", total, a, N, type=value)
            self.assertEqual(total[0], a.sum())
        clprim.host("reduce", numpy.zeros(1, numpy.int32), a.astype(numpy.int32), N, type=None)  # C's default
        for desc in [{"type": 7}, {"type": "i8x"}, {"type": numpy.dtype(">i8")}, {"op": 3}, {"op": numpy.int64(1)}]:
            with self.subTest(desc), self.assertRaises((TypeError, ValueError)):
                clprim.host("reduce", total, a, N, **desc)
        with self.assertRaisesRegex(TypeError, "numpy.int64 or numpy.int8"):
            clprim.sum(a, dtype="i8")
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
                           ("sort_by_key", {"element_sizes": [4] * 17})]:
            with self.subTest(desc), self.assertRaises((TypeError, ValueError)):
                clprim.Plan(stem, **desc)
        big = numpy.array([0, 2**62, 2**62 + 1], numpy.int64)
        counts = clprim.histogram(big, [-2**63, 2**62 + 1, 2**63 - 1])
        self.assertEqual(list(counts), [2, 1])
        out = numpy.zeros(4, numpy.float32)
        clprim.host("scan", out, numpy.ones(4, numpy.float32), None, 4, type="f32", initial=5)
        self.assertEqual(list(out), [6, 7, 8, 9])


COUNTS = {"count": 37, "num_segments": 3, "num_needles": 5, "a_count": 20, "b_count": 17}
OPERATOR = {"type_name": "uchar3_", "type_size": 3, "source": "typedef struct { uchar x, y, z; } uchar3_;",
            "combine": "a", "identity": "(uchar3_){0, 0, 0}"}
THREE = {key: OPERATOR[key] for key in ("type_name", "type_size", "source")}

# Calls whose arrays differ in what they hold or how much of it: the primitive, the function, the description, and the
# arguments that are NULL.
LAYOUTS = [
    ("reduce", "enqueue", {"type": "u8", "accumulator_type": "i64"}, ""),
    ("reduce", "enqueue", {"type": "f64", "op": "argmin"}, ""),
    ("reduce", "enqueue", {"custom": OPERATOR}, ""),
    ("scan", "enqueue", {}, "heads"),
    ("scan", "enqueue", {"type": "i16", "op": "argmax"}, "heads"),
    ("scan", "enqueue_segments", {"segments": 1}, ""),
    ("scan", "enqueue_segments", {"segments": 2}, ""),
    ("histogram", "enqueue", {}, "weights"),
    ("histogram", "enqueue", {"bins": 5, "channels": 3, "active_channels": 2, "counter_type": "u64"}, "weights"),
    ("histogram", "enqueue_weighted", {"bins": 5, "weights_type": "i32", "variant": 1}, "outside"),
    ("radix_sort", "enqueue_pairs", {"key_type": "f64", "value_size": 2}, ""),
    ("radix_sort", "enqueue_pairs", {"argsort": True}, "values_in"),
    ("bitonic_sort", "enqueue_segments", {"value_size": 8, "segmented": True}, ""),
    ("comparison_sort", "enqueue_pairs", {**THREE, "less": "a.x < b.x", "value_size": 1}, ""),
    ("sort_by_key", "enqueue", {"key_type": "u8", "num_arrays": 2, "element_sizes": [2]}, ""),
    ("segmented_sort", "enqueue_pairs", {"argsort": True, "value_size": 8, "offsets_type": "u64"}, "values_in"),
    ("select", "enqueue_flagged", {"type": "f64"}, ""),
    ("unique", "enqueue", {}, ""),
    ("run_length_encode", "enqueue", {"lengths_type": "u64"}, ""),
    ("reduce_by_key", "enqueue", {"key_type": "u8", "type": "u8", "op": "max"}, ""),
    ("top_k", "enqueue_pairs", {"k": 3, "indices": True}, "values_in"),
    ("merge", "enqueue_pairs", {"type": "i64", "value_size": 4}, ""),
    ("is_sorted", "enqueue", {"index_type": "u64"}, ""),
    ("search", "enqueue", {"type": "f32", "index_type": "u64"}, ""),
]
BEHIND = 0xa5  # every byte behind an array


def layout(stem, call, desc, nulls):
    """{argument: (dtype, length)} of the arrays of a call, {argument: number} of its counts, in order."""
    of_plan, arrays = _arrays.Layout(stem, _types.fields(stem, desc)), {}
    for name in _c.CALLS[stem][call]:
        if name == "arrays":
            arrays[name] = None
        elif name in COUNTS:
            arrays[name] = COUNTS[name]
        elif name != "R":
            need = of_plan.needs[name]
            opaque = f"u{need.size}" if need.kinds else f"V{need.size}"
            arrays[name] = None if name in nulls.split() else (
                numpy.dtype(need.dtype or opaque), of_plan.length(name, COUNTS))
    return arrays


def spoilt(array):
    """What must be refused in place of an array of numpy's."""
    yield array[:-1], "room for"
    yield numpy.zeros(array.size, "V5"), "must be an array of"
    if array.size > 1:
        yield numpy.zeros(2 * array.size, array.dtype)[::2], "contiguous"
    yield numpy.ma.masked_array(array), "masked"
    yield array.tolist(), "must be a numpy.ndarray"
    yield 4096, "must be a numpy.ndarray"


class Arrays(unittest.TestCase):
    """Nothing is called with arrays that are too short, of another type, or not to be written to."""

    @classmethod
    def setUpClass(cls):
        Device.setUpClass()
        cls.context, cls.queue = Device.context, Device.queue
        cls.runtime = clprim.Runtime(context=cls.context)

    def host_layouts(self):
        return [layout for layout in LAYOUTS if layout[0] != "bitonic_sort"]  # whose segments C sorts on devices alone

    def test_host(self):
        for stem, _, desc, nulls in self.host_layouts():
            arrays = {}  # with bytes behind each that nothing may write to
            wholes = []
            for name, what in layout(stem, "host", desc, nulls).items():
                if isinstance(what, tuple):
                    size = what[0].itemsize * what[1]
                    wholes.append((numpy.full(size + 64, BEHIND, numpy.uint8), size))
                    wholes[-1][0][:size] = 0
                    what = wholes[-1][0][:size].view(what[0])
                arrays[name] = what
            if stem == "sort_by_key":
                arrays["arrays"] = [numpy.zeros(37, "i2"), numpy.zeros(37, "f4")]
            with self.subTest(stem=stem, desc=desc):
                clprim.host(stem, *arrays.values(), runtime=self.runtime, **desc)
                for memory, size in wholes:
                    self.assertTrue((memory[size:] == BEHIND).all())
                self.refused(stem, desc, arrays)

    def refused(self, stem, desc, arrays):
        for name, array in arrays.items():
            if not isinstance(array, numpy.ndarray):
                continue
            locked = array.view()
            locked.flags.writeable = False
            wrong = [*spoilt(array), *([(locked, "read-only")] if name in _c.WRITTEN else [])]
            for bad, sentence in wrong:
                with self.subTest(name=name, sentence=sentence):
                    with self.assertRaisesRegex((TypeError, ValueError), f"^{name}.*{sentence}"):
                        clprim.host(stem, *{**arrays, name: bad}.values(), runtime=self.runtime, **desc)
        for name in COUNTS.keys() & arrays.keys():
            for bad in [-1, 1.5, 2**64]:
                with self.assertRaisesRegex((TypeError, ValueError), f"^{name} must be"):
                    clprim.host(stem, *{**arrays, name: bad}.values(), runtime=self.runtime, **desc)

    def test_null(self):
        """Without an array that C wants it says so itself."""
        for stem, _, desc, nulls in self.host_layouts():
            arrays = {name: numpy.zeros(what[1], what[0]) if isinstance(what, tuple) else what
                      for name, what in layout(stem, "host", desc, nulls).items()}
            if stem == "sort_by_key":
                arrays["arrays"] = [numpy.zeros(37, "i2"), numpy.zeros(37, "f4")]
            for name, array in arrays.items():
                if name not in COUNTS and array is not None and name not in ("outside", "until"):
                    with self.subTest(stem=stem, name=name):
                        with self.assertRaises((clprim.Error, ValueError)):
                            clprim.host(stem, *{**arrays, name: None}.values(), runtime=self.runtime, **desc)

    def test_device(self):
        """What is said to be needed is what C asks of buffers, to the byte; and arrays are held against it."""
        for stem, call, desc, nulls in LAYOUTS:
            needed = layout(stem, call, desc, nulls)
            plan = getattr(self.runtime.plan(stem, **desc), call)
            buffers = {name: self.buffer(what[0].itemsize * what[1]) if isinstance(what, tuple) else what
                       for name, what in needed.items()}
            if stem == "sort_by_key":
                buffers["arrays"] = [(self.buffer(2 * 37), self.buffer(2 * 37)), (self.buffer(148), self.buffer(148))]
            with self.subTest(stem=stem, desc=desc):
                plan(self.queue, *buffers.values()).wait()
                for name, what in needed.items():
                    if isinstance(what, tuple):
                        self.held_against(plan, buffers, name, *what)

    def buffer(self, size):
        return pyopencl.Buffer(self.context, pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR,
                               hostbuf=numpy.zeros(size, numpy.uint8))

    def held_against(self, plan, buffers, name, dtype, length):
        with self.subTest(name=name):
            if dtype.itemsize * length > 1:
                with self.assertRaises(clprim.Error) as caught:
                    plan(self.queue, *{**buffers, name: self.buffer(dtype.itemsize * length - 1)}.values())
                self.assertEqual(caught.exception.status, -30003)
            memory = pyopencl.array.zeros(self.queue, dtype.itemsize * (length + 1), numpy.uint8)
            plan(self.queue, *{**buffers, name: memory.view(dtype)[1:]}.values()).wait()
            other = pyopencl.array.empty(self.queue, length, numpy.dtype("V5"))
            for bad, sentence in [(memory.view(dtype)[2:], "room for"), (other, "must be an array of"),
                                  (numpy.zeros(length, dtype), "must be a pyopencl"), ((buffers[name], -1), "offset"),
                                  (self.queue, "must be a pyopencl")]:
                with self.assertRaisesRegex((TypeError, ValueError), f"{name} .*{sentence}|{sentence} of {name}"):
                    plan(self.queue, *{**buffers, name: bad}.values())

    def test_sort_by_key(self):
        keys, a, b = numbers(numpy.uint8), numpy.arange(N, dtype=numpy.int16), RNG.random(N).astype(numpy.float32)
        order, mine = numpy.argsort(keys, kind="stable"), [a.copy(), b.copy()]
        desc = {"key_type": "u8", "num_arrays": 2, "element_sizes": [2]}  # the other has the default, 4
        for bad in [None, mine[:1], [*mine, mine[0]], [mine[1], mine[0]], [mine[0], mine[1][:-1]], mine[0], [a, None]]:
            with self.assertRaises((TypeError, ValueError)):
                clprim.host("sort_by_key", keys.copy(), bad, N, **desc)
        clprim.host("sort_by_key", keys.copy(), mine, N, **desc)
        numpy.testing.assert_array_equal(mine[0], a[order])
        numpy.testing.assert_array_equal(mine[1], b[order])
        there = [pyopencl.array.to_device(self.queue, x) for x in (keys, a, b)]
        plan, pairs = self.runtime.plan("sort_by_key", **desc), [(there[1], there[1]), (there[2], there[2])]
        for bad in [there[1:], pairs[:1], pairs[::-1], [pairs[0], (there[2], there[2][1:])]]:
            with self.assertRaises((TypeError, ValueError)):
                plan.enqueue(self.queue, there[0], N, there[0], bad)
        plan.enqueue(self.queue, there[0], N, there[0], pairs).wait()
        numpy.testing.assert_array_equal(there[1].get(), a[order])
        numpy.testing.assert_array_equal(there[2].get(), b[order])

    def test_objects(self):
        """What is no memory object, queue or event is not asked for its handle."""
        plan, a = self.runtime.plan("reduce"), pyopencl.array.zeros(self.queue, 4, numpy.int32)
        for queue, waits in [(self.context, None), ("gpu", None), (self.queue, [self.queue]), (self.queue, [1])]:
            with self.assertRaises(TypeError):
                plan.enqueue(queue, a, 4, a[:1], wait_for=waits)
        for bad in [a, self.queue, 7]:
            with self.assertRaises(TypeError):
                plan.set_scratch(bad)
        for bad in [lambda: clprim.Runtime("gpu"), lambda: clprim.Runtime(context=self.queue), lambda: clprim.Runtime.of("gpu"),
                    lambda: clprim.Plan("reduce", self.queue), lambda: clprim.host("unique", *[None] * 4, runtime=7)]:
            with self.assertRaises(TypeError):
                bad()


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
                    with self.assertRaisesRegex((TypeError, ValueError), sentence):
                        function(bad)
        with self.assertRaisesRegex(TypeError, "Python objects"):
            clprim.sort_pairs(a[:2], objects)
        with self.assertRaisesRegex(TypeError, "1, 2, 4, 8 or 16 bytes"):
            clprim.sort_pairs(a[:2], numpy.zeros(2, "S3"))
        with self.assertRaisesRegex(TypeError, "OpenCL C"):
            clprim.comparison_sort(a, lambda a, b: a > b)
        with self.assertRaisesRegex(TypeError, "OpenCL C"):
            clprim.unique(a, lambda a, b: a == b)

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
                with self.subTest(sentence=sentence), self.assertRaisesRegex((TypeError, ValueError), sentence):
                    function(a, out=bad)
        out = numpy.zeros(N, numpy.int32)
        with self.assertRaises(clprim.Error):
            clprim.comparison_sort(a, "a plus b", out=out)
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
        text = (pathlib.Path(__file__).resolve().parent.parent / "README.md").read_text()
        code = text.split("```python\n")[1].split("```")[0]
        said = io.StringIO()
        names = {}
        with contextlib.redirect_stdout(said):
            exec(code, names)
        numpy.testing.assert_array_equal(names["ordered"].get(), numpy.sort(names["prices"]))
        self.assertEqual(names["highest"][0], names["prices"].max())
        self.assertEqual(len(said.getvalue().splitlines()), 2)


class Host(unittest.TestCase):
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
        result = self.back(result)
        self.assertEqual(result.dtype, expected.dtype)
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

    def test_floats(self):
        a = numpy.array([1, -0.0, numpy.nan, 0.0, -numpy.inf, -1, numpy.inf], numpy.float64)
        result = self.back(clprim.sort(self.there(a)))
        numpy.testing.assert_array_equal(result, [-numpy.inf, -1, -0.0, 0.0, 1, numpy.inf, numpy.nan])
        self.assertEqual(list(numpy.signbit(result[2:4])), [True, False])

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
                self.assertTrue(numpy.isnan(self.back(clprim.sort(there, descending=True))[0]))
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
            for mine, numpys in [(clprim.min, numpy.min), (clprim.max, numpy.max)]:
                numpy.testing.assert_array_equal(self.scalar(mine(there)), numpys(given))
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
            result = self.back(result)
            self.assertEqual(result.tobytes(), expected.tobytes())
        self.assertEqual(list(self.back(clprim.argsort(there, nan="total"))), [2, 3, 5, 0, 1, 4])
        for function, where in [(clprim.argmin, 2), (clprim.argmax, 4)]:
            self.assertEqual(self.scalar(function(there, nan="total")), where)
        no_positive = self.there(a[[0, 2, 5]])  # max passes over x86's NaN
        self.assertEqual(self.scalar(clprim.max(no_positive, nan="total")), 1)
        self.assertTrue(numpy.isnan(self.scalar(clprim.min(no_positive, nan="total"))))
        self.assertEqual(list(self.back(clprim.inclusive_scan(no_positive, "max", nan="total"))), [1, 1, 1])
        for call in [clprim.sort, clprim.argsort, clprim.min, clprim.argmax, clprim.comparison_sort,
                     clprim.inclusive_scan, lambda x, nan: clprim.top_k(x, 1, nan=nan)]:
            for bad in ["first", None, 1, True]:
                if bad is None and call is clprim.comparison_sort:
                    continue
                with self.assertRaisesRegex(ValueError, '^nan must be "last" or "total"'):
                    call(there, nan=bad)
        with self.assertRaisesRegex(ValueError, "less or nan"):
            clprim.comparison_sort(there, "a > b", nan="last")
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

    def test_reductions(self):
        a = numbers(numpy.int32)
        there = self.there(a)
        total = a.sum(dtype=numpy.int64)
        for function, expected in [(clprim.sum, total), (clprim.min, a.min()), (clprim.max, a.max())]:
            result = self.scalar(function(there))
            self.assertEqual((result, result.dtype), (expected, expected.dtype))
        self.assertEqual(self.scalar(clprim.sum(there, dtype=numpy.int32)).dtype, numpy.int32)
        best = self.scalar(clprim.reduce(there, "argmax"))
        self.assertEqual((best["index"], best["value"]), (a.argmax(), a.max()))
        self.assertEqual(self.scalar(clprim.reduce(there, "xor")), numpy.bitwise_xor.reduce(a))
        floats = RNG.random(N).astype(numpy.float32)
        self.assertAlmostEqual(float(self.scalar(clprim.sum(self.there(floats)))), float(floats.sum()), places=1)

    def test_scans(self):
        a = numbers(numpy.int32)
        there = self.there(a)
        sums = numpy.cumsum(a, dtype=numpy.int32)
        self.equal(clprim.inclusive_scan(there), sums)
        self.equal(clprim.exclusive_scan(there), sums - a)
        self.equal(clprim.inclusive_scan(there, dtype=numpy.int64), numpy.cumsum(a, dtype=numpy.int64))
        self.equal(clprim.inclusive_scan(there, "max"), numpy.maximum.accumulate(a))

    def test_histograms(self):
        a = numbers(numpy.uint8)
        self.equal(clprim.histogram(self.there(a)), numpy.bincount(a, minlength=256).astype(numpy.uint32))
        floats = RNG.random(N).astype(numpy.float32)
        there = self.there(floats)
        self.equal(clprim.histogram(there, 16, (0, 1)), numpy.histogram(floats, 16, (0, 1))[0].astype(numpy.uint32))
        edges = [0, 0.25, 0.3, 0.9]
        self.equal(clprim.histogram(there, edges), numpy.histogram(floats, edges)[0].astype(numpy.uint32))

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
        keys, indices = clprim.top_k(self.there(a[:3].copy()), 10, smallest=True)
        self.equal(keys, numpy.sort(a[:3]))

    def test_nothing(self):
        nothing = self.there(numpy.empty(0, numpy.int32))
        self.equal(clprim.sort(nothing), numpy.empty(0, numpy.int32))
        self.equal(clprim.inclusive_scan(nothing), numpy.empty(0, numpy.int32))
        self.equal(self.compacted(clprim.unique(nothing)), numpy.empty(0, numpy.int32))
        self.assertEqual(self.scalar(clprim.sum(nothing)), 0)
        for function in [clprim.min, clprim.max, clprim.argmin, clprim.argmax, lambda a: clprim.reduce(a, "max")]:
            with self.assertRaisesRegex(ValueError, "empty"):
                function(nothing)

    def test_indices(self):
        """argmax is an index, as numpy's is."""
        a = RNG.permutation(N).astype(numpy.float32)
        there = self.there(a)
        for function, expected in [(clprim.argmin, a.argmin()), (clprim.argmax, a.argmax())]:
            index = self.scalar(function(there))
            self.assertEqual((index, index.dtype), (expected, numpy.int64))
            self.assertEqual(self.scalar(there[function(there)]), a[expected])

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
            with self.assertRaises((ValueError, TypeError)):
                call(memory)
            self.equal(memory, numpy.full(100, 1, out))
        out = self.there(numpy.zeros(100, indexed))
        lowest = self.back(clprim.inclusive_scan(there, "argmin", out=out))
        numpy.testing.assert_array_equal(lowest["value"], numpy.minimum.accumulate(a))
        numpy.testing.assert_array_equal(a[lowest["index"]], numpy.minimum.accumulate(a))
        numpy.testing.assert_array_equal(self.back(clprim.inclusive_scan(there, "argmin")), self.back(out))
        with self.assertRaises(TypeError):
            clprim.reduce(there, "max", dtype=numpy.float64)

    def test_bins(self):
        """There is at least one, and floats have to be told where."""
        a, floats = self.there(numbers(numpy.uint8)), self.there(RNG.random(N))
        for bins in [0, -1, [], [1], 2.5, "10", [[0, 1], [2, 3]]]:
            with self.subTest(bins), self.assertRaises((TypeError, ValueError)):
                clprim.histogram(a, bins)
        with self.assertRaisesRegex(ValueError, r"range=\(low, high\)"):
            clprim.histogram(floats, 10)
        for range in [(0,), 1, (0, 1, 2), "01"]:
            with self.subTest(range), self.assertRaises((TypeError, ValueError)):
                clprim.histogram(floats, 10, range)
        with self.assertRaises(ValueError):
            clprim.histogram(floats, [0, 1], (0, 1))
        self.equal(clprim.histogram(floats, [0, 1]), numpy.array([N], numpy.uint32))

    def test_bools(self):
        a = numbers(numpy.bool_, below=2)
        a[:3] = True, False, True
        there = self.there(a)
        self.equal(clprim.sort(there), numpy.sort(a))
        self.equal(clprim.sort_pairs(there, there)[1], numpy.sort(a))
        self.equal(self.compacted(clprim.unique(there)), a[numpy.append(True, a[1:] != a[:-1])])
        self.equal(self.compacted(clprim.select(there, "x")), a[a])
        self.equal(clprim.histogram(there, 2), numpy.bincount(a).astype(numpy.uint32))
        self.equal(clprim.inclusive_scan(there), numpy.cumsum(a))
        self.equal(clprim.exclusive_scan(there), numpy.cumsum(a) - a)
        self.equal(clprim.inclusive_scan(there, dtype=numpy.uint8), numpy.cumsum(a, dtype=numpy.uint8))
        for op, fold in [("min", numpy.logical_and), ("and", numpy.logical_and), ("or", numpy.logical_or)]:
            with self.subTest(op):
                first = op in ("min", "and")  # the identity
                self.bytes(clprim.reduce(there, op), fold.reduce(a, keepdims=True))
                self.bytes(clprim.inclusive_scan(there, op), fold.accumulate(a).astype(numpy.bool_))
                before = numpy.append(first, fold.accumulate(a)[:-1]).astype(numpy.bool_)
                self.bytes(clprim.exclusive_scan(there, op), before)
        self.bytes(clprim.reduce(self.there(a[:0]), "and"), numpy.array([True]))
        for function, expected in [(clprim.sum, a.sum()), (clprim.min, a.min()), (clprim.argmin, a.argmin())]:
            result = self.scalar(function(there))
            self.assertEqual((result, result.dtype), (expected, expected.dtype))
        for bad in [lambda: clprim.sum(there, dtype=bool), lambda: clprim.inclusive_scan(there, dtype=bool)]:
            with self.assertRaisesRegex(TypeError, "cannot be a bool"):
                bad()

    def bytes(self, result, expected):
        """The same bools, each 0 or 1."""
        result = self.back(result) if not isinstance(result, numpy.generic) else result
        self.assertEqual(result.dtype, numpy.bool_)
        numpy.testing.assert_array_equal(numpy.atleast_1d(result).view(numpy.uint8), expected.view(numpy.uint8))

    def test_flags(self):
        """An array of bools, or of integers, selects as it does in numpy."""
        a, flags = numbers(numpy.float32), numbers(numpy.int16, below=3)
        there = self.there(a)
        self.equal(self.compacted(clprim.select(there, self.there(flags == 1))), a[flags == 1])
        self.equal(self.compacted(clprim.select(there, self.there(flags))), a[flags != 0])
        for bad in [flags[1:], flags.astype(numpy.float32)]:
            with self.assertRaises(ValueError):
                clprim.select(there, self.there(bad))
        for bad in [lambda x: x > 0, None]:
            with self.assertRaisesRegex(TypeError, "OpenCL C"):
                clprim.select(there, bad)

    def test_at(self):
        there = self.there(numbers(numpy.int32))
        for at in ["gpu", 0, there]:
            with self.assertRaisesRegex(TypeError, r"Runtime\(select="):
                clprim.sum(there, at=at)

    def test_errors(self):
        a = numbers(numpy.int32)
        there = self.there(a)
        with self.assertRaises(clprim.Error) as caught:
            clprim.comparison_sort(there, "a plus b")
        self.assertEqual(caught.exception.status, -30010)
        self.assertIn("less", caught.exception.sentence)
        with self.assertRaises(clprim.Error) as caught:
            clprim.top_k(there, 0)
        self.assertEqual(caught.exception.status, -30001)
        with self.assertRaises(TypeError):
            clprim.sort(self.there(numpy.zeros(3, numpy.complex64)))
        with self.assertRaises(ValueError):
            clprim.sort(there, out=self.there(numpy.zeros(3, numpy.int32)))
        with self.assertRaises(ValueError):
            clprim.reduce(there, "mean")
        self.equal(there, a)


class Device(Host):
    """On PyOpenCL's context and queue."""

    @classmethod
    def setUpClass(cls):
        device = next(device for platform in pyopencl.get_platforms() for device in platform.get_devices())
        cls.context = pyopencl.Context([device])
        cls.queue = pyopencl.CommandQueue(cls.context)

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
        with self.assertRaises(ValueError):
            clprim.sort(there[::2])
        with self.assertRaises(ValueError):
            clprim.sort_pairs(there, a)

    def test_events(self):
        """Functions wait for the arrays' events, and their results' arrays have those of the calls."""
        a = numbers(numpy.int32)
        results = {}
        gate = pyopencl.UserEvent(self.context)
        there = self.there(a)  # waits for the queue
        there.add_event(gate)
        for name, function in [("sort", clprim.sort), ("argsort", clprim.argsort), ("sum", clprim.sum),
                               ("scan", clprim.inclusive_scan), ("histogram", lambda x: clprim.histogram(x, 120)),
                               ("unique", clprim.unique), ("top_k", lambda x: clprim.top_k(x, 5)),
                               ("comparison_sort", lambda x: clprim.comparison_sort(x, "a > b")),
                               ("sort_pairs", lambda x: clprim.sort_pairs(x, x))]:
            results[name] = function(there)
        for name, result in results.items():
            for array in result if isinstance(result, tuple) else [result]:
                with self.subTest(name):
                    self.assertEqual(len(array.events), 1)
                    self.assertNotEqual(array.events[0].command_execution_status,
                                        pyopencl.command_execution_status.COMPLETE)
        gate.set_status(pyopencl.command_execution_status.COMPLETE)
        self.equal(results["sort"], numpy.sort(a))
        self.equal(results["argsort"], numpy.argsort(a, kind="stable").astype(numpy.uint32))
        self.equal(results["sort_pairs"][1], numpy.sort(a))

    def test_plans(self):
        """Buffers, events and wait lists, and memory of the caller's."""
        runtime = clprim.Runtime(self.queue)
        self.assertEqual(runtime.device_name.strip(), self.queue.device.name.strip())
        a = numbers(numpy.uint32)
        flags = pyopencl.mem_flags
        given = pyopencl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=a)
        result = pyopencl.Buffer(self.context, flags.READ_WRITE, a.nbytes + 4)
        sort = clprim.Plan("radix_sort", runtime, key_type=numpy.uint32)
        scratch = pyopencl.Buffer(self.context, flags.READ_WRITE, sort.scratch_size(N))
        sort.set_scratch(scratch)
        gate = pyopencl.UserEvent(self.context)
        done = sort.enqueue(self.queue, given, N, (result, 1), wait_for=[gate])
        self.assertNotEqual(done.command_execution_status, pyopencl.command_execution_status.COMPLETE)
        gate.set_status(pyopencl.command_execution_status.COMPLETE)
        out = numpy.empty(N + 1, numpy.uint32)
        pyopencl.enqueue_copy(self.queue, out, result, wait_for=[done]).wait()
        numpy.testing.assert_array_equal(out[1:], numpy.sort(a))
        with self.assertRaises(clprim.Error) as caught:
            sort.enqueue(self.queue, given, N + 1, given)
        self.assertEqual(caught.exception.status, -30003)
        with self.assertRaises(AttributeError):
            sort.enqueue_segments
        with self.assertRaises(TypeError):
            clprim.Plan("radix_sort", runtime, keytype="u32")
        del sort, runtime
        gc.collect()

    def test_other_primitives(self):
        """What has no function of its own."""
        a, b = numpy.sort(numbers(numpy.uint32)), numpy.sort(numbers(numpy.uint32, 100))
        out, where = numpy.empty(N + 100, numpy.uint32), numpy.empty(100, numpy.uint32)
        clprim.host("merge", out, None, a, None, N, b, None, 100)
        numpy.testing.assert_array_equal(out, numpy.sort(numpy.concatenate([a, b])))
        clprim.host("search", where, a, N, b, 100)
        numpy.testing.assert_array_equal(where, numpy.searchsorted(a, b))
        add = _c.STRUCTURES["clprim_custom_op"](combine=b"a + b", identity=b"0")
        total = numpy.empty(1, numpy.uint32)
        clprim.host("reduce", total, a, N, type="u32", custom=add)
        self.assertEqual(total[0], a.sum())

    def test_nans_in_other_primitives(self):
        last = _c.NAN_ORDERS.index("last")
        for nan in numpy.float32([numpy.nan, -numpy.nan]):
            a = numpy.array([1, 2, 2, numpy.inf, nan, nan], numpy.float32)
            needles = numpy.array([-numpy.inf, 2, numpy.inf, nan], numpy.float32)
            found = numpy.empty(4, numpy.uint32)
            for bound, side in enumerate(["left", "right"]):
                clprim.host("search", found, a, 6, needles, 4, type="f32", bound=bound, nan_order=last)
                numpy.testing.assert_array_equal(found, numpy.searchsorted(a, needles, side))
            merged, is_sorted = numpy.empty(8, numpy.float32), numpy.zeros(1, numpy.bool_)
            clprim.host("merge", merged, None, a[:5], None, 5, a[3:], None, 3, type="f32", nan_order=last)
            numpy.testing.assert_array_equal(merged, numpy.sort(numpy.append(a[:5], a[3:])))
            clprim.host("is_sorted", is_sorted, None, merged, 8, type="f32", nan_order=last)
            self.assertTrue(is_sorted[0])

    def test_threads(self):
        """Calls run beside each other; a plan is used by one thread at a time."""
        a = [numbers(numpy.float32) for _ in range(4)]
        there = [self.there(x) for x in a]
        results = [None] * 4

        def work(i):
            for _ in range(5):
                results[i] = clprim.sort(there[i])

        threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for x, result in zip(a, results):
            self.equal(result, numpy.sort(x))


if __name__ == "__main__":
    unittest.main()
