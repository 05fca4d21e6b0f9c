# SPDX-License-Identifier: MIT
"""Reads a header of include/clprim as a page of the manual: its first comment, then each declaration with the comment before
it, or behind it in its line. What a header may contain is what `declarations` and `members` know; the manual is not built of
another one."""
import functools
import pathlib
import re
import textwrap

from sphinx.parsers import RSTParser

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "clprim"
HEADING = re.compile(r"(?m)(?<=\n\n)([A-Z][A-Z ,]+[A-Z])\n(?=\n)")
CODE = re.compile(
    r"(?<![\w`/.>])(clprim/[\w/]+\.h(?:pp)?|docs/[\w/]+\.md|clprim_(?:<\w+>)?\w*(?:\.\w+)*(?:\(\))?(?:\*|(?<=_)<\w+>)?"
    r"|CLPRIM_\w+\*?|cl(?!PRIM)[A-Z]\w+|CL_\w+|\.[a-z]\w*(?:\.\w+)*|\*[a-z]\w*)(?![\w*])")


@functools.cache
def headings():
    """The headings in the headers' comments, and where they are: {"CREATE": ["plan"]}."""
    found = {}
    for path in sorted(HEADERS.glob("*.h*")):
        for comment in re.findall(r"(?ms)^/\*.*?\*/", path.read_text()):
            for heading in HEADING.findall(plain(comment)):
                found.setdefault(heading, []).append(path.stem)
    return found


def plain(comment):
    """The text of a comment."""
    return "\n".join(re.sub(r"^ *\*(?: |$)", "", line) for line in comment.strip()[2:].removesuffix("*/").split("\n")).strip(" ")


def literal(text, before, after):
    """A name as code. A backslash stands where reStructuredText wants a space, or something like it."""
    return ("\\ " if re.search(r"[^\s'\"(\[{<:/-]$", before) else "") + f"``{text}``" + (
        "\\ " if re.match(r"[^\s'\")\]}>:/.,;!?-]", after) else "")


def inline(text, stem=""):
    """A paragraph of plain text as reStructuredText: names are code, and headings of headers are links to them."""
    def place(match):
        homes = headings()[match.group(1)]
        named = re.search(r" in clprim/(\w+)\.h", text[match.end():match.end() + 80].replace("\n", " "))
        for home in (named and named.group(1), stem, "plan"):
            if home in homes:
                return f":ref:`{match.group(1)} <{home}-{match.group(1).lower().replace(' ', '-')}>`"
        return match.group(1)

    out = []
    parts = re.split(r"`([^`]+)`", text)
    for i, part in enumerate(parts):
        if i % 2:
            out.append(literal(part, parts[i - 1], parts[i + 1]))
            continue
        pieces = CODE.split(part)
        for j, piece in enumerate(pieces):
            if j % 2:
                out.append(literal(piece, pieces[j - 1], pieces[j + 1]))
                continue
            piece = re.sub(r"([\\*|_])", r"\\\1", piece)
            if stem:
                known = "|".join(sorted(map(re.escape, headings()), key=len, reverse=True))
                piece = re.sub(rf"(?<![\w`])({known})(?= in\s``|\sbelow|\sabove|\sand\s|, | in\s*$|\.$|$)", place, piece)
            out.append(piece)
    return "".join(out)


def prose(text, stem="", is_inside=True):
    """Plain text as reStructuredText. Lines that are set in by four spaces are code, and those from >>> on a dialogue with
    Python. A heading is one of a section, unless it is inside of a description."""
    out, lines = [], text.split("\n")
    at = 0

    def put(block):
        out.extend([*block, ""])

    while at < len(lines):
        line = lines[at]
        begin = at
        if not line.strip():
            at += 1
            continue
        if line.startswith(">>> "):
            while at < len(lines) and lines[at].strip():
                at += 1
            put([".. code-block:: pycon", "", *(f"    {each}" for each in lines[begin:at])])
        elif line.startswith("    "):
            while at < len(lines) and (lines[at].startswith("    ") or not lines[at].strip()):
                at += 1
            code = textwrap.dedent("\n".join(lines[begin:at])).strip("\n")
            language = "c" if re.search(r";$", code, re.M) and not code.startswith("CLPRIM_") else "text"
            put([f".. code-block:: {'python' if not stem and 'clprim.' in code else language}", "",
                 *textwrap.indent(code, "    ").split("\n")])
        elif stem and re.fullmatch(r"[A-Z][A-Z ,]+[A-Z]", line) and at + 1 < len(lines) and not lines[at + 1].strip():
            title = line.capitalize()
            put([f".. _{stem}-{line.lower().replace(' ', '-')}:", "",
                 *([f".. rubric:: {title}"] if is_inside else [title, "-" * len(title)])])
            at += 1
        else:
            bullet = re.match(r"( *)- ", line)
            at += 1
            while at < len(lines) and lines[at].strip() and not re.match(r" *- |[A-Z][a-z]+: ", lines[at]) and (
                    not lines[at].startswith("    ") or bullet):
                at += 1
            paragraph = "\n".join(lines[begin:at])
            if bullet:
                indent = bullet.group(1)
                body = inline(textwrap.dedent(paragraph.replace(f"{indent}- ", f"{indent}  ", 1)), stem)
                put(textwrap.indent(f"- {textwrap.indent(body, '  ').lstrip()}", indent).split("\n"))
            else:
                put(re.sub(r"^(Units|Pre|Waits|Blocks|Errors|Source): ", r"**\1:** ",
                           inline(textwrap.dedent(paragraph), stem)).split("\n"))
    return "\n".join(out) + "\n"


