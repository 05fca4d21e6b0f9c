// SPDX-License-Identifier: MIT
/* main.c: the tool `clprim`: primitives on arrays in files. */
#include <clprim/version.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "output.h"
#include "ranks.h"
#include "system.h"

static void print_usage(void)
{
    printf("Primitives on any OpenCL device, on arrays in files: .npy, raw, or text.\n\n");
    for (size_t i = 0; i < cli_num_commands; i++)
        printf("  clprim %-10s %s  %s\n", cli_commands[i].name,
               cli_commands[i].takes_no_file || cli_commands[i].takes_words ? "    " : "FILE", cli_commands[i].summary);
    printf("\nclprim help COMMAND lists a command's options; clprim --version says which one this is.\n"
           "Exit status: 0; 1 where the device failed or an integer sum needs more than 64 bits; 2 for a bad command\n"
           "line or file.\n");
}

static cli_result help(const char *command)
{
    if (command == NULL)
        print_usage();
    else if (cli_command_find(command) == cli_num_commands)
        return cli_command_unknown(command);
    else
        cli_options_help(command);
    return CLI_OK;
}

static cli_result run(int argc, char **argv)
{
    cli_options options = {0};
    cli_result result = CLI_OK;
    if (argc < 2)
        return cli_refuse(NULL, "which command? clprim help lists them");
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(argc > 2 ? argv[2] : NULL);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        const int version = clprim_version();
        printf("clprim %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
        return CLI_OK;
    }
    CLI_TRY(ranks_agree(cli_options_parse(&options, argc, argv))); /* parsing also checks files */
    if (options.help)
        return help(options.command);
    const cli_command *command = &cli_commands[cli_command_find(options.command)];
    if (ranks_size() > 1 && !command->takes_ranks)
        return cli_refuse(NULL, "%s: runs on one rank only, not on %u", options.command, ranks_size());
    cli_progress_begin(&options);
    result = command->run(&options);
    cli_progress_end();
done:
    return result;
}

int main(int argc, char **argv)
{
    system_begin(&argc, &argv);
    output_watch_signals();
    cli_result result = ranks_begin(argc, argv);
    if (result == CLI_OK)
        result = run(argc, argv);
    if (result == CLI_OK && (fflush(stdout) != 0 || ferror(stdout)))
        result = cli_refuse("standard output", "cannot be written");
    result = ranks_agree(result);
    ranks_end();
    return (int)result;
}
