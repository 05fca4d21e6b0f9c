#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draw a part of a timeline that CLPRIM_TRACE has recorded: timeline.py TRACE.json OUT.svg [--begin NAME] [--ms MS].

--begin   shortly before the last event whose name begins so
--ms      milliseconds to show
"""
import argparse
import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

COLOURS = plt.get_cmap("tab20").colors


def read(path):
    events = json.load(open(path, encoding="utf-8"))
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    places = {(e["pid"], e["tid"]): e["args"]["sort_index"] for e in events
              if e["ph"] == "M" and e["name"] == "thread_sort_index"}
    device = next(e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name")
    slices = [e for e in events if e["ph"] == "X"]
    flows = {}
    for e in events:
        if e["ph"] in "sf":
            flows.setdefault(e["id"], {})[e["ph"]] = e
    return device, names, places, slices, flows


def choose(slices, name, span):
    """The window's first microsecond."""
    found = [e for e in slices if e["name"].startswith(name)]
    if not found:
        raise SystemExit(f"no event's name begins with {name}")
    return max(e["ts"] for e in found) - 0.03 * span


def draw(axes, trace, begin, end):
    device, names, places, slices, flows = trace
    shown = [e for e in slices if e["ts"] < end and e["ts"] + e["dur"] > begin]
    tracks = sorted({(e["pid"], e["tid"]) for e in shown}, key=lambda t: places.get(t, 0))
    rows = {track: i for i, track in enumerate(tracks)}
    colours = {}
    for e in shown:
        row = rows[e["pid"], e["tid"]]
        colour = colours.setdefault(e["name"], COLOURS[len(colours) % len(COLOURS)])
        left = max(e["ts"], begin) - begin
        width = min(e["ts"] + e["dur"], end) - begin - left
        axes.barh(row, width / 1000, left=left / 1000, height=0.55, color=colour, edgecolor="black", linewidth=0.4)
        if width > (end - begin) * 0.0085 * len(e["name"]):
            axes.text((left + width / 2) / 1000, row, e["name"], ha="center", va="center", fontsize=7)
    for flow in flows.values():
        if "s" in flow and "f" in flow and flow["s"]["ts"] >= begin and flow["f"]["ts"] <= end:
            source, target = (((f["ts"] - begin) / 1000, rows.get((f["pid"], f["tid"]))) for f in (flow["s"], flow["f"]))
            if source[1] is not None and target[1] is not None:
                axes.annotate("", (target[0], target[1] - 0.28), (source[0], source[1] + 0.28),
                              arrowprops={"arrowstyle": "->", "lw": 0.5, "color": "grey"})
    axes.set_yticks(range(len(tracks)), [names.get(t, str(t)) for t in tracks])
    axes.invert_yaxis()
    axes.set_xlim(0, (end - begin) / 1000)
    axes.set_xlabel("ms")
    axes.set_title(device, fontsize=9)
    handles = [plt.Rectangle((0, 0), 1, 1, color=c) for c in colours.values()]
    axes.legend(handles, colours, loc="upper center", bbox_to_anchor=(0.5, -0.28), ncol=3, fontsize=7, frameon=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace")
    parser.add_argument("picture")
    parser.add_argument("--begin", default="enqueue radix_sort")
    parser.add_argument("--ms", type=float, default=45)
    arguments = parser.parse_args()
    trace = read(arguments.trace)
    span = arguments.ms * 1000
    begin = choose(trace[3], arguments.begin, span)
    figure, axes = plt.subplots(figsize=(10, 2.6))
    draw(axes, trace, begin, begin + span)
    plt.rcParams["svg.hashsalt"] = "clprim"
    figure.savefig(arguments.picture, bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main()
