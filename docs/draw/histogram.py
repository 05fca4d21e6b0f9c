# SPDX-License-Identifier: MIT
"""The ladder of docs/histogram.md."""
import collections

from draw.picture import LANES, LEFT, drawing, many, turns_of

SPREAD, CONSTANT = [5, 1, 3, 6, 0, 3, 7, 2], [4] * 8
BINS = 8


@drawing("histogram_global_atomic", "global_atomic: one table for all work-items",
         "Eight work-items add to a table in global memory; those that add to the same bin take turns.")
def global_atomic(p):
    w = 38
    for x, data, name in ((84, SPREAD, "spread"), (420, CONSTANT, "one value")):
        wanted, turns = turns_of(dict(enumerate(data)), BINS)
        p.text(x, 60, f"{name}: {many(turns, 'turn')}")
        items = p.row(x, 68, data, "plain", w)
        table = p.row(x, 148, range(BINS), "c0", w)
        for t, value in enumerate(data):
            p.arrow(items[t], 92, table[value] + (t - 3.5 if data == CONSTANT else 0), 146)
        for value, who in wanted.items():
            for turn, t in enumerate(who):
                p.cell(x + value * w, 178 + 18 * turn, "+1", "c2" if turn == 0 else "hot", w, 16)
    for y, text in ((85, "elements"), (165, "bins"), (190, "additions")):
        p.text(LEFT, y, text)
    p.note("Below each bin: its additions, one after another. Red ones wait. So the time depends on the data, and",
           "every addition goes to global memory.")


@drawing("histogram_local_atomic", "local_atomic: a table for each work-group",
         "Groups count in tables of their own in local memory; then the tables are added bin by bin.")
def local_atomic(p):
    groups, x, w, shown = 3, 84, 26, 3
    data = [[(3 * i * i + 5 * g + i) % BINS for i in range(8)] for g in range(groups)]
    tables = [[one.count(value) for value in range(BINS)] for one in data]
    rows = p.row(x, 66, sum(data, []), [f"c{g}" for g in range(groups) for _ in range(8)], w, 24, 8, 12)
    middles = p.row(x, 140, sum(tables, []), [f"c{g}" for g in range(groups) for _ in range(8)], w, 24, BINS, 12)
    totals = p.row(x + 8 * w + 12, 236, [sum(column) for column in zip(*tables)], "plain", w)
    for g in range(groups):
        for i, value in enumerate(data[g]):
            p.arrow(rows[8 * g + i], 90, middles[8 * g + value], 138, f"c{g}")
        p.frame(x + g * (8 * w + 12) - 5, 58, 8 * w + 10, 112, f"c{g}")
        p.arrow(middles[BINS * g + shown], 164, totals[shown] + 8 * (g - 1), 234, f"c{g}")
    for y, text in ((83, "elements"), (157, "tables"), (253, "histogram")):
        p.text(LEFT, y, text)
    p.text(totals[-1] + 24, 248, "a column of work-items", "note")
    p.text(totals[-1] + 24, 263, f"adds each bin (here: {shown})", "note")
    p.note("Frames: a work-group and its local memory. Atomics there are fast, and groups do not wait for each other.",
           "Global memory gets one row per group. Lanes of a group that add to one bin still wait for each other.")


@drawing("histogram_per_item", "per_item and per_item_shuffled: where a work-item's byte counters lie",
         "Two layouts of 16 bins for 16 work-items in four banks, and which words four lanes access.")
