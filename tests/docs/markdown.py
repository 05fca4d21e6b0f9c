"""What tests of the documents read them by: the files there are, and a document's fenced blocks with the comments before
them."""
import dataclasses
import pathlib
import re
import subprocess

FENCE = re.compile(r"^(```+)\s*(\w*)")
COMMENT = re.compile(r"^<!--\s*(\w+):\s*(.*?)\s*-->$")


def sources(root):
    """The paths in a checkout that belong to it, relative to `root`; without git all but what builds leave."""
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True)
        names = [pathlib.Path(name) for name in listed.stdout.decode().split("\0") if name]
    except OSError:
        names = []
    if not names:
        names = [path.relative_to(root) for path in pathlib.Path(root).rglob("*") if path.is_file()]
        names = [name for name in names if name.parts[0] not in ("build", ".git") and "__pycache__" not in name.parts]
    return [name for name in names if (root / name).is_file()]


def documents(root):
    """All *.md, README.md first."""
    found = sorted(name for name in sources(root) if name.suffix == ".md")
    return sorted(found, key=lambda name: name != pathlib.Path("README.md"))


@dataclasses.dataclass
class Block:
    line: int  # of its first line, from 1
    language: str
    text: str
    marks: list  # (name, value) of the comments right before it


def blocks(text):
    """The fenced blocks of a document."""
    found, marks, open_block, fence = [], [], None, ""
    for number, line in enumerate(text.splitlines(), 1):
        if open_block is not None:
            if line.startswith(fence):
                found.append(open_block)
                open_block, marks = None, []
            else:
                open_block.text += line + "\n"
            continue
        start, comment = FENCE.match(line), COMMENT.match(line.strip())
        if start:
            fence = start[1]
            open_block = Block(number + 1, start[2], "", marks)
        elif comment:
            marks.append((comment[1], comment[2]))
        elif line.strip():
            marks = []
    return found


def without_code(text):
    """The document without fenced blocks, its lines where they were."""
    lines, fence = [], ""
    for line in text.splitlines():
        start = FENCE.match(line)
        if fence:
            if line.startswith(fence):
                fence = ""
            lines.append("")
        elif start:
            fence = start[1]
            lines.append("")
        else:
            lines.append(line)
    return lines


def commands_of_dev(root):
    """What ./dev knows, as its usage says."""
    return set(re.findall(r"^\./dev ([a-z]+)", (root / "dev").read_text(), re.M))
