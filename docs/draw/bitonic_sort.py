# SPDX-License-Identifier: MIT
"""The ladder of docs/bitonic_sort.md."""
from draw import traced
from draw.picture import LANES, LEFT, drawing, many

N = 16
ELEMENTS = traced.RECORDINGS["bitonic_sort_best"][0][2:]


def descends(place, block, n):  # kernels/bitonic_sort/parts/compare.cl
    return (place & block) == 0 and (place | (block - 1)) < n - 1


STEPS = [(1 << stage, 1 << bit) for stage in range(1, 5) for bit in reversed(range(stage))]
WORK_ITEMS = {variant: dict(zip(STEPS, traced.pairs(f"bitonic_sort_{variant}", "launch"))) for variant in ("naive", "best")}


def pairs(block, distance):
    """(place, partner, whether the greater one comes first) of a step."""
    found = list(WORK_ITEMS["best"][block, distance].values())
    assert all(partner - place == distance for place, partner in found)
    return [(place, partner, descends(place, block, N)) for place, partner in found]


def apply(values, comparators):
    values = list(values)
    for i, j, down in comparators:
        if (values[i] < values[j]) if down else (values[j] < values[i]):
            values[i], values[j] = values[j], values[i]
    return values


def columns_of(comparators):
    """Comparators in columns, such that none crosses another in its column."""
    columns = []
    for one in sorted(comparators):
        column = next((c for c in columns if all(one[0] > last for _, last, *_ in c)), None)
        columns.append([one]) if column is None else column.append(one)
    return columns


def comparators_at(p, x, y, pitch, comparators, width, kinds):
    """Draws a step; returns where it ends."""
    for column in columns_of(comparators):
        x += width
        for i, j, down in column:
            kind = kinds(i, down)
            begin, end = (j, i) if down else (i, j)
            p.add("cell", "circle", f"dot {kind}", cx=x, cy=y + begin * pitch, r=2)
            p.arrow(x, y + begin * pitch, x, y + end * pitch, kind)
    return x


def up_or_down(_, down):
    return "c1" if down else "c0"


@drawing("bitonic_sort_network", "The network for 16 elements: four stages, ten steps",
         "Each stage merges pairs of sorted blocks, in steps whose distance is halved; blocks alternate in direction.")
def network(p):
    x, y, pitch, values = 52, 92, 16, ELEMENTS
    at = [x + 12]
    for stage in range(4):
        block = 2 << stage
        left = x
        x += 22
        for step in (one for one in STEPS if one[0] == block):
            x = comparators_at(p, x + 4, y, pitch, pairs(*step), 11, up_or_down) + 5
            values = apply(values, pairs(*step))
        x += 22
        p.text((left + x + 14) / 2, 62, f"stage {stage + 1}" if stage else "1", "mid")
        p.text((left + x + 14) / 2, 78, f"blocks of {block}" if stage else "of 2", "note mid")
        at.append(x + 12)
        for i, value in enumerate(values):
            p.text(x + 12, y + i * pitch + 4, value, "mid")
        x += 24
    for i, value in enumerate(ELEMENTS):
        p.text(LEFT + 24, y + i * pitch + 4, value, "mid")
        for left, right in zip([LEFT + 24, *at[1:]], at[1:]):
            p.line((left + 13, y + i * pitch), (right - 13, y + i * pitch), kind="dim")
    assert values == sorted(ELEMENTS)
    p.bottom = y + N * pitch
    p.note("One line per place. An arrow compares two elements and puts the greater one at its head. Blue blocks",
           "ascend. Orange blocks descend, so that each is bitonic together with the next one. The last stage has one",
           "block, which ascends.")


@drawing("bitonic_sort_best", "naive, better, best: which work-items make the comparisons of a step",
         "With one work-item per element, half of them are idle; with one per pair, a formula finds the pair.")