def directive(kind, signatures, content=""):
    head = f".. c:{kind}:: "
    return head + ("\n" + " " * len(head)).join(signatures) + "\n\n" + textwrap.indent(content, "   ") + "\n"


def split(body, end):
    """The parts of a body that end with `end`, each as (comment before, text, comment behind). A comment that belongs to
    none, because a line without anything follows, has no text."""
    at, before = 0, ""
    while at < len(body):
        comment = re.compile(r"\s*/\*.*?\*/", re.S).match(body, at)
        if comment:
            at = comment.end()
            before = plain(comment.group(0))
            if body.startswith("\n\n", at):
                yield before, "", ""
                before = ""
            continue
        start, depth = at, 0
        while at < len(body) and (depth or body[at] != end) and not (not depth and body.startswith("/*", at)):
            depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(body[at], 0)
            at += 1
        text = " ".join(body[start:at].split())
        at += at < len(body) and body[at] == end
        behind = re.compile(r"[ \t]*/\*.*?\*/", re.S).match(body, at)
        if behind and text:
            at = behind.end()
        if text:
            yield before, text, plain(behind.group(0)) if behind else ""
        before = ""


def members(body, stem):
    out = []
    for before, text, behind in split(body, ";"):
        content = prose(before or behind, stem)
        union = re.fullmatch(r"union \{(.*)\} (\w+)", text, re.S)
        if not text:
            out.append(content)
        elif union:
            inner = re.search(r"union \{(.*?)\} " + union.group(2), body, re.S).group(1)
            out.append(directive("union", [union.group(2)], content + members(inner, stem)))
        else:
            first, *others = [text] if "(" in text else re.split(r", ", text)
            kind = first.rpartition(" ")[0]
            out.append(directive("member", [first, *(f"{kind} {other}" for other in others)], content))
    return "".join(out)


def enumerators(body, stem):
    return "".join(directive("enumerator", [text], prose(before or behind, stem)) if text else prose(before, stem)
                   for before, text, behind in split(body, ","))


DECLARATION = re.compile(r"""
    (?P<comment>/\*.*?\*/)(?P<alone>\n\n|\n*$)?
    | typedef\ struct\ (?P<opaque>\w+)\ \w+;
    | struct\ \w+;
    | typedef\ (?P<aggregate>struct|enum)\ \w+\ \{(?P<body>[^\n{}]*|\n.*?\n)\}\ (?P<name>\w+);
    | typedef\ (?P<type>[^;{]*);
    | enum\ \{\ (?P<constant>[^}]*?)\ \};
    | \#define\ (?P<macro>\w+(?:\([^)]*\))?)(?:\\\n|[^\n])*
    | (?:CLPRIM_API\ )?(?:extern\ (?P<variable>const[^;]*)|(?P<function>[a-z][^;{"]*));
    | (?P<other>\#(?:\\\n|[^\n])*|extern\ "C"\ \{|\})
""", re.X | re.S)


