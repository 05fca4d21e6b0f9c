# SPDX-License-Identifier: MIT
"""Builds the manual with Sphinx (./dev docs). Its pages are the Markdown files of the repository, and each header of
include/clprim, whose comments are read as they are: conf_headers.py.

With the tag ru it builds the course in Russian, from the same pages and their translations in catalogue.py, and fails if a
paragraph has none. A section whose heading has none is left out, and the end of the page links to it in English."""
import functools
import html
import json
import pathlib
import re
import shutil
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT / "bindings" / "python")]

import catalogue  # noqa: E402
import conf_headers  # noqa: E402
from docutils import nodes  # noqa: E402
from pygments import highlight  # noqa: E402
from pygments.formatters import HtmlFormatter  # noqa: E402
from pygments.lexers import TextLexer, get_lexer_for_filename  # noqa: E402
from pygments.util import ClassNotFound  # noqa: E402
from sphinx.util import logging  # noqa: E402
from sphinx.util.nodes import extract_messages  # noqa: E402

project = "clPRIM"
author = "the authors of clPRIM"
version = release = ".".join(re.findall(r"CLPRIM_VERSION_[MP]A?[A-Z]* (\d+)\n",
                                        (ROOT / "include" / "clprim" / "version.h").read_text()))
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
root_doc = "README"
include_patterns = ["*.md", "docs/**.md", "docs/manual/*.rst", "benchmarks/*.md", "bindings/python/*.md", "examples/**.md",
                    "include/clprim/**.h", "include/clprim/clprim.hpp"]
