// SPDX-License-Identifier: MIT
/* options.c: parse the command line. One table lists all options: which commands accept them, which values they allow,
 * and what --help says about them. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "number.h"
#include "output.h"
#include "suggest.h"

enum { MIN_MEMORY = 4096, MAX_BINS = 1 << 24, OPTION_SIZE = 64 };

/* Parse a value and store it in its member of cli_options. Returns false if the option does not allow it. */
typedef bool (*take_fn)(void *member, const char *value);

static bool take_flag(void *member, const char *value)
{
    (void)value;
    *(bool *)member = true;
    return true;
}

static bool take_text(void *member, const char *value)
{
    *(const char **)member = value;
    return value[0] != '\0';
}

static bool take_count(void *member, const char *value)
{
    return number_parse_size(member, value) && *(size_t *)member > 0;
}

static bool take_bins(void *member, const char *value)
{
    return take_count(member, value) && *(size_t *)member <= MAX_BINS;
}

static bool take_memory(void *member, const char *value)
{
    return number_parse_bytes(member, value) && *(size_t *)member >= MIN_MEMORY;
}

static bool take_type(void *member, const char *value)
{
    return number_parse_type(member, value);
}

static bool take_range(void *member, const char *value)
{
    cli_range *range = member;
    range->is_given = true;
    return number_parse_range(&range->low, &range->high, value);
}

static bool take_nan(void *member, const char *value)
{
    const bool is_last = strcmp(value, "last") == 0;
    *(clprim_nan_order *)member = is_last ? CLPRIM_NAN_LAST : CLPRIM_NAN_TOTAL;
    return is_last || strcmp(value, "total") == 0;
}

#define ARRAYS     " sort sum min max scan histogram unique top-k "
#define DEVICES    " devices self-test" ARRAYS
#define TYPES      "i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64"
#define NAME       "a file's name"
#define NAN_ORDERS "last or total"
#define TO(field)  offsetof(cli_options, field)

typedef struct row {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: none */
    const char *allowed;  /* allowed values, for messages */
    take_fn take;
    size_t member;
    const char *commands; /* names separated by spaces; "": all commands */
    const char *help;
} row;

