// SPDX-License-Identifier: MIT
/* dump.h: write programs to files as the compiler gets them, for people who debug drivers (CLPRIM_DUMP). */
#ifndef CLPRIM_LIB_DUMP_H
#define CLPRIM_LIB_DUMP_H

#include <clprim/status.h>
#include <stddef.h>

#include "text.h"

typedef struct clprim__dump clprim__dump;

/* *out is NULL if CLPRIM_DUMP is not set; the other functions accept NULL. Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__dump_open(clprim__dump **out);
void clprim__dump_close(clprim__dump *self);

/* The contents of a program's file. */
typedef struct clprim__dumped {
    const clprim__text *key; /* the file is named after it */
    const char *path;        /* path of the kernel's own source */
    const char *device;      /* comment lines about the program */
    const char *options;
    const char *source;
    const char *const *kernels; /* names of the kernel functions */
    size_t num_kernels;
    const char *kernel_prefix; /* precedes each of these names */
} clprim__dumped;

/* Write a program's file, unless it exists already. Thread-safe. */
void clprim__dump_write(clprim__dump *self, const clprim__dumped *program);

/* Create the directory. If anything is wrong with it, append a sentence. Returns the number of sentences. */
size_t clprim__dump_problem(clprim__text *out, clprim__dump *self);

#endif
