#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pages.py ROOT HTML: the manual that ./dev docs has built is whole. Links lead to pages, and places in them, that exist.
Every function and variable that the library exports, every function of Python's modules, and every operation's program is on
a page. Where Chromium is: on a phone and on a screen no page is wider than the window, no picture is missing, and the search
finds members and sentences of errors, all from files, without a server."""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

WIDTHS = (390, 1200)
# What one may look for, and the page that must be among the first three.
SEARCHES = {"segments_type": "include/clprim/scan.html", "clprim_reduce_enqueue": "include/clprim/reduce.html",
            "element_size 300: elements have at most 256 bytes": "docs/manual/errors.html",
            "prices is not an OpenCL buffer": "docs/manual/errors.html", "argpartition": "docs/manual/python.html"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names, self.links = set(), []
        self.feed(path.read_text(errors="replace"))

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ("id", "name") and value:
                self.names.add(value)
            if key in ("href", "src") and value:
                self.links.append(value)


def broken_links(root, pages):
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            place = urllib.parse.unquote(parts.fragment)
            if not target.exists() or place and target in pages and place not in pages[target].names:
                yield f"{path.relative_to(root)}: {link} leads nowhere"


def missing_names(source, root, pages):
    names = set().union(*(page.names for page in pages.values()))
    for symbol in (source / "tests" / "symbols.txt").read_text().split():
        if not symbol.startswith("clprim__") and f"c.{symbol}" not in names:
            yield f"{symbol} is on no page"
    for stub, module in (("__init__.pyi", "clprim"), ("device.pyi", "clprim.device")):
        text = (source / "bindings" / "python" / "clprim" / stub).read_text()
        for name in sorted(set(re.findall(r"^(?:def|class) ([a-z]\w*|[A-Z]\w*)", text, re.M))):
            if f"{module}.{name}" not in names and f"clprim.{name}" not in names:
                yield f"{module}.{name} of Python is on no page"
    for path, page in pages.items():
        if f"c.clprim_{path.stem}_run" in page.names and "a-program" not in page.names:
            yield f"the page of {path.stem} has no program: examples/functions/{path.stem}.c"


def in_browser(browser, root, frames, script, *more):
    """What a script says of pages, each in a frame of (link, width)."""
    made = "".join(f'<iframe src="{(root / link.partition("?")[0]).as_uri()}{"?" if "?" in link else ""}{link.partition("?")[2]}"'
                   f' width="{width}" height="800" style="border:0"></iframe>' for link, width in frames)
    text = (f"<!doctype html><body>{made}<script>onload = () => setTimeout(() => {{ const said = [...document.querySelectorAll("
            f"'iframe')].map((frame) => ({script})(frame.contentWindow)); document.body.textContent = "
            f"'said:' + encodeURIComponent(JSON.stringify(said)) + ':said'; }}, 3000);</script>")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "frames.html"
        path.write_text(text)
        options = ["--headless", "--disable-gpu", "--hide-scrollbars", "--allow-file-access-from-files",
                   "--virtual-time-budget=20000", "--disable-dev-shm-usage", f"--user-data-dir={folder}/profile", *more,
                   *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        done = subprocess.run([browser, *options, "--dump-dom", path.as_uri()], capture_output=True, text=True, timeout=300)
    said = re.search("said:(.*?):said", done.stdout)
    if said is None:
        raise RuntimeError(f"{browser} says nothing of the pages:\n{done.stderr[-2000:]}")
    return json.loads(urllib.parse.unquote(said.group(1)))


# Furo's text scrolls by itself in narrow windows.
WIDE = """Math.max(...[page.document.documentElement, ...page.document.querySelectorAll('.content')].map(
    (box) => box.scrollWidth))"""


def looks(browser, root, pages):
    every = range(320, 1920, 40)
    wide = in_browser(browser, root, [("index.html", width) for width in every], f"(page) => {WIDE}")
    yield from (f"a page is {found} pixels wide in a window of {width}" for found, width in zip(wide, every) if found > width)
    names = [str(path.relative_to(root)) for path in pages]
    names = [name for name in names if not name.startswith("files/")] + [name for name in names if name.startswith("files/")][:5]
    for width in WIDTHS:
        for at in range(0, len(names), 30):
            some = names[at:at + 30]
            script = (f"(page) => [{WIDE}, [...page.document.images].filter("
                      "(image) => image.loading !== 'lazy' && image.naturalWidth === 0).map((image) => image.src)]")
            for name, (wide, lost) in zip(some, in_browser(browser, root, [(name, width) for name in some], script)):
                if wide > width:
                    yield f"{name} is {wide} pixels wide in a window of {width}"
                yield from (f"{name}: there is no picture {picture}" for picture in lost)
    links = [f"search.html?{urllib.parse.urlencode({'q': query})}" for query in SEARCHES]
    script = ("(page) => [[...page.document.querySelectorAll('ul.search > li > a')].slice(0, 3).map((link) => link.href),"
              " [...page.document.querySelectorAll('ul.search > li > .context')].map((text) => text.textContent)]")
    shown = []
    for query, (found, texts) in zip(SEARCHES, in_browser(browser, root, [(link, 1200) for link in links], script)):
        shown += texts
        if not any(SEARCHES[query] in link for link in found):
            yield f"a search for {query!r} does not find {SEARCHES[query]}, but {found}"
    if not shown or "undefined" in shown:
        yield "a search shows no text of what it finds"


def main():
    source, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    pages = {path: Page(path) for path in sorted(root.rglob("*.html")) if "_static" not in path.parts}
    found = [*broken_links(root, pages), *missing_names(source, root, pages)]
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser:
        found += looks(browser, root, pages)
    print("\n".join([*dict.fromkeys(found), f"{len(pages)} pages, {len(found)} problems" + (
        "" if browser else "; without Chromium nobody looked at them")]))
    return bool(found) or not pages


if __name__ == "__main__":
    sys.exit(main())
