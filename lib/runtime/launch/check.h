// SPDX-License-Identifier: MIT
/* check.h: checks of the caller's buffers. */
#ifndef CLPRIM_LIB_CHECK_H
#define CLPRIM_LIB_CHECK_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

/* How kernels access a buffer; may be combined. */
enum { CLPRIM__READ = 1, CLPRIM__WRITE = 2 };

/* A range of elements of a buffer. The caller of a check fills in the first members, and the check fills in the
 * rest. */
typedef struct clprim__range {
    const char *name; /* name of the argument, for error sentences */
    cl_mem memory;
    size_t offset; /* in elements */
    size_t count;
    size_t element_size;
    /* filled in by clprim__check_range and clprim__check_host_range */
    cl_mem parent; /* the buffer itself, or the parent of a sub-buffer; for memory with a host address, always the same
                    * value */
    size_t begin;  /* offset in the parent in bytes, or the address */
    size_t end;
} clprim__range;

/* Check a range. Errors: CLPRIM_INVALID_ARGUMENT (NULL), CLPRIM_INVALID_BUFFER (not a buffer, from another context, or
 * not created for such access), CLPRIM_INVALID_RANGE (past the end, or offset + count overflows). */
clprim_status clprim__check_range(clprim__range *range, cl_context context, unsigned access);

/* Compute the number of bytes from the beginning of the memory to the end of the range. The memory itself is not
 * checked.
 * Errors: CLPRIM_INVALID_RANGE if the number does not fit size_t. */
clprim_status clprim__check_end(size_t *bytes, const clprim__range *range);

/* Check a range of memory with a host address, which is not in a buffer. It can overlap only other such ranges. Errors:
 * CLPRIM_INVALID_RANGE (offset + count overflows). */
clprim_status clprim__check_host_range(clprim__range *range, const void *memory);

/* Check that two ranges do not overlap. Both must have been checked before. Errors: CLPRIM_INVALID_OVERLAP. */
clprim_status clprim__check_disjoint(const clprim__range *a, const clprim__range *b);

/* Whether both ranges begin at the same place, as they do for calls in place. Both must have been checked before. */
bool clprim__is_same_range(const clprim__range *a, const clprim__range *b);

/* Check a buffer that the caller supplies as scratch memory. *size receives its size. Errors: as for
 * clprim__check_range. */
clprim_status clprim__check_scratch(size_t *size, cl_mem scratch, cl_context context);

#endif
