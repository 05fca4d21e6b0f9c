# SPDX-License-Identifier: MIT
"""The ladder of docs/radix_sort.md."""
import itertools

from draw import traced
from draw.picture import LEFT, drawing

RADIX = 4


@drawing("radix_sort_passes", "From the least significant digit on, each pass is stable",
         "Eight keys of three digits in base 4 are sorted by one digit at a time.")
def passes(p):
    keys, digits, w, h = [0o312, 0o123, 0o301, 0o033, 0o120, 0o303, 0o011, 0o130], 3, 60, 24
    for k in range(digits + 1):
        x = 70 + k * 190
        p.text(x + w / 2, 60, "input" if k == 0 else f"by digit {k - 1}", "mid")
        after = sorted(range(len(keys)), key=lambda i: keys[i] >> 3 * k & 7) if k < digits else []
        for i, key in enumerate(keys):
            p.cell(x, 68 + i * 28, f"{key:03o}", f"c{key >> 3 * k & 7}" if k < digits else "plain", w, h)
        for to, i in enumerate(after):
            p.arrow(x + w, 80 + i * 28, x + 188, 80 + to * 28, f"c{keys[i] >> 3 * k & 7}")
        keys = [keys[i] for i in after] or keys
    assert keys == sorted(keys)
    p.note("Colours: the digit that the next pass sorts by. Arrows of one colour never cross: keys with the same digit",
           "keep the order that earlier passes gave them. So after the last pass the keys are sorted by all digits.")


@drawing("radix_sort_split", "split: one bit per pass, and a scan finds the places",
         "A scan counts the ones before each element; zeros move up by that number, ones go behind all zeros.")
def split(p):
    moves = [one for one in traced.accesses("radix_sort_split") if one.launch == traced.accesses("radix_sort_split")[0].launch]
    [keys, places] = zip(*((key, one.indices[item]) for one in moves for item, key in one.values.items()))
    x, w = 124, 64
    bits = [key & 1 for key in keys]
    ones = list(itertools.accumulate(bits, initial=0))[:-1]
    zeros = len(keys) - sum(bits)
    assert list(places) == [zeros + s if bit else i - s for i, (bit, s) in enumerate(zip(bits, ones))]
    kinds = [f"c{bit}" for bit in bits]
    sums = [f"{zeros} + {s}" if bit else f"{i} − {s}" for i, (bit, s) in enumerate(zip(bits, ones))]
    for y, label, texts in ((58, "keys", [f"{key:03b}" for key in keys]), (92, "bit", bits),
                            (126, "ones before, s", ones), (160, "goes to", sums)):
        m = p.row(x, y, texts, kinds if label != "ones before, s" else "plain", w)
        p.text(LEFT, y + 17, label)
    result = [keys[places.index(i)] for i in range(len(keys))]
    p.row(x, 246, [f"{key:03b}" for key in result], [f"c{key & 1}" for key in result], w)
    p.text(LEFT, 263, "after the pass")
    for i, place in enumerate(places):
        p.arrow(m[i], 184, m[place], 244, kinds[i])
    p.note(f"Zeros go to i − s, ones to {zeros} + s, behind the {zeros} zeros: the scan alone tells each key its",
           "place. But 32-bit keys take 32 passes over memory, and each pass separates neighbours.")


TILES = [[0o21, 0o13, 0o02, 0o31, 0o10, 0o23, 0o01, 0o12], [0o33, 0o11, 0o20, 0o03, 0o32, 0o30, 0o22, 0o00],
         [0o14, 0o21, 0o31, 0o02, 0o13, 0o11, 0o20, 0o01]]
TILES[2][0] = 0o12
COUNTS = [[sum(key % 8 == digit for key in tile) for tile in TILES] for digit in range(RADIX)]


def begins():
    """By digit and tile: where its keys go, from a scan of the counts by digit, then by tile."""
    scanned = list(itertools.accumulate(itertools.chain(*COUNTS), initial=0))
    return [scanned[digit * len(TILES):(digit + 1) * len(TILES)] for digit in range(RADIX)]


@drawing("radix_sort_local", "local: tiles are sorted by the digit first, then runs of equal digits move",
         "Three tiles of eight keys, their counts, the scan of the counts, and where each run goes.")
