# SPDX-License-Identifier: MIT
"""What the manual needs beside doxygen (./dev docs).

manual.py fragments      check that the code in docs/guides/*.md, and in other pages what is said to be from a file, is there
manual.py filter FILE    doxygen's filter: a header or a page as doxygen is to see it
manual.py finish HTML    copy the files of the repository that the built pages link to, then check every link
"""

import collections
import html.parser
import pathlib
import re
import shutil
import sys
import textwrap
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?<!!)\[([^][]*)\]\(([^()\s]+)\)")
IMAGE = re.compile(r"!\[([^][]*)\]\(([^()\s]+)\)")


def fragments():
    """A block that has its source in a comment before it is so many lines of it, one after the other. In the guides each block
    of C and CMake has one, or a comment that says where else it is built."""
    wrong = 0
    guides = ROOT / "docs" / "guides"
    for page in sorted([*guides.glob("*.md"), *(ROOT / "docs").glob("*.md")]):
        blocks = re.findall(r"(?:<!-- ([^\n]*) -->\n)?```(\w*)\n(.*?)```\n", page.read_text(), re.S)
        for comment, language, text in blocks:
            said = re.fullmatch(r"from: (\S+)", comment)
            if said is None:
                if page.parent == guides and language in ("c", "cmake") and not comment.startswith("run: no, "):
                    wrong += 1
                    print(f"{page.name}: say where this is from:\n{text}")
                continue
            size = text.count("\n")
            lines = (ROOT / said.group(1)).read_text().splitlines(keepends=True)
            parts = (textwrap.dedent("".join(lines[at : at + size])) for at in range(len(lines)))
            if text not in parts:
                wrong += 1
                print(f"{page.name}: {said.group(1)} has no such lines:\n{text}")
    return wrong


def label(path):
    """The name of a page, of a path within the repository."""
    return "page_" + re.sub(r"\W", "_", str(path.with_suffix(""))).strip("_").lower()


