/* options.c: the command line. One table says which options there are, which commands take them, and what --help says
 * of them. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "number.h"

enum { MIN_MEMORY = 4096 };

/* What options without a letter are called inside; the letters lie below. */
enum { DEVICE = 256, MEMORY, JSON, INDICES, INDEX, EXCLUSIVE, BINS, RANGE, SVG, SMALLEST, COUNTS, PRIMITIVE, QUICK };

/* For whom: names of commands between spaces; "" for all. */
static const struct {
    const char *name;
    int code;
    const char *argument; /* NULL: none */
    const char *commands;
    const char *help;
} rows[] = {
    {"output", 'o', "FILE", " sort scan histogram unique top-k ",
     "write the result there, as .npy if the name ends so, else raw;\n-: to standard output, in the input's format.\n"
     "Without it as text to standard output"},
    {"descending", 'r', NULL, " sort ", "the greatest first; equal ones keep their order"},
    {"indices", INDICES, NULL, " sort top-k ", "the elements' indices (u64, from 0 on) instead of the elements"},
    {"index", INDEX, NULL, " min max ", "print its index, too: of several the first"},
    {"exclusive", EXCLUSIVE, NULL, " scan ", "the sum of all elements before each, without itself"},
    {"bins", 'n', "N", " histogram ", "so many, up to 16777216; default 20, or fewer for few integers"},
    {"range", RANGE, "LO,HI", " histogram ", "LO <= x < HI; default: all that is finite"},
    {"svg", SVG, "FILE", " histogram ", "draw it there"},
    {"count", 'c', NULL, " unique ", "how many there are of each, beside it"},
    {"counts", COUNTS, "FILE", " unique ", "write how many there are of each (u64) there, as --output does"},
    {"k", 'k', "K", " top-k ", "so many; needed"},
    {"smallest", SMALLEST, NULL, " top-k ", "the k smallest instead"},
    {"type", 't', "TYPE", " sort sum min max scan histogram unique top-k ",
     "FILE is raw, of this type: i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64"},
    {"memory", MEMORY, "BYTES", " sort sum min max scan histogram unique top-k ",
     "take no more of the device's memory, nor of the host's (K, M, G)"},
    {"primitive", PRIMITIVE, "NAME", " self-test ", "this one alone: reduce, scan, radix_sort, ..."},
    {"quick", QUICK, NULL, " self-test ", "one plan of each variant"},
    {"device", DEVICE, "TEXT", "", "gpu, cpu, an index, or a part of a name; default $CLPRIM_DEVICE"},
    {"json", JSON, NULL, "", "the result as one JSON object on standard output"},
    {"quiet", 'q', NULL, "", "no progress on the terminal"},
    {"help", 'h', NULL, "", "this"},
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };

static bool is_for(size_t row, const char *command)
{
    char name[32];
    (void)snprintf(name, sizeof name, " %s ", command);
    return rows[row].commands[0] == '\0' || strstr(rows[row].commands, name) != NULL;
}

static void print_help(const char *command)
{
    const cli_command *row = &cli_commands[cli_command_find(command)];
    printf("clprim %s [OPTIONS]%s\n%s\n\n", command, row->takes_no_file ? "" : " FILE", row->summary);
    for (size_t i = 0; i < NUM_ROWS; i++) {
        char option[40];
        const bool has_letter = rows[i].code < 256;
        const bool has_argument = rows[i].argument != NULL;
        const char *help = rows[i].help;
        if (!is_for(i, command))
            continue;
        (void)snprintf(option, sizeof option, "%c%c%c --%s%s%s", has_letter ? '-' : ' ',
                       has_letter ? rows[i].code : ' ', has_letter ? ',' : ' ', rows[i].name, has_argument ? " " : "",
                       has_argument ? rows[i].argument : "");
        for (const char *end; (end = strchr(help, '\n')) != NULL; help = end + 1, option[0] = '\0')
            printf("  %-22s  %.*s\n", option, (int)(end - help), help);
        printf("  %-22s  %s\n", option, help);
    }
    if (!row->takes_no_file)
        printf("\nFILE is a .npy file, or raw with --type; - is standard input. See clprim(1).\n");
}

