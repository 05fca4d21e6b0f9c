// SPDX-License-Identifier: MIT
/* instrument.h: a program in OpenCL C whose work-items tell what they read, write and wait for.
 *
 * Each subscript of an array becomes an expression that also prints the place and the value, and each barrier a
 * statement that prints that it was reached. Private arrays print nothing. What is printed names a site of the program:
 * which array, with which index, in which line. A record is a line:
 *
 *     \1 GROUP ITEM SITE SPACE INDEX VALUE ADDRESS SIZE      SPACE: l (local), g (global), or - (what follows is 0)
 *
 * Records of a work-item are in their order. The text may be any that the library makes of its kernels; what stands in
 * macros is left as it is, except for ELEMENT_AT. */
#ifndef CLPRIM_CLI_INSTRUMENT_H
#define CLPRIM_CLI_INSTRUMENT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum site_kind { SITE_BEGIN, SITE_READ, SITE_WRITE, SITE_UPDATE, SITE_BARRIER } site_kind;

typedef struct site {
    site_kind kind;
    char *file; /* as in the #line before it: "kernels/reduce/tree.cl" */
    size_t line;
    char *array; /* its text; of a SITE_BEGIN the kernel's name */
    char *index; /* its text; "" if it is not known */
} site;

typedef struct site_list {
    site *sites;
    size_t count, capacity;
} site_list;

/* *out receives the text, which the caller frees, and `sites` the program's sites, whose numbers begin with those that
 * are there. Returns false if memory is short; then, too, `sites` must be cleared. */
bool instrument(char **out, site_list *sites, const char *program);
void site_list_clear(site_list *self);

#endif
