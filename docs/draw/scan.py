# SPDX-License-Identifier: MIT
"""The ladder of docs/scan.md. Values are ranges of indices: a fold of what does not lie side by side is an error."""
import itertools

from draw import traced
from draw.picture import LEFT, drawing, many


def join(a, b):
    if a is None or b is None:
        return a or b
    assert a[1] + 1 == b[0], (a, b)
    return a[0], b[1]


def ranged(a):
    return "–" if a is None else str(a[0]) if a[0] == a[1] else f"{a[0]}–{a[1]}"


def own(count):
    return [(i, i) for i in range(count)]


def exclusive(values):
    return [None, *itertools.accumulate(values[:-1], join)]


@drawing("scan_naive", "naive: in each step every element adds the one 2^d before it",
         "Three steps for eight elements, each of which reads and writes the whole array.")
def hillis_steele(p):
    n, x, y, data = 8, 90, 58, own(8)
    changed = [False] * n
    steps = [{i: at % n for i, at in one.indices.items()} for one in traced.accesses("scan_naive") if "distance" in one.place]
    for step in [*steps, None]:
        m = p.row(x, y, [ranged(v) for v in data], ["c0" if c else "plain" for c in changed], 62)
        if step is None:
            break
        [d] = {i - before for i, before in step.items()}
        p.text(LEFT, y + 46, f"distance {d}")
        for i in range(n):
            p.arrow(m[i], y + 24, m[i], y + 64)
            if i in step:
                p.arrow(m[step[i]], y + 24, m[i] - 9, y + 64, "c0")
        p.text(604, y + 46, f"{len(step)} folds, {len(step) + n} reads", "note")
        changed = [i in step for i in range(n)]
        data = [join(data[step[i]], data[i]) if i in step else data[i] for i in range(n)]
        y += 66
    assert data == [(0, i) for i in range(n)]
    p.note("Each cell shows which elements it folds. log2(n) passes over memory, and n log2(n) folds; n would be",
           "enough.")


def sweeps(accesses):
    """Of each level: whether it is of the way up, on which left nodes stay what they are, and its pairs of places."""
    for _, launch in itertools.groupby(accesses, key=lambda access: access.launch):
        launch = list(launch)
        left = next((one for one in launch if "left" in one.place), None)
        right = next((one for one in launch if one.place == "work[right]"), None)
        if left and right:
            yield "left_node" in left.place, [(left.indices[pair], right.indices[pair]) for pair in left.indices]


