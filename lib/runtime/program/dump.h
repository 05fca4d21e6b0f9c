/* dump.h: programs as the compiler gets them, for people who look into a driver (CLPRIM_DUMP). */
#ifndef CLPRIM_LIB_DUMP_H
#define CLPRIM_LIB_DUMP_H

#include <clprim/status.h>
#include <stddef.h>

#include "text.h"

typedef struct clprim__dump clprim__dump;

/* *out is NULL, which the other functions accept, where CLPRIM_DUMP is not set. Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__dump_open(clprim__dump **out);
void clprim__dump_close(clprim__dump *self);

/* What a program's file is made of. */
typedef struct clprim__dumped {
    const clprim__text *key; /* names the file */
    const char *path;        /* of the kernel's own source */
    const char *device;      /* lines about it */
    const char *options;
    const char *source;
    const char *const *kernels; /* names of the functions */
    size_t num_kernels;
    const char *kernel_prefix; /* in front of each of these */
} clprim__dumped;

/* Write a program's file, unless it is there. Thread-safe. */
void clprim__dump_write(clprim__dump *self, const clprim__dumped *program);

/* Add a sentence about what is wrong with the directory, if anything. It makes the directory. Returns the number of
 * sentences. */
size_t clprim__dump_problem(clprim__text *out, clprim__dump *self);

#endif