# clprim.h only includes the others: its page is that of clprim.hpp.
exclude_patterns = ["build", ".*", "NOTE.txt", "README.ru.md", "include/clprim/clprim.h", "include/clprim/export.h"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext", ".h": "header", ".hpp": "header"}
language = "en"
is_russian = tags.has("ru")  # noqa: F821: Sphinx's
if is_russian:
    language, root_doc, exclude_patterns = "ru", "README.ru", ["build", ".*"]
    include_patterns = ["README.ru.md", *(f"{name}.md" for name in catalogue.PAGES)]
    locale_dirs, gettext_compact = ["build/docs/locale"], "course"
    compiled = ROOT / locale_dirs[0] / catalogue.FILE.parent.relative_to(HERE / "locale")  # where Sphinx does so
    compiled.mkdir(parents=True, exist_ok=True)
    shutil.copy(catalogue.FILE, compiled)
primary_domain = "c"
highlight_language = "text"
nitpicky = False
toc_object_entries_show_parents = "hide"
maximum_signature_line_length = 80
myst_heading_anchors = 6
myst_links_external_new_tab = False
copybutton_exclude = ".linenos, .gp, .go"
python_maximum_signature_line_length = 80

smartquotes = False  # texts have names and signs of C

html_theme = "furo"
html_title = f"clPRIM {version}"
html_static_path = ["manual/static"]
html_css_files = ["manual.css"]
html_js_files = ["manual.js"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False

# Pages that have pages below them in the bar at the side: those that they link to, and that have no other place.
PARENTS = ["docs/reference", "docs/performance", "docs/performance/group", "examples/README"]
LINK = re.compile(r"(?<!!)\[((?:[^][]|\[[^][]*\])*)\]\(([^()\s]+)\)")


def linked_pages(name):
    """The documents that a page of Markdown links to, and the headings before them: (heading or None, document)."""
    path = ROOT / f"{name}.md"
    for heading, _, target in re.findall(r"(?m)^(##+ .*)$|" + LINK.pattern, path.read_text()):
        if heading:
            yield heading, None
            continue
        parts = urllib.parse.urlsplit(target)
        there = (path.parent / parts.path).resolve()
        if parts.path and not parts.netloc and not parts.fragment and there.suffix in (*source_suffix, ".rst"):
            yield None, str(there.relative_to(ROOT).with_suffix(""))


def navigation():
    """The bar at the side: captions and pages, from the headings and lists of docs/index.md; and the pages below others."""
    sections, below = [("Start", ["README", "docs/index", "genindex"])], {}
    taken = {"README", "docs/index"}
    for heading, name in linked_pages("docs/index"):
        if heading:
            sections.append((heading.lstrip("# "), []))
        elif len(sections) > 1 and name not in taken:
            sections[-1][1].append(name)
            taken.add(name)
    for parent in PARENTS:
        below[parent] = []
        for heading, name in linked_pages(parent):
            if name and name not in taken:
                below[parent].append(name)
                taken.add(name)
    return sections, below


SECTIONS, BELOW = ([("Курс", [root_doc, *catalogue.PAGES])], {}) if is_russian else navigation()
READERS = [] if is_russian else [heading.lstrip("# ") for heading, _ in linked_pages("docs/index") if heading and heading.startswith("## ")]


def toctree(names):
    return "\n".join(["```{toctree}", ":hidden:", "", *(f"/{name}" for name in names), "```", ""])


def translated_sections(text, page):
    """Those whose headings are in the catalogue, and links to the others. Sentences that each run of the benchmarks writes anew
    are translated here, whatever their numbers are."""
    russian = catalogue.read()
    first, *sections = re.split(r"(?m)^(?=## )", text)
    kept, left = [first], []
    for section in sections:
        heading = section[3:section.index("\n")].strip()
        if heading in russian:
            kept.append(section)
        else:
            anchor = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            left.append(f'<a href="../../docs/{page}#{anchor}">{heading}</a>')
    text = "".join(kept)
    for pattern, translation in catalogue.MEASURED:
        text = re.sub(pattern, translation, text)
    return text + (f"\nЕщё на этой странице, по-английски: {', '.join(left)}.\n" if left else "")


def look_for_english(app, doctree):
    """In a translated page: paragraphs, cells and headings that are not in Russian. Which messages pages have is kept."""
    if not is_russian or app.builder.format != "html":
        return
    russian = catalogue.read()
    for node, message in extract_messages(doctree):
        app.env.clprim_messages.add(message)
        if app.env.docname == root_doc:
            continue
        text = " ".join(part.astext() for part in node.findall(nodes.Text) if not isinstance(part.parent, nodes.literal))
        if catalogue.is_english(text) and russian.get(message) != message:
            logging.getLogger(__name__).warning("no Russian in docs/locale, see ./dev translate: %.100s", message, location=node)


@functools.cache
def error_sentences():
    """What the library may say: {status: {sentence: folders of lib}}."""
    found = {status: {} for status in re.findall(r"X\((CLPRIM_\w+)", (ROOT / "include" / "clprim" / "status.h").read_text())}
    for path in sorted((ROOT / "lib").rglob("*.c")):
        for status, text in re.findall(r'\b(CLPRIM_[A-Z_]+),\s*((?:"(?:[^"\\]|\\.)*"\s*(?:PRI\w+\s*)?)+)', path.read_text()):
            sentence = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text)).replace('\\"', '"').replace("\\n", " ")
            sentence = re.sub(r"%(?:[-.*0-9]*(?:zu|l?l?[dux]|s|g|c))?", "…", sentence)
            if status in found and re.search(r"\w \w", sentence):
                found[status].setdefault(sentence, set()).add(path.relative_to(ROOT / "lib").parts[0])
    return found


def list_sentences():
    """Sections of a page: the sentences by status, and the operations that say them."""
    for status, sentences in error_sentences().items():
        if sentences:
            yield f"\n{status}\n{'-' * len(status)}\n"
        for sentence, folders in sorted(sentences.items(), key=lambda item: item[0].lower()):
            homes = ", ".join(f":doc:`/include/clprim/{folder}`" for folder in sorted(folders - {"runtime"})
                              if (ROOT / "include" / "clprim" / f"{folder}.h").is_file())
            yield f"- {conf_headers.inline(sentence)}{homes and f' ({homes})'}"


