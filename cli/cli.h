/* cli.h: what all parts of the tool `clprim` share: its options, its exit statuses, and how it says what is wrong. */
#ifndef CLPRIM_CLI_H
#define CLPRIM_CLI_H

#include <clprim/runtime.h>
#include <clprim/status.h>
#include <clprim/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit status. Whatever is not CLI_OK has been told in one line on stderr. */
typedef enum cli_result {
    CLI_OK = 0,
    CLI_FAILED = 1, /* the device, or there is no such result: an integer sum beyond 64 bits */
    CLI_REFUSED = 2 /* the command line or a file */
} cli_result;

#define CLI_TRY(step)                                                                                                  \
    do {                                                                                                               \
        result = (step);                                                                                               \
        if (result != CLI_OK)                                                                                          \
            goto done;                                                                                                 \
    } while (0)

/* A call of clPRIM or OpenCL. */
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

typedef struct cli_options {
    const char *command;
    const char *file;
    const char *output; /* NULL: text on standard output */
    const char *counts; /* of unique: where the counts go */
    const char *svg;
    const char *device;
    const char *primitive; /* of self-test; NULL: all */
    const char *report;    /* of self-test: a file; NULL: none */
    clprim_type type;      /* of raw data and text; 0: not given */
    size_t memory;         /* bytes; 0: not given */
    size_t k;
    size_t bins; /* 0: not given */
    cli_range range;
    clprim_nan_order nan; /* of floats; default: CLPRIM_NAN_LAST */
    bool descending, indices, exclusive, smallest, with_counts, with_index, wide, wrap; /* what to make */
    bool text, json, quiet, verbose, quick, again, help;
} cli_options;

/* "clprim: FILE: why", and CLI_REFUSED; file NULL: the command line is at fault. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
cli_result
cli_refuse(const char *file, const char *format, ...);

/* The same with CLI_FAILED. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
cli_result
cli_fail(const char *file, const char *format, ...);

/* What the library says about the call that failed, and CLI_FAILED. */
cli_result cli_device_failed(const char *call, clprim_status status);

/* This process is one of several ranks (ranks.h). From now on what the three above say begins with the rank, from 1 on,
 * and waits for cli_end_kept; progress is rank 0's alone. */
void cli_speak_as_rank(unsigned rank);

/* The ranks know which of them speaks: say what waits, or forget it. */
void cli_end_kept(bool is_said);

/* With --verbose: the device, and what is wrong with the cache of kernels, the tuning file, or kernels, on stderr. */
void cli_report_runtime(const cli_options *options, const clprim_runtime *runtime);

/* "standard input" for "-", else the name itself. */
const char *cli_input_name(const char *file);

/* On long work a line on stderr, if that is a terminal; `of` SIZE_MAX: not known. */
void cli_progress_begin(const cli_options *options);
void cli_progress(const char *doing, size_t done, size_t of);
void cli_progress_end(void);

/* The device that the options choose, and how much memory may be taken of it (and of the host). */
typedef struct cli_device {
    clprim_runtime *runtime;
    cl_command_queue queue;
    size_t memory;
    const cli_options *options;
} cli_device;

/* A runtime on the device that the options say. */
cli_result cli_device_runtime(clprim_runtime **out, const cli_options *options);

/* Collective. *out is to be closed in any case. */
cli_result cli_device_open(cli_device *out, const cli_options *options);
void cli_device_close(cli_device *self);

/* How many elements one chunk has, where each takes `bytes` of memory and `widest` in the largest buffer. */
size_t cli_device_chunk(const cli_device *self, size_t bytes, size_t widest);

/* A buffer of at least `bytes`: the one there is, or a new one without its contents. */
cli_result cli_device_reserve(cl_mem *buffer, size_t *capacity, const cli_device *self, size_t bytes);
void cli_device_release(cl_mem buffer);

/* Read the arguments, argv[0] being the program's name and argv[1] the subcommand. With --help nothing else is
 * checked. */
cli_result cli_options_parse(cli_options *out, int argc, char **argv);

/* What --help prints of a subcommand there is. */
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

/* The one table of them. */
typedef struct cli_command {
    const char *name;
    const char *summary;
    cli_result (*run)(const cli_options *options);
    bool takes_no_file;
    bool takes_ranks; /* several processes may share the work */
} cli_command;

extern const cli_command cli_commands[];
extern const size_t cli_num_commands;
size_t cli_command_find(const char *name); /* its place, or cli_num_commands */
cli_result cli_command_unknown(const char *name);

#endif
