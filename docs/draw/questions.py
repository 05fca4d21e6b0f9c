# SPDX-License-Identifier: MIT
"""The gallery of docs/which.md: what goes in and what comes out, on small arrays, computed here."""
import bisect
import itertools

from draw.picture import drawing

WIDTH, X = 340, 16
COLOURS = ["c0", "c1", "c2", "c3"]


def question(name, title, description):
    return drawing(f"which_{name}", title, description, width=WIDTH)


def moved(p, before, order, y, w, kinds):
    """A row, and below it the same elements in another order, with an arrow from each element to its new place."""
    top = p.row(X, y, before, kinds, w)
    bottom = p.row(X, y + 72, [before[i] for i in order], [kinds[i] for i in order], w)
    for to, i in enumerate(order):
        p.arrow(top[i], y + 24, bottom[to], y + 72, kinds[i])
    return bottom


@question("order", "Splats, from far to near", "Depths of splats move into descending order.")
def order(p):
    depths = [2.5, 9, 0.5, 4, 7]
    moved(p, [f"{depth:g}" for depth in depths], sorted(range(5), key=lambda i: -depths[i]), 46, 60,
          ["plain", "c0", "plain", "plain", "c0"])


@question("neighbours", "Which particles are near?", "Particles in a grid of cells, and the same particles in the order of cells.")
def neighbours(p):
    places = [(0.5, 0.5), (2.27, 0.27), (1.5, 1.5), (2.6, 1.6), (0.4, 1.5), (2.73, 0.73)]
    cell = [int(x) + 3 * int(y) for x, y in places]
    for i in range(6):
        p.frame(X + i % 3 * 46, 46 + i // 3 * 46, 44, 44, COLOURS[i % 3] if i in cell else "dim")
    for i, (x, y) in enumerate(places):
        p.dot(X + x * 46 - 1, 46 + y * 46 - 1, "abcdef"[i], COLOURS[cell[i] % 3])
    by_cell = sorted(range(6), key=lambda i: cell[i])
    p.row(X + 150, 56, ["abcdef"[i] for i in by_cell], [COLOURS[cell[i] % 3] for i in by_cell], 26)
    begins = [bisect.bisect_left([cell[i] for i in by_cell], c) for c in range(6)]
    p.text(X + 150, 106, "cells begin at")
    p.row(X + 150, 114, begins, "dim", 26)


@question("groups", "Events per user", "The values of equal users are added up.")
def groups(p):
    users, values = [3, 3, 3, 8, 10, 10], [2, 1, 4, 9, 5, 1]
    runs = [(user, sum(value for _, value in run)) for user, run in
            itertools.groupby(zip(users, values), key=lambda pair: pair[0])]
    colour = {user: COLOURS[i] for i, (user, _) in enumerate(runs)}
    p.text(X, 62, "user")
    p.text(X, 92, "value")
    p.row(X + 50, 46, users, [colour[user] for user in users], 40)
    middles = p.row(X + 50, 76, values, [colour[user] for user in users], 40)
    p.text(X, 162, "sum")
    sums = p.row(X + 50, 146, [total for _, total in runs], [colour[user] for user, _ in runs], 40, gap=40, every=1)
    for i, user in enumerate(users):
        p.arrow(middles[i], 100, sums[list(colour).index(user)], 146, colour[user])


@question("histogram", "How bright is an image?", "Pixels of an image, and a bar for each brightness.")
def histogram(p):
    pixels = [0, 0, 1, 2, 1, 0, 1, 2, 2, 1, 3, 2, 1, 2, 2, 3]
    for i in range(4):
        p.row(X, 46 + 28 * i, pixels[4 * i:4 * i + 4], [COLOURS[v] for v in pixels[4 * i:4 * i + 4]], 30)
    for v in range(4):
        p.cell(X + 152, 46 + 28 * v, "", COLOURS[v], 20 * pixels.count(v))
        p.text(X + 160 + 20 * pixels.count(v), 62 + 28 * v, pixels.count(v))


@question("rows", "The best of each row", "The two largest numbers of each of three rows.")
def rows(p):
    table = [[5, 2, 8, 1, 7], [3, 9, 0, 4, 6], [1, 6, 2, 7, 3]]
    for y, row in enumerate(table):
        best = sorted(range(5), key=lambda i: -row[i])[:2]
        p.row(X, 46 + 34 * y, row, ["c0" if i in best else "plain" for i in range(5)], 36)
        p.arrow(X + 186, 58 + 34 * y, X + 226, 58 + 34 * y)
        p.row(X + 234, 46 + 34 * y, [row[i] for i in best], "c0", 36)


@question("words", "The words of a text", "Words are sorted, and the first one of each run is kept.")
def words(p):
    text = "to be or not to be".split()
    ordered = sorted(text)
    different = sorted(set(text))
    colour = {word: COLOURS[i] for i, word in enumerate(different)}
    for y, line in [(46, text), (92, ordered), (138, different)]:
        p.row(X, y, line, [colour[word] for word in line], 50)
    p.arrow(X + 25, 72, X + 25, 90)
    p.text(X + 40, 86, "sort", "note")
    p.arrow(X + 25, 118, X + 25, 136)
    p.text(X + 40, 132, "unique", "note")


@question("keep", "Keep what matters", "Numbers above a limit are kept, in their order.")
def keep(p):
    numbers = [3, 12, 8, 1, 15, 9, 2]
    kinds = ["c2" if x > 8 else "plain" for x in numbers]
    kept = [i for i, x in enumerate(numbers) if x > 8]
    top = p.row(X, 46, numbers, kinds, 40)
    bottom = p.row(X, 118, [numbers[i] for i in kept], "c2", 40)
    for to, i in enumerate(kept):
        p.arrow(top[i], 70, bottom[to], 118, "c2")
    p.text(X + 150, 134, "x > 8", "note")


@question("places", "Where does each one write?", "Lengths become the places where parts of an output begin.")
def places(p):
    lengths = [3, 1, 2, 2]
    begins = [0, *itertools.accumulate(lengths)][:4]
    p.text(X, 62, "lengths")
    p.row(X + 70, 46, lengths, COLOURS, 40)
    p.text(X, 96, "begins")
    middles = p.row(X + 70, 80, begins, COLOURS, 40)
    out = p.row(X, 138, [""] * sum(lengths), [COLOURS[i] for i, n in enumerate(lengths) for _ in range(n)], 38)
    for i, begin in enumerate(begins):
        p.arrow(middles[i], 104, out[begin], 138, COLOURS[i])


@question("rank", "The median, without a sort", "The element in the middle of the order, found where it is.")
def rank(p):
    numbers = [9, 2, 7, 4, 5, 8, 1]
    median = sorted(numbers)[3]
    kinds = ["c3" if x == median else "plain" for x in numbers]
    top = p.row(X, 46, numbers, kinds, 40)
    at = numbers.index(median)
    p.arrow(top[at], 70, top[at], 106, "c3")
    p.cell(top[at] - 20, 106, median, "c3", 40)
    p.text(X, 122, "three are less")
    p.text(top[at] + 34, 122, "three more")
    assert sum(x < median for x in numbers) == 3


@question("two", "Two sorted lists", "Two lists as one, and what both have.")
def two(p):
    a, b = [2, 5, 7, 11], [1, 5, 11]
    p.row(X, 46, a, "c0", 36)
    p.row(X + 180, 46, b, "c1", 36)
    p.text(X, 106, "merge")
    p.row(X + 56, 90, sorted(a + b), [kind for _, kind in sorted([*((x, "c0") for x in a), *((x, "c1") for x in b)])], 36)
    p.text(X, 142, "both")
    p.row(X + 56, 126, [x for x in a if x in b], "c2", 36)
