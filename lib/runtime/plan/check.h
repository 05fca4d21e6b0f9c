/* check.h: checks of the caller's buffers. */
#ifndef CLPRIM_LIB_CHECK_H
#define CLPRIM_LIB_CHECK_H

#include <clprim/runtime.h>
#include <stdbool.h>
#include <stddef.h>

/* What kernels do with a buffer: one, or both. */
enum { CLPRIM__READ = 1, CLPRIM__WRITE = 2 };

/* A range of elements of a buffer, as handed in; check fills in the rest. */
typedef struct clprim__range {
    const char *name; /* of the argument, for sentences */
    cl_mem memory;
    size_t offset; /* in elements */
    size_t count;
    size_t element_size;
    /* filled in by clprim__check_range and clprim__check_host_range */
    cl_mem parent; /* of a sub-buffer, else memory itself; of what the host has an address for, always the same */
    size_t begin;  /* bytes into the parent, or the address */
    size_t end;
} clprim__range;

/* Errors: CLPRIM_INVALID_ARGUMENT (NULL), CLPRIM_INVALID_BUFFER (no buffer, other context, not made for such access),
 * CLPRIM_INVALID_RANGE (past the end, or offset + count overflows). */
clprim_status clprim__check_range(clprim__range *range, cl_context context, unsigned access);

/* Bytes from the beginning of the memory to the end of the range, whose memory is not looked at.
 * Errors: CLPRIM_INVALID_RANGE where size_t cannot express that. */
clprim_status clprim__check_end(size_t *bytes, const clprim__range *range);

/* The same of a range of memory that the host has an address for, instead of a buffer: nothing else than such memory
 * overlaps it. Errors: CLPRIM_INVALID_RANGE (offset + count overflows). */
clprim_status clprim__check_host_range(clprim__range *range, const void *memory);

/* Errors: CLPRIM_INVALID_OVERLAP. Both ranges were checked before. */
clprim_status clprim__check_disjoint(const clprim__range *a, const clprim__range *b);

/* Whether both ranges begin at the same place, as in-place arrays do. Both were checked before. */
bool clprim__is_same_range(const clprim__range *a, const clprim__range *b);

/* A buffer that may serve as scratch memory; *size is its size. Errors: as clprim__check_range. */
clprim_status clprim__check_scratch(size_t *size, cl_mem scratch, cl_context context);

#endif
