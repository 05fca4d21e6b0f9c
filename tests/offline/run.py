#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py BUILD [--full] [--update] [--programs FOLDER]: compiles the programs that the library makes for GPUs by AMD and Intel
with these vendors' compilers, without their devices, and checks what the compilers say of registers and memory.

The programs are those that clprim self-test asks for where the driver is tests/double, with nothing compiled or run. Each
chip gets those that the library makes for it. They are also translated to SPIR-V, which spirv-val checks. Of those for an
H200, which are full of PTX, it is only checked that they compile: all of them, except for variants for CPUs, by clang to
PTX, which goes through ptxas if there is one.

--full      all programs; without it one for each variant and chip
--update    write the table of docs/drivers.md
--programs  a folder of programs instead of those of the double, to look at some of them
--chip      one of the chips alone
Ends with 77 where no compiler is to be had here, and names those that are missing."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "offline"
PACKAGES = ROOT / "tests" / "offline" / "packages.sh"
LIMITS = ROOT / "tests" / "offline" / "limits.txt"
DOCUMENT = ROOT / "docs" / "drivers.md"

# The one place that knows a chip: the double's profile, what compiles for it, local memory of a compute unit in bytes, and the most waves of a SIMD unit or threads of an EU.
CHIPS = {
    "gfx90a": {"profile": "gfx90a", "by": "amd", "local": 64 << 10, "waves": 8},
    "gfx1100": {"profile": "gfx1100", "by": "amd", "local": 64 << 10, "waves": 16},
    "dg2": {"profile": "dg2", "by": "intel", "local": 128 << 10, "waves": 8},
    "sm_90a": {"profile": "h200", "by": "nvidia"},
}
MOST_LOCAL = 32 << 10  # half of what each of these devices gives a group

NVIDIA_HEADER = ROOT / "tests" / "offline" / "nvidia.h"
NVIDIA_HEAD = ".version 8.5\n.target sm_90a\n.address_size 64\n"  # of what clang 19 writes; CUDA has known it since 12.5

SUITES = {
    "amd": ("debian13", "trixie", "clang-19 rocm-device-libs-17 llvm-spirv-19 spirv-tools"),
    "intel": ("debian12", "bookworm", "intel-opencl-icd"),
}


class Program:
    """A text and the options that it is compiled with."""

    def __init__(self, path):
        self.path = path
        self.options = path.with_suffix(".options").read_text().split()
        self.name = path.stem
        text = path.read_text()
        files = re.findall(r'^#line 1 "(kernels/.*?)"', text, re.M)
        self.own_file = files[0]  # it includes the others
        self.files = frozenset(files)
        # Of the variants that nothing takes on a GPU by itself.
        self.is_for_cpus = any("cpu" in pathlib.PurePath(name).name for name in self.files)


class Figures:
    """What a compiler says of one kernel."""

    def __init__(self, registers, local, scratch, spills, occupancy, width):
        self.registers = registers
        self.local = local
        self.scratch = scratch
        self.spills = spills
        self.occupancy = occupancy
        self.width = width

    def worse(self, other):
        """The worst of both in each respect."""
        return Figures(
            max(self.registers, other.registers),
            max(self.local, other.local),
            max(self.scratch, other.scratch),
            max(self.spills, other.spills),
            min(self.occupancy, other.occupancy),
            min(self.width, other.width),
        )


def call(command, cwd=None):
    """Status and output of a command."""
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600, check=False)
    return done.returncode, done.stdout.decode(errors="replace")


def compiler_for_amd(home, chip):
    """A function that compiles a program and returns figures by kernel, or what the compiler said."""
    clang = resource_dir(home)
    libraries = next((home / "usr/lib").glob("llvm-*/lib/clang/*/amdgcn/bitcode"))

    def compile_one(program, out):
        text = out / f"{program.name}.s"
        status, said = call(
            [*clang, "-target", "amdgcn-amd-amdhsa", f"-mcpu={chip}", f"--rocm-device-lib-path={libraries}", "-O3"]
            + ["-S", *program.options, "-o", str(text), str(program.path)]
        )
        if status != 0:
            return said
        assembly = text.read_text()
        text.unlink()
        # Behind each kernel; functions that are called have none.
        name, occupancies = "", {}
        for size_of, occupancy in re.findall(r"^\s*\.size\s+(\w+),|^; Occupancy: (\d+)", assembly, re.M):
            if size_of:
                name = size_of
            else:
                occupancies[name] = int(occupancy)
        figures = {}
        for entry in re.split(r"\namdhsa\.(?:kernels|target):", assembly)[1].split("\n  - ")[1:]:
            what = dict(re.findall(r"^ {4}\.(\w+): +(\S+)$", "    " + entry, re.M))
            figures[what["name"]] = Figures(
                int(what["vgpr_count"]),
                int(what["group_segment_fixed_size"]),
                int(what["private_segment_fixed_size"]),
                int(what["vgpr_spill_count"]),
                occupancies[what["name"]],
                int(what["wavefront_size"]),
            )
        return figures

    return compile_one