def tree(p, name, note):
    """Up-sweep and down-sweep over eight elements, of which each is at its place; two words make a cache line."""
    n, x, y, w = 8, 106, 56, 58
    accesses = traced.accesses(name)
    place = list(next(one for one in accesses if "scan_place" in one.place).indices.values())
    reverses = place != list(range(n))
    data = own(n)

    def show(written=(), label=""):
        if label:
            p.text(LEFT, y + 17, label)
        kinds = ["c0" if i in written else "plain" for i in range(n)]
        return p.row(x, y, [ranged(v) for v in data], kinds, w, 24, 2, 8)

    m = show(label="elements")
    if reverses:
        data = [data[place.index(i)] for i in range(n)]
        for i in range(n):
            p.arrow(m[i], y + 24, m[place[i]], y + 74, "c1")
        y += 76
        m = show(label="permuted")
    for up, pairs in sweeps(accesses):
        level = (n // len(pairs)).bit_length() - 2
        is_top = len(pairs) == 1 # its right node is not read: nothing comes before
        for left, right in pairs:
            if up:
                data[right] = join(data[left], data[right])
            else:
                before = None if is_top else data[right]
                data[left], data[right] = before, join(before, data[left])
            p.arrow(m[left], y + 24, m[right] - 8, y + 48, "c0" if up else "c1")
            if not is_top:
                p.arrow(m[right], y + 24, m[right], y + 48, "c0" if up else "c1")
            if not up and not is_top:
                p.arrow(m[right], y + 24, m[left] + 8, y + 48, "c2")
        words = [at for pair in pairs for at in pair]
        p.text(616, y + 41, f"{len(words)} words, {many(len({at // 2 for at in words}), 'line')}", "note")
        y += 50
        m = show([right for _, right in pairs] if up else words, f"{'up' if up else 'down'}, level {level}")
    if reverses:
        for i in range(n):
            p.arrow(m[place[i]], y + 24, m[i], y + 74, "c1")
        y, data = y + 76, [data[place[i]] for i in range(n)]
        show(label="back")
    assert data == exclusive(own(n))
    p.note(*note)


LINE = ("Gaps: a cache line has two words here. Up: the right node becomes the fold of both. Down: it passes on what "
        "lies before.")
drawing("scan_work_efficient", "work_efficient: up a tree and down again, in the array itself",
        "An up-sweep folds pairs at growing distances, a down-sweep passes each node the fold of all before it.",
        "scan_work_efficient", [LINE, "From the second level on, each word lies in a cache line whose other word is not used."])(tree)
drawing("scan_bit_reversed", "bit_reversed: the same tree over reversed indices",
        "Nodes of each level lie side by side, but the array is permuted on the way in and out.",
        "scan_bit_reversed", [LINE, "The nodes of a level fill whole cache lines. In return, two permutations scatter every word."]
        )(tree)


@drawing("scan_blelloch", "blelloch: blocks in local memory, then their sums, then every element",
         "Each group scans a block; the blocks' sums are scanned; each element gets its block's prefix.")
def blelloch(p):
    n, block, x, w = 16, 4, 88, 39
    data, kinds = own(n), [f"c{i // block}" for i in range(n)]

    def show(y, values, label):
        p.text(LEFT, y + 17, label)
        return p.row(x, y, [ranged(v) for v in values], kinds, w, 24, block, 8)

    m = show(56, data, "elements")
    blocks = [data[i:i + block] for i in range(0, n, block)]
    sums = [(one[0][0], one[-1][1]) for one in blocks]
    inside = [v for one in blocks for v in exclusive(one)]
    show(112, inside, "in blocks")
    for g in range(4):
        p.frame(m[g * block] - 23, 51, block * w + 7, 90, f"c{g}")
    p.text(m[0] - 16, 100, "launch 1: scan", "note")
    for g, (y, values, label) in itertools.product(range(4), [(184, sums, "sums"), (240, exclusive(sums), "before")]):
        p.cell(m[g * block] + 19, y, ranged(values[g]), f"c{g}", 76)
        p.text(LEFT, y + 17, label) if g == 0 else None
        p.arrow(m[g * block] + 57, 141 if y == 184 else 208, m[g * block] + 57, y - 2, f"c{g}")
        if y == 240:
            for i in range(block):
                p.arrow(m[g * block] + 57, 264, m[g * block + i], 300, f"c{g}")
    p.text(m[4] - 62, 228, "launch 2", "note")
    show(302, [join(before, v) for before, one in zip(exclusive(sums), blocks) for v in exclusive(one)], "prefixes")
    p.text(m[4] - 62, 288, "launch 3", "note")
    p.note("Frames: local memory of a group. The whole array is read and written in global memory only a few times,",
           "not once per level.")


@drawing("scan_blelloch_padded", "blelloch_padded: a place left out after each row of banks",
         "Which words of local memory a sub-group reads on three levels of the tree, without and with padding.")
def padded(p):
    banks, count, w, h = 8, 32, 26, 21
    for way, name in enumerate(("scan_blelloch", "scan_blelloch_padded")):
        levels = [one for one in traced.accesses(name) if one.kind == "read"]
        last = max(max(one.indices.values()) for one in levels)
        where = {i + (i // banks if last >= count else 0): i for i in range(count)}
        for column, one in enumerate(levels[:3]):
            x, y = 68 + column * 232, 90 + way * 136
            distance, reads = 1 << column, [at for lane, at in one.indices.items() if lane < banks]  # one sub-group's
            assert [where[at] for at in reads] == [distance * (2 * k + 2) - 1 for k in range(len(reads))]
            seen = set()
            for at in range(last + 1):
                i = where.get(at)
                kind = "dim" if at not in reads else "hot" if at % banks in seen else "c0"
                seen |= {at % banks} if at in reads else set()
                p.cell(x + at % banks * w, y + at // banks * h, "×" if i is None else i, kind, w, h)
            p.text(x, y - 8, f"distance {distance}: {many(one.turns, 'turn')}")
            if column == 0:
                p.text(LEFT, y + 15, ("plain", "padded")[way], "note")
    p.text(LEFT, 58, "Columns: 8 banks. Rows: words of local memory. Filled: read by a sub-group at once.", "note")
    p.note("Plain: on higher levels the nodes lie in fewer banks, and the red ones wait. Padded (× is left out): each",
           "row begins one bank further, so the same nodes lie in different banks.")


@drawing("scan_reduce_then_scan", "reduce_then_scan: two launches, in which no group waits",
         "Groups fold their chunks; then each scans its chunk, beginning with the fold of all chunks before it.")
def reduce_then_scan(p):
    chunks, tiles, x, w = 3, 3, 104, 66
    kinds = [f"c{i // tiles}" for i in range(9)]
    m = p.row(x, 56, [f"tile {i}" for i in range(9)], kinds, w, 24, tiles, 14)
    p.text(LEFT, 73, "elements")
    sums = [(g * tiles, (g + 1) * tiles - 1) for g in range(chunks)]
    prefixes = exclusive(sums)
    p.text(LEFT, 100, "launch 1", "note")
    for g in range(chunks):
        middle = m[g * tiles + 1]
        for i in range(tiles):
            p.arrow(m[g * tiles + i], 80, middle + (i - 1) * 20, 114, f"c{g}")
        p.cell(middle - 60, 116, f"sum of {ranged(sums[g])}", f"c{g}", 120)
        p.text(LEFT, 133, "sums") if g == 0 else None
        for earlier in range(g):
            p.arrow(m[earlier * tiles + 1] + 12 * (g - 1), 140, m[g * tiles] - 20 + 12 * earlier, 190, f"c{earlier}")
        before = prefixes[g]
        for i in range(tiles):
            k = g * tiles + i
            p.cell(m[k] - w / 2 + 4, 192, ranged(before), f"c{g}", w - 18)
            if i < tiles - 1:
                p.arrow(m[k] + w / 2 - 14, 204, m[k] + w / 2 + 2, 204, f"c{g}")
            p.arrow(m[k] - 5, 216, m[k] - 5, 242, f"c{g}")
            before = join(before, (k, k))
    p.text(LEFT, 170, "launch 2", "note")
    p.text(LEFT, 209, "prefix")
    p.text(LEFT, 261, "result")
    p.row(x, 244, [f"scan {i}" for i in range(9)], kinds, w, 24, tiles, 14)
    p.note("A group folds the sums before its chunk, then scans tile after tile with a running prefix. Each element is",
           "read twice and written once. Groups depend only on the previous launch.")


@drawing("scan_look_back", "look_back: one pass, in which a tile looks at those before it",
         "Tile 7 adds the totals of its predecessors until it meets a published prefix, then publishes its own.")
def look_back(p):
    tiles, known, x, w = 8, 3, 104, 78
    published = [((0, i), True) if i <= known else ((i, i), False) for i in range(tiles - 1)]
    m = p.row(x, 70, [f"tile {i}" for i in range(tiles)], "plain", w)
    p.text(LEFT, 87, "elements")
    kinds = ["c2" if is_prefix else "c1" for _, is_prefix in published]
    p.row(x, 124, [ranged(v) for v, _ in published] + ["7"], [*kinds, "c1"], w)
    p.text(LEFT, 141, "published")
    for i in range(tiles):
        p.arrow(m[i], 94, m[i], 122)
    seen, folded = tiles - 1, None
    while True:
        seen -= 1
        folded = join(published[seen][0], folded)
        kind = "c2" if published[seen][1] else "c1"
        p.arrow(m[seen], 148, m[seen], 176, kind)
        p.cell(m[seen] - w / 2 + 8, 178, ranged(folded), kind, w - 16)
        p.arrow(m[seen + 1] - w / 2 + 8, 190, m[seen] + w / 2 - 8, 190, "c0") if seen < tiles - 2 else None
        if published[seen][1]:
            break
    p.text(LEFT, 195, "tile 7 adds")
    p.line((m[seen], 202), (m[seen], 222), (m[7] - w / 2 - 4, 222), kind="c2")
    p.arrow(m[7] - w / 2 - 6, 222, m[7] - w / 2 + 6, 222, "c2")
    p.arrow(m[7], 148, m[7], 208, "c1")
    p.cell(m[7] - w / 2 + 8, 210, ranged(join(folded, (7, 7))), "c2", w - 16)
    p.text(LEFT, 227, "and publishes")
    p.note("Green: the prefix of all tiles so far. Orange: only the tile's own total, published long before its prefix",
           f"is known. Tile 7 need not wait for {seen + 1} to {tiles - 2}: their totals and the prefix of {seen} are",
           "enough. A sub-group reads these words at once.")
