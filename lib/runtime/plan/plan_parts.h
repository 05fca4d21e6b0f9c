/* plan_parts.h: run in parts, for calls that do not fit the device.
 *
 * An operation that can be cut has a clprim__parts beside its functions (clprim__operation.parts). The elements of a
 * call are cut into parts of one size, and each part is a call of its own, by a plan whose description the operation
 * adapts: arrays whose length depends on the number of elements are cut, the others are whole on the device. What a
 * part hands on to the next, the operation keeps in .carry, or on the host in .notes.
 *
 * An operation that needs another way altogether (a sort) has .run instead; clprim__pipeline_run (pipeline.h),
 * clprim__host_up, clprim__host_down (host.h) and clprim__device_limit are for that, too. */
#ifndef CLPRIM_LIB_PLAN_PARTS_H
#define CLPRIM_LIB_PLAN_PARTS_H

#include "plan_internal.h"
#include "plan_svm.h"
#include "plan_texts.h"

enum {
    CLPRIM__PART_LANES = 2,
    CLPRIM__PART_MARGIN = 16 /* elements in front of a part, for its halo */,
    CLPRIM__PART_NOTES = 128 /* bytes */
};

/* What a part's plan gets beside the part's own elements, where there are any. */
typedef struct clprim__halo {
    size_t left, right; /* elements before and behind it, 0 or 1. Outputs in their places are passed over */
    bool is_of_pairs;   /* outputs are of pairs of neighbours, all of which count: n - 1 of n elements */
} clprim__halo;

/* How one array of the call is cut. */
typedef struct clprim__cut {
    bool is_cut;
    size_t per;                       /* array elements for one of the call's elements */
    cl_mem lanes[CLPRIM__PART_LANES]; /* buffers of parts */
    cl_mem whole;                     /* or of the whole array, where it is on the host */
    void *last;                       /* of an input with a left halo: the last element that went up */
} clprim__cut;

/* Where a part's results come down. */
typedef struct clprim__landing {
    size_t skip;  /* elements at the beginning of the part's output that are passed over */
    size_t at;    /* of the whole output, where the others go */
    size_t count; /* of these */
} clprim__landing;

typedef struct clprim__cutting {
    clprim_plan *plan; /* of the whole call */
    const struct clprim__parts *parts;
    clprim_runtime *runtime;
    const void *given;     /* the caller's call */
    clprim__any_desc desc; /* the caller's, for parts: no count is on the device */
    clprim__given call;    /* arrays that are whole are buffers */
    clprim__svm svm;
    clprim__text values; /* a copy of the arguments that are values */
    clprim__halo halo;
    size_t total, part_size, num_parts;   /* in elements */
    size_t count_place;                   /* of the number of elements in the call struct */
    clprim__cut cuts[CLPRIM__MAX_ARRAYS]; /* by slot */
    clprim_plan *plans[2];                /* of the first part, and of the others: it may be the same */
    cl_mem scratch;                       /* of that plan whose turn it is; NULL: it needs none */
    cl_command_queue up, down;
    clprim__landing landings[CLPRIM__PART_LANES]; /* of what another output counts */
    clprim__reading reading;                      /* of the texts */
    /* For the operation, in the functions that launch calls. */
    cl_mem carry;       /* of as many bytes as it says; NULL for 0 */
    size_t part;        /* the number of the part at hand */
    size_t begin;       /* its first element in the whole, without halo */
    size_t count;       /* its elements, without halo */
    size_t left, right; /* its halo: none before the first part and behind the last one */
    size_t appended;    /* elements of outputs that another output counts, so far */
    bool is_over;       /* the result is known: the parts that are left are passed over */
    union {
        max_align_t alignment;
        unsigned char bytes[CLPRIM__PART_NOTES];
    } notes; /* zeroed */
} clprim__cutting;

