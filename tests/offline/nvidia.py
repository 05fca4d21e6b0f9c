#!/usr/bin/env python3
"""nvidia.py OLD NEW [--full] [--all]: compares the machine code that an H200 gets from the kernels of two trees, without a GPU.

OLD and NEW are build folders with clprim, or folders of programs that CLPRIM_DOUBLE_DUMP wrote. The programs are those that
clprim self-test asks for where the driver is tests/double with the profile h200, except for variants that are for CPUs.
clang 9 translates a program to LLVM's text, with OpenCL C's functions from nvidia.h; NVIDIA's libnvvm makes PTX of it, and
ptxas machine code: that is what the driver does, and registers are those that the driver counts. The machine code of
kernels that differ is left in build/offline/nvidia/differ. What has been compiled once is kept.

--full      all programs; without it one for each variant
--all       a line for each kernel, not only for those that differ
--double    the layer libclprim_double.so; without it that of NEW
--jobs      how many programs are compiled at once; without it as many as there are cores
Ends with 1 where something differs or does not compile, with 77 where the compilers are not to be had."""
import argparse
import concurrent.futures
import ctypes
import difflib
import hashlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

import run

FOLDER = run.FOLDER / "nvidia"
HEADER = run.ROOT / "tests" / "offline" / "nvidia.h"
CLANG = ("debian11", "bullseye", "clang-9")
# As old as driver 580; older disassemblers are not there.
WHEELS = ("nvidia-nvvm==13.0.88", "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-nvdisasm==13.5.37")
ARCH = "90a"
# As the driver's: OpenCL C's division and square root, and what FP_CONTRACT OFF says.
NVVM_OPTIONS = (f"-arch=compute_{ARCH}", "-prec-div=0", "-prec-sqrt=0", "-fma=0")
LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-"
    "v64:64:64-v128:128:128-n16:32:64"
)
INSTRUCTION = 16  # bytes


class Failed(Exception):
    """A program does not compile; the compiler's words."""


class Program(run.Program):
    """What it is: its own file, its options, and the lines that the library wrote in front of its kernels."""

    def __init__(self, path):
        super().__init__(path)
        self.text = path.read_text()
        head = re.split(r'^#line 1 "kernels/', self.text, maxsplit=1, flags=re.M)[0]
        self.facts = frozenset(self.options) | frozenset(head.splitlines())
        self.key = hashlib.sha256("\0".join([self.text, *self.options]).encode()).hexdigest()


class Kernel:
    """What ptxas says of one kernel, and its code."""

    def __init__(self, registers, stack, spills, local, code):
        self.registers = registers
        self.stack = stack
        self.spills = spills
        self.local = local
        self.code = code
        self.instructions = len(code) // INSTRUCTION

    def same(self, other):
        return (self.code, self.stack, self.local) == (other.code, other.stack, other.local)