/* One option; false: it has a value that it cannot have. */
static bool set(cli_options *out, int code, const char *value)
{
    switch (code) {
    case 'o': out->output = value; return value[0] != '\0';
    case 'r': out->descending = true; return true;
    case 'n': return number_parse_size(&out->bins, value) && out->bins > 0 && out->bins <= (size_t)1 << 24;
    case 'c': out->with_counts = true; return true;
    case 'k': return number_parse_size(&out->k, value) && out->k > 0;
    case 't': return number_parse_type(&out->type, value);
    case 'q': out->quiet = true; return true;
    case DEVICE: out->device = value; return true;
    case MEMORY: return number_parse_bytes(&out->memory, value) && out->memory >= MIN_MEMORY;
    case JSON: out->json = true; return true;
    case INDICES: out->indices = true; return true;
    case INDEX: out->with_index = true; return true;
    case EXCLUSIVE: out->exclusive = true; return true;
    case RANGE: out->has_range = true; return number_parse_range(&out->low, &out->high, value);
    case SVG: out->svg = value; return value[0] != '\0';
    case SMALLEST: out->smallest = true; return true;
    case PRIMITIVE: out->primitive = value; return value[0] != '\0';
    case QUICK: out->quick = true; return true;
    case COUNTS: out->counts = value; return value[0] != '\0';
    default: return false;
    }
}

static cli_result check(const cli_options *options, int rest)
{
    const bool takes_no_file = cli_commands[cli_command_find(options->command)].takes_no_file;
    const bool writes = options->output != NULL && strcmp(options->output, "-") == 0;
    if (rest != (takes_no_file ? 0 : 1))
        return cli_refuse(NULL, "%s: %s; clprim %s --help lists what it takes", options->command,
                          takes_no_file ? "takes no file" : "takes one file", options->command);
    if (strcmp(options->command, "top-k") == 0 && options->k == 0)
        return cli_refuse(NULL, "top-k: how many? give -k K");
    if (writes && options->json)
        return cli_refuse(NULL, "%s: --json and --output - would both be standard output", options->command);
    if (options->counts != NULL && strcmp(options->counts, "-") == 0)
        return cli_refuse(NULL, "%s: --counts takes a file, not -", options->command);
    return CLI_OK;
}

/* The rows of the command at hand, as getopt wants them. */
static void make_tables(struct option *longs, char *letters, const char *command)
{
    *letters++ = ':'; /* tell a missing argument from an unknown option */
    for (size_t i = 0; i < NUM_ROWS; i++) {
        if (!is_for(i, command))
            continue;
        *longs++ = (struct option){.name = rows[i].name,
                                   .has_arg = rows[i].argument != NULL ? required_argument : no_argument,
                                   .val = rows[i].code};
        if (rows[i].code < 256)
            *letters++ = (char)rows[i].code;
        if (rows[i].code < 256 && rows[i].argument != NULL)
            *letters++ = ':';
    }
    *longs = (struct option){0};
    *letters = '\0';
}

cli_result cli_options_parse(cli_options *out, bool *is_over, int argc, char **argv)
{
    struct option longs[NUM_ROWS + 1];
    char letters[2 * NUM_ROWS + 2];
    *out = (cli_options){.command = argv[1]};
    *is_over = false;
    if (cli_command_find(argv[1]) == cli_num_commands)
        return cli_refuse(NULL, "%s: unknown command; clprim --help lists them", argv[1]);
    make_tables(longs, letters, out->command);
    opterr = 0;
    optind = 2;
    for (int at = optind, code; (code = getopt_long(argc, argv, letters, longs, NULL)) != -1; at = optind) {
        const char *what = at < argc ? argv[at] : "";
        if (code == 'h') {
            print_help(out->command);
            *is_over = true;
            return CLI_OK;
        }
        if (code == '?')
            return cli_refuse(NULL, "%s: %s: unknown option", out->command, argv[optind - 1]);
        if (code == ':')
            return cli_refuse(NULL, "%s: %s: needs a value", out->command, argv[optind - 1]);
        if (!set(out, code, optarg))
            return cli_refuse(NULL, "%s: %s%s%s: a value that it cannot have", out->command, what,
                              strchr(what, '=') != NULL ? "" : " ", strchr(what, '=') != NULL ? "" : optarg);
    }
    out->file = optind < argc ? argv[optind] : NULL;
    return check(out, argc - optind);
}
