// SPDX-License-Identifier: MIT
/* subjects.c: what is tuned. An operation that is not in the table here is tuned as it is by default. */
#include "subjects.h"

#include <clprim/operations.h>
#include <string.h>

#include "operations.h"

enum { DEFAULT_COUNT = 1 << 22, MAX_SUBJECTS = 128, LONGEST_SEGMENT = 80 };

/* What descriptions say besides types. */
static const clprim_select_desc odd_ones = {.predicate = "(x & 1) != 0", .index_type = CLPRIM_U64};
static const clprim_top_k_desc best = {.k = 100};
static const clprim_segmented_top_k_desc best_of_rows = {.k = 10, .indices = true, .segment_length = 1024};
static const clprim_search_desc sorted_needles = {.needles_are_sorted = true};
/* In an order of the caller's: that of integers alone is the radix sort's matter. */
static const clprim_comparison_sort_desc by_text = {.less = "a < b"};
/* All values that a U32 has. */
static const clprim_histogram_desc even_bins = {.mapping = CLPRIM_HISTOGRAM_EVEN, .bins = 256, .high = 4294967296.0};

enum { LAST_IS_FOUND = 5 /* of find: only the last element is looked for */ };

static void suit_histogram(void *desc, int variant)
{
    if (variant == CLPRIM_HISTOGRAM_PER_ITEM || variant == CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED)
        ((clprim_histogram_desc *)desc)->bins = 64; /* at most */
}

static void suit_segmented_sort(void *desc, int variant)
{
    if (variant == CLPRIM_SEGMENTED_SORT_LOCAL) /* which must know how long they get */
        ((clprim_segmented_sort_desc *)desc)->max_segment_size = LONGEST_SEGMENT;
}

static void flag_odd_ones(clprim__trial *owner, const void *desc, void *call)
{
    clprim_select_call *c = call;
    const size_t size = clprim_type_size(((const clprim_select_desc *)desc)->type);
    uint8_t *flags = clprim__trial_memory(owner, c->count);
    for (size_t i = 0; flags != NULL && i < c->count; i++)
        flags[i] = ((const uint8_t *)c->in.host)[i * size] & 1; /* little-endian, as all the devices there are */
    c->flags.host = flags;
}

#define OPERATION(op) extern const clprim__trial_subject clprim__##op##_trial;
CLPRIM_OPERATIONS(OPERATION)
#undef OPERATION

/* Then come up_to and, if there are, further members. */
#define SUBJECT(op, element, size, log2_count, ...)                                                                    \
    {                                                                                                                  \
        .operation = &clprim__##op##_trial, .type = (element), .value_size = (size),                                   \
        .count = (size_t)1 << (log2_count), .up_to = __VA_ARGS__                                                       \
    }

