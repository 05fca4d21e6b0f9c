/* tuning.h: the user's own parameters, from a file, over those that the library has measured (docs/tuning.md).
 *
 * A primitive describes what may be tuned by one table; its look-up fills in what the library has and then asks here.
 * Whatever a file says, a result does not change: of each parameter only values are taken that the table allows, and
 * they go the way of built-in ones, through the code that fits these to the device. */
#ifndef CLPRIM_LIB_TUNING_H
#define CLPRIM_LIB_TUNING_H

#include <clprim/runtime.h>
#include <clprim/types.h>

#include "error.h"

/* A size_t of a variant's tuning, and the values that are allowed. */
typedef struct clprim__tunable {
    const char *variant;
    const char *name;
    size_t offset;
    size_t least, most;
    bool is_power_of_two;
} clprim__tunable;

/* A row of such a table, for a member of clprim__<stem>_tuning; that, under another name than the member's. */
#define CLPRIM__TUNABLE(stem, variant, member, least, most, is_power_of_two)                                           \
    CLPRIM__TUNABLE_AS(stem, variant, #member, member, least, most, is_power_of_two)
#define CLPRIM__TUNABLE_AS(stem, variant, name, member, least, most, is_power_of_two)                                  \
    {                                                                                                                  \
        variant, name, offsetof(clprim__##stem##_tuning, member), least, most, is_power_of_two                         \
    }

/* All of a primitive. */
typedef struct clprim__tunables {
    const char *stem;
    const clprim__tunable *items;
    size_t count;
} clprim__tunables;

/* From a static table `tunables`. */
#define CLPRIM__DEFINE_TUNABLES(stem)                                                                                  \
    const clprim__tunables clprim__##stem##_tunables = {#stem, tunables, sizeof tunables / sizeof *tunables};

/* What elements parameters are for. */
typedef struct clprim__tuned_for {
    size_t size;       /* bytes of an element, or a key */
    size_t value_size; /* of the value that it has, or 0 */
    size_t max_count;  /* SIZE_MAX: any */
    int of;            /* of an operation's own kinds of work, if its table tells them apart; 0: any */
} clprim__tuned_for;

/* The parameters of a variant: from a static table `tunings`, whose rows begin with variant (AUTO: any) and kind of
 * device (OTHER: any) and end with `tuning`, the first row that fits, or else `.member = value`s; over these those of
 * the user's file. fits: an expression over `row`, `info`, the device's facts, and `what`. */
#define CLPRIM__DEFINE_TUNING(stem, fits, ...)                                                                         \
    clprim__##stem##_tuning clprim__##stem##_tuning_of(clprim_##stem##_variant variant, const clprim_runtime *runtime, \
                                                       clprim__tuned_for what)                                         \
    {                                                                                                                  \
        const clprim_device_info *info = &runtime->info;                                                               \
        clprim__##stem##_tuning tuning = {__VA_ARGS__};                                                                \
        for (size_t i = 0; i < sizeof tunings / sizeof *tunings; i++) {                                                \
            const struct tuning_row *row = &tunings[i];                                                                \
            if (((int)row->variant == 0 || row->variant == variant) &&                                                 \
                (row->kind == CLPRIM_DEVICE_OTHER || row->kind == info->kind) && (fits)) {                             \
                tuning = row->tuning;                                                                                  \
                break;                                                                                                 \
            }                                                                                                          \
        }                                                                                                              \
        clprim__tuning_look_up(&tuning, runtime, &clprim__##stem##_tunables,                                           \
                               clprim__##stem##_row_of(variant)->info.name, what.size + what.value_size,               \
                               what.max_count);                                                                        \
        return tuning;                                                                                                 \
    }

/* What parameters are asked for. */
typedef struct clprim__tuning_query {
    const clprim__tunables *tunables;
    const char *variant;
    size_t size;      /* bytes of an element, with its value where it has one */
    size_t max_count; /* SIZE_MAX: any */
} clprim__tuning_query;

/* What was read. Thread-safe. */
typedef struct clprim__tuning clprim__tuning;

/* The file of CLPRIM_TUNING, else the user's: empty where there is none. What is wrong with it is kept as a sentence.
 * Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__tuning_create(clprim__tuning **out, const clprim_device_info *info);
void clprim__tuning_destroy(clprim__tuning *self);

/* Where the file is: the caller frees it. NULL where there is none, or no memory. */
char *clprim__tuning_path(void);

/* Take these lines instead of what is there. `name` is what sentences call them. */
clprim_status clprim__tuning_set(clprim__tuning *self, const char *name, const char *text, size_t size);

/* Write the parameters of the first line that fits the device and what is asked for over those at *tuning. A line that
 * has what the table does not allow is passed over, and why is kept. */
void clprim__tuning_look_up(void *tuning, const clprim_runtime *runtime, const clprim__tunables *tunables,
                            const char *variant, size_t size, size_t max_count);

/* How many lines were passed over, and why: one sentence a line, as far as they fit `out`, always ended. */
size_t clprim__tuning_problems(clprim__tuning *self, char *out, size_t capacity);

/* Have a timeline, where there is one, show what was passed over. */
void clprim__tuning_note(const clprim_runtime *runtime);

/* Look at all lines as a look-up does at those it needs; `tables` are of all primitives. */
void clprim__tuning_check(clprim__tuning *self, const clprim__tunables *const *tables, size_t count);

/* Be told of each look-up and its outcome: for the program that tunes. NULL ends it. */
typedef void (*clprim__tuning_watch_fn)(void *user, const clprim__tuning_query *query, const void *tuning);
void clprim__tuning_watch(clprim__tuning *self, clprim__tuning_watch_fn watch, void *user);

#endif
