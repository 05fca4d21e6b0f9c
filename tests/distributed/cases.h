// SPDX-License-Identifier: MIT
/* cases.h: what distributed operations must do, as checks that each rank makes of its own piece. Threads and processes
 * run the same checks. They do not use Criterion: a wrong result is reported as a sentence. */
#ifndef CLPRIM_TEST_DISTRIBUTED_CASES_H
#define CLPRIM_TEST_DISTRIBUTED_CASES_H

#include <clprim/clprim.h>
#include <clprim/distributed.h>

enum { CASES_MESSAGE = 1024, CASES_RANKS = 8 /* at most */ };

/* A rank under test. */
typedef struct cases_rank {
    const clprim_comm *comm;
    clprim_runtime *runtime;
    char message[CASES_MESSAGE]; /* the first error; "" if there is none */
} cases_rank;

/* A group of cases; all ranks run it with the same arguments. */
typedef struct cases_group {
    const char *name;
    void (*run)(cases_rank *self);
} cases_group;

extern const cases_group cases_groups[];
extern const size_t cases_num_groups;

/* How `total` elements are divided among `size` ranks. */
enum {
    CASES_PARTS_EVEN = 0,
    CASES_PARTS_RANDOM,
    CASES_PARTS_GAPS,
    CASES_PARTS_FIRST,
    CASES_PARTS_LAST,
    CASES_PARTS_END
};
void cases_parts(size_t *parts, unsigned size, size_t total, unsigned kind, uint64_t seed);

/* Make `count` elements of `size` bytes with this pattern. SPECIALS: NaNs, zeros and infinities. */
enum { CASES_RANDOM = 0, CASES_EQUAL, CASES_SORTED, CASES_REVERSED, CASES_FEW, CASES_SPECIALS, CASES_DATA_END };
void cases_fill(void *out, clprim_type type, size_t count, unsigned kind, uint64_t seed);

#endif
