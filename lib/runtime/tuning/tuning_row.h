// SPDX-License-Identifier: MIT
/* tuning_row.h: one line of a file of parameters. */
#ifndef CLPRIM_LIB_TUNING_ROW_H
#define CLPRIM_LIB_TUNING_ROW_H

#include "tuning.h"

enum { CLPRIM__TUNING_MAX_PARAMETERS = 16, CLPRIM__TUNING_NAME_SIZE = 32, CLPRIM__TUNING_LINE_SIZE = 1024 };

typedef struct clprim__tuning_row {
    size_t line; /* line number in the file, from 1 */
    char stem[CLPRIM__TUNING_NAME_SIZE];
    char variant[CLPRIM__TUNING_NAME_SIZE];
    char device[128]; /* a part of its name; "": any */
    clprim_device_kind kind;
    bool has_kind;
    size_t size;  /* 0: any */
    size_t up_to; /* at most this many elements in a plan; 0: any */
    size_t count;
    struct {
        char name[CLPRIM__TUNING_NAME_SIZE];
        size_t value;
    } parameters[CLPRIM__TUNING_MAX_PARAMETERS];
    bool is_passed_over;
} clprim__tuning_row;

/* Read a line of `size` bytes. *has_row: the line has more than a comment. Returns false if it is malformed; *why is
 * then a static sentence. */
bool clprim__tuning_row_parse(clprim__tuning_row *out, bool *has_row, const char *line, size_t size, const char **why);

/* Whether the row applies to this device and this query. */
bool clprim__tuning_row_fits(const clprim__tuning_row *row, const clprim_device_info *info,
                             const clprim__tuning_query *query);

/* Write all of the row's parameters to *tuning, or none. Returns false if the table does not have one of them (*item is
 * NULL), or does not allow its value (*item says what is allowed); *at is then the parameter's index. If `tuning` is
 * NULL, only check. */
bool clprim__tuning_row_apply(void *tuning, const clprim__tuning_row *row, const clprim__tunables *tunables, size_t *at,
                              const clprim__tunable **item);

#endif
