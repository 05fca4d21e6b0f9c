/* main.c: the tool `clprim`: primitives on arrays in files. To add one: a row here, and its options in options.c. */
#include <clprim/version.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "sink.h"

const cli_command cli_commands[] = {
    {"devices", "list the OpenCL devices", cli_devices, true},
    {"self-test", "try all kernels on this device, against the host", cli_self_test, true},
    {"sort", "sort the elements, or make the indices that sort them", cli_sort, false},
    {"sum", "add all elements", cli_sum, false},
    {"min", "find the least element", cli_min, false},
    {"max", "find the greatest element", cli_max, false},
    {"scan", "make the running sums", cli_scan, false},
    {"histogram", "count the elements in bins of one width", cli_histogram, false},
    {"unique", "sort, and keep one of each", cli_unique, false},
    {"top-k", "find the k largest elements", cli_top_k, false},
};

const size_t cli_num_commands = sizeof cli_commands / sizeof *cli_commands;

size_t cli_command_find(const char *name)
{
    size_t i = 0;
    while (i < cli_num_commands && strcmp(cli_commands[i].name, name) != 0)
        i++;
    return i;
}

static void print_usage(void)
{
    printf("Primitives on any OpenCL device, on arrays in .npy files and raw ones.\n\n");
    for (size_t i = 0; i < cli_num_commands; i++)
        printf("  clprim %-10s %s  %s\n", cli_commands[i].name, cli_commands[i].takes_no_file ? "    " : "FILE",
               cli_commands[i].summary);
    printf("\nclprim COMMAND --help lists a command's options; clprim --version says which one this is.\n"
           "Exit status: 0; 1 where the device failed or an integer sum needs more than 64 bits; 2 for a bad command\n"
           "line or file.\n");
}

int main(int argc, char **argv)
{
    cli_options options = {0};
    bool is_over = false;
    (void)setlocale(LC_CTYPE, ""); /* which characters the terminal has; numbers stay as they are */
    sink_watch_signals();
    if (argc < 2)
        return cli_refuse(NULL, "which command? clprim --help lists them");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage();
        return CLI_OK;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("clprim %s\n", clprim_version_text());
        return CLI_OK;
    }
    cli_result result = cli_options_parse(&options, &is_over, argc, argv);
    if (result == CLI_OK && !is_over) {
        cli_progress_begin(&options);
        result = cli_commands[cli_command_find(options.command)].run(&options);
        cli_progress_end();
    }
    if (result == CLI_OK && (fflush(stdout) != 0 || ferror(stdout)))
        result = cli_refuse("standard output", "cannot be written");
    return (int)result;
}
