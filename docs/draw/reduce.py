# SPDX-License-Identifier: MIT
"""The ladder of docs/reduce.md."""
from draw import traced
from draw.picture import LANES, LEFT, drawing, many, turns_of

VALUES = [3, 1, 7, 0, 4, 1, 6, 3, 2, 5, 8, 1, 0, 4, 2, 6]


def work_items(p, x, y, group, busy):
    for t in range(group):
        kind = f"c{t // LANES}" if t in busy else "dim"
        p.cell(x + t % LANES * 21, y + t // LANES * 16, t, kind, 21, 16)


def recorded(name):
    """distance -> work-item -> its place, whose partner is so much further: as the kernel had it, in its order."""
    return {second - first: {t: left for t, (left, _) in step.items()} for step in traced.pairs(f"reduce_{name}", "step")
            for first, second in [next(iter(step.values()))]}


def fold(p, group, steps, loads, *note):
    """A group folds values at the distances of `steps`."""
    x, y, data = 76, 74, VALUES
    p.text(x, 62, "global memory" if loads else "local memory", "note")
    p.text(586, 62, "work-items", "note mid")
    p.text(692, 62, "banks", "note mid")
    for s in steps:
        is_load = loads and s == max(steps)
        places = steps[s]
        useful = {t: left for t, left in places.items() if left < s or loads != "unrolled"}
        read = {at for left in useful.values() for at in (left, left + s)}
        middles = p.row(x, y, data, ["plain" if at in read else "dim" for at in range(len(data))])
        drop = 76 if s == 8 and len(useful) == 8 else 50
        p.text(LEFT, y + drop + 4, "load" if is_load else f"s = {s}")
        for t, left in places.items():
            kind = f"c{t // LANES}" if t in useful else "dim"
            p.dot(middles[left], y + drop, t, kind)
            if t in useful:
                p.arrow(middles[left], y + 24, middles[left], y + drop - 11, kind)
                p.arrow(middles[left + s], y + 24, middles[left] + 7, y + drop - 8, kind)
                p.arrow(middles[left], y + drop + 11, middles[left], y + drop + 38, kind)
        work_items(p, 544, y, group, places)
        p.text(586, y + group * 4 + 15, f"{len(places)} of {group}", "note mid")
        if is_load:
            p.text(LEFT, y + drop + 55, "local", "note")
        else:
            groups = [{t: left for t, left in places.items() if t // LANES == g} for g in range(group // LANES)]
            wanted, turns = max((turns_of(one, LANES) for one in groups if one), key=lambda one: one[1])
            for bank in range(LANES):
                for turn, t in enumerate(wanted.get(bank, [""])):
                    kind = "dim" if t == "" else f"c{t // LANES}" if turn == 0 else "hot"
                    p.cell(650 + bank * 21, y + turn * 16, t, kind, 21, 16)
            p.text(692, y + turns * 16 + 15, many(turns, "turn"), "note mid")
        if loads == "unrolled" and not is_load:
            waits, text = (group, "barrier") if s > LANES / 2 else (LANES, "synchronise the sub-group")
            p.line((x, y + drop + 24), (x + waits * 28, y + drop + 24), kind="hot" if waits > LANES else "c2")
            p.text(x + waits * 28 + 6, y + drop + 28, text, "note")
        data = [data[i] + data[i + s] if i in useful.values() else v for i, v in enumerate(data)]
        data = data[:group]
        y += drop + 38
    p.row(x, y, data, ["c0"] + ["dim"] * (len(data) - 1))
    p.note(*note)


NEIGHBOURS = "Circle: the work-item that folds the two words; its colour: its sub-group, of 4 work-items here."
for name, title, description, group, steps, loads, note in [
    ("interleaved", "interleaved: every 2s-th work-item folds its word and its neighbour's",
     "The distance between active work-items grows, and every sub-group stays busy with fewer and fewer lanes.",
     16, recorded("interleaved"), "",
     "Rows of work-items are sub-groups. In the first two steps all four are busy, with half of their lanes or fewer."),
    ("strided", "strided: the same pairs, folded by the first work-items",
     "Whole sub-groups are busy or idle, but the words that a sub-group reads lie in fewer and fewer banks.",
     16, recorded("strided"), "",
     "Banks: which of the 4 banks each lane of one sub-group reads (place modulo 4). Red: a lane that must wait."),
    ("sequential", "sequential: the distance starts at half the group",
     "Active work-items are neighbours, and so are the words that they read: no divergence, no bank conflicts.",
     16, recorded("sequential"), "",
     "Busy lanes fill the first sub-groups, and each lane has its own bank. The second half of the group only loads."),
    ("first_add", "first_add: two elements are folded while they are loaded",
     "Eight work-items load sixteen elements, and none of them is idle in the first step.",
     8, recorded("first_add"), "first_add",
     "8 work-items fold the same 16 elements: the step in which half of them were idle is now part of the load."),
    ("unrolled", "unrolled: the last sub-group goes on alone",
     "Steps within one sub-group need no barrier for the whole group; the results of lanes beyond s are not used.",
     8, {s: {t: t for t in range(max(s, LANES))} for s in (8, 4, 2, 1)}, "unrolled",
     "When both partners are in one sub-group, it waits for no other. Dim circles: results that are not used."),
]:
    drawing(f"reduce_{name}", title, description, group, steps, loads, NEIGHBOURS, note)(fold)


@drawing("reduce_tree", "master and tree: several elements per work-item come first",
         "Each work-item folds a column of elements, a grid apart; then one work-item, or a tree, folds the group.")
def several(p):
    items, group, x = 16, 8, 76
    for k in range(4):
        p.text(LEFT, 82 + 24 * k, f"k = {k}")
        middles = p.row(x, 66 + 24 * k, [items * k + t for t in range(items)], [f"c{t // group}" for t in range(items)])
    p.text(x, 58, "indices of the elements in global memory: one load of all work-items per row", "note")
    for t, middle in enumerate(middles):
        p.arrow(middle, 162, middle, 184, f"c{t // group}")
    p.row(x, 186, list(range(items)), [f"c{t // group}" for t in range(items)])
    p.text(538, 202, "work-items, with their sums", "note")
    steps = ([{0}] * (group - 1), [set(range(group >> k)) for k in range(1, 4)])
    for g, (name, busy) in enumerate(zip(("master", "tree"), steps)):
        for k, now in enumerate(busy):
            kinds = [f"c{g}" if t in now else "dim" for t in range(group)]
            p.row(x + g * group * 28, 232 + 16 * k, [""] * group, kinds, h=13)
        p.text(x + (g + 0.5) * group * 28, 226, f"{name}: {len(busy)} steps", "mid")
    p.text(538, 244, "filled: busy", "note")
    p.text(538, 260, "empty: waits", "note")
    p.note("In each row, neighbouring work-items read neighbouring words. A work-item needs the rest of the group only",
           "once, after its K elements.")


@drawing("reduce_shuffles", "A group's fold by shuffles (single_pass)",
         "Lanes read each other's registers; only one word per sub-group goes through local memory, with one barrier.")
def shuffles(p):
    x, y, w, count = 90, 66, 36, 16
    kinds = [f"c{i // LANES}" for i in range(count)]
    data = VALUES

    def show(d):
        """Every d-th value is one that is needed."""
        return p.row(x, y, [v if i % d == 0 else "" for i, v in enumerate(data)],
                     [k if i % d == 0 else "dim" for i, k in enumerate(kinds)], w, 24, LANES, 14)

    for d in (1, 2):
        m = show(d)
        p.text(LEFT, y + 44, f"distance {d}")
        for i in range(0, count, 2 * d):
            p.arrow(m[i + d], y + 24, m[i] + 9, y + 62, kinds[i])
            p.arrow(m[i], y + 24, m[i], y + 62, kinds[i])
        data = [data[i] + data[i + d] if i % (2 * d) == 0 else v for i, v in enumerate(data)]
        y += 64
    m = show(LANES)
    p.text(LEFT, 82, "registers", "note")
    local = p.row(x, y + 60, data[::LANES], kinds[::LANES], w)
    for g in range(count // LANES):
        p.arrow(m[g * LANES], y + 24, local[g], y + 58, kinds[g * LANES])
    p.text(LEFT, y + 76, "local", "note")
    p.text(x + 4 * w + 14, y + 76, "the only barrier; then the first sub-group folds these in the same way", "note")
    p.arrow(local[0], y + 84, local[0], y + 106, "c0")
    p.cell(x, y + 108, sum(data[::LANES]), "c0", w)
    p.note("Only 4 of 16 values go through local memory; all others stay in registers.")


@drawing("reduce_single_pass", "single_pass: one launch, in which one group collects the others' values",
         "A fixed number of groups takes tiles in turn; each publishes one value, and one group folds them all.")
def single_pass(p):
    groups, tile, x, w = 4, 4, 60, 20
    owner = [i // tile % groups for i in range(32)]
    p.text(x, 58, "global memory, in packets of 16 bytes", "note")
    m = p.row(x, 66, [""] * 32, [f"c{g}" for g in owner], w)
    at = [x + 80 + 160 * g for g in range(groups)]
    for i in range(0, 32, tile):
        p.arrow((m[i] + m[i + tile - 1]) / 2, 90, at[owner[i]] + (-12 if i < 16 else 12), 136, f"c{owner[i]}")
    for g in range(groups):
        p.cell(at[g] - 58, 138, f"group {g}", f"c{g}", 116, 30)
        if g < groups - 1:
            p.arrow(at[g], 168, at[g], 206, f"c{g}")
            p.cell(at[g] - 58, 208, f"value {g}", f"c{g}", 66)
            p.cell(at[g] + 8, 208, "epoch", "plain", 50)
            p.arrow(at[g], 232, at[3] - 60 + 30 * g, 270, f"c{g}")
    p.arrow(at[3], 168, at[3], 270, "c3")
    p.cell(at[3] - 80, 272, "group 3 folds all", "c3", 142, 28)
    p.text(at[0] + 10, 196, "words in global memory", "note")
    p.text(x, 290, "A word is valid if it has this launch's epoch,", "note")
    p.text(x, 306, "so nothing must be cleared before.", "note")
    p.arrow(at[3] - 10, 300, at[3] - 10, 322, "c3")
    p.cell(at[3] - 50, 324, "out", "c3", 80)
