# SPDX-License-Identifier: MIT
"""What `clprim trace` says that work-items did: it must be what a run of the kernel on the same values does."""
import collections
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import tool

sys.path += [str(tool.ROOT / "tests" / "docs"), str(tool.ROOT / "docs"), str(tool.ROOT / "benchmarks")]
import counted  # noqa: E402
import pages  # noqa: E402
from draw import traced  # noqa: E402

VALUES = [3, 1, 7, 0, 4, 1, 6, 3, 2, 5, 5, 1, 0, 4, 2, 6]
STEPS = {
    "reduce": "interleaved strided sequential first_add unrolled master tree single_pass",
    "scan": "naive work_efficient bit_reversed blelloch blelloch_padded reduce_then_scan look_back",
    "histogram": "global_atomic local_atomic per_item per_item_shuffled replicated",
    "radix_sort": "split local onesweep single_group",
    "bitonic_sort": "naive better best masked local_step local_block local_merge shared_pairs register_block",
}


def expected(operation, values):
    return {"reduce": [sum(values)], "scan": [sum(values[:i]) for i in range(len(values))],
            "histogram": [values.count(bin) for bin in range(max(values) + 1)]}.get(operation, sorted(values))


@tool.posix  # under Wine the device is not Windows's, and prints past what the tool captures
class Trace(tool.Case):
    def trace(self, operation, variant, *options, values=VALUES, **more):
        return self.json("trace", operation, variant, *map(str, values), *options, **more)

    def replay(self, made):
        """Each read of local memory finds what was written there last; atomics find how often they were made before."""
        memory, reads = {}, 0
        for access in made["accesses"]:
            written = {}
            for _, index, value, *_ in access["items"]:
                place = (access["launch"], access["group"], access["array"], access["block"], index)
                if access["space"] == "local" and access["kind"] == "read":
                    self.assertEqual(memory.get(place, value), value, (access["file"], access["line"], place))
                    reads += place in memory
                elif access["space"] == "local" and access["kind"] == "write":
                    self.assertEqual(written.setdefault(place, value), value)
            memory.update(written)
        return reads

    def test_every_step_is_traced_and_right(self):
        for operation, variants in STEPS.items():
            for variant in variants.split():
                with self.subTest(f"{operation} {variant}"):
                    made = self.trace(operation, variant)
                    self.assertEqual(made["results"], expected(operation, VALUES))
                    self.assertEqual(made["expected"], made["results"])
                    kinds = collections.Counter(access["kind"] for access in made["accesses"])
                    self.assertGreater(kinds["read"] + kinds["update"], 0)
                    self.assertGreater(kinds["write"], 0)
                    files = {access["file"] for access in made["accesses"]}
                    self.assertIn(f"kernels/{operation}/", " ".join(files))
                    for access in made["accesses"]:
                        text = (tool.ROOT / access["file"]).read_text().splitlines()[access["line"] - 1]
                        if access["kind"] in ("read", "write") and "\n" not in access["array"]:
                            self.assertIn(re.split(r"[ .(\[-]", access["array"].lstrip("("))[0], text, access)
                    if operation in ("reduce", "scan") and "local" in {one["space"] for one in made["accesses"]}:
                        self.assertGreater(self.replay(made), 0)

    def turns(self, variant, array, operation="reduce", kind="read"):
        accesses = self.trace(operation, variant, "--lanes", "8", "--banks", "8", "--group", "16")["accesses"]
        return max(lanes["turns"] for one in accesses for lanes in one["sub_groups"]
                   if one["space"] == "local" and one["kind"] == kind and one["array"].startswith(array))

    def test_every_step_of_the_course_is_traced(self):
        with (tool.ROOT / "benchmarks" / "ladders.csv").open(newline="") as file:
            steps = {(row["primitive"], row["row"]) for row in csv.DictReader(file) if row["kind"] == "step"}
        traced = {(operation, variant) for operation, variants in STEPS.items() for variant in variants.split()}
        self.assertEqual(steps - traced, {("histogram", "sub_group_tagged")})

    def test_what_needs_sub_groups_is_refused_or_left_out(self):
        """On PoCL, which has none that the library uses; elsewhere the film plays."""
        self.on_a_cpu()
        self.refused(1, "trace", "sub_group_tagged needs sub-groups", "trace", "histogram", "sub_group_tagged", "1", "2")
        self.prints("", "trace", "histogram", "all", "1", "2", "--html", "x.html")
        made = tool.strict_json(re.search(r'id="traces">(.*?)</script>', self.read("x.html").decode(), re.S)[1])
        self.assertEqual([one["variant"] for one in made if "refused" not in one], STEPS["histogram"].split())
        [left_out] = [one for one in made if "refused" in one]
        self.assertRegex(left_out["refused"], "^sub_group_tagged needs sub-groups, ")

    def test_banks_collide_where_the_course_says_so(self):
        self.assertEqual(self.turns("sequential", "data"), 1)
        self.assertGreater(self.turns("strided", "data"), 1)
        self.assertEqual(self.turns("blelloch_padded", "data", "scan"), 1)
        self.assertGreater(self.turns("blelloch", "data", "scan"), 1)

    def test_lanes_diverge_where_the_course_says_so(self):
        def active(variant):
            """How many lanes of the two sub-groups take part in the first step of the tree."""
            accesses = self.trace("reduce", variant, "--lanes", "8", "--group", "16")["accesses"]
            first = next(one for one in accesses if one["step"] == 1 and one["kind"] == "read")
            return [lanes["active"] for lanes in first["sub_groups"]]
        self.assertEqual(active("interleaved"), [4, 4])
        self.assertEqual(active("strided"), [8, 0])

    def test_text_has_the_same(self):
        text = self.ok("trace", "reduce", "interleaved", *map(str, VALUES[:8]))
        self.assertIn("Values: 3 1 7 0 4 1 6 3\n", text)
        self.assertRegex(text, r"reads data\[tid \+ s\] in local memory  \(kernels/reduce/interleaved.cl:\d+\)\n"
                               r" +0-3 +1:1 +\. 3:0 +\.  2 of 4 lanes\n +4-7 +5:1 +\. 7:3 +\.  2 of 4 lanes\n")
        self.assertIn("all 8 work-items wait for each other", text)
        self.assertTrue(text.endswith("Result: 25\n"))
        self.assertIn("2 turns: lanes want different words of one bank",
                      self.ok("trace", "reduce", "strided", *map(str, VALUES)))
        self.assertTrue(self.ok("trace", "reduce", "tree", "5", "-7").endswith("Result: -2\n"))

    def test_svg_has_a_row_for_each_access(self):
        hot = {}
        for variant in ("strided", "sequential"):
            self.prints("", "trace", "reduce", variant, *map(str, VALUES), "--svg", "x.svg")
            cells = collections.Counter(cell.get("class") for cell in
                                        xml.etree.ElementTree.fromstring(self.read("x.svg")).iter("{http://www.w3.org/2000/svg}rect"))
            accesses = [one for one in self.trace("reduce", variant)["accesses"] if one["kind"] in ("read", "write")]
            self.assertEqual(sum(cells.values()), 1 + len(accesses) * len(VALUES))
            self.assertEqual(cells["dim"], sum(len(VALUES) - len(one["items"]) for one in accesses))
            hot[variant] = cells["hot"]
        self.assertGreater(hot["strided"], 0)
        self.assertEqual(hot["sequential"], 0)

    def test_page_has_every_step_and_needs_no_server(self):
        self.prints("", "trace", "reduce", "all", *map(str, VALUES), "--html", "x.html")
        page = self.read("x.html").decode()
        self.assertEqual(re.findall("https?://[^\"'`]*", page.split("<script>")[1]), ["http://www.w3.org/2000/svg"])
        self.assertNotRegex(page, "<link|src=|import ")
        if shutil.which("node"):
            self.file("x.js", page.split("<script>")[1].split("</script>")[0])
            subprocess.run(["node", "--check", self.folder / "x.js"], check=True)
            (self.folder / "x.js").unlink()
        made = tool.strict_json(re.search(r'id="traces">(.*?)</script>', page, re.S)[1])
        self.assertEqual(" ".join(one["variant"] for one in made), STEPS["reduce"])
        for one in made:
            self.assertEqual(one["results"], [sum(VALUES)])
            own = [line for file, _, text in one["sources"] for line in text if file.endswith(f"/{one['variant']}.cl")]
            self.assertIn("Why: ", "\n".join(own))
            lines = {(file, first + i): line for file, first, text in one["sources"] for i, line in enumerate(text)}
            for access in one["accesses"]:
                kernel = (tool.ROOT / access["file"]).read_text().splitlines()
                self.assertEqual(lines[access["file"], access["line"]], kernel[access["line"] - 1])
        self.prints("", "trace", "reduce", "tree", "1", "2", "--html", "y.html")
        self.assertEqual(self.files(), ["x.html", "y.html"])

    def test_page_speaks_russian(self):
        """Each text of the page, and each step's reason, has its Russian; and there is none of what the page does not say."""
        page = (tool.ROOT / "cli" / "trace_page.html").read_text(encoding="utf-8")
        table, script = re.search(r"const RUSSIAN = \{\n(.*?)\n\};\n(.*)", page, re.S).groups()
        russian = json.loads("{" + table + "}")
        texts = set(re.findall(r'\btr\(\s*("(?:[^"\\]|\\.)*")', script)) | set(
            re.findall(r': ("[^"]*")', "".join(re.findall("const VERBS.* = (.*)", page))))
        texts = {json.loads(text) for text in texts}
        for operation, variants in STEPS.items():
            for variant in variants.split():
                kernel = (tool.ROOT / "kernels" / operation / f"{variant}.cl").read_text()
                texts.add(re.search(r"Why: [^.]+\.", kernel)[0].replace("\n * ", " "))
        self.assertEqual(set(russian), texts)
        for text, translation in russian.items():
            self.assertEqual(set(re.findall(r"\{\w+\}", text)), set(re.findall(r"\{\w+\}", translation)), text)

    def test_page_has_contrast(self):
        """Of what is drawn on a card, as WCAG 2 wants it: 4.5 to 1 for text, and 3 to 1 for lines."""
        def luminance(colour):
            parts = [int(2 * part if len(colour) == 3 else part, 16) / 255 for part in re.findall("." * (len(colour) // 3), colour)]
            return sum(weight * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
                       for weight, part in zip((0.2126, 0.7152, 0.0722), parts))

        def contrast(one, other):
            dark, light = sorted((luminance(one), luminance(other)))
            return (light + 0.05) / (dark + 0.05)

        page = (tool.ROOT / "cli" / "trace_page.html").read_text(encoding="utf-8")
        schemes = [dict(re.findall(r"--(\w+): #(\w+)", scheme)) for scheme in re.findall(r":root \{(.*?)\}", page, re.S)]
        self.assertEqual(len(schemes), 2)
        for scheme in schemes:
            for name in ("dim", "e0", "e1", "e2", "e3", "ehot"):
                self.assertGreaterEqual(contrast(scheme[name], scheme["card"]), 3, name)
            for back in ("card", "c0", "c1", "c2", "c3", "hot", "here"):
                self.assertGreaterEqual(contrast(scheme["text"], scheme[back]), 4.5, back)
            self.assertGreaterEqual(min(contrast(scheme["note"], scheme[back]) for back in ("card", "here")), 4.5)

    def test_page_plays_in_a_browser(self):
        """By keys alone, in both languages and schemes, and on a phone no wider than that."""
        browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if browser is None:
            self.skipTest("no Chromium")
        self.prints("", "trace", "reduce", "all", *map(str, VALUES), "--html", "x.html")
        script = """(page) => {
            const text = (id) => page.document.getElementById(id).textContent, said = [], key = (name, more) =>
                page.document.dispatchEvent(new page.KeyboardEvent('keydown', {key: name, bubbles: true, cancelable: true, ...more}));
            const goes_back = key('ArrowLeft', {altKey: true}); // in the browser's history
            for (const language of [0, 1]) {
                const goes_on = key('ArrowRight'); // by the browser, too, where the slider has the focus
                said.push([text('frame') + (goes_on ? '!' : ''), text('step'), text('says'), text('why'), text('play')]);
                key(' ');
                said.at(-1).push(text('play'));
                key('ArrowLeft');
                key('End');
                said.at(-1).push(text('frame'));
                key('Home');
                said.at(-1).push(text('frame'));
                page.document.getElementById('language').click();
            }
            return [page.document.documentElement.scrollWidth, page.matchMedia('(prefers-color-scheme: dark)').matches,
                page.getComputedStyle(page.document.body).backgroundColor, goes_back, said];
        }"""
        colours = set()
        for scheme in (0, 1):  # Blink's kDark and kLight
            made = pages.in_browser(browser, self.folder, [("x.html", 390), ("x.html", 1200)], script,
                                    f"--blink-settings=preferredColorScheme={scheme}")
            for (wide, is_dark, colour, goes_back, said), width in zip(made, (390, 1200)):
                self.assertLessEqual(wide, width)
                self.assertEqual(is_dark, scheme == 0)
                self.assertTrue(goes_back)
                colours.add(colour)
                english, russian = sorted(said, key=lambda one: one[1] == "Ступень")
                self.assertRegex(english[0], r"^2 of \d+$")
                self.assertRegex(russian[0], r"^2 из \d+$")
                self.assertRegex(english[2], "^Launch 1, .* work-items? ")
                self.assertRegex(russian[2], "^Запуск 1, .*[Рр]абоч(ие элементы|ий элемент) ")
                self.assertRegex(english[3], "^Why: ")
                self.assertRegex(russian[3], "^Почему: ")
                self.assertEqual([english[4:6], russian[4:6]], [["Play", "Pause"], ["Пуск", "Пауза"]])
                count = english[0].split()[-1]
                self.assertEqual([english[6:], russian[6:]], [[f"{count} of {count}", f"1 of {count}"], [f"{count} из {count}", f"1 из {count}"]])
        self.assertEqual(len(colours), 2)

    def test_page_cuts_nothing_off(self):
        """Each work-item has a line to its word, numbers are within their words, neither picture nor code scrolls sideways, and the
        code begins with a whole line."""
        browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if browser is None:
            self.skipTest("no Chromium")
        self.prints("", "trace", "histogram", "all", *map(str, VALUES), "--html", "histogram.html")
        self.prints("", "trace", "scan", "naive", *map(str, [123456] * 16), "--html", "scan.html")
        script = """(page) => page.eval(`(() => {
            const cut = [], stage = by("stage"), code = by("code");
            for (const [index, one] of traces.entries()) {
                if ("refused" in one) continue;
                choose(index);
                for (at = 0; at < frames.made.length; at++) {
                    const {access} = frames.made[at], where = one.variant + " " + (at + 1) + ": ";
                    draw();
                    const lines = stage.querySelectorAll("line").length, words = [...stage.querySelectorAll("rect")];
                    if (access.space && lines !== access.items.length) cut.push(where + lines + " lines, not " + access.items.length);
                    if (stage.scrollWidth > stage.clientWidth) cut.push(where + "picture");
                    if (words.some((word) => word.nextSibling?.tagName === "text" && !word.nextSibling.matches(".note") &&
                        word.nextSibling.getBBox().width > word.getBBox().width)) cut.push(where + "number");
                    if (stage.firstChild.viewBox.baseVal.x > -0.65) cut.push(where + "edge");
                }
                show(frames.made.length >> 1);
                if (code.scrollWidth > code.clientWidth) cut.push(one.variant + ": code");
                if (![...code.children].some((line) => Math.abs(line.offsetTop - code.scrollTop) <= 1)) cut.push(one.variant + ": line");
                if (document.documentElement.scrollWidth > innerWidth) cut.push(one.variant + ": page");
            }
            return cut.slice(0, 5);
        })()`)"""
        links = [(f"{name}.html", width) for name in ("histogram", "scan") for width in (390, 1200)]
        self.assertEqual(pages.in_browser(browser, self.folder, links, script), [[]] * len(links))

    def test_page_shows_what_atomics_leave(self):
        browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if browser is None:
            self.skipTest("no Chromium")
        self.prints("", "trace", "histogram", "local_atomic", "1", "1", "1", "0", "--html", "x.html")
        script = """(page) => {
            const said = [];
            for (let i = 0; i < 40; i++) {
                const cells = [...page.document.querySelectorAll('#stage text:not(.note)')].slice(0, 2).map((one) => one.textContent);
                said.push([page.document.getElementById('says').textContent, cells]);
                page.document.getElementById('next').click();
            }
            return said;
        }"""
        [made] = pages.in_browser(browser, self.folder, [("x.html", 1200)], script)
        last = [cells for says, cells in made if " add" in says][-1]
        self.assertEqual(last, ["1", "3"])

    def on_a_cpu(self):
        if not self.trace("reduce", "tree")["device"].startswith(("pthread", "cpu")):
            self.skipTest("recordings are PoCL's: other devices have sub-groups, and shapes of their own")

    def test_what_is_counted_of_each_step(self):
        self.on_a_cpu()
        for (operation, variant), text in counted.read().items():
            if operation in ("reduce", "scan") or os.environ.get("CLPRIM_TEST_FULL"):
                with self.subTest(f"{operation} {variant}"):
                    self.assertEqual(counted.count(self.tool, operation, variant), text, "run ./dev plots")
        self.assertEqual({f"{operation} {variant}" for operation, variant in counted.read()},
                         {f"{operation} {variant}" for operation, variants in STEPS.items() for variant in variants.split()
                          if (operation, variant) not in counted.BY_SUB_GROUPS})

    def test_drawings_of_the_manual_show_what_kernels_do(self):
        self.on_a_cpu()
        made, drawn = traced.record(self.tool), traced.load()
        self.assertEqual(list(made), list(drawn))
        for name in made:
            self.assertEqual(made[name], drawn[name], f"{name}: run ./dev plots")

    def test_several_groups_and_launches(self):
        made = self.trace("reduce", "sequential", "--group", "4")
        groups = collections.defaultdict(set)
        for access in made["accesses"]:
            groups[access["launch"]].add(access["group"])
        self.assertEqual([len(groups[launch]) for launch in sorted(groups)], [4, 1])
        self.assertEqual(made["results"], [sum(VALUES)])

    def test_look_back_publishes_before_it_stores(self):
        """What functions of macros do is recorded, and in its order: each group that stores has published its tile before."""
        made = self.trace("scan", "look_back", "--group", "4", values=range(1, 65))
        self.assertEqual(made["results"], made["expected"])
        published, stores, looks = set(), 0, 0
        for access in made["accesses"]:
            text = (tool.ROOT / access["file"]).read_text().splitlines()[access["line"] - 1]
            if "tagged_words.h" in access["file"]:
                published |= {access["group"]} if "xchg" in text else set()
                looks += "xchg" not in text
            elif access["space"] == "global" and access["kind"] == "write":
                self.assertIn(access["group"], published)
                stores += 1
        self.assertGreater(stores, 1)
        self.assertGreater(looks, 0)

    def test_a_readers_own_kernel_is_traced(self):
        kernels = self.folder / "kernels"
        shutil.copytree(tool.ROOT / "kernels", kernels)
        path = kernels / "reduce" / "sequential.cl"
        path.write_text(path.read_text().replace("data[tid + s]", "data[tid + s + 0]"))
        made = self.trace("reduce", "sequential", variables={"CLPRIM_KERNEL_DIR": str(kernels)})
        self.assertIn("tid + s + 0", {access["index"] for access in made["accesses"]})
        path.write_text(path.read_text().replace("data[tid + s + 0]", "data[tid]"))  # doubles data[0] instead
        text = self.ok("trace", "reduce", "sequential", "3", "1", "4", "1", variables={"CLPRIM_KERNEL_DIR": str(kernels)})
        self.assertTrue(text.endswith("Result: 12\nIt should be: 9\n"), text)

    def test_nothing_is_left_behind(self):
        self.trace("reduce", "tree")
        tool_ = self.start("trace", "radix_sort", "split", *map(str, VALUES), stdout=subprocess.PIPE)
        tool_.stdout.close()  # as `| head` does
        self.assertNotEqual(tool_.wait(tool.LIMIT), 0)
        self.assertEqual([name for name in os.listdir(self.folder) if "trace" in name], [])