/* Those of an operation are neighbours. A comparison sort's variant depends on the number of elements. */
static const subject rows[] = {
    SUBJECT(reduce, CLPRIM_U8, 0, 26, 0),
    SUBJECT(reduce, CLPRIM_U32, 0, 25, 0),
    SUBJECT(reduce, CLPRIM_U64, 0, 24, 0),
    SUBJECT(scan, CLPRIM_U32, 0, 24, 0),
    SUBJECT(scan, CLPRIM_U64, 0, 23, 0),
    SUBJECT(select, CLPRIM_U32, 0, 24, 0, .desc = &odd_ones, .prepare = flag_odd_ones),
    SUBJECT(select, CLPRIM_U64, 0, 23, 0, .desc = &odd_ones, .prepare = flag_odd_ones),
    SUBJECT(radix_sort, CLPRIM_U32, 0, 16, 1 << 18),
    SUBJECT(radix_sort, CLPRIM_U32, 0, 23, 0),
    SUBJECT(radix_sort, CLPRIM_U64, 0, 22, 0),
    SUBJECT(radix_sort, CLPRIM_U64, 8, 22, 0),
    SUBJECT(bitonic_sort, CLPRIM_U32, 0, 20, 0),
    SUBJECT(bitonic_sort, CLPRIM_U64, 0, 20, 0),
    SUBJECT(histogram, CLPRIM_U8, 0, 26, 0, .suit = suit_histogram),
    SUBJECT(histogram, CLPRIM_U32, 0, 24, 0, .desc = &even_bins, .suit = suit_histogram),
    SUBJECT(segmented_sort, CLPRIM_U32, 0, 22, 0, .suit = suit_segmented_sort),
    SUBJECT(top_k, CLPRIM_U32, 0, 24, 0, .desc = &best),
    SUBJECT(top_k, CLPRIM_U64, 0, 23, 0, .desc = &best),
    SUBJECT(segmented_top_k, CLPRIM_U32, 0, 24, 0, .desc = &best_of_rows),
    SUBJECT(segmented_top_k, CLPRIM_U64, 0, 23, 0, .desc = &best_of_rows),
    SUBJECT(comparison_sort, CLPRIM_U32, 0, 16, 1 << 18, .desc = &by_text),
    SUBJECT(comparison_sort, CLPRIM_U32, 0, 22, 1 << 23, .desc = &by_text),
    SUBJECT(comparison_sort, CLPRIM_U32, 0, 24, 0, .desc = &by_text),
    SUBJECT(comparison_sort, CLPRIM_U64, 0, 24, 0, .desc = &by_text),
    SUBJECT(comparison_sort, CLPRIM_U64, 8, 24, 0, .desc = &by_text),
    SUBJECT(merge, CLPRIM_U32, 0, 24, 0),
    SUBJECT(merge, CLPRIM_U64, 0, 23, 0),
    SUBJECT(merge, CLPRIM_U64, 8, 22, 0),
    SUBJECT(find, CLPRIM_U32, 0, 25, 0, .pattern = LAST_IS_FOUND),
    SUBJECT(find, CLPRIM_U64, 0, 24, 0, .pattern = LAST_IS_FOUND),
    SUBJECT(search, CLPRIM_U32, 0, 22, 0, .desc = &sorted_needles),
    SUBJECT(search, CLPRIM_U64, 0, 21, 0, .desc = &sorted_needles),
    SUBJECT(search, CLPRIM_U32, 0, 22, 0),
    SUBJECT(search, CLPRIM_U64, 0, 21, 0),
};

/* The rows of an operation behind the others; those that it has by default. */
static size_t add(subject *list, const clprim__trial_subject *operation)
{
    size_t count = 0;
    if (operation->operation->tunables == NULL)
        return 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].operation == operation)
            list[count++] = rows[i];
    if (count == 0) {
        list[count++] = (subject){.operation = operation, .type = CLPRIM_U32, .count = DEFAULT_COUNT};
        list[count++] = (subject){.operation = operation, .type = CLPRIM_U64, .count = DEFAULT_COUNT / 2};
    }
    return count;
}

const subject *subject_list(size_t *count)
{
    static subject list[sizeof rows / sizeof *rows + MAX_SUBJECTS];
    size_t num_operations = 0;
    const clprim__trial_subject *const *operations = clprim__operation_subjects(&num_operations);
    *count = 0;
    for (size_t i = 0; i < num_operations; i++)
        *count += add(list + *count, operations[i]);
    return list;
}

int subject_variant(const subject *self, const char *name)
{
    size_t count = 0;
    const clprim_variant_info *infos = self->operation->variants(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(infos[i].name, name) == 0)
            return infos[i].id;
    return 0;
}

size_t subject_tables(const clprim__tunables **out)
{
    size_t num_subjects = 0;
    size_t count = 0;
    const subject *subjects = subject_list(&num_subjects);
    for (size_t i = 0; i < num_subjects; i++)
        if (count == 0 || out[count - 1] != subject_tunables(&subjects[i]))
            out[count++] = subject_tunables(&subjects[i]);
    return count;
}