def read_page(app, name, source):
    """Before a page of Markdown is read: its places in the bar, and no links to folders, which are not in the manual."""
    path = ROOT / f"{name}.md"
    if name == "docs/manual/errors":
        source[0] += "\n".join(list_sentences()) + "\n"
    if not path.is_file():
        return

    def link(match):
        text, target = match.groups()
        parts = urllib.parse.urlsplit(target)
        there = (path.parent / parts.path).resolve()
        if parts.scheme or not parts.path or not there.is_dir():
            return match.group(0)
        return f"[{text}]({target.rstrip('/')}/README.md)" if f"{there.relative_to(ROOT)}/README" in app.env.found_docs else text

    text = LINK.sub(link, source[0])
    if name == root_doc:
        text += "\n" + toctree([each for _, names in SECTIONS for each in names if each not in (root_doc, "genindex")])
    elif is_russian:
        text = translated_sections(text, f"{path.stem}.html")
    if name in BELOW:
        text += "\n" + toctree(BELOW[name])
    source[0] = text


def known_names(app):
    """What a name in the text is a link to: (document, anchor), by C's and Python's names, and by paths."""
    if not hasattr(app, "clprim_names"):
        names = {}
        for key, _, _, document, anchor, _ in app.env.domains["c"].get_objects():
            names[key] = (document, anchor)
            if key.rpartition(".")[2].startswith("CLPRIM_"):
                names[key.rpartition(".")[2]] = (document, anchor)
        for document in app.env.found_docs:
            path = str(app.env.doc2path(document, False))
            names[path] = (document, "")
            names[path.removeprefix("include/")] = (document, "")
        app.clprim_names = names
    return app.clprim_names


def link_names(app, doctree, document):
    """Names of functions, members, headers and pages, where they are in code within text, are links. Short cells of tables,
    such as a number with its unit, are of one line."""
    for cell in doctree.findall(nodes.entry):
        if len(cell.astext()) <= 14:
            cell["classes"].append("short")
    names = known_names(app)
    for literal in list(doctree.findall(nodes.literal)):
        text = literal.astext().removesuffix("()")
        target = names.get(text)
        inside = literal.parent
        while inside is not None and not isinstance(inside, (nodes.reference, nodes.title)):
            inside = inside.parent
        if target is None or target[0] == document or inside is not None:
            continue
        uri = app.builder.get_relative_uri(document, target[0]) + (f"#{target[1]}" if target[1] else "")
        reference = nodes.reference("", "", internal=True, refuri=uri)
        literal.replace_self(reference)
        reference += literal


def link_other_manual(app, doctree):
    """What has no page in this language has one in the other."""
    up = "../" * (app.env.docname.count("/") + is_russian)
    for node in list(doctree.findall(lambda node: node.tagname == "pending_xref" and node.get("refdomain") == "doc")):
        name, place = node["reftarget"], node.get("reftargetid")
        if name not in app.env.found_docs and (is_russian or name == "README.ru"):
            uri = f"{up}{name}.html{place and f'#{place}' or ''}" if is_russian else f"{up}ru/index.html"
            node.replace_self(nodes.reference("", "", *node.children, internal=False, refuri=uri))


def link_sources(app, doctree):
    """A link to a file of the sources leads to a page that shows it: show_sources."""
    for node in list(doctree.findall(lambda node: node.tagname == "download_reference")):
        path = (ROOT / str(app.env.doc2path(app.env.docname, False))).parent / urllib.parse.unquote(node["reftarget"])
        name = path.resolve().relative_to(ROOT)
        if not path.is_file() or not is_text(path):
            continue
        up = "../" * app.env.docname.count("/")
        if is_russian:  # the English manual has the same link
            up += "../"
        else:
            app.env.clprim_sources.setdefault(str(name), set()).add(app.env.docname)
        reference = nodes.reference("", "", *node.children, internal=True, refuri=f"{up}files/{name}.html")
        node.replace_self(reference)


def is_text(path):
    try:
        return "\0" not in path.read_text()
    except UnicodeDecodeError:
        return False


def show_sources(app):
    for name in sorted(app.env.clprim_sources):
        text = (ROOT / name).read_text()
        try:
            lexer = get_lexer_for_filename("x.c" if name.endswith((".cl", ".h")) else name)
        except ClassNotFound:
            lexer = TextLexer()
        body = highlight(text, lexer, HtmlFormatter(linenos="inline", cssclass="highlight source"))
        yield f"files/{name}", {"title": name, "body": f"<h1>{name}</h1>\n{body}"}, "page.html"