def local(p):
    x, w, size = 84, 26, 8

    def show(y, keys, gap, label):
        p.text(LEFT, y + 17, label)
        return p.row(x, y, [f"{key:02o}" for key in keys], [f"c{key % 8}" for key in keys], w, 24, size, gap)

    show(58, sum(TILES, []), 12, "input")
    ordered = [sorted(tile, key=lambda key: key % 8) for tile in TILES]
    s = show(116, sum(ordered, []), 12, "sorted")
    out = [None] * 24
    to = [x + 12 + w * (i + 0.5) for i in range(24)]
    for t, tile in enumerate(ordered):
        p.frame(s[t * size] - 19, 53, size * w + 12, 93)
        p.arrow(s[t * size] + 3.5 * w, 84, s[t * size] + 3.5 * w, 114)
        at = 0
        for digit in range(RADIX):
            count, begin = COUNTS[digit][t], begins()[digit][t]
            out[begin:begin + count] = tile[at:at + count]
            middle = t * size + at + (count - 1) / 2
            if count:
                p.arrow(s[t * size] + (middle - t * size) * w, 140, to[begin] + (count - 1) / 2 * w, 222, f"c{digit}")
            at += count
    p.text(LEFT, 241, "output")
    p.row(x + 12, 224, [f"{key:02o}" for key in out], [f"c{key % 8}" for key in out], w)
    assert out == sorted(sum(TILES, []), key=lambda key: key % 8)
    for place, label, table in ((96, "counts", COUNTS), (430, "scanned: where runs begin", begins())):
        p.text(place + 66, 276, label, "note")
        for digit in range(RADIX):
            p.text(place + 56, 300 + digit * 22, f"digit {digit}", "note end")
            p.row(place + 66, 284 + digit * 22, table[digit], f"c{digit}", 54, 22)
    p.arrow(344, 328, 402, 328)
    for t in range(len(TILES)):
        p.text(189 + 54 * t, 388, f"tile {t}", "note mid")
    p.note("Colours: the digit. Frames: local memory of a group. The counts are scanned row by row: digit 0 of all",
           "tiles, then digit 1. Because a tile is sorted before it moves, it writes runs of neighbours instead of",
           "single keys.")


@drawing("radix_sort_ranking", "Ranks within a sub-group: a ballot for each bit of the digit",
         "By ballots, each lane finds the lanes with the same digit, and counts those before it.")
def ranking(p):
    digits, x, w = [2, 1, 2, 0, 1, 2, 3, 1], 150, 60
    lanes = range(len(digits))
    ballots = [[digit >> bit & 1 for digit in digits] for bit in (1, 0)]
    peers = [{j for j in lanes if all(ballot[j] == ballot[i] for ballot in ballots)} for i in lanes]
    assert all(peers[i] == {j for j in lanes if digits[j] == digits[i]} for i in lanes)
    kinds = [f"c{digit}" for digit in digits]
    rows = [("digit", digits, kinds)]
    rows += [(f"ballot of bit {bit}", votes, ["plain" if vote else "dim" for vote in votes])
             for bit, votes in zip((1, 0), ballots)]
    rows += [("same digit", ["".join("1" if j in peers[i] else "·" for j in lanes) for i in lanes], kinds),
             ("and before me: rank", [len([j for j in peers[i] if j < i]) for i in lanes], kinds)]
    for k, (label, texts, shown) in enumerate(rows):
        p.row(x, 76 + 36 * k, texts, shown, w)
        p.text(LEFT, 93 + 36 * k, label)
    for lane in lanes:
        p.text(x + w * (lane + 0.5), 68, f"lane {lane}", "note mid")
    p.note("Every lane gets each ballot as a word, and inverts it if its own bit is 0. The AND of these words marks",
           "the lanes with the same digit. The number of marks before its own is the lane's rank: stable, and without",
           "atomics. On NVIDIA a checked atomic is faster.")


@drawing("radix_sort_onesweep", "onesweep: each digit looks back separately",
         "Status words of four tiles and four digits; tile 3 adds up totals until it meets a prefix, digit by digit.")
def onesweep(p):
    x, w, tiles = 110, 104, 4
    own = [[3, 1, 2, 2], [2, 4, 0, 2], [1, 2, 3, 2], [2, 1, 4, 1]]
    prefixes = [list(itertools.accumulate(column)) for column in zip(*own)]
    done = [2, 0, 1, 1]  # the last tile that has published a prefix, by digit
    smaller = list(itertools.accumulate([sum(column) for column in zip(*own)], initial=0))
    for digit in range(RADIX):
        p.text(x + digit * w + 48, 62, f"digit {digit}", "mid")
        total, tile = 0, tiles - 1
        while tile > 0:
            tile -= 1
            is_prefix = tile <= done[digit]
            total += prefixes[digit][tile] if is_prefix else own[tile][digit]
            at = x + digit * w + 88
            p.arrow(at, 121 + 34 * tile - (4 if tile == tiles - 2 else 0), at, 96 + 34 * tile, f"c{digit}")
            if is_prefix:
                break
        assert total == sum(own[t][digit] for t in range(tiles - 1))
        for t in range(tiles):
            is_prefix = t <= done[digit]
            text = f"{'prefix' if is_prefix else 'total'} {prefixes[digit][t] if is_prefix else own[t][digit]}"
            p.cell(x + digit * w, 70 + 34 * t, text, f"c{digit}" if is_prefix else "plain", 76)
        p.arrow(x + digit * w + 38, 196, x + digit * w + 38, 218, f"c{digit}")
        p.cell(x + digit * w, 220, f"{smaller[digit]} + {total}", f"c{digit}", 76)
    for t in range(tiles):
        p.text(LEFT, 87 + 34 * t, f"tile {t}")
    p.text(LEFT, 237, "tile 3's run")
    p.text(x + 4 * w + 8, 87, "what tiles have published", "note")
    p.text(x + 4 * w + 8, 228, "keys of smaller digits", "note")
    p.text(x + 4 * w + 8, 244, "+ this digit's before tile 3", "note")
    p.note("Coloured words are prefixes: they count all tiles up to there. Arrows: how far tile 3 looks back for each",
           "digit. One launch before the first pass counts the digits of all passes. So each pass is one launch, which",
           "reads and writes each key once.")