def pairs_of_step(p):
    distance, block, x, w = 2, 16, 92, 28
    busy_of = {variant: {t: place for t, (place, _) in steps[block, distance].items()} for variant, steps in WORK_ITEMS.items()}
    for y, name, busy, items in ((66, "naive", busy_of["naive"], {place: place for place in range(N)}),
                                 (206, "better, best", busy_of["best"], busy_of["best"])):
        m = p.row(x, y, range(N), "plain", w)
        assert all(items[t] == place for t, place in busy.items())
        for t, place in items.items():
            kind = f"c{t // LANES}" if t in busy else "dim"
            if t in busy:
                p.arrow(m[place], y + 24, m[place], y + 58, kind)
                p.arrow(m[place + distance], y + 24, m[place] + 8, y + 61, kind)
            p.dot(m[place], y + 70, t, kind)
        p.text(LEFT, y + 17, name)
        p.text(LEFT, y + 74, "work-items", "note")
        for t in range(N if name == "naive" else N // 2):
            p.cell(570 + t % LANES * 21, y + t // LANES * 16, t, f"c{t // LANES}" if t in busy else "dim", 21, 16)
        p.text(612, y + len(items) * 4 + 15, f"{len(busy)} of {len(items)}", "note mid")
    p.text(x, 306, "pair p begins at  p + p / d · d", "note")
    p.text(x + 224, 306, "or, with d = 2^s and without a division, at  p + (p >> s << s)", "note")
    p.note("A step at distance 2. naive has one work-item per element. Those whose partner comes before them are idle:",
           "half of the lanes of each sub-group. better and best launch half as many work-items, and all of them are",
           "busy; best needs no division.")


GROUP = 2  # work-items of a group in the next drawings, so tiles of 4


def launched(p, launches, *note):
    """The network with a frame around the steps of each launch: (steps, whether they are in local memory)."""
    x, y, pitch = 32, 82, 13
    for number, (steps, is_local) in enumerate(launches, 1):
        left = x
        for step in steps:
            x = comparators_at(p, x + 3, y, pitch, pairs(*step), 14, up_or_down)
        x += 16
        p.frame(left, y - 10, x - left, N * pitch + 9, "c2" if is_local else "plain")
        p.text((left + x) / 2, y - 16, number, "note mid")
        x += 9
    for i in range(N):
        p.line((LEFT, y + i * pitch), (x, y + i * pitch), kind="dim")
    p.text(LEFT, 50, "launches", "note")
    p.bottom = y + N * pitch
    p.note("Green: steps in local memory. Frames: launches, each of which reads and writes the whole array.", *note)


TILE_STEPS = [step for step in STEPS if step[0] <= 2 * GROUP]
LATER = [step for step in STEPS if step[0] > 2 * GROUP]


def merged(steps):
    """Short distances of a stage in one launch."""
    made = []
    for step in steps:
        if step[1] > GROUP:
            made.append(([step], False))
        elif made and made[-1][1] and made[-1][0][-1][0] == step[0]:
            made[-1][0].append(step)
        else:
            made.append(([step], True))
    return made


for name, title, launches, note in [
    ("local_step", "local_step: short distances in local memory, one at a time",
     [([step], step[1] <= GROUP) for step in STEPS],
     "There are as many launches as steps: a step in local memory reads and writes as much as any other."),
    ("local_block", "local_block: blocks that fit a tile are sorted in one launch",
     [(TILE_STEPS, True)] + [([step], False) for step in LATER],
     "The first stages, here those of tiles of 4 elements, share one launch; later stages take one launch per step."),
    ("local_merge", "local_merge: one launch for all short distances of a stage",
     [(TILE_STEPS, True)] + merged(LATER),
     "Once the distance fits a tile, the rest of a stage stays in local memory. Real tiles have hundreds of elements."),
]:
    description = f"{many(len(launches), 'launch')} for the ten steps of 16 elements, with tiles of 4."
    drawing(f"bitonic_sort_{name}", f"{title}: {len(launches)} launches", description, launches, note)(launched)


@drawing("bitonic_sort_register_block", "register_block: steps among a work-item's own elements",
         "Four work-items with four elements each; between some steps the elements are exchanged through local memory.")
def register_block(p):
    items_log, group_log = 2, 2
    count = 1 << items_log
    x, y, pitch, values = 44, 78, 15, ELEMENTS
    exchanges = 0

    def holders(low, mirrors):  # kernels/bitonic_sort/parts/register_tile.cl: spread_at, place_of
        found = {}
        for item in range(1 << group_log):
            mask = (1 << low) - 1
            first = (item & ~mask) << items_log | item & mask
            for slot in range(count):
                found[((first ^ mask) if mirrors and slot >> (items_log - 1) else first) + (slot << low)] = item
        return found

    def step(comparators):
        nonlocal x, values
        assert all(held[i] == held[j] for i, j, _ in comparators)
        x = comparators_at(p, x + 5, y, pitch, comparators, 9, lambda i, _: f"c{held[i]}")
        values = apply(values, comparators)

    def show():
        nonlocal x
        for i in range(N):
            p.cell(x + 8, y + i * pitch - 6, "", f"c{held[i]}", 12, 12)
        x += 20

    def move(low, mirrors):
        nonlocal x, held, exchanges
        x, held, exchanges = x + 24, holders(low, mirrors), exchanges + 1
        p.line((x - 8, y - 12), (x - 8, y + N * pitch - 2), kind="hot")
        show()

    def mirrored(bit):
        return [(i, i ^ ((2 << bit) - 1), False) for i in range(N) if i >> bit & 1 == 0]

    def plain(bit):
        return [(i, i | 1 << bit, False) for i in range(N) if i >> bit & 1 == 0]

    held = holders(0, False)
    show()
    for run in range(items_log):  # tile_network.cl: sort_registers
        for bit in reversed(range(run + 1)):
            step([(i, i + (1 << bit), False) for i in range(N) if (i >> bit & 1) == (0 if bit == run else 1)
                  and i >> (run + 1) == i + (1 << bit) >> (run + 1)])
    for bit in range(items_log, items_log + group_log):  # sort_items, tile_steps
        low = bit + 1 - items_log
        move(low, True)
        step(mirrored(bit))
        for lower in reversed(range(low, bit)):
            step(plain(lower))
        high = low - 1
        while high >= 0:
            next_low = max(high + 1 - items_log, 0)
            move(next_low, False)
            for lower in reversed(range(next_low, high + 1)):
                step(plain(lower))
            high = next_low - 1
    for i in range(N):
        p.line((LEFT + 8, y + i * pitch), (x + 30, y + i * pitch), kind="dim")
        p.text(LEFT + 26, y + i * pitch + 4, ELEMENTS[i], "end")
        p.text(x + 38, y + i * pitch + 4, values[i])
    assert values == sorted(ELEMENTS)
    p.text(LEFT, 56, f"Colours: whose registers an element is in. Red: {exchanges} exchanges through local memory.",
           "note")
    p.bottom = y + N * pitch
    p.note("All arrows are within one work-item's registers. After an exchange, a work-item holds other elements, so",
           "the next steps are within its registers again. The first step of a stage is mirrored, so no block",
           "descends: every arrow points down.")


@drawing("bitonic_sort_window", "register_block: seven steps in each pass over memory",
         "Which bits of the index a tile of 4096 elements covers in each pass of the last stage of 2^24 elements.")
def window(p):
    stage, tile_log, columns_log, items_log = 24, 12, 5, 4
    x, y, w, left, shown = 96, 66, 26, 24, 0
    p.text(x, 58, "bits of the index", "note")
    while left > 0:  # kernels/bitonic_sort/stages.cl: is_merge, left_behind
        is_merge = left <= tile_log
        assert is_merge or left > tile_log + items_log
        low = 0 if is_merge else left - (tile_log - columns_log)
        held = range(tile_log) if is_merge else [*range(columns_log), *range(low, left)]
        assert len(held) == tile_log
        kinds = ["c0" if low <= bit < left else "c2" if bit in held else "dim" for bit in reversed(range(stage))]
        p.row(x, y, list(reversed(range(stage))), kinds, w)
        shown += 1
        p.text(LEFT, y + 17, f"pass {shown}")
        left, y = low, y + 34
    p.note("Blue: the bits whose steps the pass makes, because a tile has both elements of each pair. Green:",
           "neighbours that are read with them, so that memory is read in segments of 128 bytes. The 24 steps of this",
           "stage take three launches instead of 24.")
