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

/* For a row that is only right where work-items of a sub-group exchange no words, or do not find places by ballots. */
typedef enum clprim__tuned_without { CLPRIM__NO_LACK = 0, CLPRIM__NO_SHUFFLES, CLPRIM__NO_WARPS } clprim__tuned_without;

#define CLPRIM__NO_VALUES SIZE_MAX /* as .value_size of a row */

/* What a row of the library's own parameters is for, in all operations alike. What a row leaves out fits all. A row that
 * names a vendor or a device was measured there, unless its comment says otherwise; the others were measured on NVIDIA's
 * GPUs or on PoCL. On devices that nobody measured, the code that fits parameters to a device leaves more room
 * (clprim__device_local_room). */
typedef struct clprim__tuning_for {
    int variant;             /* AUTO: any */
    clprim_device_kind kind; /* OTHER: any */
    clprim_vendor vendor;    /* OTHER: any */
    const char *device;      /* a part of its name, in upper or lower case, such as a family's; NULL: any */
    clprim__tuned_without without;
    size_t size;       /* bytes of an element, or a key, at most; 0: any */
    size_t value_size; /* bytes of its value at most; 0: any; CLPRIM__NO_VALUES: where there are none */
    size_t item_size;  /* bytes of both together at most; 0: any */
    size_t up_to;      /* elements of a call at most; 0: any */
    int of;            /* of clprim__tuned_for; 0: any */
} clprim__tuning_for;

#define CLPRIM__ON_CPU .kind = CLPRIM_DEVICE_CPU
#define CLPRIM__ON_GPU .kind = CLPRIM_DEVICE_GPU

/* Whether a row is for this variant, device and work. */
bool clprim__tuning_fits(const clprim__tuning_for *is_for, int variant, const clprim_device_info *info,
                         const clprim__tuned_for *what);

/* A table of rows: CLPRIM__TUNINGS(scan) = {{{FOR(LOOK_BACK), CLPRIM__ON_GPU}, {.group_size = 256}}, ...}, where
 * FOR(LOOK_BACK) is `.variant = CLPRIM_SCAN_LOOK_BACK`. The last row is for all that no other one fits. */
#define CLPRIM__TUNINGS(stem)                                                                                          \
    static const struct {                                                                                              \
        clprim__tuning_for is_for;                                                                                     \
        clprim__##stem##_tuning tuning;                                                                                \
    } tunings[]

/* The parameters of a variant: those of the table's first row that fits, over these those of the user's file. */
#define CLPRIM__DEFINE_TUNING(stem)                                                                                    \
    clprim__##stem##_tuning clprim__##stem##_tuning_of(clprim_##stem##_variant variant, const clprim_runtime *runtime, \
                                                       clprim__tuned_for what)                                         \
    {                                                                                                                  \
        size_t i = 0;                                                                                                  \
        while (i + 1 < sizeof tunings / sizeof *tunings &&                                                             \
               !clprim__tuning_fits(&tunings[i].is_for, (int)variant, &runtime->info, &what))                          \
            i++;                                                                                                       \
        clprim__##stem##_tuning tuning = tunings[i].tuning;                                                            \
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
