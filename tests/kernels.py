"""Names in capitals that a kernel's file takes from nowhere: kernels.py KERNELS_FOLDER LIB_FOLDER

Each file of kernels/ defines such a name itself, checks with #error (or #if, where it may be missing) that the host gives it,
or says in the comment at its head which files come before it: they do so, or those that they name. What one function of the
library writes, by #define or as an option, comes together: one check stands for all of it.

No macro takes any number of arguments: OpenCL C has none such, and not all compilers let them pass. None has a parameter
with the name of a vector's component of which it takes one: it would take another one's name in its place."""

import pathlib
import re
import sys

# OpenCL C's own, and those of its compilers
LANGUAGE = re.compile(r"CLK_\w+|__\w+|[A-Z]+_(MIN|MAX)|NULL|NAN|INFINITY|cl_\w+|M_PI\w*")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"[^"\n]*"')
GIVEN = {"GROUP_SIZE", "CALL_COUNT_0", "CALL_COUNT_1", "ELEMENT_AT"}  # to every program, by lib/runtime/program/


def come_together(folder):
    """The names that each function of the library's folder gives to kernels."""
    for path in folder.rglob("*.c"):
        for function in re.split(r"^}$", path.read_text(encoding="utf-8"), flags=re.M):
            found = re.findall(r"#define ([A-Z]\w+)|-D([A-Z]\w+)=", " ".join(STRING.findall(function)))
            yield {a or b for a, b in found}


class File:
    def __init__(self, folder, path):
        text = (folder / path).read_text(encoding="utf-8")
        head = COMMENT.match(text)
        self.path = path
        self.before = set(re.findall(r"[\w/]+\.cl\b", head.group() if head else ""))
        code = re.sub(r"^\s*#\s*(error|pragma|undef)\b.*$", "", STRING.sub("", COMMENT.sub("", text)), flags=re.M)
        # also what the head says that a file behind it must define
        self.has = set(re.findall(r"^[\s*]*#\s*define\s+(\w+)", code + (head.group() if head else ""), re.M))
        for enumerators in re.findall(r"\benum\b[^{;]*{([^}]*)}", code):
            self.has.update(re.findall(r"\w+", enumerators))
        for line in re.findall(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b((?:\\\n|[^\n])*)", code, re.M):
            checked = re.findall(r"defined\s*\(?\s*(\w+)", line) or re.findall(r"^\s*(\w+)\s*$", line)
            self.has.update(checked)
        parameters = re.findall(r"\w+", " ".join(re.findall(r"^\s*#\s*define\s+\w+\(([^)]*)\)", code, re.M)))
        used = set(re.findall(r"\b[A-Z][A-Z0-9_]+\b", code))
        self.takes_own_name = [
            name for name, names, body in re.findall(r"^\s*#\s*define\s+(\w+)\(([^)]*)\)((?:\\\n|[^\n])*)", code, re.M)
            if any(re.search(rf"\)\s*\.\s*{parameter}\b", body) for parameter in re.findall(r"\w+", names))]
        self.is_variadic = re.search(r"^\s*#\s*define\s+\w+\([^)]*\.\.\.", code, re.M) is not None
        self.uses = {name for name in used.difference(parameters) if not LANGUAGE.fullmatch(name)}


def find(files, name, path):
    """The file that another one names: one of its own operation, of common/, or a path, or the only one of that name."""
    own = pathlib.Path(path.parts[0])
    places = [own / name, own / "parts" / name, pathlib.Path("common", name), pathlib.Path(name)]
    anywhere = [other for other in files if other.name == name]
    if len(anywhere) == 1:
        places += anywhere
    return next((files[place] for place in places if place in files and place != path), None)


def given(files, file, seen):
    """All names that a file and those before it have."""
    names = set(file.has)
    seen.add(file.path)
    for name in file.before:
        other = find(files, name, file.path)
        if other and other.path not in seen:
            names |= given(files, other, seen)
    return names


def main(folder, library):
    paths = sorted(path.relative_to(folder) for path in folder.rglob("*.cl"))
    files = {path: File(folder, path) for path in paths}
    status = 0
    for file in files.values():
        checked = given(files, file, set())
        names = GIVEN | checked
        for place in ("runtime", file.path.parts[0]):
            for others in come_together(library / place):
                if checked & others:
                    names |= others
        missing = sorted(file.uses - names)
        if missing:
            status = 1
            print(f"{file.path}: {', '.join(missing)}: neither defined, nor checked, nor in a file that its head names")
        for name in file.takes_own_name:
            status = 1
            print(f"{file.path}: a parameter of {name} is a component's name, too")
        if file.is_variadic:
            status = 1
            print(f"{file.path}: a macro with \"...\"")
    print(f"{len(files)} files")
    return status or not files


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:])))
