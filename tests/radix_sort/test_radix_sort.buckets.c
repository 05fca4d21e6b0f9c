// SPDX-License-Identifier: MIT
/* test_radix_sort.buckets.c: calls that onesweep sorts in buckets of their upper bits, some of which are too large for a
 * work-group, and calls that it sorts by all digits: keys that are not spread evenly, and arrays that are too small.
 * Parameters let small calls be sorted in buckets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "ordered.h"

/* With values, the place in a bucket must take no more bits than buckets have in common. */
enum { FROM = 9000, MANY = 24000 };

/* Parameters, and the number of bits that tell the buckets of MANY keys apart. */
typedef struct tuning {
    size_t bucket;
    unsigned bits;
    const char *others;
} tuning;

static const tuning keys_alone = {1024, 5, ""};
static const tuning with_values = {256, 8, ""};
/* In groups of 256, digits have 8 bits, so that keys of 32 bits differ in 16 bits within a bucket. */
static const tuning of_halves = {32, 16, " halves=1 group_size=256 items=8"};

/* Keys whose upper 16 bits tell buckets apart. */
typedef enum kind {
    EVEN,
    FULL,      /* two buckets have as many as a work-group has room for */
    TOO_MANY,  /* one more */
    LONG_BIN,  /* many keys of one bucket have nearly the same lower bits, too */
    ONE,       /* all are in the same bucket */
    HALF,      /* half of them are in few buckets */
    FEW_LOWER, /* evenly spread, but there are few lower bits */
    SAME_LOWER,
    KINDS
} kind;

static const char *const kinds[KINDS] = {"even",       "full buckets",    "one too many in a bucket", "a long bin",
                                         "one bucket", "half are skewed", "few lower bits",           "no lower bits"};

/* Whether a key shares the bucket of a frequent one, or half of the keys that share its second digit. */
static bool is_like(uint64_t key, uint64_t frequent)
{
    return key >> 59 == frequent >> 59 || ((key >> 56 & 15) == (frequent >> 56 & 15) && key >> 63 == 0);
}

/* No digit is so frequent that keys are not sorted in buckets. */
static uint64_t key_of(kind of, const tuning *t, size_t i, uint64_t random)
{
    static const uint64_t frequent[2] = {UINT64_C(0xabcd) << 48, UINT64_C(0x1234) << 48};
    enum { LONG = 30 };
    const uint64_t lower = random & UINT64_MAX >> 16;
    const size_t hot = of == FULL ? t->bucket : of == TOO_MANY ? t->bucket + 1 : 0;
    if (i % 7 < 2 && i / 7 < hot)
        return (frequent[i % 7] & ~(UINT64_MAX >> t->bits)) | (random & UINT64_MAX >> t->bits);
    if (of == LONG_BIN && i % 7 == 3 && i / 7 < LONG)
        return frequent[0] | UINT64_C(0x777) << 36 | lower >> 12;
    while (hot > 0 && (is_like(random, frequent[0]) || is_like(random, frequent[1])))
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
    switch (of) {
    case ONE: return frequent[0] | lower;
    case HALF: return i % 2 == 0 ? random >> 7 : random;
    case FEW_LOWER: return (random & ~(UINT64_MAX >> 16)) | (random % 5 << 32);
    case SAME_LOWER: return random & ~(UINT64_MAX >> 16);
    default: return random;
    }
}

static void check(test_call *self, kind of, const tuning *t, size_t count, uint64_t replaced, uint64_t seed)
{
    const clprim_radix_sort_desc *desc = (const void *)self->desc.bytes;
    const size_t size = clprim_type_size(desc->key_type);
    static uint64_t words[MANY];
    test_fill_elements(words, CLPRIM_U64, sizeof *words, TEST_DATA_RANDOM, count, seed);
    unsigned char *keys = test_allocate(count * size);
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = key_of(of, t, i, words[i]) >> (64 - 8 * size);
        memcpy(keys + i * size, &key, size);
    }
    self->replaced = replaced;
    test_call_fill_data(self, &(clprim_radix_sort_call){.count = count, .keys_in = {.host = keys}}, TEST_DATA_RANDOM,
                        seed);
    test_call_check(self, "%s", kinds[of]);
    free(keys);
}