static const row rows[] = {
    {"output", 'o', "FILE", NAME ", or -", take_text, TO(output), " sort scan histogram unique top-k ",
     "write the result to this file: .npy if the name ends so, else raw\n(text with --text). - is standard output, in "
     "the input's format.\nWithout it: as text to standard output"},
    {"descending", 'r', NULL, NULL, take_flag, TO(descending), " sort ",
     "largest first; equal elements keep their order"},
    {"indices", 0, NULL, NULL, take_flag, TO(indices), " sort top-k ",
     "write the elements' indices (u64, from 0) instead of the elements"},
    {"index", 0, NULL, NULL, take_flag, TO(with_index), " min max ", "also print the index of the first such element"},
    {"wide", 0, NULL, NULL, take_flag, TO(wide), " sum ", "print a sum of integers even if it needs more than 64 bits"},
    {"exclusive", 0, NULL, NULL, take_flag, TO(exclusive), " scan ",
     "each sum is that of the elements before, without its own"},
    {"wrap", 0, NULL, NULL, take_flag, TO(wrap), " scan ", "sums of integers are modulo 2^64"},
    {"bins", 'n', "N", "a whole number from 1 to 16777216", take_bins, TO(bins), " histogram ",
     "number of bins, 1 to 16777216; default 20, or fewer for few integers"},
    {"range", 0, "LO,HI", "two finite numbers LO,HI with LO < HI", take_range, TO(range), " histogram ",
     "count elements with LO <= x <= HI; default: all finite elements"},
    {"svg", 0, "FILE", NAME, take_text, TO(svg), " histogram ", "also draw the histogram to this file"},
    {"svg", 0, "FILE", NAME, take_text, TO(svg), " trace ",
     "draw it to this file instead: a row for each access, a column for\neach work-item"},
    {"html", 0, "FILE", NAME, take_text, TO(html), " trace ",
     "write a page that plays it to this file instead; with the variant\nall, every step of the ladder"},
    {"count", 'c', NULL, NULL, take_flag, TO(with_counts), " unique ", "also print how often each value occurs"},
    {"counts", 0, "FILE", NAME, take_text, TO(counts), " unique ",
     "write how often each value occurs (u64) to this file, as --output does"},
    {"k", 'k', "K", "a whole number from 1 on", take_count, TO(k), " top-k ", "how many elements; required"},
    {"smallest", 0, NULL, NULL, take_flag, TO(smallest), " top-k ", "find the k smallest elements instead"},
    {"nan", 0, "ORDER", NAN_ORDERS, take_nan, TO(nan), " sort unique top-k ",
     "last (default): NaNs are greater than +inf, whatever their sign;\ntotal: negative NaNs are less than -inf"},
    {"nan", 0, "ORDER", NAN_ORDERS, take_nan, TO(nan), " min max ",
     "last (default): the result is NaN if any element is;\ntotal: positive NaNs are greater than +inf, negative ones "
     "less than -inf"},
    {"type", 't', "TYPE", "one of " TYPES, take_type, TO(type), ARRAYS,
     "type of the elements of raw and text files:\n" TYPES},
    {"text", 0, NULL, NULL, take_flag, TO(text), ARRAYS,
     "FILE is text: numbers between white space. Outputs whose name does\nnot end in .npy are text, too"},
    {"memory", 0, "BYTES", "a whole number from 4096 on; K, M, G and T after it are powers of 1024", take_memory,
     TO(memory), ARRAYS, "use at most about this much memory on the device, and on the host\n(K, M, G, T)"},
    {"primitive", 0, "NAME", "a primitive's name: reduce, scan, radix_sort, ...", take_text, TO(primitive),
     " self-test ", "test only this primitive: reduce, scan, radix_sort, ..."},
    {"quick", 0, NULL, NULL, take_flag, TO(quick), " self-test ", "test one plan of each variant"},
    {"again", 0, NULL, NULL, take_flag, TO(again), " self-test ",
     "first forget which variants ended earlier processes"},
    {"report", 0, "FILE", NAME, take_text, TO(report), " self-test ",
     "write device, results and speeds to this file, as JSON: docs/drivers.md"},
    {"group", 0, "N", "a power of two", take_count, TO(group), " trace ",
     "work-items of a group; default: as many as there are values"},
    {"lanes", 0, "N", "a power of two", take_count, TO(lanes), " trace ",
     "lanes of a sub-group in the picture; default: half a group, at most 32"},
    {"banks", 0, "N", "a power of two", take_count, TO(banks), " trace ",
     "banks of local memory in the picture; default: as many as lanes"},
    {"device", 0, "TEXT", "gpu, cpu, accelerator, an index, or a part of a name", take_text, TO(device),
     " trace" DEVICES, "gpu, cpu, accelerator, an index, or a part of a name;\ndefault $CLPRIM_DEVICE"},
    {"json", 0, NULL, NULL, take_flag, TO(json), "", "print the result as one JSON object"},
    {"quiet", 'q', NULL, NULL, take_flag, TO(quiet), DEVICES, "show no progress on the terminal"},
    {"verbose", 'v', NULL, NULL, take_flag, TO(verbose), DEVICES,
     "say on standard error which device is used, and what is wrong\nwith the cache of kernels or the tuning file"},
    {"help", 'h', NULL, NULL, take_flag, TO(help), "", "list these options"},
};

enum { NUM_ROWS = sizeof rows / sizeof *rows };

static bool is_for(const row *option, const char *command)
{
    char name[32];
    (void)snprintf(name, sizeof name, " %s ", command);
    return option->commands[0] == '\0' || strstr(option->commands, name) != NULL;
}

void cli_options_help(const char *command)
{
    const cli_command *about = &cli_commands[cli_command_find(command)];
    printf("clprim %s [OPTIONS]%s\n%s\n\n", command,
           about->takes_words     ? " OPERATION VARIANT VALUES"
           : about->takes_no_file ? ""
                                  : " FILE",
           about->summary);
    for (const row *one = rows; one < rows + NUM_ROWS; one++) {
        char option[OPTION_SIZE];
        const char *help = one->help;
        if (!is_for(one, command))
            continue;
        (void)snprintf(option, sizeof option, "%c%c%c --%s%s%s", one->letter != 0 ? '-' : ' ',
                       one->letter != 0 ? one->letter : ' ', one->letter != 0 ? ',' : ' ', one->name,
                       one->argument != NULL ? " " : "", one->argument != NULL ? one->argument : "");
        for (const char *end; (end = strchr(help, '\n')) != NULL; help = end + 1, option[0] = '\0')
            printf("  %-22s  %.*s\n", option, (int)(end - help), help);
        printf("  %-22s  %s\n", option, help);
    }
    if (!about->takes_no_file && !about->takes_words)
        printf("\nFILE is a .npy file, raw with --type, or text with --text; - is standard input. See clprim(1).\n");
}

