/* test_cli.h: what the tests of the tool share: they run it, on files that they make. */
#ifndef CLPRIM_TEST_CLI_H
#define CLPRIM_TEST_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "json.h"
#include "npy.h"
#include "support.h"

/* How a run of the tool ended. The texts are ended by a 0 and live until the test ends. */
typedef struct cli_run {
    int status; /* of its exit; -1: a signal */
    char *out;
    size_t out_size;
    char *err;
} cli_run;

/* Run the tool with these arguments and standard input (NULL: empty), which must fit a pipe. */
cli_run cli_run_with(const void *input, size_t size, const char *const *arguments);
#define CLI(...)                  cli_run_with(NULL, 0, (const char *const[]){__VA_ARGS__, NULL})
#define CLI_FED(input, size, ...) cli_run_with(input, size, (const char *const[]){__VA_ARGS__, NULL})

/* The same with success, and nothing said on stderr. */
#define CLI_OK(...) cli_succeeded(CLI(__VA_ARGS__), __LINE__)
cli_run cli_succeeded(cli_run run, int line);

/* It was refused with this status in exactly one line, "clprim: SUBJECT: ... why ...", and wrote nothing else. */
void cli_expect_refusal(const cli_run *run, int status, const char *subject, const char *why);

/* Start it; its standard input is the pipe whose end *input is. */
pid_t cli_start(int *input, const char *const *arguments);

/* A file's path in the test's own directory; its names are used up after 16 calls. */
const char *cli_path(const char *name);
size_t cli_num_files(void); /* in that directory */

/* Files of any bytes, and of an array with the header that the tool itself writes. */
const char *cli_file(const char *name, const void *bytes, size_t size);
const char *cli_npy(const char *name, clprim_type type, const void *elements, size_t count);

/* A file's bytes, with a 0 behind them. */
char *cli_read_all(const char *path, size_t *size);

/* A .npy file's elements; the test fails where the header does not say this type, or is no header. */
void *cli_read_npy(const char *path, clprim_type type, size_t *count);

/* The file has these elements. */
void cli_expect_npy(const char *path, clprim_type type, const void *expected, size_t count, const char *what);

/* Random ones, many of them equal. */
void *cli_elements(clprim_type type, size_t count, uint64_t seed);

#endif