static const clprim_radix_sort_desc descs[] = {
    {.key_type = CLPRIM_U32},
    {.key_type = CLPRIM_F32, .value_size = 4, .descending = true},
    {.key_type = CLPRIM_I64, .argsort = true},
    {.key_type = CLPRIM_U64, .descending = true},
    {.key_type = CLPRIM_U64, .value_size = 8},
    {.key_type = CLPRIM_U32, .value_size = 1},
    {.key_type = CLPRIM_I32, .descending = true},
};
static const char *const withouts[] = {
    "", "forward_progress", "sub_groups", "int64_atomics", "sub_groups,forward_progress", "", ""};
static const tuning *const tunings[] = {&keys_alone,  &with_values, &with_values, &keys_alone,
                                        &with_values, &with_values, &of_halves};

enum { PLANS = sizeof descs / sizeof *descs };

TEST_EACH(radix_sort, in_buckets, PLANS, .timeout = 1800)
{
    clprim_radix_sort_desc desc = descs[*number];
    const tuning *t = tunings[*number];
    char directory[TEST_PATH_SIZE];
    char line[120];
    test_directory_create(directory);
    const int size = snprintf(line, sizeof line, "radix_sort onesweep bucketed_from=%d bucket=%zu bucket_groups=3%s\n",
                              FROM, t->bucket, t->others);
    test_write_file(test_path(directory, "tuning.txt"), line, (size_t)size);
    test_setenv("CLPRIM_TUNING", test_path(directory, "tuning.txt"));
    test_without(withouts[*number]);
    clprim_runtime *runtime = test_runtime(NULL);
    desc.variant = CLPRIM_RADIX_SORT_ONESWEEP;
    desc.max_count = MANY;
    TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_radix_sort_operation, &desc)) {
        const size_t counts[] = {MANY, FROM, FROM - 1, FROM + 1, 0, MANY - 1};
        uint64_t seed = TEST_SEED + 100 * *number;
        for (kind of = 0; of < KINDS; of++, seed++) /* one plan's calls take turns, in buckets and not */
            check(&self, of, t, MANY, seed % 2 * 3, seed);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++, seed++)
            check(&self, EVEN, t, counts[i], seed % 2 * 3, seed);
        for (int data = 0; data < TEST_DATA_END; data++, seed++) {
            self.replaced = seed % 2 * 3;
            test_call_fill_data(&self, &(clprim_radix_sort_call){.count = MANY - 1000}, data, seed);
            test_call_check(&self, "%s", test_data_name(data));
        }
    }
    clprim_runtime_destroy(runtime);
    test_directory_remove(directory);
}

/* Tuning may ask for buckets of very few keys; there are at least 16 bins all the same. */
Test(radix_sort, in_buckets_of_few_keys, .timeout = 600)
{
    enum { COUNT = 32000 };
    static uint32_t keys[COUNT], sorted[COUNT], expected[COUNT];
    for (int bucket = 1; bucket <= 4; bucket++) {
        char directory[TEST_PATH_SIZE];
        char line[100];
        test_directory_create(directory);
        const int size = snprintf(line, sizeof line, "radix_sort onesweep bucketed_from=4096 bucket=%d\n", bucket);
        test_write_file(test_path(directory, "tuning.txt"), line, (size_t)size);
        test_setenv("CLPRIM_TUNING", test_path(directory, "tuning.txt"));
        clprim_runtime *runtime = test_runtime(NULL);
        const clprim_radix_sort_desc desc = {.key_type = CLPRIM_U32, .variant = CLPRIM_RADIX_SORT_ONESWEEP};
        for (uint32_t i = 0; i < COUNT; i++) /* evenly spaced, in another order */
            keys[i] = i * UINT32_C(0x9e3779b1);
        const clprim_radix_sort_call call = {.keys_in = {.host = keys}, .count = COUNT, .keys_out = {.host = sorted}};
        ASSERT_OK(clprim_radix_sort_run(runtime, &desc, &call));
        memcpy(expected, keys, sizeof keys);
        ASSERT_OK(clprim_reference_sort(expected, NULL, &(clprim_reference_sort_how){.key_type = CLPRIM_U32}, COUNT));
        test_expect_same(expected, sorted, sizeof *sorted, COUNT, "buckets of few keys");
        clprim_runtime_destroy(runtime);
        test_directory_remove(directory);
    }
}