def declarations(text, stem):
    out, last, comment = [], None, ""
    at = 0
    while text[at:].strip():
        gap = len(text[at:]) - len(text[at:].lstrip("\n "))
        beside = text[at:at + gap].count("\n") == 1
        at += gap
        match = DECLARATION.match(text, at)
        if match is None:
            raise ValueError(f"{stem}: the manual does not know such a declaration: {text[at:at + 80]!r}")
        at = match.end()
        kind = match.lastgroup
        found = match.groupdict()
        if found["comment"]:
            comment = plain(found["comment"])
            if found["alone"]:
                out.append(prose(comment, stem))
                comment = ""
            continue
        content = prose(comment, stem)
        if found["aggregate"]:
            inner = (members if found["aggregate"] == "struct" else enumerators)(found["body"], stem)
            if "#define" in found["body"]:  # made from a list, which is shown
                inner = enumerators("".join(f"{name} = {code}, /* {sentence} */\n" for name, code, sentence in re.findall(
                    r'X\((\w+), (-?\d+),\s*(?:\\\n\s*)?"([^"]*)"\)', text)), stem)
            out.append(directive(found["aggregate"], [found["name"]], content + inner))
        elif found["opaque"]:
            if comment:
                out.append(directive("struct", [found["opaque"]], content))
        elif found["type"]:
            out.append(directive("type", [" ".join(found["type"].split())], content))
        elif found["constant"]:
            out.append(directive("macro", [found["constant"].split(" ")[0]], content))
        elif found["macro"]:
            if comment or found["macro"].startswith("CLPRIM_VERSION"):
                out.append(directive("macro", [found["macro"]], content))
        elif found["variable"]:
            out.append(directive("var", [" ".join(found["variable"].split())], content))
        elif found["function"]:
            signature = " ".join(found["function"].split())
            if not comment and beside and last:
                last[1].append(signature)
                out[-1] = directive("function", *last[1:][:1], last[2])
            else:
                last = ["function", [signature], content]
                out.append(directive("function", [signature], content))
        if not found["function"]:
            last = None if kind != "other" else last
        comment = ""
    return "\n".join(out)


def cpp_declarations(text, stem):
    """What C++ adds: whatever has a comment at the beginning of a line, outside of the namespaces of details."""
    out, inside, shown = [], [], set()
    for part in re.finditer(r"(?m)^(?:inline )?namespace (\w+) \{|^\} // namespace (\w+)$"
                            r"|^(/\*(?:(?!\*/).)*\*/)\n((?:template|inline|class|struct|using)(?:[^{;(]|\([^)]*\))*)", text, re.S):
        opened, closed, comment, declaration = part.groups()
        if opened:
            inside.append(opened)
        elif closed:
            inside.pop()
        elif not {"detail", "types"} & set(inside):
            declaration = declaration.strip()
            head = re.sub(r"^template <(?:[^<>]|<[^<>]*>)*>\s*", "", declaration)
            name = re.search(r"\b(\w+)(?: :.*| =.*|\(.*|)$", head, re.S).group(1)
            if name not in shown:
                out.append(f"{name}\n{'^' * len(name)}\n")
                shown.add(name)
            out.append(".. code-block:: cpp\n\n" + textwrap.indent(declaration + ";", "   ") + "\n\n" + prose(plain(comment), stem))
    return "\n".join(out)


def program(stem):
    """The page's last section: a program to paste, which says what it prints."""
    name = {"runtime": "plan"}.get(stem, stem)
    if stem == "clprim":  # for C++: that of a page, where it is tested
        shown, lines = "/docs/languages.md", "   :language: cpp\n   :start-after: ```cpp\n   :end-before: ```\n"
        compiled = "c++ -std=c++17 program.cpp"
    elif (ROOT / "examples" / "functions" / f"{name}.c").is_file():
        shown, lines, compiled = f"/examples/functions/{name}.c", "   :language: c\n", f"cc {name}.c"
    else:
        return ""
    return (f"\nA program\n---------\n\n.. literalinclude:: {shown}\n{lines}\n"
            f"It is compiled by ``{compiled} $(pkg-config --cflags --libs clprim)``.\n")


def see_also(stem):
    links = [(f"docs/{stem}", "how it works, step by step"), (f"docs/performance/{stem}", "how fast it is"),
             (f"docs/notebook/{stem}", "what was tried")]
    found = [f":doc:`{text} </{page}>`" for page, text in links if (ROOT / f"{page}.md").is_file()]
    return f"\n.. seealso:: {', '.join(found)}\n" if found else ""


def page(path):
    licence, begin, text = path.read_text().partition("/*")
    head, rest = text.split("*/", 1)
    name, colon, description = plain(begin + head).partition(":")
    if not path.as_posix().endswith(f"/{name.strip()}"):
        raise ValueError(f"{path}: the first comment does not begin with the header's name, but with {name!r}")
    stem = path.stem if path.suffix == ".h" else path.name
    is_kernel = path.parent != HEADERS
    first = description.strip()
    first = first if first.startswith("clPRIM") else first[0].upper() + first[1:]
    out = [stem, "=" * len(stem), "", ".. code-block:: c", "", f"   #include <{name.strip()}>", "", prose(first, path.stem, False)]
    out.append(see_also(path.stem))
    made = "" if is_kernel else (declarations if path.suffix == ".h" else cpp_declarations)(rest, path.stem)
    if made.strip():
        out.append(f"Reference\n---------\n\n{made}")
    out.append("" if is_kernel else program(path.stem))
    return "\n".join(out)


class HeaderParser(RSTParser):
    supported = ("header",)

    def parse(self, inputstring, document):
        super().parse(page(pathlib.Path(document.current_source or document["source"])), document)
