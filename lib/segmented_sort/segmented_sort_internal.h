// SPDX-License-Identifier: MIT
/* segmented_sort_internal.h: the plan of a sort by segments, and the table of its variants. */
#ifndef CLPRIM_LIB_SEGMENTED_SORT_INTERNAL_H
#define CLPRIM_LIB_SEGMENTED_SORT_INTERNAL_H

#include <clprim/segmented_sort.h>

#include "plan_internal.h"
#include "program.h"
#include "radix_sort_internal.h"
#include "tuning.h"
#include "variants.h"

typedef struct clprim__segmented_sort_row {
    clprim_variant_info info;
    const char *sort; /* the kernel that sorts segments one by one; NULL: there is none */
    bool by_codes;    /* what is left is sorted all at once: all segments, or behind such a kernel long ones */
    bool in_chunks;   /* one work-item a group, one share of the array each; else tiles in local memory */
    const clprim__source *source;
} clprim__segmented_sort_row;

/* The parameters with which a variant runs on a device. */
typedef struct clprim__segmented_sort_tuning {
    size_t group_size;
    size_t items;            /* elements a work-item has of a tile */
    size_t network;          /* the longest segment that a work-item sorts in registers; 1: none */
    size_t short_items;      /* elements a work-item has where all segments are so short */
    size_t enumerated;       /* the longest segment in which keys count those before them */
    size_t groups_at_once;   /* of those that sort tiles: a compute unit has the registers of so many; 0: not limited */
    size_t whole_per_unit;   /* segments, up to which each has a group of its own; 0: never */
    size_t whole_enumerated; /* likewise the longest segment in which keys count those before them */
    size_t whole_groups;     /* likewise groups_at_once */
    size_t rows_at_once;     /* work-items of rows.cl that a compute unit has registers for */
    size_t most_merged;     /* elements of a call in which pieces of long segments are merged, if groups may not wait */
    size_t long_group_size; /* of passes over long segments, */
    size_t long_bytes;      /* and how much of a tile a work-item has: its items' keys, or their values where larger */
    size_t swept_bytes;     /* the same if each pass is a launch, because groups may not wait */
    size_t groups_per_unit; /* of what runs in chunks, and of kernels that are not bound to tiles */
} clprim__segmented_sort_tuning;

/* A description with its defaults filled in. */
typedef struct clprim__segmented_sort_setting {
    clprim__radix_sort_setting keys; /* and values */
    bool is_partial;                 /* only some bits of the keys decide: the highest ones of their images */
    size_t segment_length;           /* of all segments, which have no offsets; 0: by offsets */
    size_t offset_size;
    size_t max_segments;
    size_t max_segment_size; /* 0: not known */
} clprim__segmented_sort_setting;

/* Bytes before the list of long segments in kernels/segmented_sort/parts/segments.cl; bytes of the state of
 * kernels/segmented_sort/whole.cl; samples of a run in kernels/segmented_sort/merge.cl at least. */
#define CLPRIM__SEGMENTED_SORT_SHARED(X) X(LONG_HEADER, 256) X(FEW_STATE, 384) X(MERGE_SAMPLES, 4)
enum { CLPRIM__SEGMENTED_SORT_SHARED(CLPRIM__SHARED_ENUMERATOR) };

/* What a kernel is for. */
enum {
    CLPRIM__SEGMENTED_SORT_WINDOWS,
    CLPRIM__SEGMENTED_SORT_SHORT,
    CLPRIM__SEGMENTED_SORT_SORT,
    CLPRIM__SEGMENTED_SORT_WHOLE,
    CLPRIM__SEGMENTED_SORT_ROWS, /* instead of SHORT and SORT, or if all segments have one length, of all others */
    CLPRIM__SEGMENTED_SORT_LONG,
    CLPRIM__SEGMENTED_SORT_COUNT, /* by_sweeps: counts digits before it */
    CLPRIM__SEGMENTED_SORT_MERGE, /* instead of both, in small calls */
    CLPRIM__SEGMENTED_SORT_ENCODE,
    CLPRIM__SEGMENTED_SORT_NUMBERS,
    CLPRIM__SEGMENTED_SORT_DECODE,
    CLPRIM__SEGMENTED_SORT_KERNELS
};

/* How a kernel that sorts long segments by passes divides them. */
typedef struct clprim__long_shape {
    size_t tile;     /* elements, */
    size_t counters; /* of each segment, */
    size_t statuses; /* and status words of each tile */
} clprim__long_shape;

typedef struct clprim__segmented_sort_plan {
    clprim_plan base;
    const clprim__segmented_sort_row *row;
    clprim__segmented_sort_setting setting;
    bool by_codes;        /* as in the row, where segments may be so long */
    bool by_passes;       /* long segments are sorted tile by tile, and not by codes: in one launch, */
    bool by_sweeps;       /* or if groups may not wait for each other, in one launch per pass, after one that counts, */
    size_t most_merged;   /* but in calls of up to so many elements by merges */
    bool is_wide;         /* a code has no room for key and number: two sorts */
    unsigned number_bits; /* of the numbers that segments have in codes */
    size_t code_size;     /* bytes of a code, or where is_wide of a key */
    size_t tile;          /* elements of a tile */
    clprim__long_shape shape; /* by_passes: of the kernel for long segments; */
    clprim__long_shape few;   /* and of the one for few segments */
    unsigned passes;          /* by_sweeps */
    size_t window;            /* elements; of what runs in chunks at least */
    size_t windows_each;      /* that a group has at most where segments are short */
    size_t max_groups;
    size_t max_whole; /* segments, up to which each has a group of its own */
    clprim__kernel kernels[CLPRIM__SEGMENTED_SORT_KERNELS];
    clprim_plan *by_code; /* or where is_wide by key, */
    clprim_plan *by_number;
} clprim__segmented_sort_plan;

enum { CLPRIM__LEAST_ROW = 512 };                      /* elements of an average segment that has a group of its own */
enum { CLPRIM__SEGMENTED_SORT_LEAST_SHARE = 1 << 16 }; /* elements of a segment that may be long, of CPU_CHUNK */

/* How many runs at a time a group merges, and by how many launches at most. */
enum { CLPRIM__SEGMENTED_SORT_MOST_MERGES = 4 };
static inline size_t clprim__segmented_sort_ways(size_t group_size)
{
    return group_size / 2 / CLPRIM__MERGE_SAMPLES;
}

/* As clprim__operation says. */
clprim_status clprim__segmented_sort_make(clprim_plan *plan, const void *desc);
void clprim__segmented_sort_clear(clprim_plan *plan);
clprim_status clprim__segmented_sort_check(const clprim_plan *plan, const void *call);
size_t clprim__segmented_sort_scratch(const clprim_plan *plan, const void *call);
size_t clprim__segmented_sort_pooled(const clprim_plan *plan, const clprim__call *call);
clprim_status clprim__segmented_sort_launch(clprim_plan *plan, clprim__chain *chain, const clprim__call *call);

/* Compile the plan's kernels, and make the sorts it is built on. */
clprim_status clprim__segmented_sort_build(clprim__segmented_sort_plan *self);

CLPRIM__DECLARE_ROWS(segmented_sort)

/* The best variant for a device. */
clprim_segmented_sort_variant clprim__segmented_sort_auto(const clprim_device_info *info,
                                                          const clprim__segmented_sort_setting *setting);

/* CLPRIM_UNSUPPORTED, with the reason, if the variant does not support the setting with any group size. */
clprim_status clprim__segmented_sort_supported(const clprim__segmented_sort_row *row,
                                               const clprim__segmented_sort_setting *setting);

#endif
