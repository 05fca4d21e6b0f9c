// SPDX-License-Identifier: MIT
/* test_radix_sort.buckets.c: calls that onesweep sorts in buckets of their upper bits, and calls that must not be sorted
 * so: keys of which too many are in one bucket, and arrays that are too small. Parameters let small calls be sorted in
 * buckets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "ordered.h"

/* With values, the place in a bucket must take no more bits than buckets have in common. */
enum { BUCKET = 1024, BUCKET_OF_PAIRS = 256, FROM = 9000, MANY = 24000 };

/* Keys whose upper 16 bits tell buckets apart. */
typedef enum kind {
    EVEN,
    FULL,      /* one bucket has as many as it may have */
    TOO_MANY,  /* one more */
    ONE,       /* all are in the same bucket */
    HALF,      /* half of them are in few buckets */
    FEW_LOWER, /* evenly spread, but there are few lower bits */
    SAME_LOWER,
    KINDS
} kind;

static const char *const kinds[KINDS] = {"even",         "a full bucket",   "one too many in a bucket",
                                         "one bucket",   "half are skewed", "few lower bits",
                                         "no lower bits"};

static size_t bucket_of(const clprim_radix_sort_desc *desc)
{
    return desc->argsort || desc->value_size > 0 ? BUCKET_OF_PAIRS : BUCKET;
}

/* So that more than a sample says which are too many. */
static uint64_t key_of(kind of, size_t bucket, size_t i, uint64_t random)
{
    const uint64_t lower = random & UINT64_MAX >> 16;
    const uint64_t full = UINT64_C(0xabcd) << 48;
    const size_t hot = of == FULL ? bucket : of == TOO_MANY ? bucket + 1 : 0;
    if (i % 7 == 3 && i / 7 < hot)
        return full | lower;
    while (hot > 0 && random >> 59 == full >> 59) /* of all buckets that begin alike only one has keys */
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
    switch (of) {
    case ONE: return full | lower;
    case HALF: return i % 2 == 0 ? random >> 7 : random;
    case FEW_LOWER: return (random & ~(UINT64_MAX >> 16)) | (random % 5 << 32);
    case SAME_LOWER: return random & ~(UINT64_MAX >> 16);
    default: return random;
    }
}

static void check(test_call *self, kind of, size_t count, uint64_t replaced, uint64_t seed)
{
    const clprim_radix_sort_desc *desc = (const void *)self->desc.bytes;
    const size_t size = clprim_type_size(desc->key_type);
    const size_t bucket = bucket_of(desc);
    static uint64_t words[MANY];
    test_fill_elements(words, CLPRIM_U64, sizeof *words, TEST_DATA_RANDOM, count, seed);
    unsigned char *keys = test_allocate(count * size);
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = key_of(of, bucket, i, words[i]) >> (64 - 8 * size);
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
};
static const char *const withouts[] = {
    "", "forward_progress", "sub_groups", "int64_atomics", "sub_groups,forward_progress", ""};

enum { PLANS = sizeof descs / sizeof *descs };

TEST_EACH(radix_sort, in_buckets, PLANS, .timeout = 1800)
{
    clprim_radix_sort_desc desc = descs[*number];
    char directory[TEST_PATH_SIZE];
    char line[100];
    test_directory_create(directory);
    const int size = snprintf(line, sizeof line, "radix_sort onesweep bucketed_from=%d bucket=%zu bucket_groups=3\n",
                              FROM, bucket_of(&desc));
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
            check(&self, of, MANY, seed % 2 * 3, seed);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++, seed++)
            check(&self, EVEN, counts[i], seed % 2 * 3, seed);
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