def resource_dir(home):
    """clang of OpenCL C, as a list; its own headers are where it lies, which the loader in front of it hides."""
    where = next((home / "usr/lib").glob("llvm-*/lib/clang/*/include/opencl-c.h")).parent.parent
    clang = next((home / "usr/lib").glob("llvm-*/bin/clang")).relative_to(home)
    # which each driver defines, and clang alone does not
    return [str(home / "run"), str(clang), "-x", "cl", "-D__OPENCL_VERSION__=120", "-resource-dir", str(where)]


def sections(elf):
    """{name: bytes} of a 64-bit ELF file."""
    offset, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, offset + i * size) for i in range(count)]
    out = {}
    for name, kind, _, _, begin, length, *_ in headers:
        name += headers[names][4]
        has_bytes = kind != 8  # zeros are not in the file
        out[elf[name : elf.index(b"\0", name)].decode()] = elf[begin : begin + length] if has_bytes else b""
    return out


def compiler_for_intel(home, chip):
    """As compiler_for_amd."""

    def compile_one(program, out):
        folder = out / program.name
        folder.mkdir(parents=True)
        # The compilers write files into the working directory when they spill.
        status, said = call(
            [str(home / "run"), "usr/bin/ocloc", "compile", "-q", "-file", str(program.path), "-device", chip]
            + ["-options", " ".join(program.options), "-out_dir", str(folder), "--format", "zebin"],
            cwd=folder,
        )
        binary = next(folder.glob("*.bin"), None)
        if status != 0 or binary is None:
            return said or f"ocloc ended with {status}"
        figures = {}
        info = sections(binary.read_bytes())[".ze_info"].decode().split("\nkernels_misc_info:")[0]
        for entry in re.split(r"^  - (?=name: +(?! |Intel_Symbol_Table))", info, flags=re.M)[1:]:
            what = dict(re.findall(r"^ *(\w+): +(\S.*)$", entry, re.M))
            size = [int(n) for n in re.findall(r"\d+", what.get("required_work_group_size", "1"))]
            buffers = re.findall(r"- type: +scratch\s+usage: +(\w+)\s+size: +(\d+)", entry)
            threads = -(-size[0] // int(what["simd_size"]))
            local = int(what.get("slm_size", 0))
            groups = CHIPS[chip]["local"] // local if local else 64
            figures[what["name"]] = Figures(
                int(what["grf_count"]),
                local,
                sum(int(bytes_) for _, bytes_ in buffers),
                sum(int(bytes_) for usage, bytes_ in buffers if usage == "spill_fill_space"),
                min(CHIPS[chip]["waves"], max(1, groups * threads // 16)),
                int(what["simd_size"]),
            )
        shutil.rmtree(folder)
        return figures

    return compile_one


def find_ptxas():
    """A ptxas that knows what clang writes; None: there is none."""
    found = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
    trial = FOLDER / "empty.ptx"
    trial.write_text(NVIDIA_HEAD)
    return found if found and call([found, "-arch=sm_90a", "-o", os.devnull, str(trial)])[0] == 0 else None


def compiler_for_nvidia(home, chip, ptxas):
    """A function that compiles a program; what is wrong, or nothing."""
    clang = resource_dir(home)

    def compile_one(program, out):
        text, code = out / f"{program.name}.ptx", out / f"{program.name}.cubin"
        options = [option for option in program.options if not option.startswith("-cl-nv-")]
        status, said = call(
            [*clang, "-target", "nvptx64-nvidia-nvcl", f"-march={chip}", "-O1", "-S", "-Dasm=__asm__"]
            + ["-include", str(NVIDIA_HEADER), *options, "-o", str(text), str(program.path)]
        )
        if status == 0 and ptxas:
            status, said = call([ptxas, "-O0", f"-arch={chip}", "-o", str(code), str(text)])
            code.unlink(missing_ok=True)
        text.unlink(missing_ok=True)
        return {} if status == 0 else said

    return compile_one


def compiler_to_spirv(home):
    """A function that translates a program and has the translation checked; what is wrong, or nothing."""
    clang = resource_dir(home)

    def compile_one(program, out):
        bitcode, binary = out / f"{program.name}.bc", out / f"{program.name}.spv"
        said = ""
        for command in (
            [*clang, "-target", "spir64", "-O0", "-emit-llvm", "-c", *program.options, "-o", str(bitcode)]
            + [str(program.path)],
            [str(home / "run"), "usr/bin/llvm-spirv-19", "--spirv-max-version=1.3", "-o", str(binary), str(bitcode)],
            [str(home / "run"), "usr/bin/spirv-val", "--target-env", "spv1.3", str(binary)],
        ):
            status, said = call(command)
            if status != 0:
                return said
        bitcode.unlink()
        binary.unlink()
        return {}

    return compile_one


def programs_of(build, profile, folder, double=None):
    """What the library asks a driver of that profile to compile; the double is that of the build, or another one."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    double = (double or build / "tests" / "libclprim_double.so").resolve()
    environment = dict(
        os.environ,
        LD_PRELOAD=double.name,  # the loader takes a blank for its end
        LD_LIBRARY_PATH=str(double.parent),
        CLPRIM_DOUBLE=profile,
        CLPRIM_DOUBLE_NULL="1",
        CLPRIM_DOUBLE_DUMP=str(folder),
        CLPRIM_CACHE="off",
        CLPRIM_TUNING="off",
        CLPRIM_SELF_TEST="off",  # before the first plan of a kind: with nothing computed, all variants would be set aside
    )
    # It finds all results wrong, for nothing is computed.
    done = subprocess.run(
        [str(build / "cli" / "clprim"), "self-test"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    programs = [Program(path) for path in sorted(folder.glob("*.cl"))]
    if not programs:
        print(done.stderr.decode(errors="replace").strip())
    return programs


def sample(programs):
    """One for each variant: the first of those that are made of the same files."""
    return list({program.files: program for program in reversed(programs)}.values())


def limits():
    """{(kernel, chip, what): most} of limits.txt."""
    rows = {}
    for line in LIMITS.read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            kernel, chip, what, most = words
            rows[kernel, chip, what] = int(most)
    return rows


def check(chip, worst, failed, is_full):
    """Sentences about programs that do not compile for a chip, and kernels of it that exceed a limit."""
    allowed = limits()
    wrong = []
    for program, said in failed:
        if allowed.get((program.own_file, chip, "fails"), 0) == 0:
            wrong.append(f"{program.path} ({program.own_file}) on {chip}: {said}")
    for program, _ in failed:
        allowed.pop((program.own_file, chip, "fails"), None)
    for kernel, f in sorted(worst.items()):
        for what, value, most in (
            ("spills", f.spills, 0),
            ("scratch", f.scratch, 0),
            ("local", f.local, MOST_LOCAL),
        ):
            limit = allowed.pop((kernel, chip, what), most)
            if value > limit:
                wrong.append(f"{kernel} on {chip}: {what} {value}, at most {limit}")
            elif is_full and limit > most >= value:
                wrong.append(f"{kernel} on {chip}: {what} {value}: its line in {LIMITS.name} is not needed any more")
    if is_full:
        wrong += [f"{LIMITS.name}: no {k} on {c} that {w}" for k, c, w in allowed if c == chip]
    return wrong


def run_all(compile_one, programs, out):
    """[(program, result)], on all cores."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(zip(programs, pool.map(lambda program: compile_one(program, out), programs)))


def for_nvidia(home, chip, programs):
    """Sentences about programs that do not compile for a chip by NVIDIA."""
    ptxas = find_ptxas()
    chosen = [program for program in programs if not program.is_for_cpus]
    results = run_all(compiler_for_nvidia(home, chip, ptxas), chosen, FOLDER / f"out-{chip}")
    wrong = [f"{p.path} ({p.own_file}) on {chip}: {said}" for p, said in results if isinstance(said, str)]
    by = "PTX and machine code" if ptxas else "PTX (there is no ptxas of CUDA 12.5 or later)"
    print(f"{chip}: {len(chosen)} of {len(programs)} programs to {by}, {len(wrong)} complaints")
    return wrong


def table(worst):
    """Rows of Markdown: the worst of each kernel's programs."""
    chips = list(worst)
    lines = ["| kernel | " + " | ".join(chips) + " |", "|---|" + "---|" * len(chips)]
    for kernel in sorted({kernel for kernels in worst.values() for kernel in kernels}):
        cells = []
        for chip in chips:
            f = worst[chip].get(kernel)
            cells.append("–" if f is None else cell(chip, f))
        lines.append(f"| `{kernel}` | " + " | ".join(cells) + " |")
    return lines


def cell(chip, f):
    """Registers (of Intel: lanes), local memory, occupancy and what did not fit."""
    first = f"{f.registers}" if CHIPS[chip]["by"] == "amd" else f"SIMD{f.width}"
    text = f"{first}, {f.local / 1024:.3g} KiB, {f.occupancy}"
    if f.scratch or f.spills:
        text += f", **{f.scratch}**"
    return text


def update(worst, counts):
    """Writes the table between its two comments."""
    begin, end = "<!-- offline -->\n", "<!-- offline end -->"
    text = DOCUMENT.read_text()
    head, rest = text.split(begin)
    tail = rest[rest.index(end) :]
    counted = ", ".join(f"{count} for {chip}" for chip, count in counts.items())
    lines = [f"Programs that were compiled: {counted}.", "", *table(worst), ""]
    DOCUMENT.write_text(head + begin + "\n".join(lines) + tail)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--programs", type=pathlib.Path)
    parser.add_argument("--chip", choices=CHIPS)
    options = parser.parse_args()
    build = options.build.resolve()

    homes, missing = {}, 0
    for by, (name, suite, packages) in SUITES.items():
        status = subprocess.run([PACKAGES, FOLDER / name, suite, *packages.split()], check=False).returncode
        if status == 0:
            homes[by] = FOLDER / name
        else:
            missing += 1
            print(f"skipped: nothing is compiled by {by}'s compiler")
    if not homes:
        sys.exit(77)

    worst, counts, wrong = {}, {}, []
    everything = {}
    for chip, facts in CHIPS.items():
        if options.chip not in (None, chip):
            continue
        if options.programs:
            programs = [Program(path) for path in sorted(options.programs.glob("*.cl"))]
        else:
            programs = programs_of(build, facts["profile"], FOLDER / f"programs-{chip}")
        if not programs:
            wrong.append(f"{chip}: no programs")
        if facts["by"] == "nvidia":
            if "amd" in homes:
                wrong += for_nvidia(homes["amd"], chip, programs)
            continue
        everything.update({program.name: program for program in programs})
        if facts["by"] not in homes:
            continue
        chosen = programs if options.full else sample(programs)
        make = {"amd": compiler_for_amd, "intel": compiler_for_intel}[facts["by"]]
        kernels, failed = {}, []
        for program, result in run_all(make(homes[facts["by"]], chip), chosen, FOLDER / f"out-{chip}"):
            if isinstance(result, str):
                failed.append((program, result))
                continue
            for kernel, figures in result.items() if not program.is_for_cpus else ():
                kernel = kernel.removeprefix("clprim__")  # behind a caller's text
                kernels[kernel] = kernels[kernel].worse(figures) if kernel in kernels else figures
        worst[chip], counts[chip] = kernels, len(chosen)
        excess = check(chip, kernels, failed, options.full)
        wrong += excess
        print(f"{chip}: {len(chosen)} of {len(programs)} programs, {len(kernels)} kernels, {len(excess)} complaints")
    if "amd" in homes and everything:
        programs = list(everything.values())
        chosen = programs if options.full else sample(programs)
        results = run_all(compiler_to_spirv(homes["amd"]), chosen, FOLDER / "out-spirv")
        bad = [f"{program.path} as SPIR-V: {result}" for program, result in results if isinstance(result, str)]
        wrong += bad
        print(f"SPIR-V: {len(chosen)} of {len(programs)} programs, {len(bad)} of them not valid")
    if options.update and not missing and options.chip is None:
        update(worst, counts)
    for sentence in wrong:
        print(sentence)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
