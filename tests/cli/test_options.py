# SPDX-License-Identifier: MIT
"""The command line of the tool, its help, man page and completion."""
import re
import shlex

import tool

REFUSED = [  # why, and command lines, whose first word is the subject
    ("unknown command", "sorted x", "--sort"),
    ("unknown command; did you mean sort? clprim help", "sotr x", "srot", "sor x", "--sort x"),
    ("unknown command; did you mean histogram? ", "histgram x", "histogramm"),
    ("unknown command; did you mean top-k? ", "topk -k 3 x", "top_k"),
    ("unknown command; did you mean help? ", "hlep"),
    ("unknown command; clprim help lists them", "compute x", "quicksort", 40 * "sort"),
    ("--desending: unknown option; did you mean --descending? clprim sort --help", "sort --desending x"),
    ("--outptu: unknown option; did you mean --output? ", "scan --outptu=x y"),
    ("--inclusive: unknown option; did you mean --exclusive? ", "scan --inclusive x"),
    ("--axis: unknown option; clprim sum --help lists them", "sum --axis 1 x"),
    ("--type float32: the value must be one of i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64; did you mean f32?",
     "sum --type float32 x"),
    ("-T: unknown option; did you mean -t? clprim sum --help", "sum -T f32 x"),
    ("-K: unknown option; did you mean -k? ", "top-k -qK3 x"), ("-x: unknown option; clprim sort --help", "sort -x y"),
    ("did you mean u8?", "sum -tuint8 x"), ("did you mean i64?", "sum -t int64 x", "sum -t I64 x"),
    ("did you mean last?", "sort --nan lats x"), ("did you mean total?", "max --nan Total x"),
    ("there is no primitive radixsort; did you mean radix_sort?", "self-test --primitive radixsort"),
    ("one file", "sum", "sum x y"),
    ("no file", "devices x", "operations x", "self-test x"),
    ("--device: unknown option", "operations --device gpu"),
    ("--primitive", "self-test --primitive ''"),
    ("takes an operation, a variant and 1 to 64 values", "trace", "trace reduce tree", "trace reduce tree " + 65 * "1 "),
    ("redcue: there is no ladder of it", "trace redcue tree 1"),
    ("of reduce, these can be traced: interleaved strided ", "trace reduce look_back 1", "trace reduce '' 1",
     "trace reduce 'strided sequential' 1"),
    ("x: values are whole numbers from -999999", "trace reduce tree 1 x", "trace scan naive x"),
    ("-1: values are whole numbers from 0 ", "trace radix_sort split -1"),
    ("64: a histogram's values are bins from 0 to 63", "trace histogram local_atomic 64"),
    ("--group, --lanes and --banks are powers of two", "trace reduce tree 1 --group 3", "trace reduce tree 1 --lanes 8",
     "trace reduce tree 1 --banks 512"),
    ("--html takes a file's name", "trace reduce tree 1 --html -"),
    ("all: of reduce, these can be traced", "trace reduce all 1 --svg x"),
    ("--lanes 0: the value must be a power of two", "trace reduce tree 1 --lanes 0"),
    ("unknown option", "sum --descending x", "sum -Z x"),
    ("-Z: unknown option", "sum x -Zq"),
    ("--quick: unknown option", "sum --quick=3 x"),
    ("--coun: several options", "unique --coun x"),
    ("--json takes no value", "sum x --json=yes"),
    # The option is found by its name, with the values that it allows, wherever the file is and however the option is
    # written.
    ("--type needs a value: one of i8 u8", "sum x --type"),
    ("-t needs a value: one of i8 u8", "sum -t"),
    ("--type f128: the value must be one of i8 u8", "sum --type f128 x", "sum x --type f128"),
    ("-t f128: the value must be one of i8 u8", "sum x -tf128"),
    ("--memory 12: the value must be a whole number from 4096", "sum x --memory 12"),
    ("--memory 99999999999T: ", "sum --memory=99999999999T x", "sum x --mem=99999999999T"),
    ("--memory -1: ", "sum --memory -1 x"),
    ("--device : the value must be gpu, cpu", "sum x --device ''"),
    ("-k", "top-k x"),
    ("-k 0: the value must be a whole number from 1", "top-k x -k 0"),
    ("--bins 0: the value must be a whole number from 1 to 16777216", "histogram x --bins 0"),
    ("-n 16777217: the value must be", "histogram x -n16777217"),
    ("--range 2,1: the value must be two finite numbers", "histogram x --range 2,1"),
    ("--range 1: ", "histogram --range 1 x"),
    ("--range 0,inf: ", "histogram --range 0,inf x"),
    ("--svg takes a file's name", "histogram --svg - x"),
    ("--counts takes a file's name", "unique --counts - x"),
    ("standard output", "sort --json -o - x"),
    ("--output and --counts are the same", "unique x --counts /tmp/a -o /tmp/../tmp/a"),
    ("--nan first: the value must be last or total", "max x --nan first"),
    ("--nan needs a value: last or total", "sort x --nan"),
    ("--nan: unknown option", "sum x --nan last"),
]


