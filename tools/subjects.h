/* subjects.h: what is tuned: each primitive on arrays of some type, with results to compare. */
#ifndef CLPRIM_TOOLS_SUBJECTS_H
#define CLPRIM_TOOLS_SUBJECTS_H

#include <clprim/clprim.h>

#include "tuning.h"

typedef struct subject subject;

/* The arrays of a subject on the device, and what the reference makes of them. Zeroed: none. */
typedef struct subject_data {
    size_t count;
    size_t parts; /* of segmented_sort: segments */
    cl_mem in, values_in, out, values_out, number;
    cl_mem second;        /* another input: offsets of segments, needles */
    void *second_on_host; /* until it is on the device */
    size_t second_bytes;
    void *expected, *expected_values;
    size_t expected_bytes, expected_values_bytes;
    uint64_t expected_number; /* in `number`, where there is one */
} subject_data;

/* A primitive, or one way to use it. */
typedef struct tuned_primitive {
    const char *stem;
    const clprim__tunables *tunables;
    const clprim_variant_info *(*variants)(size_t *count);
    double (*traffic)(const subject *self, size_t count); /* bytes read and written at least */
    clprim_status (*prepare)(subject_data *data, const subject *self, void *in, void *values, size_t count);
    clprim_status (*create)(void **plan, clprim_runtime *runtime, const subject *self, int variant, size_t count);
    clprim_status (*enqueue)(void *plan, const subject_data *data);
    void (*destroy)(void *plan);
} tuned_primitive;

extern const tuned_primitive tuned_reduce, tuned_scan, tuned_select, tuned_histogram, tuned_top_k;
extern const tuned_primitive tuned_radix_sort, tuned_bitonic_sort, tuned_comparison_sort, tuned_segmented_sort;
extern const tuned_primitive tuned_merge, tuned_is_sorted, tuned_search, tuned_search_anywhere;

struct subject {
    const tuned_primitive *primitive;
    clprim_type type;
    size_t value_size;
    size_t count; /* to be tuned with */
    size_t up_to; /* of plans that say they need no more; 0: any */
};

extern const subject subjects[];
extern const size_t num_subjects;

/* Arrays of `count` elements, and what is expected. The caller gives them up, also after an error. */
clprim_status subject_data_create(subject_data *out, clprim_runtime *runtime, const subject *self, size_t count);
void subject_data_destroy(subject_data *data);

/* Run the plan once. *is_right: what it wrote is what the reference wrote. */
clprim_status subject_try(bool *is_right, clprim_runtime *runtime, const subject *self, void *plan,
                          const subject_data *data);

/* The number of a variant's name; 0, AUTO, for an unknown one. */
int subject_variant(const subject *self, const char *name);

/* The primitives' tables, each once. Returns how many; `out` has room for num_subjects. */
size_t subject_tables(const clprim__tunables **out);

#endif
