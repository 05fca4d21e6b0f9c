# SPDX-License-Identifier: MIT
"""The course in Russian: docs/locale/ru/LC_MESSAGES/course.po has each paragraph of its pages, and what its exercises say.

    catalogue.py                 what ./dev translate calls, by a Python that has Sphinx: ask Sphinx for today's paragraphs, and
                                 write the catalogue anew. New ones are empty; a changed one keeps its old translation,
                                 marked as fuzzy, which nobody is shown until a translator has removed the mark.

conf.py builds the pages; exercise.py gives the exercises. Both read the catalogue with this file, without other packages."""
import ast
import functools
import pathlib
import re
import subprocess
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
FILE = HERE / "locale" / "ru" / "LC_MESSAGES" / "course.po"
PAGES = ["docs/reduce", "docs/scan", "docs/histogram", "docs/bitonic_sort", "docs/radix_sort", "docs/guides/exercises"]

# Parts of sentences that change with each run of the benchmarks.
MEASURED = [(r"(?m)^(.*), driver (\S+), which copies at (\S+) GB/s:", r"\1, драйвер \2, копирует со скоростью \3 GB/s:")]

# Words without which a text is the same in both languages: names, units.
SAME = r"(?i)\b(AUTO|CUB|CPU|GPU|Boost\.Compute|NVIDIA|H200|GB/s|ns|ms|µs|s|Harris|Merrill|Grimshaw|Garland|Satish|Kim|et al|Adinets|Polychroniou|Ross)\b"


def is_english(text):
    """Whether a text, without its code, is still to be translated."""
    return not re.search("[а-яё]", text, re.I) and re.search("[A-Za-z]{2}", re.sub(SAME, "", text)) is not None


@functools.cache
def read():
    """{English: Russian}, of what is translated."""
    found = {}
    for entry in re.split(r"\n\s*\n", FILE.read_text(encoding="utf-8")):
        if re.search(r"^#,.*fuzzy", entry, re.M):
            continue
        pair = ["".join(ast.literal_eval(text) for text in re.findall(r'^(?:msg\w+ )?(".*")$', part, re.M))
                for part in re.split(r"^(?=msgstr)", entry, flags=re.M)]
        if len(pair) == 2 and pair[0] and pair[1]:
            found[pair[0]] = pair[1]
    return found


def summary():
    """What README.ru.md must say of the summary of README.md, which it translates but for the figures: a sum of its
    characters."""
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    text = re.sub(r"<!-- generated: .*?<!-- end -->\n*", "", text, flags=re.DOTALL)
    return f"<!-- the summary of README.md: {zlib.crc32(text.encode()):08x} -->"


def of_exercises():
    """What the exercises, and exercise.py, say."""
    sys.path.append(str(ROOT / "exercises"))
    import exercise
    return exercise.messages()


def main():
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po, write_po
    there = ROOT / "build" / "docs" / "messages"
    subprocess.run([sys.executable, "-B", "-m", "sphinx", "-q", "-E", "-t", "ru", "-b", "gettext", "-d", there / "cache", "-c", HERE,
                    ROOT, there], check=True)
    template, found = Catalog(), [message for message in read_po((there / "course.pot").open("rb")) if message.id]
    alone = {match[1] for match in (re.fullmatch(r"!\[(.*)\]\(.*\)", message.id) for message in found) if match}
    for message in found:
        names = {pathlib.PurePath(name).name for name, _ in message.locations}
        text = re.sub(r"`[^`]*`|\]\([^)]*\)", "", message.id)
        if names != {"README.ru.md"} and message.id not in alone and is_english(text):  # a picture's text is in its paragraph
            template.add(message.id)
    for text in of_exercises():
        template.add(text)
    mine = read_po(FILE.open("rb"), locale="ru") if FILE.exists() else Catalog(locale="ru", project="clPRIM")
    mine.update(template, update_creation_date=False)
    mine.obsolete.clear()
    licence = pathlib.Path(__file__).read_text(encoding="utf-8").partition("\n")[0]  # the same as this file's
    mine.header_comment = f"{licence}\n# The course in Russian: docs/catalogue.py."
    with FILE.open("wb") as out:
        write_po(out, mine, width=120)
    print(f"{FILE.relative_to(ROOT)}: {sum(not m.string or m.fuzzy for m in mine if m.id)} of {len(mine)} to translate")


if __name__ == "__main__":
    main()
