// SPDX-License-Identifier: MIT
/* cli.h: what all parts of the tool `clprim` share: options, exit statuses, and error messages. */
#ifndef CLPRIM_CLI_H
#define CLPRIM_CLI_H

#include <clprim/runtime.h>
#include <clprim/status.h>
#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit status. For every status except CLI_OK, a message of one line was written to stderr. */
typedef enum cli_result {
    CLI_OK = 0,
    CLI_FAILED = 1, /* the device failed, or there is no result: an integer sum does not fit 64 bits */
    CLI_REFUSED = 2 /* an error in the command line or in a file */
} cli_result;

#define CLI_TRY(step)                                                                                                  \
    do {                                                                                                               \
        result = (step);                                                                                               \
        if (result != CLI_OK)                                                                                          \
            goto done;                                                                                                 \
    } while (0)

/* Call a function of clPRIM or OpenCL. */
#define CLI_CALL(call)                                                                                                 \
    do {                                                                                                               \
        const clprim_status cli_status = (clprim_status)(call);                                                        \
        if (cli_status != CLPRIM_SUCCESS) {                                                                            \
            result = cli_device_failed(#call, cli_status);                                                             \
            goto done;                                                                                                 \
        }                                                                                                              \
    } while (0)

typedef struct cli_range {
    double low, high;
    bool is_given;
} cli_range;

enum { CLI_MOST_WORDS = 80 };

typedef struct cli_options {
    const char *command;
    const char *file;
    const char *output; /* NULL: write text to standard output */
    const char *counts; /* for unique: the file for the counts */
    const char *svg;
    const char *html; /* for trace */
    const char *device;
    const char *primitive; /* for self-test; NULL: all */
    const char *report;    /* for self-test: a file; NULL: none */
    clprim_type type;      /* for raw data and text; 0: not given */
    size_t memory;         /* in bytes; 0: not given */
    size_t k;
    const char *words[CLI_MOST_WORDS]; /* for trace */
    size_t num_words;
    size_t group, lanes, banks; /* for trace; 0: not given */
    size_t bins;                /* 0: not given */
    cli_range range;
    clprim_nan_order nan; /* for floats; default: CLPRIM_NAN_LAST */
    bool descending, indices, exclusive, smallest, with_counts, with_index, wide, wrap; /* flags of the commands */
    bool text, json, quiet, verbose, quick, again, help;
} cli_options;

#if defined(__MINGW32__) /* where GCC takes printf for that of Microsoft's old library */
#define CLI_PRINTF(text, rest) __attribute__((format(gnu_printf, text, rest)))
#elif defined(__GNUC__)
#define CLI_PRINTF(text, rest) __attribute__((format(printf, text, rest)))
#else
#define CLI_PRINTF(text, rest)
#endif

/* Write "clprim: FILE: why", and return CLI_REFUSED. If file is NULL, the error is in the command line. */
cli_result cli_refuse(const char *file, const char *format, ...) CLI_PRINTF(2, 3);

/* The same, but return CLI_FAILED. */
cli_result cli_fail(const char *file, const char *format, ...) CLI_PRINTF(2, 3);

/* Write the library's last error for this call, and return CLI_FAILED. */
cli_result cli_device_failed(const char *call, clprim_status status);

/* This process is one of several ranks (ranks.h). From now on, messages of the three functions above begin with the
 * rank, counted from 1, and are kept until cli_end_kept. Only rank 0 shows progress. */
void cli_speak_as_rank(unsigned rank);

/* The ranks have agreed on which of them writes its message. Write the kept message, or discard it. */
void cli_end_kept(bool is_said);

/* With --verbose: write the device, and problems with the kernel cache, the tuning file or kernels, to stderr. */
void cli_report_runtime(const cli_options *options, const clprim_runtime *runtime);

/* "standard input" for "-", otherwise the name itself. */
const char *cli_input_name(const char *file);

/* Show progress of long work in a line on stderr, if that is a terminal. `of` is SIZE_MAX if the total is not known. */
void cli_progress_begin(const cli_options *options);
void cli_progress(const char *doing, size_t done, size_t of);
void cli_progress_end(void);

/* The device that the options select, and how much device and host memory may be used. */
typedef struct cli_device {
    clprim_runtime *runtime;
    cl_command_queue queue;
    size_t memory;
    const cli_options *options;
} cli_device;

/* Create a runtime on the device that the options select. */
cli_result cli_device_runtime(clprim_runtime **out, const cli_options *options);

/* Collective. *out must be closed even after an error. */
cli_result cli_device_open(cli_device *out, const cli_options *options);
void cli_device_close(cli_device *self);

/* The number of elements in a piece, if each element takes `bytes` of memory in all, and `widest` bytes in the largest
 * buffer. */
size_t cli_device_piece(const cli_device *self, size_t bytes, size_t widest);

/* Make sure that a buffer has at least `bytes`. It may be replaced by a new one, without copying its contents. */
cli_result cli_device_reserve(cl_mem *buffer, size_t *capacity, const cli_device *self, size_t bytes);
void cli_device_release(cl_mem buffer);

/* Parse the command line: argv[0] is the program's name, argv[1] the subcommand. With --help, nothing else is
 * checked. */
cli_result cli_options_parse(cli_options *out, int argc, char **argv);

/* Print the --help text of a known subcommand. */
void cli_options_help(const char *command);

/* The subcommands. */
cli_result cli_devices(const cli_options *options);
cli_result cli_operations(const cli_options *options);
cli_result cli_self_test(const cli_options *options);
cli_result cli_sort(const cli_options *options);
cli_result cli_sum(const cli_options *options);
cli_result cli_min(const cli_options *options);
cli_result cli_max(const cli_options *options);
cli_result cli_scan(const cli_options *options);
cli_result cli_histogram(const cli_options *options);
cli_result cli_unique(const cli_options *options);
cli_result cli_top_k(const cli_options *options);
cli_result cli_trace(const cli_options *options);

/* The table of all subcommands. */
typedef struct cli_command {
    const char *name;
    const char *summary;
    cli_result (*run)(const cli_options *options);
    bool takes_no_file;
    bool takes_words; /* OPERATION VARIANT VALUES instead of a file */
    bool takes_ranks; /* several ranks can share the work */
} cli_command;

extern const cli_command cli_commands[];
extern const size_t cli_num_commands;
size_t cli_command_find(const char *name); /* index in the table, or cli_num_commands */
cli_result cli_command_unknown(const char *name);

#endif
