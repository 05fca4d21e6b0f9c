// SPDX-License-Identifier: MIT
/* commands.c: the list of subcommands. To add one, add a row here, and its options in options.c. */
#include <string.h>

#include "cli.h"
#include "suggest.h"

const cli_command cli_commands[] = {
    {"devices", "list the OpenCL devices", cli_devices, .takes_no_file = true},
    {"operations", "list all operations, their members and variants", cli_operations, .takes_no_file = true},
    {"self-test", "try all kernels on this device, against the host", cli_self_test, .takes_no_file = true},
    {"sort", "sort the elements, or make the indices that sort them", cli_sort, .takes_ranks = true},
    {"sum", "add all elements", cli_sum, .takes_ranks = true},
    {"min", "find the least element", cli_min, .takes_ranks = true},
    {"max", "find the greatest element", cli_max, .takes_ranks = true},
    {"scan", "make the running sums", cli_scan, .takes_ranks = false},
    {"histogram", "count the elements in bins of one width", cli_histogram, .takes_ranks = true},
    {"unique", "sort, and keep one of each", cli_unique, .takes_ranks = false},
    {"top-k", "find the k largest elements", cli_top_k, .takes_ranks = false},
    {"trace", "run a step of a ladder on a few numbers, and show what its work-items do", cli_trace,
     .takes_words = true},
};

const size_t cli_num_commands = sizeof cli_commands / sizeof *cli_commands;

cli_result cli_command_unknown(const char *name)
{
    suggest like = suggest_for(name);
    char meant[SUGGEST_SIZE];
    for (size_t i = 0; i < cli_num_commands; i++)
        suggest_add(&like, cli_commands[i].name);
    suggest_add(&like, "help");
    return cli_refuse(NULL, "%s: unknown command%s clprim help lists them", name, suggest_text(meant, &like, "", ";"));
}

size_t cli_command_find(const char *name)
{
    size_t i = 0;
    while (i < cli_num_commands && strcmp(cli_commands[i].name, name) != 0)
        i++;
    return i;
}
