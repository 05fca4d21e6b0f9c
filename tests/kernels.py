# SPDX-License-Identifier: MIT
"""Files of kernels/ name what they take from others: kernels.py KERNELS_FOLDER LIB_FOLDER

A file includes each file whose functions, types or macros it uses, and nothing includes itself in the end. Sub-groups come
with common/subgroup.cl, which says how large groups are. A file that is first met under a condition is included nowhere else
but under the same one: a program has each file once.

A name in capitals that no included file defines is checked with #error (or #if, where it may be missing): the host gives it, or
what includes the file. What one function of the library writes, by #define or as an option, comes together: one check stands for
all of it.

No name is a function under one condition and a macro under another: where a caller's text has parameters, calls of the
library's functions pass them on, and a macro would get too many arguments. No macro takes any number of arguments: OpenCL C
has none such, and not all compilers let them pass. None has a parameter with the name of a vector's component of which it
takes one: it would take another one's name in its place. Nothing is named like a keyword that compilers add."""

import pathlib
import re
import sys

# OpenCL C's own, and those of its compilers
LANGUAGE = re.compile(r"CLK_\w+|__\w+|[A-Z]+_(MIN|MAX)|NULL|NAN|INFINITY|cl_\w+|M_PI\w*")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"[^"\n]*"')
ARGS = (pathlib.Path("common/args.h"), pathlib.Path("common/items.h"), pathlib.Path("common/kernel.h"))  # come with each list of arguments
SUB_GROUPS = ("clprim/device/sub_group.h", "common/subgroup.cl")
GIVEN = {"GROUP_SIZE", "CALL_COUNT_0", "CALL_COUNT_1", "ELEMENT_AT"}  # to every program, by lib/runtime/program/


def come_together(folder):
    """The names that each function of the library's folder gives to kernels."""
    for path in folder.rglob("*.c"):
        for function in re.split(r"^}$", path.read_text(encoding="utf-8"), flags=re.M):
            found = re.findall(r"#define ([A-Z]\w+)|-D([A-Z]\w+)=", " ".join(STRING.findall(function)))
            yield {a or b for a, b in found}