def unpack():
    """Where the compilers lie: Debian's packages and NVIDIA's wheels, which are downloaded."""
    name, suite, packages = CLANG
    if subprocess.run([run.PACKAGES, run.FOLDER / name, suite, *packages.split()], check=False).returncode != 0:
        sys.exit(77)
    wheels = FOLDER / "wheels"
    done = wheels / "unpacked"
    if not done.exists() or done.read_text() != " ".join(WHEELS):
        shutil.rmtree(wheels, ignore_errors=True)
        wheels.mkdir(parents=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", *WHEELS]
        status, said = run.call(command, cwd=wheels)
        if status != 0:
            print(f"not here: {' '.join(WHEELS)}: {said.strip()}")
            sys.exit(77)
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(wheels)
            wheel.unlink()
        for program in wheels.glob("nvidia/*/bin/*"):
            program.chmod(0o755)
        done.write_text(" ".join(WHEELS))
    return run.FOLDER / name, next(wheels.glob("nvidia/*"))


def translate(home, program):
    """The program as LLVM 9's text. cc1, since the driver would start itself again, without the loader in front of it."""
    include = next((home / "usr/lib").glob("llvm-*/lib/clang/*/include/opencl-c-base.h")).parent
    done = subprocess.run(
        [home / "run", "usr/lib/llvm-9/bin/clang", "-cc1", "-triple", "nvptx64-nvidia-nvcl", "-x", "cl", "-O3"]
        + ["-disable-llvm-passes", "-emit-llvm", "-internal-isystem", include, "-include", "opencl-c-base.h"]
        + ["-include", HEADER, "-Dasm=__asm__", "-D__OPENCL_VERSION__=120"]
        + ["-cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics"]
        + [option for option in program.options if not option.startswith("-cl-nv-")]
        + ["-o", "-", "-"],
        input=program.text.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode != 0:
        raise Failed("\n".join(done.stderr.decode().splitlines()[:8]))
    return done.stdout.decode()


def as_nvvm(text):
    """LLVM 9's text as libnvvm reads it, which knows LLVM 7's, with the size of each kernel's groups."""
    text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{LAYOUT}"', text, flags=re.M)
    text = text.replace('"nvptx64-nvidia-nvcl"', '"nvptx64-nvidia-cuda"')
    text = re.sub(r"byval\([^)]*\)", "byval", text.replace("spir_kernel ", "").replace(" immarg", ""))
    lines = ["!nvvmir.version = !{!900000}", "!900000 = !{i32 2, i32 0}"]
    for name, number in re.findall(r"^define .*?@(\w+)\(.*!reqd_work_group_size !(\d+)", text, re.M):
        size = re.search(rf"^!{number} = !\{{i32 (\d+), i32 (\d+), i32 (\d+)\}}", text, re.M).groups()
        function, = re.search(rf'^!\d+ = !\{{(.*@{name}), !"kernel", i32 1\}}', text, re.M).groups()
        sizes = ", ".join(f'!"reqntid{axis}", i32 {length}' for axis, length in zip("xyz", size))
        lines.append(f"!{900000 + len(lines)} = !{{{function}, {sizes}}}")
    annotations = "".join(f", !{900000 + i}" for i in range(2, len(lines)))
    text = re.sub(r"^(!nvvm.annotations = !\{.*)\}$", rf"\1{annotations}}}", text, flags=re.M)
    return text + "\n".join(lines) + "\n"


def to_ptx(library, text):
    """By libnvvm."""
    nvvm = ctypes.CDLL(str(library))
    program, size = ctypes.c_void_p(), ctypes.c_size_t()

    def take(ask_size, ask):
        ask_size(program, ctypes.byref(size))
        out = ctypes.create_string_buffer(size.value)
        ask(program, out)
        return out.value.decode()

    options = (ctypes.c_char_p * len(NVVM_OPTIONS))(*[option.encode() for option in NVVM_OPTIONS])
    encoded = text.encode()
    nvvm.nvvmCreateProgram(ctypes.byref(program))
    status = nvvm.nvvmAddModuleToProgram(program, encoded, ctypes.c_size_t(len(encoded)), b"program")
    status = status or nvvm.nvvmCompileProgram(program, len(options), options)
    if status != 0:
        raise Failed(take(nvvm.nvvmGetProgramLogSize, nvvm.nvvmGetProgramLog))
    ptx = take(nvvm.nvvmGetCompiledResultSize, nvvm.nvvmGetCompiledResult)
    nvvm.nvvmDestroyProgram(ctypes.byref(program))
    return ptx


def compile_one(home, nvidia, program):
    """Where the machine code of a program is kept, and beside it what ptxas said; or what a compiler said."""
    try:
        text = as_nvvm(translate(home, program))
        limits = ["-" + option[len("-cl-nv-") :] for option in program.options if option.startswith("-cl-nv-maxrreg")]
        key = hashlib.sha256("\0".join([text, *WHEELS, *NVVM_OPTIONS, *limits]).encode()).hexdigest()
        cubin = FOLDER / "code" / f"{key}.cubin"
        if cubin.exists():
            return cubin
        ptx = to_ptx(next((nvidia / "lib").glob("libnvvm.so*")), text)
    except Failed as failed:
        return str(failed)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        file, made = pathlib.Path(folder) / "program.ptx", pathlib.Path(folder) / "program.cubin"
        file.write_text(ptx)
        status, said = run.call([nvidia / "bin" / "ptxas", "-v", f"-arch=sm_{ARCH}", *limits, "-o", made, file])
        if status != 0:
            return said
        cubin.with_suffix(".log").write_text(said)
        made.rename(cubin)
    return cubin


def sections(elf):
    """{name: bytes} of a 64-bit ELF file."""
    offset, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, offset + i * size) for i in range(count)]
    out = {}
    for header in headers:
        begin = headers[names][4] + header[0]
        out[elf[begin : elf.index(b"\0", begin)].decode()] = elf[header[4] : header[4] + header[5]]
    return out