def per_item(p):
    group, bins, w, h = 16, 16, 18, 17
    layouts = [("per_item", lambda t, value: t * bins + value, "work-item {}: 16 bins"),
               ("per_item_shuffled", lambda t, value: value * group + t // 4 + t % 4 * 4, "bin {}: 16 work-items")]
    for side, (name, place, row) in enumerate(layouts):
        x, y = 80 + side * 346, 96
        p.text(x, 62, name)
        for bank in range(LANES):
            p.text(x + bank * (4 * w + 5) + 2 * w, 86, f"bank {bank}", "note mid")
        used = {place(t, 5): t for t in range(LANES)}
        turns = {kind: turns_of({t: place(t, value) // 4 for t, value in enumerate(data)}, LANES)[1]
                 for kind, data in (("all in bin 5", [5] * 4), ("bins 3, 9, 5 and 10", [3, 9, 5, 10]))}
        banks = set()
        for at in range(group * bins):
            lane = next((t for t in range(LANES) if at in {place(t, value) for value in range(bins)}), None)
            kind = "dim" if lane is None else f"c{lane} pale"
            if at in used:
                kind = "hot" if at // 4 % LANES in banks else f"c{used[at]}"
                banks.add(at // 4 % LANES)
            column = at % 16
            p.cell(x + column * w + column // 4 * 5, y + at // 16 * h, used.get(at, ""), kind, w, h)
        for line in (0, 5):
            p.text(x - 8, y + line * h + 13, ("item" if side == 0 else "bin") + f" {line}", "note end")
        for line, (kind, count) in enumerate(turns.items()):
            p.text(x, y + 16 * h + 20 + 17 * line, f"{kind}: {many(count, 'turn')}")
    p.note("Colours: the bytes of lanes 0 to 3, which count in bin 5. Each lane has its own byte, so no atomics are",
           "needed. Four bytes are a word, and four words a row of the banks. Left: a lane's bank depends on the data.",
           "Right: each lane always has its own bank.")


@drawing("histogram_sub_group_tagged", "sub_group_tagged: each counter names the lane that wrote last",
         "Lanes that need the same counter write count and tag; a lane that finds another tag tries again.")
def tagged(p):
    data, x, y, w = [2, 5, 2, 0, 5, 2, 7, 2], 84, 62, 56
    table, waiting = [(0, None)] * BINS, set(range(len(data)))
    p.row(x, y, [f"bin {value}" for value in data], "plain", w)
    p.text(LEFT, y + 17, "lanes")
    middles = [x + w / 2 + i * w for i in range(len(data))]
    first = 0
    while waiting:
        first += 1
        writes = {}
        for t in sorted(waiting):  # all have read before any writes; the last one to write a word wins
            writes[data[t]] = (table[data[t]][0] + 1, t)
        for t in waiting:
            wins = writes[data[t]][1] == t
            p.arrow(middles[t], y + 24, middles[data[t]], y + 58, "c2" if wins else "hot")
        for value, word in writes.items():
            table[value] = word
        p.row(x, y + 60, ["0" if tag is None else f"{count} ← {tag}" for count, tag in table],
              ["c2" if value in writes else "dim" for value in range(BINS)], w)
        tried = len(waiting)
        waiting -= {tag for _, tag in writes.values()}
        p.text(LEFT, y + 77, f"round {first}")
        p.text(x + 8 * w + 14, y + 77, f"{tried - len(waiting)} of {tried} find their own tag", "note")
        if waiting:
            p.row(x, y + 96, [f"bin {data[t]}" if t in waiting else "" for t in range(8)],
                  ["hot" if t in waiting else "dim" for t in range(8)], w)
            p.text(LEFT, y + 113, "again")
        y += 96
    p.note("Rounds: the counters of bins 0 to 7, each with the lane that wrote it. In each round one lane per bin",
           "(here the highest) succeeds; the others see another lane's tag and try again. There are as many rounds as",
           "the fullest bin has lanes.")


@drawing("histogram_replicated", "replicated: a copy of the table for each lane",
         "Copies of a counter lie side by side in different banks; groups add their sums to words that count them.")
def replicated(p):
    lanes, w, h, y = 8, 24, 18, 92
    for x, data, name in ((70, SPREAD, "spread"), (300, CONSTANT, "one value")):
        places = {t: value * lanes + t for t, value in enumerate(data)}
        p.text(x, 60, f"{name}: {many(turns_of(places, lanes)[1], 'turn')}")
        p.text(x, 82, "bank 0", "note")
        p.text(x + 8 * w, 82, "bank 7", "note end")
        for at in range(BINS * lanes):
            t = next((t for t, place in places.items() if place == at), "")
            p.cell(x + at % lanes * w, y + at // lanes * h, t, "dim" if t == "" else "c0", w, h)
    for value in range(BINS):
        p.text(62, y + value * h + 13, f"bin {value}", "note end")
        if value == CONSTANT[0]:
            p.arrow(494, y + value * h + 9, 548, y + value * h + 9, "c0")
    p.text(530, 60, "the word of a bin, in global memory")
    p.text(556, 82, "groups", "note")
    p.text(622, 82, "count", "note")
    count, groups = 0, 4
    for g in range(groups):
        count += (8, 3, 0, 5)[g]
        p.row(550, y + 36 * g, [g + 1, count], "c2" if g == groups - 1 else "plain", 60)
        p.text(680, y + 36 * g + 16, "all: written" if g == groups - 1 else f"+{(8, 3, 0, 5)[g]}", "note")
    p.note("A row holds a bin's copies, one per lane, each in its own bank. So lanes never conflict, whatever the data",
           "are. Right: groups add a row's sum to one word, which also counts the groups. So the last group knows that",
           "it is the last.")


@drawing("histogram_large", "large: counters of 16 bits, and parts of the bins",
         "Two groups read the same elements and count half of the bins each; full counters are added to global memory.")
def large(p):
    data, parts, x, w, full = [9, 2, 9, 14, 9, 2, 5, 9, 11, 2, 9, 0, 2, 13, 9, 5], 2, 104, 36, 4
    share = 16 // parts
    counters, table = [0] * 16, [0] * 16
    for value in data:
        counters[value] += 1
        if counters[value] == full:
            counters[value], table[value] = 0, table[value] + full
    assert [a + b for a, b in zip(counters, table)] == [data.count(value) for value in range(16)]
    owner = [f"c{value // share}" for value in range(16)]
    m = p.row(x, 60, data, [owner[value] for value in data], w, 24, 2, 6)
    c = p.row(x, 136, counters, [kind if n else "plain" for kind, n in zip(owner, counters)], w, 24, 2, 6)
    t = p.row(x, 212, [n or "" for n in table], ["hot" if n else "plain" for n in table], w, 24, 2, 6)
    for g in range(parts):
        p.frame(c[g * share] - 20, 108, c[share - 1] - c[0] + 40, 60, f"c{g}")
        p.text(c[g * share] - 17, 126, f"group {g}: bins {g * share} to {(g + 1) * share - 1}", "note")
        p.arrow((m[7] + m[8]) / 2, 84, (c[g * share] + c[g * share + share - 1]) / 2, 108, f"c{g}")
    for value in range(16):
        if table[value]:
            p.arrow(c[value], 160, t[value], 210, "hot")
        p.text(t[value], 250, value, "note mid")
    for y, text in ((77, "elements"), (153, "counters"), (229, "global table"), (250, "bin")):
        p.text(LEFT, y, text, "note" if text == "bin" else "")
    p.note("Two counters of 16 bits share a word, and each group has a part of the bins. Both groups read all",
           f"elements, the second one from the cache. A full counter (here at {full}, really at 2^15) is added to the",
           "table in global memory and cleared.")


@drawing("histogram_sort_based", "sort_based: sorted bins, and where each begins and ends",
         "The numbers of the bins are sorted; a bin's count is the difference of its end and its beginning.")
def sort_based(p):
    data, bins, x, w = [4, 1, 4, 0, 2, 4, 5, 1, 4, 2, 4, 0], 6, 104, 52
    ordered = sorted(range(len(data)), key=lambda i: data[i])
    m = p.row(x, 60, data, [f"c{value % 4}" for value in data], w)
    p.row(x, 132, [data[i] for i in ordered], [f"c{data[i] % 4}" for i in ordered], w)
    counts = collections.Counter(data)
    begin, entries = 0, []
    for value in range(bins):
        end = begin + counts[value]
        entries.append((value, begin, end))
        begin = end
    t = p.row(x, 218, [f"{end} − {begin} = {end - begin}" if end > begin else "0" for _, begin, end in entries],
              [f"c{value % 4}" if end > begin else "plain" for value, begin, end in entries], 2 * w)
    for place, i in enumerate(ordered):
        p.arrow(m[i], 84, m[place], 130, f"c{data[i] % 4}")
        p.text(m[place] - w / 2, 171, place, "note mid")
    p.text(x + len(data) * w, 171, len(data), "note mid")
    for value, begin, end in entries:
        if end > begin:
            for edge in (begin, end):
                p.arrow(x + edge * w + (5 if edge == begin else -5), 177, t[value], 216, f"c{value % 4}")
        p.text(t[value], 256, f"bin {value}", "note mid")
    for y, text in ((77, "bins"), (149, "sorted"), (171, "edges"), (235, "table")):
        p.text(LEFT, y, text, "note" if text == "edges" else "")
    p.note("Two atomics for each bin that occurs: one subtracts where its elements begin, one adds where they end. The",
           "number of elements in a bin makes no difference.")