def functions(code):
    """The names of functions and types that are defined outside of functions."""
    outer, depth = [], 0
    for piece in re.split(r"([{}])", re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", code, flags=re.M)):
        depth += {"{": 1, "}": -1}.get(piece, 0)
        if depth == 0 or piece == "{" and depth == 1:
            outer.append(piece)
    text = "".join(outer)
    return set(re.findall(r"(\w+)\s*\((?:[^;{}()]|\([^;{}()]*\))*\)\s*{", text)) | set(re.findall(r"(?:typedef[^;{}]*|})\s*(\w{2,})\s*;", text))


class File:
    def __init__(self, folder, path):
        text = (folder / path).read_text(encoding="utf-8")
        head = COMMENT.match(text, text.index("\n") + 1)  # behind the line about the licence
        self.path = path
        self.text = text
        self.includes = re.findall(r'^#include ["<](.*)[">]$', text, re.M)
        code = COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)
        code = re.sub(r"^\s*#\s*(error|pragma|undef|include)\b.*$", "", STRING.sub("", code), flags=re.M)
        macros = set(re.findall(r"^\s*#\s*define\s+(\w+)", code, re.M))
        for enumerators in re.findall(r"\benum\b[^{;]*{([^}]*)}", code):
            macros.update(re.findall(r"\w+", enumerators))
        self.macros = macros
        self.functions = functions(code)
        self.defines = macros | self.functions
        # also what the head says that a file behind it must define
        self.has = macros | set(re.findall(r"^[\s*]*#\s*define\s+(\w+)", head.group() if head else "", re.M))
        for line in re.findall(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b((?:\\\n|[^\n])*)", code, re.M):
            checked = re.findall(r"defined\s*\(?\s*(\w+)", line) or re.findall(r"^\s*(\w+)\s*$", line)
            self.has.update(checked)
        self.with_parameters = set(re.findall(r"^\s*#\s*define\s+(\w+)\(", code, re.M))
        parameters = re.findall(r"\w+", " ".join(re.findall(r"^\s*#\s*define\s+\w+\(([^)]*)\)", code, re.M)))
        self.takes_own_name = [
            name for name, names, body in re.findall(r"^\s*#\s*define\s+(\w+)\(([^)]*)\)((?:\\\n|[^\n])*)", code, re.M)
            if any(re.search(rf"\)\s*\.\s*{parameter}\b", body) for parameter in re.findall(r"\w+", names))]
        self.words = set(re.findall(r"\b[A-Za-z]\w*\b", code)).difference(parameters)
        self.is_variadic = re.search(r"^\s*#\s*define\s+\w+\([^)]*\.\.\.", code, re.M) is not None
        capitals = {name for name in self.words if re.fullmatch(r"[A-Z][A-Z0-9_]+", name)}
        self.uses = {name for name in capitals if not LANGUAGE.fullmatch(name)}


def walk(files, path, met, conditions=(), within=()):
    """All files that a program of this file has, in `met`, each with the conditions under which it is met first. What is wrong
    with how they are included."""
    met[path] = conditions
    own = []
    text = files[path].text
    if path.suffix == ".h":  # what is included once needs no guard here
        text = re.sub(r"^#ifndef \w+_H$(.*)^#endif$", r"\1", text, flags=re.M | re.S)
    for line in text.splitlines():
        if re.match(r"#if", line):
            own.append(line)
        elif re.match(r"#el", line):
            own[-1] = f"not {own[-1]}: {line}"
        elif re.match(r"#endif", line):
            own.pop()
        include = re.match(r'#include ["<](.*)[">]$', line)
        other = pathlib.Path(include.group(1)) if include else None
        if line.lstrip().startswith("#") and re.match(r"\s*#\s*include", line) and not include:
            yield f"{path}: {line}: not a line of the form #include \"PATH\""
        elif other and other not in files:
            yield f'{path}: #include "{other}": there is no such file'
        elif other and other in (*within, path):
            yield f"{path}: includes {other}, which includes it"
        elif other and other not in met:
            chain = [*within, path]
            if str(other) == SUB_GROUPS[0] and chain[0].suffix == ".cl" and SUB_GROUPS[1] not in map(str, chain):
                yield f"{chain[0]}: includes {SUB_GROUPS[0]} before {SUB_GROUPS[1]}, which says how large groups are"
            yield from walk(files, other, met, (*conditions, *own), (*within, path))
        elif other and met[other] != (*conditions, *own)[: len(met[other])]:
            yield f"{path}: {other} is included, but the program has it only under {' and '.join(met[other])}"


def taken(files, file, met):
    """What a file uses of files that others include for it. A name that several files define is a parameter."""
    for other in met:
        names = SUB_GROUPS if str(other) == SUB_GROUPS[0] else (str(other),)
        if other not in (file.path, *ARGS) and not set(names) & set(file.includes):
            others = set().union(*(files[path].defines for path in met if path != other))
            names = sorted(file.words & files[other].defines - others)
            if names:
                yield f'{file.path}: uses {", ".join(names[:5])} of {other}, and does not include it'


def main(folder, library):
    paths = sorted(path.relative_to(folder) for pattern in ("*.cl", "*.h") for path in folder.rglob(pattern))
    files = {path: File(folder, path) for path in paths}
    layer = folder.parent / "include"
    files.update({path.relative_to(layer): File(layer, path.relative_to(layer)) for path in layer.glob("clprim/device/*.h")})
    wrong = []
    of_layer = {path: re.findall(r"\bclprim__(\w+)\(", file.text) for path, file in files.items() if path not in paths}
    for file in files.values():
        met = {}
        found = list(walk(files, file.path, met))
        wrong += found
        if not found:
            wrong += taken(files, file, met)
        checked = set().union(*(files[path].has for path in met))
        names = GIVEN | checked
        for place in ("runtime", file.path.parts[0]):
            for others in come_together(library / place):
                if checked & others:
                    names |= others
        missing = sorted(file.uses - names) if file.path.suffix == ".cl" else []  # lists of arguments are used by others
        if missing:
            wrong.append(f"{file.path}: {', '.join(missing)}: neither defined, nor checked, nor in a file that it includes")
        for name in file.takes_own_name:
            wrong.append(f"{file.path}: a parameter of {name} is a component's name, too")
        for other in ARGS:
            for name in sorted(file.macros & files[other].macros if file.path not in ARGS else ()):
                wrong.append(f"{file.path}: {name} is {other}'s, which all programs have")
        for other in met if file.path in paths else ():  # with a caller's text, kernels' names begin with clprim__, too
            for name in sorted(file.functions.intersection(of_layer.get(other, ()))):
                wrong.append(f"{file.path}: {name} becomes clprim__{name}, which is a function of {other}")
        for name in sorted(file.functions & file.with_parameters):
            wrong.append(f"{file.path}: {name} is a macro and a function: macros do not get what is passed on to functions")
        if "clprim__clprim__" in file.text:
            wrong.append(f"{file.path}: a name begins with clprim__ twice")
        if "channel" in file.words:
            wrong.append(f"{file.path}: channel is a keyword of Intel's compiler for FPGAs")
        if file.is_variadic:
            wrong.append(f'{file.path}: a macro with "..."')
    print("\n".join([*dict.fromkeys(wrong), f"{len(files)} files"]))
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:])))
