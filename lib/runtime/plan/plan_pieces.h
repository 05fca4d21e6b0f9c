// SPDX-License-Identifier: MIT
/* plan_pieces.h: operations on pieces of an array, for calls that do not fit the device, whose elements arrive in
 * batches, or whose elements are distributed over several ranks.
 *
 * An operation that can be cut has a clprim__pieces beside its functions (clprim__operation.pieces), which says once what
 * a piece is, what it passes to the next one, and how to finish. Three engines use it: run in pieces (plan_pieces.c),
 * streams (plan_stream.c), and ranks (lib/distributed/team_piece.c). The elements of a call are cut into pieces of equal
 * size. Each piece is a separate call, by a plan whose description the operation adapts. Arrays whose length depends on
 * the number of elements are cut; other arrays are on the device as a whole. The operation keeps values that a piece
 * passes to the next piece in .carry on the device, or in .notes on the host.
 *
 * An operation that must be divided in another way (a sort) has .run instead. clprim__pipeline_run (pipeline.h),
 * clprim__host_up, clprim__host_down (host.h) and clprim__device_limit are for such operations, too. */
#ifndef CLPRIM_LIB_PLAN_PIECES_H
#define CLPRIM_LIB_PLAN_PIECES_H

#include "plan_internal.h"
#include "plan_svm.h"
#include "plan_texts.h"

enum {
    CLPRIM__PIECE_LANES = 2,
    CLPRIM__PIECE_MARGIN = 16 /* elements in front of a piece, with room for its halo */,
    CLPRIM__PIECE_NOTES = 128 /* bytes */,
    CLPRIM__PIECE_COUNTERS = 3 /* outputs of a call that count the elements of others, at most */
};

/* Neighbouring elements that a piece's plan gets besides the piece's own elements. */
typedef struct clprim__halo {
    size_t left, right; /* number of elements before and after the piece, 0 or 1. Outputs at their places are
                         * discarded */
    bool is_of_pairs;   /* the outputs are one per pair of neighbours, and none is discarded: n - 1 for n elements */
    bool is_any_right;  /* the element after the piece must be there, but its value does not matter */
} clprim__halo;

/* How one array of the call is cut. */
typedef struct clprim__cut {
    bool is_cut;
    size_t per;                        /* array elements per element of the call */
    cl_mem lanes[CLPRIM__PIECE_LANES]; /* the buffers of the pieces */
    cl_mem whole;                      /* or, if it is not cut and is on the host, the buffer of the whole array */
    void *last;                        /* for an input with a left halo: a copy of the last element that was sent */
    const void *next; /* for an input with a right halo: the element after the given ones; NULL: none */
} clprim__cut;

/* The given elements of a call, if they are a piece of a larger array. Zeroed: they are the whole array. */
typedef struct clprim__around {
    size_t first; /* number of elements before the piece */
    bool is_open; /* elements may follow */
    /* The elements before and after it, by slot, for inputs with such a halo; NULL if there are none. */
    const void *left[CLPRIM__MAX_ARRAYS], *right[CLPRIM__MAX_ARRAYS];
} clprim__around;

/* Where a piece's results go. */
typedef struct clprim__landing {
    size_t skip;  /* elements to discard at the beginning of the piece's output */
    size_t at;    /* index in the whole output where the others go */
    size_t count; /* number of these */
} clprim__landing;

typedef struct clprim__cutting {
    clprim_plan *plan; /* the plan of the whole call */
    const struct clprim__pieces *pieces;
    clprim_runtime *runtime;
    const void *given;     /* the caller's call; for a stream, that of the batch */
    const void *results;   /* the caller's call that receives the results; of the same arrays, unless it is a stream */
    clprim__any_desc desc; /* a copy of the caller's call, for pieces: counts are on the host */
    clprim__given call;    /* whole arrays are replaced by buffers */
    clprim__svm svm;
    clprim__text values; /* copies of the arguments that are values */
    clprim__halo halo;
    size_t total, piece_size, num_pieces;           /* of the given elements */
    size_t first, pieces_before;                    /* number of elements and pieces before the given elements */
    size_t pass, num_passes;                        /* how often the given elements are processed */
    size_t appended_before[CLPRIM__PIECE_COUNTERS]; /* .appended before them */
    bool is_open;                                   /* elements may follow the given ones */
    size_t count_place;                             /* offset of the number of elements in the call struct */
    clprim__cut cuts[CLPRIM__MAX_ARRAYS];           /* indexed by slot */
    clprim_plan *plans[2];                          /* for the first piece, and for the others; may be the same */
    cl_mem scratch;                                 /* lent to the plan that runs; NULL: no scratch memory is needed */
    cl_command_queue up, down;
    clprim__landing landings[CLPRIM__PIECE_LANES][CLPRIM__PIECE_COUNTERS];
    clprim__reading reading; /* what the expressions read */
    /* For the operation's functions that prepare and evaluate calls. */
    cl_mem carry;       /* as large as the operation says; NULL for 0 bytes */
    size_t piece;       /* number of the current piece, counted from the first piece of the whole */
    size_t begin;       /* index of its first element in the whole, without the halo */
    size_t count;       /* number of its elements, without the halo */
    size_t left, right; /* size of its halo: 0 before the first piece and after the last one */
    bool is_last;       /* no element follows the piece */
    size_t appended[CLPRIM__PIECE_COUNTERS]; /* number of elements so far in outputs that another output counts, by
                                             * clprim__counter_of */
    bool is_spread; /* set by begin: an output that none counts gets a piece's elements where all landings say */
    bool is_over;   /* the result is known: skip the remaining pieces */
    union {
        max_align_t alignment;
        unsigned char bytes[CLPRIM__PIECE_NOTES];
    } notes; /* zeroed at first */
} clprim__cutting;

