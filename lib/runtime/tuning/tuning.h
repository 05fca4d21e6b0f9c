// SPDX-License-Identifier: MIT
/* tuning.h: the user's own parameters from a file, which override the library's measured ones (docs/tuning.md).
 *
 * A primitive has one table of what may be tuned. Its look-up fills in the library's values, and then looks into the
 * file. Results do not depend on the file: only values that the table allows are accepted, and the same code that fits
 * built-in values to the device also fits them. */
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

/* A row of such a table, for a member of clprim__<stem>_tuning. The second macro is for a parameter with another name
 * than the member. */
#define CLPRIM__TUNABLE(stem, variant, member, least, most, is_power_of_two)                                           \
    CLPRIM__TUNABLE_AS(stem, variant, #member, member, least, most, is_power_of_two)
#define CLPRIM__TUNABLE_AS(stem, variant, name, member, least, most, is_power_of_two)                                  \
    {                                                                                                                  \
        variant, name, offsetof(clprim__##stem##_tuning, member), least, most, is_power_of_two                         \
    }

/* The table of a primitive. */
typedef struct clprim__tunables {
    const char *stem;
    const clprim__tunable *items;
    size_t count;
} clprim__tunables;

/* Define it from a static table `tunables`. */
#define CLPRIM__DEFINE_TUNABLES(stem)                                                                                  \
    const clprim__tunables clprim__##stem##_tunables = {#stem, tunables, sizeof tunables / sizeof *tunables};

/* The elements for which parameters are needed. */
typedef struct clprim__tuned_for {
    size_t size;       /* size of an element, or a key, in bytes */
    size_t value_size; /* size of its value in bytes, or 0 */
    size_t max_count;  /* SIZE_MAX: any */
    int of;            /* a kind of work, if the operation's table distinguishes several; 0: any */
} clprim__tuned_for;

/* For a row that fits only devices where work-items of a sub-group cannot exchange words, or cannot find ranks by
 * ballots, or where groups may not wait for each other. */
typedef enum clprim__tuned_without {
    CLPRIM__NO_LACK = 0,
    CLPRIM__NO_SHUFFLES,
    CLPRIM__NO_WARPS,
    CLPRIM__NO_PROGRESS
} clprim__tuned_without;

#define CLPRIM__NO_VALUES SIZE_MAX /* for .value_size of a row */

/* What a row of the library's own parameters is for, in all operations alike. What a row leaves out fits all. A row that
 * names a vendor or a device was measured there, unless its comment says otherwise; the others were measured on NVIDIA's
 * GPUs or on PoCL. On devices that nobody measured, the code that fits parameters to a device leaves more room
 * (clprim__device_local_room). */
typedef struct clprim__tuning_for {
    int variant;             /* AUTO: any */
    clprim_device_kind kind; /* OTHER: any */
    clprim_vendor vendor;    /* OTHER: any */
    const char *device;      /* a part of its name, such as a family's, ignoring case; NULL: any */
    clprim__tuned_without without;
    size_t size;       /* at most this many bytes per element or key; 0: any */
    size_t value_size; /* at most this many bytes per value; 0: any; CLPRIM__NO_VALUES: only without values */
    size_t item_size;  /* at most this many bytes for both together; 0: any */
    size_t up_to;      /* at most this many elements in a call; 0: any */
    int of;            /* as in clprim__tuned_for; 0: any */
} clprim__tuning_for;

#define CLPRIM__ON_CPU .kind = CLPRIM_DEVICE_CPU
#define CLPRIM__ON_GPU .kind = CLPRIM_DEVICE_GPU

/* Whether a row applies to this variant, device and work. */
bool clprim__tuning_fits(const clprim__tuning_for *is_for, int variant, const clprim_device_info *info,
                         const clprim__tuned_for *what);

/* A table of rows: CLPRIM__TUNINGS(scan) = {{{FOR(LOOK_BACK), CLPRIM__ON_GPU}, {.group_size = 256}}, ...}, where
 * FOR(LOOK_BACK) is `.variant = CLPRIM_SCAN_LOOK_BACK`. The last row must apply to everything. */
#define CLPRIM__TUNINGS(stem)                                                                                          \
    static const struct {                                                                                              \
        clprim__tuning_for is_for;                                                                                     \
        clprim__##stem##_tuning tuning;                                                                                \
    } tunings[]

/* The parameters of a variant: those of the table's first row that applies, overridden by those of the user's file. */
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

/* The work for which parameters are needed. */
typedef struct clprim__tuning_query {
    const clprim__tunables *tunables;
    const char *variant;
    size_t size;      /* size of an element in bytes, including its value, if it has one */
    size_t max_count; /* SIZE_MAX: any */
} clprim__tuning_query;

/* The contents of a file. Thread-safe. */
typedef struct clprim__tuning clprim__tuning;

/* Read the file that CLPRIM_TUNING names, or else the user's file. The result is empty if there is no file. Errors in
 * the file are kept as sentences.
 * Errors: CLPRIM_OUT_OF_MEMORY. */
clprim_status clprim__tuning_create(clprim__tuning **out, const clprim_device_info *info);
void clprim__tuning_destroy(clprim__tuning *self);

/* The file's path, which the caller frees; NULL if there is none, or if memory is short. */
char *clprim__tuning_path(void);

/* Replace the contents by these lines. `name` is what sentences call them. */
clprim_status clprim__tuning_set(clprim__tuning *self, const char *name, const char *text, size_t size);

/* Find the first line that fits the device and the query, and write its parameters to *tuning. A line with values that
 * the table does not allow is ignored, and the reason is kept. */
void clprim__tuning_look_up(void *tuning, const clprim_runtime *runtime, const clprim__tunables *tunables,
                            const char *variant, size_t size, size_t max_count);

/* The number of lines that were ignored. `out` receives the reasons, one sentence per line, truncated if it is too
 * small. */
size_t clprim__tuning_problems(clprim__tuning *self, char *out, size_t capacity);

/* If there is a timeline, show what was ignored in it. */
void clprim__tuning_note(const clprim_runtime *runtime);

/* Check all lines, as a look-up checks those that it needs. `tables` has the tables of all primitives. */
void clprim__tuning_check(clprim__tuning *self, const clprim__tunables *const *tables, size_t count);

/* A callback for each look-up and its result, for the program that tunes. NULL removes it. */
typedef void (*clprim__tuning_watch_fn)(void *user, const clprim__tuning_query *query, const void *tuning);
void clprim__tuning_watch(clprim__tuning *self, clprim__tuning_watch_fn watch, void *user);

#endif