def begin(app, env, documents):
    if not hasattr(env, "clprim_sources"):
        env.clprim_sources, env.clprim_messages = {}, set()


def merge(app, env, documents, other):
    for name, users in other.clprim_sources.items():
        env.clprim_sources.setdefault(name, set()).update(users)


def put_navigation(app, page, template, context, doctree):
    """The bar at the side, and what manual.js knows. Sphinx makes the bar anew for each page, with all
    headings, which takes longer than all the rest."""
    def entry(name, level):
        below = [entry(child, level + 1) for child in BELOW.get(name, [])]
        is_open = name == page or any("current" in child for child in below)
        uri = "#" if name == page else context["pathto"](name)
        mark = " current" if is_open else ""
        inner = f"<ul>{''.join(below)}</ul>" if below else ""
        return (f'<li class="toctree-l{level}{mark}"><a class="{mark} reference internal" href="{uri}">'
                f"{html.escape(app.env.titles[name].astext() if name in app.env.titles else 'Index of names')}</a>{inner}</li>")

    def tree(**options):
        parts = []
        for caption, names in SECTIONS:
            reader = " reader" if caption in READERS else ""
            parts.append(f'<p class="caption{reader}" role="heading"><span class="caption-text">{html.escape(caption)}</span></p>')
            if names:
                parts.append(f"<ul>{''.join(entry(name, 1) for name in names)}</ul>")
        return "".join(parts)

    context["toctree"] = tree
    if page in catalogue.PAGES:
        there, name, code = ("../", "In English", "en") if is_russian else ("ru/", "По-русски", "ru")
        link = f'<a href="{"../" * page.count("/")}{there}{page}.html" hreflang="{code}" lang="{code}">{name}</a>'
        context["body"] = f'<p class="language">{link}</p>\n{context["body"]}'
    if page == "search":
        sentences = [[sentence, "#" + status.lower().replace("_", "-")] for status, said in error_sentences().items()
                     for sentence in said]
        app.add_js_file(None, body=f"const sentences = {json.dumps(sentences)};")
        app.add_js_file("texts.js")


def read_docstring(app, what, name, thing, options, lines):
    """Docstrings are plain text, as comments are."""
    lines[:] = conf_headers.prose("\n".join(lines)).splitlines() + [""]


def shown(page):
    """The text of a page, without its comments, which in Markdown are HTML."""
    for node in [*page.findall(nodes.comment), *page.findall(nodes.raw)]:
        if isinstance(node, nodes.comment) or node.astext().startswith("<!--"):
            node.parent.remove(node)
    return html.escape(" ".join(page.astext().split()))


def finish(app, problem):
    """The first page has the name that browsers and servers look for, too; and the search has all texts."""
    if is_russian and app.builder.format == "html":
        if catalogue.summary() not in (ROOT / "README.ru.md").read_text():
            logging.getLogger(__name__).warning("README.ru.md lags behind README.md: when it has the same summary, write %s there",
                                                catalogue.summary())
        for message in sorted(set(catalogue.read()) - app.env.clprim_messages - set(catalogue.of_exercises())):
            logging.getLogger(__name__).warning("docs/locale has Russian for what no page says, see ./dev translate: %.100s", message)
    if problem is None and app.builder.format == "html":
        out = pathlib.Path(app.outdir)
        (out / "index.html").write_bytes((out / f"{root_doc}.html").read_bytes())
        texts = {name: shown(app.env.get_doctree(name)) for name in sorted(app.env.found_docs)}
        (out / "_static" / "texts.js").write_text(f"const texts = {json.dumps(texts, ensure_ascii=False)};\n")


def setup(app):
    app.add_source_parser(conf_headers.HeaderParser)
    app.connect("env-before-read-docs", begin)
    app.connect("env-merge-info", merge)
    app.connect("source-read", read_page)
    app.connect("doctree-read", link_sources, priority=400)  # before Sphinx copies what is linked
    app.connect("doctree-read", link_other_manual)
    app.connect("doctree-read", look_for_english)
    app.connect("doctree-resolved", link_names)
    app.connect("html-collect-pages", show_sources)
    app.connect("html-page-context", put_navigation, priority=400)
    app.connect("autodoc-process-docstring", read_docstring)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