class Options(tool.Case):
    def test_command_lines_that_make_no_sense_are_refused(self):
        for why, arguments in ((why, shlex.split(line)) for why, *lines in REFUSED for line in lines):
            with self.subTest(arguments):
                self.refused(2, arguments[0], why, *arguments)
        self.refused(2, "sorted", "unknown command", "help", "sorted")
        self.assertEqual(self.run_tool()[0], 2)

    def test_man_page_and_completion_have_all_commands_and_options(self):
        page, bash, zsh = ((tool.ROOT / "cli" / name).read_text()
                           for name in ("clprim.1", "completion/clprim.bash", "completion/_clprim"))
        options = 0
        for command in re.findall(r"^  clprim (\S+)", self.ok("help"), re.M):
            for text, before in [(page, r"(\n\.It Cm | , )"), (bash, "[ \"]"), (zsh, "'")]:
                self.assertRegex(text, before + re.escape(command) + r"[ ,\n:'\"]")
            for option in re.findall(r"^.{6}--(\S+)", self.ok("help", command), re.M):
                self.assertRegex(page, "Fl -" + re.escape(option) + r"[ ,\n:'\"]", command)
                options += 1
        self.assertGreater(options, 80)

    def test_options_are_taken_in_every_spelling(self):
        values = tool.NUMBERS[:3].tobytes()
        path = str(self.folder / self.file("-x", values))
        for arguments in [("-rt", "i32", path), (path, "-qrti32"), (path, "--desc", "--type=i32"),
                          ("--descending", "-t", "i32", "--", path), ("-rti32", "--", "-x")]:
            self.prints("9\n5\n-3\n", "sort", *arguments)
        self.assertEqual(self.run_tool("sort", "-rti32", "-x")[0], 2)
        self.prints(self.ok("histogram", "-t", "i32", path, "--range", "-4,-2", "--json", "-n1"),
                    "histogram", "-t", "i32", path, "--range=-4,-2", "--json", "--bins=1")

    @tool.posix
    def test_verbose_tells_of_the_device_and_its_cache(self):
        path = self.npy("in.npy", [5, -3, 9], "i4")
        self.prints("11\n", "sum", path)
        cache = self.folder / "open"
        cache.mkdir()
        cache.chmod(0o777)
        variables = {"CLPRIM_CACHE": "on", "CLPRIM_CACHE_DIR": str(cache)}
        self.prints("11\n", "sum", path, variables=variables)
        status, out, err = self.run_tool("sum", path, "-v", variables=variables)
        self.assertEqual((status, out), (0, b"11\n"), err)
        name = next(device["name"] for device in self.json("devices")["devices"] if device["chosen"])
        self.assertRegex(err, rf"\Aclprim: device: .*{re.escape(name)}")
        self.assertRegex(err, rf"\nclprim: cache of kernels: .*{re.escape(str(cache))}")
        self.assertIn(str(cache), self.run_tool("devices", "--verbose", variables=variables)[2])

    def test_malformed_variables_are_told(self):
        path = self.npy("in.npy", [5, -3, 9], "i4")
        cache = {"CLPRIM_CACHE": "on", "CLPRIM_CACHE_DIR": str(self.folder / "cache"), "CLPRIM_CACHE_SIZE": "x"}
        status, out, err = self.run_tool("sum", path, "-v", variables=cache)
        self.assertEqual((status, out), (0, b"11\n"), err)
        self.assertIn('clprim: cache of kernels: CLPRIM_CACHE_SIZE must be a number of MiB, not "x"', err)
        for variable, value, words in (("CLPRIM_MPI", "no", 'CLPRIM_MPI must be "on" or "off", not "no"'),
                                       ("CLPRIM_WITHOUT", "fp65", 'CLPRIM_WITHOUT has "fp65"'),
                                       ("CLPRIM_SELF_TEST", "yes", 'CLPRIM_SELF_TEST must be "always" or "off"'),
                                       ("CLPRIM_DEVICE", "no such device", "no such device"),
                                       ("CLPRIM_TRACE", "/proc/x/y", "/proc/x/y")):
            status, out, err = self.run_tool("sum", path, variables={variable: value})
            self.assertNotEqual(status, 0, variable)
            self.assertEqual(out, b"", variable)
            self.assertIn(words, err, variable)

    def test_help_names_every_option_and_the_version_is_the_headers(self):
        everything = self.ok("--help")
        for command in "devices self-test sort sum min max scan histogram unique top-k".split():
            said = self.ok(command, "--help")
            self.assertIn(command, everything)
            self.assertRegex(said, r"(?s)\Aclprim .*--device")
            self.prints(said, "help", command)
        self.assertIn("--smallest", self.ok("top-k", "-h"))
        self.assertNotIn("--smallest", self.ok("sum", "-h"))
        header = (tool.ROOT / "include" / "clprim" / "version.h").read_text()
        numbers = re.findall(r"#define CLPRIM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
        self.prints(f"clprim {'.'.join(numbers)}\n", "--version")
        self.prints(everything, "help")
        self.prints(self.ok("sort", "--help"), "sort", "x", "y", "--help")
