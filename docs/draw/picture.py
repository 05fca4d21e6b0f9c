# SPDX-License-Identifier: MIT
"""What drawings are made of: cells, circles, arrows and texts on a card; and the table of all drawings.
"""
import html
import itertools
import math
import textwrap

WIDTH, LEFT = 760, 16
# fill and stroke on a light background, then on a dark one
COLOURS = {
    "plain": ("#f3f5f7", "#8c959f", "#1c222b", "#7d8590"), "dim": ("none", "#d5dae0", "none", "#343b44"),
    "c0": ("#d4e7ff", "#1f6feb", "#12315c", "#58a6ff"), "c1": ("#ffe2c4", "#bc5a00", "#4a2a0a", "#e8903f"),
    "c2": ("#d2f2d9", "#1a7f37", "#103a1e", "#46b95a"), "c3": ("#e9dcff", "#8250df", "#33225c", "#b78cff"),
    "hot": ("#ffd5d2", "#cf222e", "#5a161b", "#ff7b72"),
}
INKS = {"text": ("#1f2328", "#e6edf3"), "note": ("#57606a", "#9da7b3"), "card": ("#ffffff", "#0d1117"),
        "edge": ("#d0d7de", "#30363d")}


def style():
    """Each drawing has a background of its own: it can be read even where the page's colours are not the system's."""
    def rules(dark):
        text, note, card, edge = (INKS[name][dark] for name in ("text", "note", "card", "edge"))
        made = [f".card{{fill:{card};stroke:{edge}}}text{{fill:{text}}}.note{{fill:{note}}}"
                f".line{{stroke:{note}}}.head{{fill:{note}}}"]
        for name, colours in COLOURS.items():
            fill, stroke = colours[2 * dark:2 * dark + 2]
            made.append(f".{name}{{fill:{fill};stroke:{stroke}}}.line.{name}{{fill:none;stroke:{stroke}}}"
                        f".head.{name}{{fill:{stroke}}}")
        return "".join(made) + f"text.dim{{fill:{note};stroke:none}}"
    return ("text{font:12px sans-serif}.title{font-weight:bold;font-size:15px}"
            ".in,.mid{text-anchor:middle}.end{text-anchor:end}.line{fill:none;stroke-width:1.3}.head{stroke:none}"
            ".cell,.dot{stroke-width:1.2}.frame{fill-opacity:.35}.pale{fill-opacity:.6;stroke-opacity:.45}"
            f"{rules(0)}@media(prefers-color-scheme:dark){{{rules(1)}}}")


def width_of(text, size=12):
    """Of a text in a wide font without serifs (DejaVu Sans); others take less."""
    widths = {"ijl'": 0.28, " .,·": 0.32, "frt:;!I()[]": 0.4, "–": 0.5, "0123456789": 0.64, "−+=×<>←": 0.84,
              "mwMW": 0.95}
    other = {letter: width for letters, width in widths.items() for letter in letters}
    return size * sum(other.get(letter, 0.7 if letter.isupper() else 0.6) for letter in text)


def number(value):
    return f"{value:.1f}".removesuffix(".0")


def path(points):
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