/* The arguments that are still to be parsed. */
typedef struct arguments {
    char **next;
    char **end;
    cli_options *out;
    size_t files;
} arguments;

/* The named value that the user may have meant: NumPy's float32 is f32 here. */
static const char *meant_value(char out[static SUGGEST_SIZE], const row *option, const char *value)
{
    static const char *const orders[] = {"last", "total"};
    char type_name[4] = "";
    clprim_type type = CLPRIM_TYPE_DEFAULT;
    if (value == NULL)
        return "";
    suggest like = suggest_for(value);
    (void)snprintf(type_name, sizeof type_name, "%c%s", value[0], value + strcspn(value, "0123456789"));
    if (option->take == take_type && number_parse_type(&type, type_name))
        like.best = clprim_type_name(type);
    for (int each = CLPRIM_TYPE_DEFAULT + 1; option->take == take_type && like.best == NULL && each < CLPRIM_TYPE_END;
         each++)
        suggest_add(&like, clprim_type_name((clprim_type)each));
    for (size_t i = 0; option->take == take_nan && i < sizeof orders / sizeof *orders; i++)
        suggest_add(&like, orders[i]);
    return suggest_text(out, &like, "", "");
}

/* Handle an option. `value` is NULL if there is no "=VALUE" or "-xVALUE". `spelled`: the option as the user wrote
 * it. */
static cli_result take_option(arguments *self, const row *option, const char *spelled, const char *value)
{
    const char *command = self->out->command;
    char meant[SUGGEST_SIZE];
    if (option->argument == NULL && value != NULL)
        return cli_refuse(NULL, "%s: %s takes no value", command, spelled);
    if (option->argument != NULL && value == NULL) {
        if (self->next == self->end)
            return cli_refuse(NULL, "%s: %s needs a value: %s", command, spelled, option->allowed);
        value = *self->next++;
    }
    if (!option->take((char *)self->out + option->member, value))
        return cli_refuse(NULL, "%s: %s %s: the value must be %s%s", command, spelled, value, option->allowed,
                          meant_value(meant, option, value));
    return CLI_OK;
}

/* `size`: the length of the option's name with its dashes, without a value. */
static cli_result unknown_option(const char *command, const char *argument, size_t size)
{
    char name[SUGGEST_LONGEST + 1];
    char meant[SUGGEST_SIZE];
    (void)snprintf(name, sizeof name, "%.*s", (int)size - 2, argument + 2);
    suggest like = suggest_for(size - 2 < sizeof name ? name : "");
    for (const row *one = rows; one < rows + NUM_ROWS; one++)
        if (is_for(one, command))
            suggest_add(&like, one->name);
    return cli_refuse(NULL, "%s: %.*s: unknown option%s clprim %s --help lists them", command, (int)size, argument,
                      suggest_text(meant, &like, "--", ";"), command);
}

/* Parse --NAME or --NAME=VALUE. A prefix of the name is enough if only one option begins with it. */
static cli_result take_long(arguments *self, const char *argument)
{
    const char *command = self->out->command;
    const size_t size = strcspn(argument + 2, "=");
    const char *value = argument[2 + size] == '=' ? argument + 2 + size + 1 : NULL;
    const row *found = NULL;
    size_t matches = 0;
    char spelled[OPTION_SIZE];
    for (const row *one = rows; one < rows + NUM_ROWS; one++) {
        if (!is_for(one, command) || strncmp(one->name, argument + 2, size) != 0)
            continue;
        found = one;
        matches++;
        if (one->name[size] == '\0') { /* an exact match */
            matches = 1;
            break;
        }
    }
    if (matches == 0)
        return unknown_option(command, argument, size + 2);
    if (matches > 1)
        return cli_refuse(NULL, "%s: %s: several options begin so; clprim %s --help lists them", command, argument,
                          command);
    (void)snprintf(spelled, sizeof spelled, "--%s", found->name);
    return take_option(self, found, spelled, value);
}