typedef struct clprim__parts {
    /* Instead of all that follows: a run that does not fit the device, by a plan of the whole call that was checked. */
    clprim_status (*run)(clprim_plan *plan, const void *desc, const void *call);
    /* Why calls by this description cannot be cut, to follow "it cannot be cut: "; NULL: they can. The function may be
     * NULL. */
    const char *(*obstacle)(const clprim_plan *plan, const void *desc);
    size_t count_place;                                         /* offsetof its number of elements in the call struct */
    clprim__halo (*halo)(const void *desc);                     /* NULL: none */
    size_t (*carry)(const clprim_plan *plan, const void *desc); /* bytes; NULL: 0 */
    const char *const *texts; /* names of expressions over an element's index, ended by NULL; NULL: there are none */
    /* Make of the caller's description that of the first part's plan, or of the others'; NULL: it stays as it is. */
    void (*describe)(void *desc, const clprim_plan *plan, bool is_first);
    const char *const *whole; /* names of arrays that are not cut whatever their length is; NULL: there are none */
    /* Before anything is done: sizes are known. NULL: nothing is to be done. */
    clprim_status (*begin)(clprim__cutting *self);
    /* Before a part is enqueued: arrays of its call that are not cut. Halos may be overwritten. NULL: they stay. */
    clprim_status (*prepare)(clprim__cutting *self, void *call);
    /* Its results are there. `landing` is where those go that another output counts. NULL: nothing is to be done. */
    clprim_status (*launched)(clprim__cutting *self, const void *call, clprim__landing *landing);
    /* All parts are through: what is left to be written. NULL: nothing. */
    clprim_status (*finish)(clprim__cutting *self, const void *desc);
    /* Give up what begin made, also if it failed. NULL: nothing. */
    void (*clear)(clprim__cutting *self);
} clprim__parts;

/* Device memory that a run may use. */
size_t clprim__device_limit(const clprim_runtime *runtime);

/* Memory on the host by the runtime's limits, and back; NULL: CLPRIM_OUT_OF_MEMORY is the thread's last error. */
void *clprim__host_allocate(const clprim_runtime *runtime, size_t bytes);
void clprim__host_release(const clprim_runtime *runtime, void *memory, size_t bytes);

/* Report the progress of a run to the caller. Errors: CLPRIM_STOPPED. */
clprim_status clprim__run_progress(const clprim_plan *plan, size_t done, size_t total);

/* Whether a run of this call takes parts: it may, because that is faster, or it must, because the call does not fit.
 * Errors: CLPRIM_UNSUPPORTED if it does not fit and cannot be cut. */
typedef enum clprim__parts_need { CLPRIM__PARTS_NOT, CLPRIM__PARTS_MAY, CLPRIM__PARTS_MUST } clprim__parts_need;
clprim_status clprim__parts_of_run(clprim__parts_need *out, const clprim_plan *plan, const void *desc,
                                   const void *call);

/* What the texts read (.reading), and then the parts' plans.
 * Errors: CLPRIM_UNSUPPORTED if texts use i and no parameter is left for it; those of create. */
clprim_status clprim__cut_read_texts(clprim__cutting *self);
clprim_status clprim__cut_make_plans(clprim__cutting *self);

/* Which arrays are cut, and how large the parts are: .cuts[].is_cut and .per, .part_size, .num_parts. The call has
 * buffers in place of arrays that are whole.
 * Errors: CLPRIM_UNSUPPORTED if not even one element fits. */
clprim_status clprim__cut_lay_out(clprim__cutting *self);

/* The call without the arrays that are cut. */
void clprim__cutting_rest(clprim__given *out, const clprim__cutting *self);

/* Buffers of parts, scratch memory of the plans, and queues; the buffers back; and all that the call has, once it uses
 * nothing any more: is_idle says that this is known. */
clprim_status clprim__cut_make_memory(clprim__cutting *self);
void clprim__cut_release_lanes(clprim__cutting *self);
void clprim__cut_clear(clprim__cutting *self, bool is_idle);

/* Elements of the slot's array in a call of `count` elements. */
size_t clprim__cut_length(const clprim__cutting *self, const clprim__slot *slot, size_t count);

/* Run it, by a plan of the whole call. */
clprim_status clprim__parts_run(clprim_plan *plan, const void *desc, const void *call);

/* For the operation's functions; each waits. Copy within the device; a value on the host to an output of the call that
 * is not cut, or a value in a buffer; read bytes of a buffer, and write them. */
clprim_status clprim__cutting_copy(const clprim__cutting *self, cl_mem from, size_t from_byte, cl_mem to,
                                   size_t to_byte, size_t bytes);
clprim_status clprim__cutting_read(const clprim__cutting *self, void *out, cl_mem from, size_t byte, size_t bytes);
clprim_status clprim__cutting_write(const clprim__cutting *self, cl_mem to, size_t byte, const void *data,
                                    size_t bytes);
/* The same of a number of `size` bytes: to the output of that name, and from element `at` of a buffer. */
clprim_status clprim__cutting_put_number(const clprim__cutting *self, const char *name, size_t number);
clprim_status clprim__cutting_get_number(size_t *out, const clprim__cutting *self, cl_mem from, size_t at, size_t size);
/* The array of that name in the call: a buffer, and where it begins there. */
const clprim_array *clprim__cutting_array(const clprim__cutting *self, const char *name, size_t *element_size);

#endif
