/* test_names.h: texts of a caller's in which every name that occurs in the library's kernels means something else. */
#ifndef CLPRIM_TEST_NAMES_H
#define CLPRIM_TEST_NAMES_H

#include "support.h"

/* What the names are there; those of OpenCL C itself are macros, or with TYPES nothing. */
typedef enum names_kind { NAMES_FUNCTIONS = 0, NAMES_TYPES, NAMES_MACROS, NAMES_KINDS } names_kind;

/* Elements are 32-bit integers; with TYPES as the member of a struct. All expressions use the source, and work as their
 * comments say only where each name in it means what it says there. */
typedef struct names_text {
    names_kind kind;
    char *source;
    const char *type_name;
    size_t type_size;
    const char *combine;   /* a + b */
    const char *identity;  /* 0 */
    const char *less;      /* a < b */
    const char *equal;     /* a % 8 == b % 8 */
    const char *predicate; /* x % 3 == 1 */
    const char *bin_of;    /* x % 64; not with TYPES */
} names_text;

void names_text_create(names_text *out, names_kind kind);
void names_text_destroy(names_text *text);
const char *names_kind_name(names_kind kind);

/* Run something with the text on a variant, and compare with the reference. CLPRIM_UNSUPPORTED where the device cannot
 * run the variant. */
typedef clprim_status (*names_call)(clprim_runtime *runtime, int variant, const names_text *text);

typedef struct names_operation {
    const char *name;
    const clprim_operation *face;
    names_call call;
    bool has_types;
    bool is_another; /* of kernels that are also an operation's before it */
} names_operation;

extern const names_operation names_operations[];
extern const size_t num_names_operations;

#endif