/* Refuse an unknown letter. There may be an option with the same letter in the other case. */
static cli_result unknown_letter(const char *command, char letter)
{
    char other = letter;
    for (const row *one = rows; one < rows + NUM_ROWS; one++)
        if (one->letter != 0 && is_for(one, command) && (one->letter ^ letter) == ('a' ^ 'A'))
            other = one->letter;
    const char meant[] = {other, '\0'};
    return cli_refuse(NULL, "%s: -%c: unknown option; %s%s%sclprim %s --help lists them", command, letter,
                      other != letter ? "did you mean -" : "", other != letter ? meant : "",
                      other != letter ? "? " : "", command);
}

/* Parse -x, -xVALUE, or several letters without values. */
static cli_result take_letters(arguments *self, const char *letters)
{
    const char *command = self->out->command;
    for (const char *letter = letters; *letter != '\0'; letter++) {
        const char spelled[] = {'-', *letter, '\0'};
        const row *option = rows;
        while (option < rows + NUM_ROWS && (option->letter != *letter || !is_for(option, command)))
            option++;
        if (option == rows + NUM_ROWS)
            return unknown_letter(command, *letter);
        const bool has_value = option->argument != NULL && letter[1] != '\0';
        const cli_result result = take_option(self, option, spelled, has_value ? letter + 1 : NULL);
        if (result != CLI_OK || has_value)
            return result;
    }
    return CLI_OK;
}

static bool is_stdout(const char *name)
{
    return name != NULL && strcmp(name, "-") == 0;
}

/* If two outputs went to the same file, only the last one would remain. */
static cli_result check_outputs(const cli_options *options)
{
    const struct {
        const char *option, *name;
    } outputs[] = {
        {"--output", is_stdout(options->output) ? NULL : options->output},
        {"--counts", options->counts},
        {"--svg", options->svg},
        {"--html", options->html},
    };
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        for (size_t j = 0; j < i; j++)
            if (outputs[i].name != NULL && outputs[j].name != NULL && output_is_same(outputs[i].name, outputs[j].name))
                return cli_refuse(NULL, "%s: %s and %s are the same file, %s", options->command, outputs[j].option,
                                  outputs[i].option, outputs[i].name);
    return CLI_OK;
}

static cli_result check(const cli_options *options, size_t files)
{
    const char *command = options->command;
    const bool takes_no_file = cli_commands[cli_command_find(command)].takes_no_file;
    if (!cli_commands[cli_command_find(command)].takes_words && files != (takes_no_file ? 0 : 1))
        return cli_refuse(NULL, "%s: %s; clprim %s --help lists what it takes", command,
                          takes_no_file ? "takes no file" : "takes one file", command);
    if (strcmp(command, "top-k") == 0 && options->k == 0)
        return cli_refuse(NULL, "top-k: how many? give -k K, a whole number from 1 on");
    if (is_stdout(options->output) && options->json)
        return cli_refuse(NULL, "%s: --json and --output - would both be standard output", command);
    if (is_stdout(options->counts))
        return cli_refuse(NULL, "%s: --counts takes " NAME ", not -", command);
    if (is_stdout(options->svg))
        return cli_refuse(NULL, "%s: --svg takes " NAME ", not -", command);
    if (is_stdout(options->html))
        return cli_refuse(NULL, "%s: --html takes " NAME ", not -", command);
    return check_outputs(options);
}

cli_result cli_options_parse(cli_options *out, int argc, char **argv)
{
    arguments rest = {.next = argv + 2, .end = argv + argc, .out = out};
    bool has_options = true; /* no "--" yet */
    cli_result result = CLI_OK;
    *out = (cli_options){.command = argv[1], .nan = CLPRIM_NAN_LAST};
    if (cli_command_find(argv[1]) == cli_num_commands)
        return cli_command_unknown(argv[1]);
    const bool takes_words = cli_commands[cli_command_find(argv[1])].takes_words;
    while (rest.next < rest.end && !out->help) {
        const char *argument = *rest.next++;
        const bool is_number = argument[0] == '-' && argument[1] >= '0' && argument[1] <= '9' && takes_words;
        if (!has_options || argument[0] != '-' || argument[1] == '\0' || is_number) {
            out->file = argument;
            if (takes_words && out->num_words < CLI_MOST_WORDS)
                out->words[out->num_words++] = argument;
            rest.files++;
        } else if (strcmp(argument, "--") == 0) {
            has_options = false;
        } else {
            CLI_TRY(argument[1] == '-' ? take_long(&rest, argument) : take_letters(&rest, argument + 1));
        }
    }
    if (!out->help)
        CLI_TRY(check(out, rest.files));
done:
    return result;
}