typedef struct clprim__pieces {
    /* If not NULL, used instead of all members below: run a call that does not fit the device. The plan is that of the
     * whole call, which was checked. */
    clprim_status (*run)(clprim_plan *plan, const void *desc, const void *call);
    /* The reason why calls with this description cannot be cut, which follows "it cannot be cut: " in an error
     * sentence. NULL: they can be cut. The function may be NULL. */
    const char *(*obstacle)(const clprim_plan *plan, const void *desc);
    /* The reason why streams cannot do it, which follows "cannot process batches: ". NULL: they can. The function may be
     * NULL. */
    const char *(*needs_all)(const void *desc);
    /* If there are several pieces, only a first pass over all of them shows where their results go. It writes nothing.
     * NULL: it is known. */
    bool (*counts_first)(const void *desc);
    size_t count_place;                                         /* of the number of elements in the call struct */
    clprim__halo (*halo)(const void *desc);                     /* NULL: no halo */
    size_t (*carry)(const clprim_plan *plan, const void *desc); /* size of .carry in bytes; NULL: 0 */
    const char *const *texts; /* names of expressions over an element's index, ended by NULL; NULL: none */
    /* Change the caller's description into that of the first piece's plan, or of the others'. NULL: it stays as it
     * is. */
    void (*describe)(void *desc, const clprim_plan *plan, bool is_first);
    const char *const *whole; /* names of arrays that are never cut, ended by NULL; NULL: none */
    /* Called first, when sizes are known. NULL: nothing to do. */
    clprim_status (*begin)(clprim__cutting *self);
    /* Called before a piece is enqueued. It may change arrays of the piece's call that are not cut, and may overwrite
     * halos. NULL: nothing to do. */
    clprim_status (*prepare)(clprim__cutting *self, void *call);
    /* Called when a piece's results are complete. landing[k] says where the elements go that counter k counts. NULL:
     * nothing to do. */
    clprim_status (*launched)(clprim__cutting *self, const void *call, clprim__landing *landing);
    /* Called after all pieces, to write the remaining results. For a stream, it is called whenever the caller asks for
     * the result so far, and other pieces may follow. NULL: nothing to do. */
    clprim_status (*finish)(clprim__cutting *self, const void *desc);
    /* Release what begin made, also if begin failed. NULL: nothing to do. */
    void (*clear)(clprim__cutting *self);
} clprim__pieces;

/* How much device memory a run may use, in bytes. */
size_t clprim__device_limit(const clprim_runtime *runtime);

/* The largest number of elements, up to `most`, that take at most `room` bytes; 0 if there is none. It is rounded down if
 * fewer than `most` fit. bytes: what so many take, SIZE_MAX if that is impossible. */
size_t clprim__most_that_fits(size_t room, size_t (*bytes)(const void *user, size_t count), const void *user,
                              size_t most);

/* Allocate and free host memory within the runtime's limits. Returns NULL, and sets CLPRIM_OUT_OF_MEMORY as the
 * thread's last error, if there is not enough. */
void *clprim__host_allocate(const clprim_runtime *runtime, size_t bytes);
void clprim__host_release(const clprim_runtime *runtime, void *memory, size_t bytes);

/* Report the progress of a run to the caller. Errors: CLPRIM_STOPPED. */
clprim_status clprim__run_progress(const clprim_plan *plan, size_t done, size_t total);

/* Whether a run of this call is divided into pieces: not at all; it may be, because that is faster; or it must be,
 * because the call does not fit.
 * Errors: CLPRIM_UNSUPPORTED if it does not fit and cannot be cut. */
typedef enum clprim__pieces_need { CLPRIM__PIECES_NOT, CLPRIM__PIECES_MAY, CLPRIM__PIECES_MUST } clprim__pieces_need;
clprim_status clprim__pieces_of_run(clprim__pieces_need *out, const clprim_plan *plan, const void *desc,
                                    const void *call);

