/* test_cli.options.c: the command line of the tool, its help, man page and completion. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test_cli.h"

Test(cli, command_lines_that_make_no_sense_are_refused)
{
    static const struct {
        const char *arguments[8];
        const char *subject, *why;
    } rows[] = {
        {{"sorted", "x"}, "sorted", "unknown command"},
        {{"--sort"}, "--sort", "unknown command"},
        {{"sum"}, "sum", "one file"},
        {{"sum", "x", "y"}, "sum", "one file"},
        {{"devices", "x"}, "devices", "no file"},
        {{"operations", "x"}, "operations", "no file"},
        {{"operations", "--device", "gpu"}, "operations", "--device: unknown option"},
        {{"self-test", "x"}, "self-test", "no file"},
        {{"self-test", "--primitive", ""}, "self-test", "--primitive"},
        {{"sum", "--descending", "x"}, "sum", "unknown option"},
        {{"sum", "-Z", "x"}, "sum", "unknown option"},
        {{"sum", "x", "-Zq"}, "sum", "-Z: unknown option"},
        {{"sum", "--quick=3", "x"}, "sum", "--quick: unknown option"},
        {{"unique", "--coun", "x"}, "unique", "--coun: several options"},
        {{"sum", "x", "--json=yes"}, "sum", "--json takes no value"},
        /* The option by its name and what it allows, wherever the file is and however the option is written. */
        {{"sum", "x", "--type"}, "sum", "--type needs a value: one of i8 u8"},
        {{"sum", "-t"}, "sum", "-t needs a value: one of i8 u8"},
        {{"sum", "--type", "f128", "x"}, "sum", "--type f128: the value must be one of i8 u8"},
        {{"sum", "x", "--type", "f128"}, "sum", "--type f128: the value must be one of i8 u8"},
        {{"sum", "x", "-tf128"}, "sum", "-t f128: the value must be one of i8 u8"},
        {{"sum", "x", "--memory", "12"}, "sum", "--memory 12: the value must be a whole number from 4096"},
        {{"sum", "--memory=99999999999T", "x"}, "sum", "--memory 99999999999T: "},
        {{"sum", "x", "--mem=99999999999T"}, "sum", "--memory 99999999999T: "},
        {{"sum", "--memory", "-1", "x"}, "sum", "--memory -1: "},
        {{"sum", "x", "--device", ""}, "sum", "--device : the value must be gpu, cpu"},
        {{"top-k", "x"}, "top-k", "-k"},
        {{"top-k", "x", "-k", "0"}, "top-k", "-k 0: the value must be a whole number from 1"},
        {{"histogram", "x", "--bins", "0"},
         "histogram",
         "--bins 0: the value must be a whole number from 1 to 16777216"},
        {{"histogram", "x", "-n16777217"}, "histogram", "-n 16777217: the value must be"},
        {{"histogram", "x", "--range", "2,1"}, "histogram", "--range 2,1: the value must be two finite numbers"},
        {{"histogram", "--range", "1", "x"}, "histogram", "--range 1: "},
        {{"histogram", "--range", "0,inf", "x"}, "histogram", "--range 0,inf: "},
        {{"histogram", "--svg", "-", "x"}, "histogram", "--svg takes a file's name"},
        {{"sort", "--json", "-o", "-", "x"}, "sort", "standard output"},
        {{"unique", "--counts", "-", "x"}, "unique", "--counts takes a file's name"},
        {{"unique", "x", "--counts", "/tmp/a", "-o", "/tmp/../tmp/a"}, "unique", "--output and --counts are the same"},
        {{"max", "x", "--nan", "first"}, "max", "--nan first: the value must be last or total"},
        {{"sort", "x", "--nan"}, "sort", "--nan needs a value: last or total"},
        {{"sum", "x", "--nan", "last"}, "sum", "--nan: unknown option"},
        {{"help", "sorted"}, "sorted", "unknown command"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cli_run run = cli_run_with(NULL, 0, rows[i].arguments);
        cli_expect_refusal(&run, 2, rows[i].subject, rows[i].why);
    }
    const cli_run nothing = cli_run_with(NULL, 0, (const char *const[]){NULL});
    cr_assert_eq(nothing.status, 2);
}

static bool mentions(const char *text, const char *before, const char *word, size_t size)
{
    char wanted[128];
    (void)snprintf(wanted, sizeof wanted, "%s%.*s", before, (int)size, word);
    for (const char *at = text; (at = strstr(at, wanted)) != NULL; at++)
        if (strchr(" ,\n:'\"", at[strlen(wanted)]) != NULL)
            return true;
    return false;
}

