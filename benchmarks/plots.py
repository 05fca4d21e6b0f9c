#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draw committed runs: speed over n beside peers and the roof, ladders, and where the host is faster than the device.

    benchmarks/plots.py [--out FOLDER] [FILE ...]      without files: all of benchmarks/results, into docs/plots

For each device <device>-overview; for each run <device>-<stem>, and where there is data for it <device>-<stem>-ladder
and <device>-<stem>-inside, and <device>-scale of operations on several ranks; as .svg and .png, on no background, in colours to be read on a light and on a dark one.
The same data give the same files. Needs matplotlib; what is drawn is decided without it.
"""
import argparse
import pathlib
import re
import sys

from summary import HERE, PEERS, SCALE_OPS, efficiency, lacking_names, ladder_lines, ladders, lines_of, op_text, rate_text, runs_of

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")  # text like any other; a formula would be pieces
TEXT = "#7a7a7a"  # as far from white as from black
OVERVIEW = ["reduce", "scan", "select", "histogram", "radix_sort", "bitonic_sort"]  # one page; the fastest of each kind
OVERVIEW_OF = ["clprim", "cub", "boost_compute", "std_par"]
# Of one lightness, told apart by markers as well.
STYLES = {
    "clprim": ("clPRIM", "#e4572e", "o", "-"), "cub": ("CUB", "#3f9b3f", "s", "-"),
    "boost_compute": ("Boost.Compute", "#a06cd5", "^", "-"),
    "std_par": ("C++ with TBB, all cores", "#3a86c8", "D", "--"), "std": ("C++, one core", "#2a9d9d", "v", "--"),
    "std_stable": ("std::stable_sort", "#b8862d", "<", "--"), "c": ("C loop, one core", "#8c8c8c", "x", "--"),
    "cub_radix": ("CUB, radix", "#7aa63a", "P", "-"),
    "vqsort": ("vqsort, one core", "#d1495b", "*", "--"),
    "numpy": ("NumPy, one core", "#577590", "h", "--"),
    "std_heap": ("std::partial_sort_copy", "#c2659a", ">", "--"),
}


def main_work(run):
    """The (op, type, distribution) that a run's plots show: with variants, then with the most sizes of AUTO, then the
    first."""
    sizes, with_variants = {}, set()
    for op, implementation, type_, n, distribution, timing in run.rows:
        work = (op, type_, distribution)
        if implementation == "clprim" and timing == "throughput":
            sizes.setdefault(work, set()).add(n)
        elif implementation.startswith("clprim:"):
            with_variants.add(work)
    return max(sizes, key=lambda work: (work in with_variants, len(sizes[work])), default=None)


def curve(run, work, implementation, value, timing="throughput"):
    """The points (n, value) of one line."""
    op, type_, distribution = work
    points = {}
    for key, row in run.rows.items():
        if key[:3] + key[4:] == (op, implementation, type_, distribution, timing):
            points[key[3]] = row[value]
    if implementation == "cub" and timing == "throughput" and value == "gb_per_s":  # the better of its two clocks
        for n, speed in curve(run, work, implementation, value, "event"):
            points[n] = max(speed, points.get(n, 0))
    return sorted(points.items())


def speeds(run, work):
    """By implementation, of all that have at least two points."""
    lines = {name: curve(run, work, name, "gb_per_s") for name in ["clprim"] + PEERS + ["cub_radix", "std_heap"]}
    return {name: points for name, points in lines.items() if len(points) > 1}


def ratios(run, work):
    """By peer, how many times as fast clPRIM is at each n that both have."""
    own = dict(curve(run, work, "clprim", "gb_per_s"))
    lines = {name: [(n, own[n] / speed) for n, speed in points if n in own]
             for name, points in speeds(run, work).items() if name != "clprim"}
    return {name: points for name, points in lines.items() if points}


def crossing(run, work):
    """By name, the times of one call whose result is waited for: on the host, and on the device with the data there and
    with the data on the host. Empty where one of the three is not known."""
    host = {name: curve(run, work, name, "time") for name in ("std", "std_par", "c", "std_stable")}
    device = {timing: curve(run, work, "clprim", "time", timing) for timing in ("latency", "with_transfer")}
    lines = {name: points for name, points in {**host, **device}.items() if len(points) > 1}
    return lines if "with_transfer" in lines and set(lines) & set(host) else {}


def bars(ladder):
    """(text, GB/s, kind) of each bar from the top; kind: step, aside, cpu, peer."""
    kinds = {line["row"]: line["kind"] for line in ladder_lines(ladder.run.stem)}
    made = [(STYLES[name][0], name, "cpu") for name in ("c", "std", "std_par") if name in ladder.rows]
    made += [(name, name, kinds.get(name, "aside")) for name in ladder.variants]
    made += [("AUTO, input copied there", "with_copy", "aside"),
             ("AUTO, from and to the host", "with_transfer", "aside")]
    made += [(STYLES[name][0], name, "peer") for name in ("boost_compute", "cub")]
    return [(text, ladder.rows[name]["gb_per_s"], kind) for text, name, kind in made if name in ladder.rows]


def scaling(lines, kind, value):
    """By operation, how ranks communicate, and what memory the keys are in, the points (ranks, value of the line)."""
    made = {}
    for line in lines:
        if line["scaling"] == kind:
            made.setdefault((line["op"], line["by"], line["memory"]), []).append((line["ranks"], value(line)))
    return {what: sorted(points) for what, points in made.items()}


def roof(run):
    return float(run.context["copy_roof_gb_per_s"])


def work_text(work):
    return f"{op_text(work[0], work[2])}, {work[1]}"


def power_text(n):
    return "2" + str(n.bit_length() - 1).translate(SUPERSCRIPTS) if n & (n - 1) == 0 else str(n)


def device_text(run):
    """PoCL names the processor alone."""
    name, context = run.context["device"], run.context
    if not context["platform"].startswith("Portable Computing Language"):
        return name
    return f"PoCL, {context['num_cpus']} cores of {name.rpartition('-')[2]}"


def smaller(svg):
    """The same picture without comments and indentation, with hundredths of a point."""
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"\d+\.\d{3,}", lambda match: f"{float(match[0]):.2f}".rstrip("0").rstrip("."), svg)
    return re.sub(r"\s*\n\s*", "\n", svg)


class Painter:
    """All that needs matplotlib."""

    def __init__(self, folder):
        import matplotlib

        matplotlib.use("Agg")
        matplotlib.rcParams.update({
            "svg.hashsalt": "clprim", "svg.fonttype": "none", "font.size": 9,
            "font.family": ["DejaVu Sans", "sans-serif"], "path.simplify": True, "text.color": TEXT,
            "axes.labelcolor": TEXT, "axes.edgecolor": TEXT, "axes.titlesize": 10, "xtick.color": TEXT,
            "ytick.color": TEXT, "axes.spines.top": False,
            "axes.spines.right": False, "legend.frameon": False, "axes.axisbelow": True,
        })
        from matplotlib import pyplot, ticker

        self.pyplot, self.ticker = pyplot, ticker
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def figure(self, *shape, size):
        made = self.pyplot.subplots(*shape, figsize=size, layout="constrained", squeeze=False)
        made[0].get_layout_engine().set(w_pad=0.08, h_pad=0.06)
        return made

    def save(self, figure, name):
        from PIL import Image

        path = self.folder / f"{name}.svg"
        figure.savefig(path, transparent=True, metadata={"Date": None, "Creator": None})
        path.write_text(smaller(path.read_text()))
        path = self.folder / f"{name}.png"
        figure.savefig(path, transparent=True, dpi=96, metadata={"Software": None})
        with Image.open(path) as image:
            few = image.convert("RGBA").quantize(128, method=Image.Quantize.FASTOCTREE)
        few.save(path, optimize=True)
        self.pyplot.close(figure)

    def sizes_axis(self, axes, lines):
        """n by powers of two, not more of them than fit."""
        axes.set_xscale("log", base=2)
        ticks = sorted({n for points in lines.values() for n, _ in points})
        logs = range(min(ticks).bit_length() - 1, max(ticks).bit_length(), 4 if max(ticks) > 32 * min(ticks) else 2)
        axes.set_xticks([1 << log for log in logs], [power_text(1 << log) for log in logs])
        axes.minorticks_off()
        axes.grid(axis="y", color=TEXT, alpha=0.3, linewidth=0.5)

    def lines(self, axes, lines, styles=STYLES):
        for name, points in lines.items():
            text, colour, marker, dash = styles[name]
            axes.plot(*zip(*points), dash, color=colour, marker=marker, label=text, markersize=5,
                      linewidth=2.4 if name == "clprim" else 1.4, zorder=3 if name == "clprim" else 2)
        self.sizes_axis(axes, lines)

    def speed(self, axes, run, work, names=STYLES):
        self.lines(axes, {name: points for name, points in speeds(run, work).items() if name in names})
        highest = axes.get_ylim()[1] / 1.05
        if roof(run) > 4 * highest:  # its line would squeeze the others
            axes.annotate(f"copy: {rate_text(roof(run))}", (0, 1), xycoords="axes fraction", ha="left", va="top",
                          fontsize=8, xytext=(3, -1), textcoords="offset points")
            axes.set_ylim(0, 1.2 * highest)
            return
        axes.axhline(roof(run), color=TEXT, linewidth=1, linestyle=":")
        axes.annotate("copy", (0, roof(run)), xycoords=("axes fraction", "data"), ha="left", va="bottom", fontsize=8,
                      xytext=(3, 1), textcoords="offset points")
        axes.set_ylim(0, 1.08 * max(highest, roof(run)))

    def legend_below(self, figure, handles, texts, columns):
        below = (0.1 + 0.19 * -(-len(texts) // columns)) / figure.get_figheight()
        figure.get_layout_engine().set(rect=(0, below, 1, 1 - below))
        figure.legend(handles, texts, loc="lower center", ncols=columns)

    def draw_speed(self, run):
        """Speeds; and, since these say little about small n, how many times as fast as others."""
        work = main_work(run)
        if work is None or not speeds(run, work):
            return
        figure, ((left, right),) = self.figure(1, 2, size=(9, 3.5))
        self.speed(left, run, work)
        left.set_title("GB/s")
        self.lines(right, ratios(run, work) or {"clprim": curve(run, work, "clprim", "gb_per_s")})
        right.set_yscale("log")
        low, high = right.get_ylim()
        right.set_ylim(min(low, 0.8), max(high, 1.25))
        right.yaxis.set_major_locator(self.ticker.LogLocator(subs=(1, 2, 5) if high < 50 * low else (1,)))
        right.yaxis.set_major_formatter(lambda value, _: f"{value:g} ×")
        right.yaxis.set_minor_formatter(self.ticker.NullFormatter())
        right.axhline(1, color=TEXT, linewidth=1, linestyle=":")
        right.set_title("clPRIM's speed divided by that of")
        for axes in (left, right):
            axes.set_xlabel("elements")
        self.legend_below(figure, *left.get_legend_handles_labels(), columns=4)
        figure.suptitle(f"{device_text(run)}: {work_text(work)}", fontsize=10)
        self.save(figure, run.name)

    def draw_overview(self, device, runs):
        """The principal primitives of a device on one page."""
        shown = [(run, main_work(run)) for stem in OVERVIEW for run in runs if run.stem == stem]
        shown = [(run, work) for run, work in shown if work is not None and speeds(run, work)]
        if len(shown) < 2:
            return
        columns = min(3, len(shown))
        lines = -(-len(shown) // columns)
        figure, grid = self.figure(lines, columns, size=(9, 0.5 + 2.4 * lines))
        handles = {}
        for axes, (run, work) in zip(grid.flat, shown):
            self.speed(axes, run, work, OVERVIEW_OF)
            axes.set_title(work_text(work))
            handles.update(zip(*reversed(axes.get_legend_handles_labels())))
        empty = grid.flat[len(shown):]
        for axes in empty:
            axes.axis("off")
        for row in grid:
            row[0].set_ylabel("GB/s")
        texts = [text for text, *_ in STYLES.values() if text in handles]
        if len(empty):
            empty[0].legend([handles[text] for text in texts], texts, loc="center")
        else:
            self.legend_below(figure, [handles[text] for text in texts], texts, columns=4)
        figure.suptitle(f"{device_text(shown[0][0])}: GB/s over the number of elements", fontsize=10)
        self.save(figure, f"{device}-overview")

    def draw_ladder(self, run):
        work = main_work(run)
        ladder = next((one for one in ladders(run) if (one.op, one.type, one.distribution) == work), None)
        if ladder is None or not ladder_lines(run.stem):
            return
        made = bars(ladder)
        colours = {"step": "#e4572e", "aside": "#d99a3d", "cpu": "#8c8c8c", "peer": "#3a86c8"}
        texts = {"cpu": "CPU", "step": "step", "aside": "beside the steps", "peer": "another library"}
        figure, ((axes,),) = self.figure(1, 1, size=(7, 1.2 + 0.23 * len(made)))
        places = range(len(made))
        axes.barh(places, [speed for _, speed, _ in made], color=[colours[kind] for *_, kind in made], height=0.72)
        axes.set_yticks(places, [text for text, *_ in made])
        axes.invert_yaxis()
        axes.tick_params(axis="y", length=0)
        for place, (_, speed, _) in zip(places, made):
            axes.annotate(rate_text(speed), (speed, place), xytext=(3, 0), textcoords="offset points", va="center",
                          fontsize=8)
        axes.axvline(roof(run), color=TEXT, linewidth=1, linestyle=":")
        axes.annotate("copy", (roof(run), 1), xycoords=("data", "axes fraction"), ha="center", va="bottom", fontsize=8)
        axes.set_xlim(0, 1.12 * max([roof(run)] + [speed for _, speed, _ in made]))
        axes.set_xlabel("GB/s")
        handles = [self.pyplot.Rectangle((0, 0), 1, 1, color=colours[kind]) for kind in texts]
        self.legend_below(figure, handles, texts.values(), columns=4)
        figure.suptitle(f"{device_text(run)}: {work_text(work)}, {power_text(ladder.n)} elements", fontsize=10)
        self.save(figure, f"{run.name}-ladder")

    def draw_inside(self, run):
        work = main_work(run)
        lines = crossing(run, work) if work else {}
        if not lines:
            return
        texts = {"latency": ("clPRIM, data on the device", "#e4572e", "o", "-"),
                 "with_transfer": ("clPRIM, from and to the host", "#a06cd5", "^", "-")}
        figure, ((axes,),) = self.figure(1, 1, size=(7, 3.9))
        self.lines(axes, lines, {**STYLES, **texts})
        axes.set_yscale("log")
        axes.set_xlabel("elements")
        axes.set_ylabel("until the result is there")
        axes.yaxis.set_major_formatter(lambda time, _: f"{time * 1e-3:g} ms" if time > 999 else f"{time:g} µs")
        axes.yaxis.set_minor_formatter(self.ticker.NullFormatter())
        self.legend_below(figure, *axes.get_legend_handles_labels(), columns=3)
        figure.suptitle(f"{device_text(run)}: {work_text(work)}", fontsize=10)
        self.save(figure, f"{run.name}-inside")


    def draw_scale(self, device, lines):
        """Speeds over the number of ranks, and below them the efficiency."""
        colours = dict(zip(SCALE_OPS, ["#e4572e", "#a06cd5", "#3f9b3f", "#3a86c8", "#b8862d", "#8c8c8c"]))
        markers, dashes = {"threads": "D", "mpi": "o"}, {"ordinary": "-", "registered": "--"}
        texts = {"threads": "threads", "mpi": "processes, by MPI", "ordinary": "ordinary memory",
                 "registered": "registered memory", **SCALE_OPS}
        ranks = sorted({line["ranks"] for line in lines})
        figure, grid = self.figure(2, 2, size=(9, 6.5))
        for kind, column in (("strong", 0), ("weak", 1)):
            for value, (axes, *_) in ((lambda line: line["keys"] / line["total_ms"] * 1e-6, grid[0][column:]),
                                      (lambda line: efficiency(line, lines), grid[1][column:])):
                for (op, by, memory), points in scaling(lines, kind, value).items():
                    if all(point is not None for _, point in points):
                        axes.plot(*zip(*points), dashes[memory], color=colours[op], marker=markers[by], markersize=4)
                axes.set_xticks(ranks)
                axes.set_ylim(0)
                axes.grid(axis="y", color=TEXT, alpha=0.3, linewidth=0.5)
            keys = {line["keys"] // (1 if kind == "strong" else line["ranks"]) for line in lines if line["scaling"] == kind}
            grid[0][column].set_title(f"{kind}: {max(keys):,} keys {'in all' if kind == 'strong' else 'per rank'}".replace(",", " ")
                                      if keys else kind)
            grid[1][column].set_xlabel("ranks")
        grid[0][0].set_ylabel("billion keys per second")
        grid[1][0].set_ylabel("efficiency")
        lone = self.pyplot.Line2D
        handles = {name: lone([], [], color=colour) for name, colour in colours.items()}
        handles |= {name: lone([], [], color=TEXT, marker=marker, linestyle="", markersize=4) for name, marker in markers.items()}
        handles |= {name: lone([], [], color=TEXT, linestyle=dash) for name, dash in dashes.items()}
        there = {line[name] for line in lines for name in ("op", "by", "memory")}
        handles = {texts[name]: handle for name, handle in handles.items() if name in there}
        self.legend_below(figure, handles.values(), handles, columns=3)
        figure.suptitle(f"{lines[0]['device']}: operations on several ranks, from the hosts' memory and back", fontsize=10)
        self.save(figure, f"{device}-scale")


def is_aside(run):
    """A run to look at, beside the device's own."""
    return "without" in run.context or bool(lacking_names([run], run.device))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "docs" / "plots")
    arguments = parser.parse_args()
    files = arguments.files or sorted((HERE / "results").glob("*.json"))
    runs = runs_of(files)
    painter = Painter(arguments.out)
    for run in runs:
        if is_aside(run):
            continue
        painter.draw_speed(run)
        painter.draw_ladder(run)
        painter.draw_inside(run)
    for device in dict.fromkeys(run.device for run in runs):
        painter.draw_overview(device, [run for run in runs if run.device == device and not is_aside(run)])
    for device, lines in lines_of(files, "scale").items():
        painter.draw_scale(device, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