/* Find out what the expressions read (.reading); when it is known which arrays are cut, whether an expression needs the
 * index in the whole, also to read an array that is not cut; then create the pieces' plans.
 * Errors: CLPRIM_UNSUPPORTED if expressions use i and there is no parameter left for it; those of create. */
clprim_status clprim__cut_read_texts(clprim__cutting *self);
clprim_status clprim__cut_use_index(clprim__cutting *self);
clprim_status clprim__cut_make_plans(clprim__cutting *self);

/* Decide which arrays are cut, and how large the pieces are: .cuts[].is_cut and .per, .piece_size. `expected` is the
 * number of elements to which pieces are adapted.
 * Errors: CLPRIM_UNSUPPORTED if not even one element fits. */
clprim_status clprim__cut_lay_out(clprim__cutting *self, size_t expected);

/* Whether another output is counted by this one; and the number of the counter that counts this output. */
bool clprim__is_counter(const clprim_plan *plan, const clprim__slot *slot);
size_t clprim__counter_of(const clprim_plan *plan, const clprim__slot *slot);

/* The length of an array that is not cut. */
size_t clprim__cut_whole_length(const clprim__cutting *self, const clprim__slot *slot);

/* Copy the call without the arrays that are cut. */
void clprim__cutting_rest(clprim__given *out, const clprim__cutting *self);

/* Allocate the pieces' buffers, the plans' scratch memory, and the queues; release the buffers; release everything.
 * is_idle: nothing uses them any more. */
clprim_status clprim__cut_make_memory(clprim__cutting *self);
void clprim__cut_release_lanes(clprim__cutting *self);
void clprim__cut_clear(clprim__cutting *self, bool is_idle);

/* The length of the slot's array in a call of `count` elements. */
size_t clprim__cut_length(const clprim__cutting *self, const clprim__slot *slot, size_t count);

/* The reason why calls with this description cannot be cut; NULL: they can be. */
const char *clprim__pieces_obstacle(const clprim_plan *plan, const void *desc);

/* Run a call in pieces. The plan is that of the whole call. */
clprim_status clprim__pieces_run(clprim_plan *plan, const void *desc, const void *call);

/* Run a call whose elements are a piece of a larger array. Indices count from the beginning of that array; the number
 * of elements that an output counts is that of the piece. The operation keeps nothing on the device from one piece to
 * the next.
 * Errors: those of run; CLPRIM_UNSUPPORTED also if calls with this description cannot be cut. */
clprim_status clprim__pieces_run_around(clprim_plan *plan, const void *desc, const void *call,
                                        const clprim__around *around);

/* The steps of such a run, for streams. self is zeroed at first. begin: prepare everything for the arrays of `call`.
 * `around` may be NULL, and `expected` is as for clprim__cut_lay_out. go_on: process the first `count` elements of
 * `given`, which has the same arrays as `call`. finish: write the results to the arrays of self->results. end: release
 * everything, also after an error. `is_idle` is as for clprim__cut_clear. desc and call must stay valid. */
clprim_status clprim__cutting_begin(clprim__cutting *self, clprim_plan *plan, const void *desc, const void *call,
                                    const clprim__around *around, size_t expected);
clprim_status clprim__cutting_go_on(clprim__cutting *self, const void *given, size_t count);
clprim_status clprim__cutting_finish(clprim__cutting *self);
void clprim__cutting_end(clprim__cutting *self, bool is_idle);

/* For the operation's functions; each waits until it is done. Copy within the device; write a value from the host or
 * from a buffer to an output of the call that is not cut; read from a buffer; write to a buffer. */
clprim_status clprim__cutting_copy(const clprim__cutting *self, cl_mem from, size_t from_byte, cl_mem to,
                                   size_t to_byte, size_t bytes);
clprim_status clprim__cutting_read(const clprim__cutting *self, void *out, cl_mem from, size_t byte, size_t bytes);
clprim_status clprim__cutting_write(const clprim__cutting *self, cl_mem to, size_t byte, const void *data,
                                    size_t bytes);
/* The same for a number of `size` bytes: write it to the output of that name; read it from element `at` of a buffer. */
clprim_status clprim__cutting_put_number(const clprim__cutting *self, const char *name, size_t number);
clprim_status clprim__cutting_get_number(size_t *out, const clprim__cutting *self, cl_mem from, size_t at, size_t size);
/* For operations that have .run: copy a small array to *data if it is an input, and from there if it is an output. Arrays
 * on the host were checked. */
clprim_status clprim__pieces_copy(const clprim_plan *plan, const void *call, const clprim__slot *slot, void *data,
                                  size_t count);
/* .pieces of operations on two sorted arrays: the merged order is cut (plan_two.c). */
extern const clprim__pieces clprim__two_pieces;

/* The call's array of that name: a buffer, and the offset where the array begins. */
const clprim_array *clprim__cutting_array(const clprim__cutting *self, const char *name, size_t *element_size);

#endif
