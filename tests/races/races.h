/* races.h: what the tables of races.c are made of, and what their functions share. */
#ifndef CLPRIM_TEST_RACES_H
#define CLPRIM_TEST_RACES_H

#include <clprim/clprim.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What elements are: of the type, or what only the caller knows. */
typedef enum races_order {
    RACES_BUILT_IN = 0,
    RACES_STRUCT /* of 12 bytes, in an order of its own, or folded by an operator that does not commute */
} races_order;

/* A struct of the caller's. */
typedef struct races_item {
    uint32_t key, id, sum;
} races_item;

extern const char races_item_source[];
extern const char races_item_less[];
bool races_item_before(const void *a, const void *b);

/* How a stem is called; what is zero is its default. */
typedef struct races_case {
    const char *name;
    size_t count;
    size_t group;    /* .work_group_size */
    size_t items;    /* .items_per_work_item */
    size_t skip;     /* elements before the first one, in all arrays */
    size_t segments; /* or bins, needles, k, ... */
    size_t value_size;
    clprim_type type;
    clprim_type second; /* of flags, keys, accumulators, weights, ... */
    clprim_op op;
    races_order order;
    unsigned begin_bit, end_bit;
    int kind; /* of what the stem has an enumeration */
    bool in_place, descending, argsort, extra;
    bool is_full;        /* only where everything is run */
    const char *without; /* CLPRIM_WITHOUT */
} races_case;

enum { RACES_MAX_BUFFERS = 40 };

/* One call of one variant. */
typedef struct races_call {
    const races_case *how;
    int variant;
    clprim_runtime *runtime;
    cl_mem buffers[RACES_MAX_BUFFERS];
    void *memory[RACES_MAX_BUFFERS];
    size_t num_buffers, num_memory;
    bool is_wrong;
} races_call;

/* Make the plan, enqueue it twice, compare. Any status is the library's; what differs is recorded in the call. */
typedef clprim_status (*races_run)(races_call *call);

typedef struct races_stem {
    const char *name;
    const clprim_operation *of; /* whose variants they are */
    races_run run;
    const races_case *cases;
    size_t num_cases;
    bool is_borrowed; /* the variants are those of what it is built on, which need not all do */
} races_stem;

/* Sizes on the host and memory for as many elements, given back after the call. */
size_t races_size(const races_call *call); /* of an element */
void *races_memory(races_call *call, size_t bytes);
/* count elements, all different where their size allows it; bit for bit anything. */
void *races_elements(races_call *call, clprim_type type, races_order order, size_t count, uint32_t seed);
void races_fill(void *out, size_t bytes, uint32_t seed);
void races_sort(races_call *call, void *data, size_t count);

/* A buffer that ends where its last element does, behind `skip` elements that nobody may write. data NULL: poisoned. */
cl_mem races_buffer(races_call *call, const void *data, size_t size, size_t count);
/* What is in the buffer is what is expected, and what is before it was not written. `rest` elements more are as they
 * were, where data is what was in them, else poisoned. */
void races_expect(races_call *call, cl_mem buffer, const void *expected, size_t size, size_t count, const void *data,
                  size_t rest);

/* CLPRIM_SUCCESS so far: take the status of the next step. */
#define RACES_TRY(status, step)                                                                                        \
    do {                                                                                                               \
        if ((status) == CLPRIM_SUCCESS)                                                                                \
            (status) = (step);                                                                                         \
    } while (0)

extern const races_stem races_folds[], races_sorts[], races_searches[];
extern const size_t races_num_folds, races_num_sorts, races_num_searches;

#endif