def anchor(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def is_page(path):
    """Is it one that doxygen reads? Others are files as any."""
    said = re.search(r"(?m)^INPUT\s*=((?:.*\\\n)*.*)", (ROOT / "docs" / "Doxyfile").read_text()).group(1)
    places = [ROOT / place for place in said.replace("\\\n", " ").split()]
    return path.suffix == ".md" and path.is_file() and any(place == path or place in path.parents for place in places)


def rewrite_link(match, page):
    """Pages and headers by doxygen's names; what is no part of the manual as a copy of the file."""
    text, target = match.groups()
    text = " ".join(text.split())  # doxygen loses headings behind a link that ends in another line than it begins
    parts = urllib.parse.urlsplit(target)
    if parts.scheme or parts.netloc:
        return f"[{text}]({target})"
    path = (page.parent / parts.path).resolve() if parts.path else page
    if path.is_dir():
        path = path / "README.md"
        if not path.exists():
            return text
    inside = path.relative_to(ROOT)
    if is_page(path):
        name = "index" if str(inside) == "README.md" else label(inside)
        if parts.fragment:
            name = f"{label(inside)}-{parts.fragment}"
        return f"[{text}](@ref {name})"
    if inside.parts[:2] == ("include", "clprim"):
        return f"[{text}](@ref {inside.name})"
    return f'<a href="files/{inside}.txt">{text}</a>' if path.exists() else match.group(0)


def rewrite_image(match, page):
    """A picture of docs/plots by its name, which doxygen looks for there: it does not find ../plots."""
    text, target = match.groups()
    path = (page.parent / target).resolve()
    return f"![{text}]({path.name})" if path.parent == ROOT / "docs" / "plots" else match.group(0)


def filter_page(path):
    out = []
    text = []  # lines outside of code: a link may begin in one and end in the next
    in_code = False
    seen = collections.Counter()

    def end_text():
        if text:
            # doxygen 1.9 prints the stars around code.
            bold = re.sub(r"\*\*(`[^`\n]+`)\*\*", r"<b>\1</b>", "\n".join(text))
            made = LINK.sub(lambda match: rewrite_link(match, path), bold)
            out.append(IMAGE.sub(lambda match: rewrite_image(match, path), made))
            text.clear()

    for line in path.read_text().splitlines():
        if line.startswith("```"):
            in_code = not in_code
        heading = None if in_code else re.fullmatch(r"(#+) (.*)", line)
        if heading is not None:
            name = label(path.relative_to(ROOT))
            if len(heading.group(1)) > 1:
                name += "-" + anchor(heading.group(2))
            seen[name] += 1
            if seen[name] > 1:
                name += f"-{seen[name] - 1}"
            end_text()
            out.append(f"{line} {{#{name}}}")
        elif in_code:
            end_text()
            out.append(line)
        else:
            text.append(line)
    end_text()
    return "\n".join(out) + "\n"


def comment_of(text, begin, is_head):
    """A comment of a header as one of doxygen's. Lines that are set in are code, and those of a function's description that
    begin with a word and a colon are paragraphs."""
    lines = [re.sub(r"^ *\*(?: |$)", "", line) for line in text[3:-3].split("\n")]
    out = []
    for line in lines:
        if not line.startswith("    "):
            line = re.sub(r"([<>#@\\%&*])", r"\\\1", line)
            line = line.replace("..", "\u2026")  # a dot would end the brief description, or a list
        if re.match(r"(Units|Pre|Waits|Blocks|Errors): ", line):
            out.append("")
        out.append(line)
    if is_head:
        head = re.match(r"clprim/(\S+): (.)", out[0])
        begin = "c" if out[0].startswith("clPRIM", head.end() - 1) else head.group(2).upper()
        out[0] = begin + out[0][head.end() :]
        name = head.group(1)
        brief = re.split(r"(?<=\.)\s|\n\n", "\n".join(out))[0]
        out.insert(0, f"@file {name}\n@brief")
        group = f"@defgroup {re.sub('[^a-z_]', '_', name)} clprim/{name}\n@brief {brief}\n\nMore about it: {name}\n@{{"
        return "/** " + "\n".join(out) + f" */\n/** {group} */"
    return begin + "\n".join(out) + " */"


def filter_header(path):
    text = path.read_text().partition("\n")[2]  # behind the line about the licence
    at = text.index("*/") + 2
    out = comment_of(text[:at], "", True)
    if path.suffix == ".h":
        # Before what it describes, or behind it in the same line.
        rest = text[at:]
        for match in reversed(list(re.finditer(r"/\* (?:(?!\*/).)*\*/", rest, re.S))):
            line = rest[rest.rfind("\n", 0, match.start()) + 1 : match.start()]
            begin = "/**< " if line.strip() else "/** "
            rest = rest[: match.start()] + comment_of(match.group(0), begin, False) + rest[match.end() :]
        out += rest
    else:
        out += text[at:]
    return out + "/** @} */\n"


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names = set()
        self.links = []
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("id", "name") and value:
                self.names.add(value)
            if key in ("href", "src") and value:
                self.links.append(value)


def finish(root):
    pages = {path.resolve(): Page(path) for path in sorted(root.rglob("*.html"))}
    broken = collections.OrderedDict()
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if parts.path.startswith("files/") and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                source = ROOT / parts.path[len("files/") : -len(".txt")]
                if source.is_file():
                    shutil.copyfile(source, target)
            known = target not in pages or not parts.fragment or parts.fragment in pages[target].names
            if not target.exists() or not known:
                broken[f"{path.name}: {link}"] = True
    for link in broken:
        print(link)
    print(f"{len(pages)} pages, {len(broken)} broken links")
    return len(broken)


def main(arguments):
    if arguments == ["fragments"]:
        return fragments() > 0
    if len(arguments) == 2 and arguments[0] == "filter":
        path = pathlib.Path(arguments[1]).resolve()
        sys.stdout.write(filter_page(path) if path.suffix == ".md" else filter_header(path))
        return 0
    if len(arguments) == 2 and arguments[0] == "finish":
        return finish(pathlib.Path(arguments[1])) > 0
    sys.stderr.write(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