class Picture:
    """A card with a title. What is drawn later lies in front only of what is of a layer before."""

    def __init__(self, title, description, width=WIDTH):
        self.title, self.description, self.width, self.bottom = title, description, width, 40
        self.layers = {"frame": [], "line": [], "cell": [], "text": []}
        self.text(LEFT, 27, title, "title")

    def add(self, layer, tag, kind, text=None, **places):
        at = "".join(f' {name}="{value if name == "d" else number(value)}"' for name, value in places.items())
        end = "/>" if text is None else f">{html.escape(text, quote=False)}</{tag}>"
        kind = f' class="{kind}"' if kind else ""
        self.layers[layer].append(f"<{tag}{kind}{at}{end}")
        self.bottom = max(self.bottom, places.get("y", 0) + places.get("height", 4))

    def text(self, x, y, text, kind=""):
        self.add("text", "text", kind, str(text), x=x, y=y)

    def note(self, *sentences):
        """Below all that was drawn before, in lines of about one length."""
        text = " ".join(sentences)
        count = math.ceil(width_of(text) / (self.width - 2 * LEFT - 20))
        fewest = itertools.count(len(text) // count)
        wrapped = (textwrap.wrap(text, letters, break_on_hyphens=False) for letters in fewest)
        lines = next(lines for lines in wrapped if len(lines) <= count)
        self.bottom += 6
        for line in lines:
            self.text(LEFT, self.bottom + 17, line, "note")

    def cell(self, x, y, text="", kind="plain", w=28, h=24):
        self.add("cell", "rect", f"cell {kind}", x=x, y=y, width=w, height=h, rx=3)
        if text != "":
            self.text(x + w / 2, y + h / 2 + 4.3, text, "in dim" if kind == "dim" else "in")

    def row(self, x, y, texts, kinds="plain", w=28, h=24, every=0, gap=10):
        """Cells side by side, with a gap after each so many; returns the middle of each."""
        places = [x + i * w + (i // every * gap if every else 0) for i in range(len(texts))]
        for i, (place, text) in enumerate(zip(places, texts)):
            self.cell(place, y, text, kinds if isinstance(kinds, str) else kinds[i], w, h)
        return [place + w / 2 for place in places]

    def dot(self, x, y, text, kind):
        self.add("cell", "circle", f"dot {kind}", cx=x, cy=y, r=10.5)
        self.text(x, y + 4.3, text, "in dim" if kind == "dim" else "in")

    def frame(self, x, y, w, h, kind="plain"):
        self.add("frame", "rect", f"frame {kind}", x=x, y=y, width=w, height=h, rx=6)

    def line(self, *places, kind=""):
        self.add("line", "path", f"line {kind}".strip(), d=path(places))

    def arrow(self, x, y, to_x, to_y, kind=""):
        length = math.hypot(to_x - x, to_y - y)
        dx, dy = (to_x - x) / length, (to_y - y) / length
        back_x, back_y = to_x - 7 * dx, to_y - 7 * dy
        self.line((x, y), (back_x, back_y), kind=kind)
        points = [(to_x, to_y), (back_x - 3.2 * dy, back_y + 3.2 * dx), (back_x + 3.2 * dy, back_y - 3.2 * dx)]
        self.add("line", "path", f"head {kind}".strip(), d=path(points) + "z")

    def svg(self):
        height = self.bottom + 14
        size = f'width="{self.width}" height="{number(height)}" viewBox="0 0 {self.width} {number(height)}"'
        return (f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title desc">\n'
                f'<title id="title">{html.escape(self.title)}</title>\n'
                f'<desc id="desc">{html.escape(self.description)}</desc>\n'
                f'<style>{style()}</style>\n'
                f'<rect class="card" x="0.5" y="0.5" width="{self.width - 1}" height="{number(height - 1)}" rx="8"/>\n'
                + "\n".join(itertools.chain(*self.layers.values())) + "\n</svg>\n")


DRAWINGS = {}


def drawing(name, title, description, *arguments, width=WIDTH):
    """Decorates what draws `name`: a function of the picture and the arguments."""
    def keep(function):
        DRAWINGS[name] = (title, description, width, function, arguments)
        return function
    return keep


def drawings():
    """The text of each file, by its name."""
    made = {}
    for name, (title, description, width, function, arguments) in DRAWINGS.items():
        picture = Picture(title, description, width)
        function(picture, *arguments)
        made[f"{name}.svg"] = picture.svg()
    return made


LANES = 4  # of a sub-group


def many(count, word):
    return f"{count} {word}" if count == 1 else f"{count} {word}{'es' if word.endswith('ch') else 's'}"


def turns_of(places, banks):
    """By bank, the numbers of those who want a word of it."""
    wanted = {}
    for who, place in places.items():
        wanted.setdefault(place % banks, []).append(who)
    return wanted, max(map(len, wanted.values()))