def kernels_of(cubin):
    """{name: Kernel}, and the bytes of the program's tables."""
    log = cubin.with_suffix(".log").read_text()
    parts = sections(cubin.read_bytes())
    kernels = {}
    for name, said in re.findall(r"Compiling entry function '(\w+)'(.*?)Compile time", log, re.S):
        number = {what: int(value) for value, what in re.findall(r"(\d+) (?:bytes )?([a-z ]+)", said)}
        registers, = re.search(r"Used (\d+) registers", said).groups()
        spills = number["spill stores"] + number["spill loads"]
        kernels[name] = Kernel(
            int(registers), number["stack frame"], spills, number.get("smem", 0), parts[f".text.{name}"]
        )
    tables = [(name, parts[name]) for name in sorted(parts) if re.match(r"\.nv\.(constant[1-9]|global)", name)]
    return kernels, tables


def programs_of(where, double):
    """The programs of a build folder, or of a folder of programs."""
    folder = where
    if (where / "cli" / "clprim").exists():
        with tempfile.TemporaryDirectory(dir=FOLDER) as made:
            return programs_for(where, double, pathlib.Path(made) / "programs")
    return [Program(path) for path in sorted(folder.glob("*.cl"))]


def programs_for(build, double, folder):
    """As programs_of."""
    run.programs_of(build, "h200", folder, double)
    return [Program(path) for path in sorted(folder.glob("*.cl"))]


def pair(old, new):
    """[(old, new)]: programs of the same file that have most in common; those that nothing is like, with None."""
    pairs, by_file = [], {}
    for place, programs in enumerate((old, new)):
        for program in programs:
            by_file.setdefault(program.own_file, ([], []))[place].append(program)
    for left, right in by_file.values():
        alike = sorted(
            ((len(a.facts ^ b.facts), a.name, b.name, a, b) for a in left for b in right), key=lambda row: row[:3]
        )
        left, right = set(left), set(right)
        for _, _, _, a, b in alike:
            if a in left and b in right:
                pairs.append((a, b))
                left.remove(a)
                right.remove(b)
        pairs += [(a, None) for a in left] + [(None, b) for b in right]
    return pairs


def sample(pairs):
    """One for each variant, as run.sample; and what has no counterpart."""
    both = [(a, b) for a, b in pairs if a and b]
    chosen = {id(program) for program in run.sample([b for _, b in both])}
    return [(a, b) for a, b in pairs if a is None or b is None or id(b) in chosen]


def describe(program, programs):
    """Its file, and what distinguishes it from the other programs of that file."""
    others = [p.facts for p in programs if p.own_file == program.own_file]
    own = sorted(program.facts - frozenset.intersection(*others))
    words = [re.sub(r"^#define (\w+) (.*)$", r"\1=\2", fact.removeprefix("-D")) for fact in own]
    words = [word for word in words if re.fullmatch(r"\w+=[\w.]+", word)]
    return " ".join([f"{program.own_file.removeprefix('kernels/')} {program.name}", *words])


def change(what, old, new):
    """Old and new value, or one of them if they are equal; nothing for zeros that nobody asks for."""
    if old == new:
        return f"{new} {what}"
    return f"{old} -> {new} {what}"


def figures(old, new):
    """A kernel's figures in words."""
    words = [change("registers", old.registers, new.registers), change("instructions", old.instructions, new.instructions)]
    for what, a, b in (
        ("bytes spilled", old.spills, new.spills),
        ("bytes of stack", old.stack, new.stack),
    ):
        if a or b:
            words.append(change(what, a, b))
    if old.local != new.local:
        words.append(change("bytes of local memory", old.local, new.local))
    return ", ".join(words)