Test(cli, man_page_and_completion_have_all_commands_and_options)
{
    size_t size = 0;
    char *page = cli_read_all(CLPRIM_TEST_DATA_DIR "/../../cli/clprim.1", &size);
    char *bash = cli_read_all(CLPRIM_TEST_DATA_DIR "/../../cli/completion/clprim.bash", &size);
    char *zsh = cli_read_all(CLPRIM_TEST_DATA_DIR "/../../cli/completion/_clprim", &size);
    const cli_run commands = CLI_OK("help");
    size_t options = 0;
    for (const char *line = commands.out; (line = strstr(line, "\n  clprim ")) != NULL; line++) {
        char command[32];
        const char *name = line + strlen("\n  clprim ");
        const size_t length = strcspn(name, " ");
        (void)snprintf(command, sizeof command, "%.*s", (int)length, name);
        cr_assert(mentions(page, "\n.It Cm ", command, length) || mentions(page, " , ", command, length), "%s",
                  command);
        cr_assert(mentions(bash, " ", command, length) || mentions(bash, "\"", command, length), "%s", command);
        cr_assert(mentions(zsh, "'", command, length), "%s", command);
        const cli_run help = CLI_OK("help", command);
        for (const char *row = help.out; (row = strchr(row, '\n')) != NULL;) {
            row++; /* "  -o, --output" */
            if (strlen(row) < 9 || strncmp(row + 6, "--", 2) != 0)
                continue;
            cr_assert(mentions(page, "Fl -", row + 8, strcspn(row + 8, " \n")), "%s: %.20s", command, row);
            options++;
        }
    }
    cr_assert_gt(options, 80);
    free(page);
    free(bash);
    free(zsh);
}

Test(cli, options_are_taken_in_every_spelling)
{
    static const int32_t in[] = {5, -3, 9};
    const char *path = cli_file("-x", in, sizeof in);
    const char *const expected = "9\n5\n-3\n";
    cr_assert_str_eq(CLI_OK("sort", "-rt", "i32", path).out, expected);
    cr_assert_str_eq(CLI_OK("sort", path, "-qrti32").out, expected);
    cr_assert_str_eq(CLI_OK("sort", path, "--desc", "--type=i32").out, expected);
    cr_assert_str_eq(CLI_OK("sort", "--descending", "-t", "i32", "--", path).out, expected);
    cr_assert_str_eq(CLI_OK("histogram", "-t", "i32", path, "--range", "-4,-2", "--json", "-n1").out,
                     CLI_OK("histogram", "-t", "i32", path, "--range=-4,-2", "--json", "--bins=1").out);
    cr_assert_eq(chdir(cli_path(".")), 0);
    cr_assert_str_eq(CLI_OK("sort", "-rti32", "--", "-x").out, expected);
    cr_assert_eq(CLI("sort", "-rti32", "-x").status, 2);
}

Test(cli, verbose_tells_of_the_device_and_its_cache)
{
    static const int32_t in[] = {5, -3, 9};
    const char *path = cli_npy("in.npy", CLPRIM_I32, in, 3);
    const char *cache = cli_path("open");
    cr_assert_str_empty(CLI_OK("sum", path).err);
    cr_assert_eq(mkdir(cache, 0777), 0);
    cr_assert_eq(chmod(cache, 0777), 0);
    cr_assert_eq(setenv("CLPRIM_CACHE_DIR", cache, 1), 0);
    const cli_run quiet = CLI_OK("sum", path);
    const cli_run run = CLI("sum", path, "-v");
    cr_assert_eq(run.status, 0);
    cr_assert_str_eq(run.out, "11\n");
    cr_assert_str_eq(quiet.out, "11\n");
    cr_assert_eq(strncmp(run.err, "clprim: device: ", 16), 0, "%s", run.err);
    cr_assert_not_null(strstr(run.err, clprim_runtime_info(test_runtime(NULL))->name), "%s", run.err);
    const char *line = strstr(run.err, "\nclprim: cache of kernels: ");
    cr_assert_not_null(line, "%s", run.err);
    cr_assert_not_null(strstr(line, cache), "%s", run.err);
    cr_assert_not_null(strstr(CLI("devices", "--verbose").err, cache));
}

Test(cli, help_names_every_option_and_the_version_is_the_headers)
{
    static const char *const commands[] = {"devices", "self-test", "sort",      "sum",    "min",
                                           "max",     "scan",      "histogram", "unique", "top-k"};
    char version[64];
    const cli_run all = CLI_OK("--help");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const cli_run one = CLI_OK(commands[i], "--help");
        cr_assert_not_null(strstr(all.out, commands[i]));
        cr_assert_not_null(strstr(one.out, "--device"), "%s", commands[i]);
        cr_assert_eq(strncmp(one.out, "clprim ", 7), 0);
    }
    cr_assert_not_null(strstr(CLI_OK("top-k", "-h").out, "--smallest"));
    cr_assert_null(strstr(CLI_OK("sum", "-h").out, "--smallest"));
    (void)snprintf(version, sizeof version, "clprim %d.%d.%d\n", CLPRIM_VERSION_MAJOR, CLPRIM_VERSION_MINOR,
                   CLPRIM_VERSION_PATCH);
    cr_assert_str_eq(CLI_OK("--version").out, version);
    cr_assert_str_eq(CLI_OK("help").out, all.out);
    cr_assert_str_eq(CLI_OK("help", "sort").out, CLI_OK("sort", "--help").out);
    cr_assert_str_eq(CLI_OK("sort", "x", "y", "--help").out, CLI_OK("sort", "--help").out);
}