def instructions(nvidia, cubin, name):
    """A kernel's instructions as text, without addresses and with labels numbered anew."""
    status, said = run.call([nvidia / "bin" / "nvdisasm", "-c", cubin])
    if status != 0:
        raise Failed(said)
    text = re.search(rf"^\.text\.{name}:\n(.*?)(?=^//-----|\Z)", said, re.M | re.S)[1]
    labels = {}
    text = re.sub(r"\.L_x_\d+", lambda m: labels.setdefault(m[0], f".L{len(labels)}"), text)
    return [re.sub(r"/\*[0-9a-f]+\*/", "", line).strip() for line in text.splitlines()]


def compare_code(nvidia, name, where, old, new):
    """Leaves the instructions of both and says how far they differ."""
    both = [instructions(nvidia, cubin, name) for cubin in (old, new)]
    for lines, kind in zip(both, ("old", "new")):
        (FOLDER / "differ" / f"{where}-{name}.{kind}.sass").write_text("\n".join(lines) + "\n")
    names = [[re.sub(r"^(@!?U?P\w+ )?", "", line).split(" ")[0] for line in lines] for lines in both]
    if both[0] == both[1]:
        return "waits differ"
    if names[0] == names[1]:
        return "operands differ"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--double", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    home, nvidia = unpack()
    (FOLDER / "code").mkdir(exist_ok=True)
    shutil.rmtree(FOLDER / "differ", ignore_errors=True)
    (FOLDER / "differ").mkdir()

    double = (options.double or options.new / "tests" / "libclprim_double.so").resolve()
    sides = [
        [p for p in programs_of(where.resolve(), double) if not p.is_for_cpus] for where in (options.old, options.new)
    ]
    for where, programs in zip((options.old, options.new), sides):
        if not programs:
            sys.exit(f"no programs in {where}")
    pairs = pair(*sides)
    chosen = pairs if options.full else sample(pairs)
    texts = {p.key: p for both in chosen for p in both if p}
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        made = dict(zip(texts, pool.map(compile_one, *zip(*[(home, nvidia, p) for p in texts.values()]))))
    print(f"{len(chosen)} of {len(pairs)} programs, {len(texts)} texts")
    sys.exit(report(nvidia, chosen, sides[1] + sides[0], made, options.all))


def report(nvidia, pairs, programs, made, is_all):
    """Prints what differs; 1 if something does."""
    same, differ, failed = 0, 0, 0
    for old, new in sorted(pairs, key=lambda both: (both[1] or both[0]).own_file):
        title = describe(new or old, programs)
        lines = []
        if old is None or new is None:
            lines.append(f"only in {'new' if old is None else 'old'}")
            failed += 1
            print(f"{title}\n    {lines[0]}")
            continue
        results = [made[p.key] for p in (old, new)]
        wrong = [f"{kind} does not compile: {r.strip()}" for kind, r in zip(("old", "new"), results) if isinstance(r, str)]
        if wrong:
            failed += 1
            print("\n    ".join([title, *wrong]))
            continue
        (before, tables_before), (after, tables_after) = [kernels_of(cubin) for cubin in results]
        for name in sorted(before.keys() | after.keys()):
            if name not in before or name not in after:
                lines.append(f"{name}: only in {'new' if name in after else 'old'}")
                differ += 1
                continue
            a, b = before[name], after[name]
            if a.same(b):
                same += 1
                if is_all:
                    lines.append(f"{name}: same, {figures(a, b)}")
                continue
            differ += 1
            how = compare_code(nvidia, name, new.name, *results)
            lines.append(f"{name}: {figures(a, b)}{', ' if how else ''}{how}")
        if tables_before != tables_after:
            differ += 1
            lines.append("tables of constants differ")
        if lines:
            print("\n    ".join([title, *lines]))
    print(f"{same} kernels are the same, {differ} differ, {failed} programs could not be compared")
    return 1 if differ or failed else 0


if __name__ == "__main__":
    main()
