// SPDX-License-Identifier: MIT
/* test_histogram.c: every variant counts what the reference counts, for all types and mappings, with and without
 * weights, for all sizes, offsets, channels, counters and spreads. By default the combinations are pairwise: every
 * variant meets every type and every mapping, and every type meets every mapping. With CLPRIM_TEST_FULL set, all
 * combinations are tested. */
#include "test_histogram.h"

#include "kinds.h"

#include <math.h>
#include <stdlib.h>

/* Around powers of two, where work-groups and tiles end. */
static const size_t sizes[] = {0, 1, 2, 3, 17, 255, 256, 257, 1023, 1025, 4096, 4097, 65537, 100003};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes, MAX_BINS_HERE = 65536 };

static const char *const spread_names[SPREAD_END] = {"uniform", "constant", "two values", "sorted",
                                                     "few",     "edges",    "bits",       "specials"};

static clprim_type bin_of_type;

/* Use the low bits of integers and the exponent of floats, for which all devices give the same result. */
static const char *bin_of_text(clprim_type type)
{
    bin_of_type = type;
    return type == CLPRIM_F64    ? "(int)(as_ulong(x) >> 52 & 2047) - 1000"
           : test_is_float(type) ? "(int)(as_uint(x) >> 23 & 255) - 104"
                                 : "(x & 127) - 3";
}

static int64_t bin_of(const void *element)
{
    uint64_t bits = 0; /* little-endian, like all supported devices */
    float value = 0;
    uint32_t single = 0;
    memcpy(&bits, element, clprim_type_size(bin_of_type));
    value = clprim_half_to_float((uint16_t)bits);
    memcpy(&single, bin_of_type == CLPRIM_F16 ? (const void *)&value : &bits, sizeof single);
    return bin_of_type == CLPRIM_F64    ? (int64_t)(bits >> 52 & 2047) - 1000
           : test_is_float(bin_of_type) ? (int64_t)(single >> 23 & 255) - 104
                                        : (int64_t)(bits & 127) - 3;
}

static bool must_work(const clprim_histogram_desc *desc, const clprim_device_info *info)
{
    const bool is_weighted = desc->weights_type != CLPRIM_TYPE_DEFAULT;
    const bool has_atomics = info->has_int64_atomics || clprim_type_size(desc->weights_type) < 8;
    const size_t table = desc->bins * desc->active_channels * sizeof(cl_ulong);
    if ((desc->type == CLPRIM_F64 || desc->weights_type == CLPRIM_F64) && !info->has_fp64)
        return false;
    switch (desc->variant) {
    case CLPRIM_HISTOGRAM_AUTO: /* fall through */
    case CLPRIM_HISTOGRAM_CPU_CHUNK: return true;
    case CLPRIM_HISTOGRAM_GLOBAL_ATOMIC: return has_atomics;
    case CLPRIM_HISTOGRAM_LOCAL_ATOMIC: return has_atomics && 4 * table <= info->local_memory_size;
    case CLPRIM_HISTOGRAM_SORT_BASED:
    case CLPRIM_HISTOGRAM_LARGE: return !is_weighted;
    case CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED: return false;
    case CLPRIM_HISTOGRAM_REPLICATED:
        if (!info->has_int64_atomics)
            return false; /* fall through */
    default: return !is_weighted && desc->bins <= 64 && desc->channels == 1 && info->local_memory_size >= 16384;
    }
}

static clprim_histogram_desc resolve(clprim_histogram_desc desc)
{
    desc.type = desc.type != CLPRIM_TYPE_DEFAULT ? desc.type : CLPRIM_U8;
    desc.bins = desc.bins != 0 ? desc.bins : 256;
    desc.channels = desc.channels != 0 ? desc.channels : 1;
    desc.active_channels = desc.active_channels != 0 ? desc.active_channels : desc.channels;
    return desc;
}

/* For CUSTOM, the reference uses the mapping that bin_of_type belongs to. */
static clprim_status reference(const void *desc, const void *call)
{
    const clprim_histogram_call *c = call;
    const clprim_histogram_desc *d = desc;
    const clprim_reference_histogram_how how = {.type = d->type,
                                                .mapping = d->mapping,
                                                .bins = d->bins,
                                                .bin_of = bin_of,
                                                .channels = d->channels,
                                                .active_channels = d->active_channels,
                                                .weights_type = d->weights_type,
                                                .counter_type = d->counter_type,
                                                .accumulate = d->accumulate};
    bin_of_type = d->type;
    return clprim_reference_histogram(c->out.host, c->outside_out.host, &how, c->in.host, c->weights.host, c->count);
}

bool histogram_create(test_call *out, clprim_runtime *runtime, clprim_histogram_desc desc)
{
    const clprim_histogram_desc resolved = resolve(desc);
    if (desc.mapping == CLPRIM_HISTOGRAM_CUSTOM && desc.bin_of == NULL)
        desc.bin_of = bin_of_text(resolved.type);
    const bool must = must_work(&resolved, clprim_runtime_info(runtime));
    const bool created = test_call_must(out, runtime, &clprim_histogram_operation, &desc, must);
    if (desc.mapping == CLPRIM_HISTOGRAM_CUSTOM)
        out->reference = reference;
    return created;
}

/* The bits of the number, or of the nearest number that the type can represent. */
static uint64_t bits_of(clprim_type type, double value)
{
    const unsigned bits = 8 * (unsigned)clprim_type_size(type);
    const bool is_signed = clprim__is_signed(type);
    const double limit = ldexp(1.0, (int)bits - is_signed); /* the smallest number above all numbers of the type */
    const float single = (float)value;
    uint32_t low_bits = 0;
    uint64_t all_bits = 0;
    memcpy(&low_bits, &single, sizeof low_bits);
    memcpy(&all_bits, &value, sizeof all_bits);
    if (test_is_float(type))
        return type == CLPRIM_F64 ? all_bits : type == CLPRIM_F32 ? low_bits : clprim_half_from_float(single);
    if (value >= limit)
        return UINT64_MAX >> (64 - bits + is_signed);
    if (is_signed)
        return (uint64_t)(int64_t)(value < -limit ? -limit : value);
    return value > 0 ? (uint64_t)value : 0;
}

/* The place where bin b begins; b may be the number of bins. */
static double edge_of(const clprim_histogram_desc *desc, size_t b)
{
    const double width = desc->high - desc->low;
    switch (desc->mapping) {
    case CLPRIM_HISTOGRAM_IDENTITY: return (double)b;
    case CLPRIM_HISTOGRAM_EVEN: return desc->low + width * ((double)b / (double)desc->bins);
    case CLPRIM_HISTOGRAM_BOUNDARIES:
        return desc->type == CLPRIM_I64   ? (double)((const int64_t *)desc->boundaries)[b]
               : desc->type == CLPRIM_U64 ? (double)((const uint64_t *)desc->boundaries)[b]
                                          : ((const double *)desc->boundaries)[b];
    default: return (test_is_float(desc->type) ? 8.0 : 280.0) * ((double)b / (double)desc->bins - 0.5);
    }
}

/* An edge and its neighbours, which have adjacent bits for floats, too. Boundaries of 64 bits are exact. */
static uint64_t bits_at_edge(const clprim_histogram_desc *desc, size_t b, uint64_t neighbour)
{
    uint64_t bits = bits_of(desc->type, edge_of(desc, b));
    if (desc->mapping == CLPRIM_HISTOGRAM_BOUNDARIES && (desc->type == CLPRIM_I64 || desc->type == CLPRIM_U64))
        memcpy(&bits, (const uint64_t *)desc->boundaries + b, sizeof bits);
    return bits + neighbour;
}

static void fill(unsigned char *out, const clprim_histogram_desc *desc, size_t n, histogram_spread spread,
                 uint64_t seed)
{
    const size_t size = clprim_type_size(desc->type);
    const double first = edge_of(desc, 0);
    const double last = edge_of(desc, desc->bins);
    const double low = isfinite(first) ? first : -1.0;
    const double width = (isfinite(last) ? last : 1.0) - low;
    uint64_t random = seed;
    if (spread == SPREAD_BITS || spread == SPREAD_SPECIALS) {
        const test_pattern pattern = spread == SPREAD_SPECIALS ? TEST_SPECIALS
                                     : seed % 2 == 0           ? TEST_RANDOM
                                                               : TEST_EXTREMES;
        test_fill(out, desc->type, CLPRIM_MIN, pattern, n, seed);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = test_random(&random);
        const uint64_t part = spread == SPREAD_CONSTANT ? 300 + seed % 400
                              : spread == SPREAD_TWO    ? 200 + r % 2 * 600
                              : spread == SPREAD_SORTED ? i * 1024 / n
                              : spread == SPREAD_FEW    ? 60 + r % 7 * 150
                                                        : 0;
        const double at = spread == SPREAD_UNIFORM ? (double)(r >> 11) * 0x1.2p-53 - 0.0625 : (double)part / 1024.0;
        const uint64_t bits = spread == SPREAD_EDGES
                                  ? bits_at_edge(desc, (size_t)(r >> 8) % (desc->bins + 1), r % 3 - 1)
                                  : bits_of(desc->type, low + width * at);
        memcpy(out + i * size, &bits, size);
    }
}

void histogram_check(test_call *self, const void *data, histogram_spread spread, size_t count, unsigned repeat,
                     uint64_t seed)
{
    const clprim_histogram_desc desc = resolve(*(const clprim_histogram_desc *)(const void *)self->desc.bytes);
    unsigned char *in = test_memory(0, count * desc.channels * clprim_type_size(desc.type));
    unsigned char *weights = test_memory(1, count * clprim_type_size(desc.weights_type));
    if (data == NULL)
        fill(in, &desc, count * desc.channels, spread, seed);
    if (desc.weights_type != CLPRIM_TYPE_DEFAULT)
        test_fill(weights, desc.weights_type, CLPRIM_SUM, TEST_EXACT, count, seed + 1);
    clprim_histogram_call call = {
        .in = {.host = data != NULL ? (void *)data : in}, .weights = {.host = weights}, .count = count};
    test_call_fill(self, &call, seed);
    for (unsigned i = 1; i < repeat; i++) {
        ASSERT_OK(test_call_enqueue(self, &self->call));
        if (desc.accumulate)
            ASSERT_OK((self->reference != NULL ? self->reference : self->operation->reference)(self->desc.bytes,
                                                                                               self->on_host.bytes));
    }
    test_call_check(self, "%zu elements (%s, seed %llx), %u times", count,
                    data != NULL ? "given" : spread_names[spread], (unsigned long long)seed, repeat);
}

/* The turn determines the spread, how often the call is repeated, and whether it requests the number of elements
 * outside. */
static void check_turn(test_call *self, size_t turn, size_t count, histogram_spread spread, uint64_t seed)
{
    self->without = turn % 5 == 3 ? "outside_out" : NULL;
    histogram_check(self, NULL, spread, count, count < 5000 ? 1 + (unsigned)turn % 3 : 1, seed + turn);
}

static void check_all(test_call *self, uint64_t seed)
{
    size_t turn = (size_t)(seed % 1000);
    for (size_t i = 0; i < NUM_SIZES; i++, turn++)
        check_turn(self, turn, sizes[i], (histogram_spread)(turn % SPREAD_END), seed);
    for (int spread = 0; spread < SPREAD_END; spread++, turn++)
        check_turn(self, turn, 15013, (histogram_spread)spread, seed);
}

/* Some bins are narrow, and some are empty: every seventh boundary equals the previous one. With `open`, boundaries of
 * floats cover all numbers. */
static void make_boundaries(void *out, clprim_type type, size_t bins, bool open)
{
    const bool is_wide = type == CLPRIM_I64 || type == CLPRIM_U64;
    const double low = test_is_float(type)  ? -0.8
                       : type == CLPRIM_U64 ? 1000.0
                       : is_wide            ? -9e18
                       : type == CLPRIM_I32 ? -2e9
                                            : -100.0;
    const double width = test_is_float(type) ? 1.7 : is_wide ? 1.8e19 : clprim_type_size(type) == 4 ? 3.9e9 : 300.0;
    for (size_t i = 0; i <= bins; i++) {
        const size_t b = i % 7 == 6 ? i - 1 : i;
        double value = low + width * ((double)b / (double)bins) * (0.5 + 0.5 * (double)b / (double)bins);
        value = open && i == 0 ? -HUGE_VAL : open && i == bins ? HUGE_VAL : value;
        const uint64_t wide = bits_of(is_wide ? type : CLPRIM_F64, value);
        memcpy((char *)out + i * sizeof wide, &wide, sizeof wide);
    }
}

/* The range of EVEN: all numbers of the type, or a part of them. */
static void choose_range(clprim_histogram_desc *desc, bool whole)
{
    const int bits = 8 * (int)clprim_type_size(desc->type);
    if (test_is_float(desc->type)) {
        desc->low = whole ? -1.0 : -0.7; /* 0.7 and 0.9 are no floats: the edges must not be rounded */
        desc->high = whole ? 1.0 : 0.9;
    } else {
        desc->low = clprim__is_signed(desc->type) ? -ldexp(1.0, bits - 1) : 0.0;
        desc->high = desc->low + ldexp(1.0, bits);
        desc->low = whole ? desc->low : floor(desc->low * 0.6) + 3.0;
        desc->high = whole ? desc->high : floor(desc->high * 0.7) - 5.0;
    }
}

static bool takes_weights(clprim_histogram_variant variant)
{
    return variant == CLPRIM_HISTOGRAM_GLOBAL_ATOMIC || variant == CLPRIM_HISTOGRAM_LOCAL_ATOMIC ||
           variant == CLPRIM_HISTOGRAM_CPU_CHUNK;
}

/* Properties that are not combined pairwise are derived from a number. */
static clprim_histogram_desc desc_of(clprim_histogram_variant variant, clprim_type type,
                                     clprim_histogram_mapping mapping, clprim_type weights, size_t number)
{
    static const size_t bins[] = {1, 2, 63, 64, 65, 255, 256, 257, 1000, 4096, MAX_BINS_HERE};
    static const size_t usable[] = {
        [CLPRIM_HISTOGRAM_PER_ITEM] = 4,         [CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED] = 4,
        [CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED] = 8, [CLPRIM_HISTOGRAM_REPLICATED] = 9,
        [CLPRIM_HISTOGRAM_LOCAL_ATOMIC] = 10,
    };
    const bool is_limited = (size_t)variant < sizeof usable / sizeof *usable && usable[variant] != 0;
    const bool is_weighted = weights != CLPRIM_TYPE_DEFAULT;
    const bool is_small = variant == CLPRIM_HISTOGRAM_PER_ITEM || variant == CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED;
    clprim_histogram_desc desc = {.type = type, .mapping = mapping, .weights_type = weights, .variant = variant};
    desc.bins = bins[(number * 5 + (size_t)variant) % (is_limited ? usable[variant] : 11)];
    desc.channels = is_weighted ? 1 : 1 + (unsigned)(number / 2 * (is_small ? 2 : 1) % 4);
    desc.active_channels = 1 + (unsigned)(number / 3) % desc.channels;
    desc.counter_type = is_weighted || number % 3 == 0 ? CLPRIM_TYPE_DEFAULT
                        : number % 3 == 1              ? CLPRIM_U64
                                                       : CLPRIM_U32;
    desc.accumulate = number / 2 % 2 == 1;
    desc.work_group_size = number % 5 == 4 ? 32 : number % 5 == 2 ? 4096 : 0;
    if (mapping == CLPRIM_HISTOGRAM_EVEN)
        choose_range(&desc, number % 2 == 0);
    return desc;
}

static void check_desc(clprim_runtime *runtime, clprim_histogram_desc desc, size_t number)
{
    void *boundaries = test_allocate((desc.bins + 1) * 8);
    make_boundaries(boundaries, desc.type, desc.bins, number % 3 == 1);
    desc.boundaries = desc.mapping == CLPRIM_HISTOGRAM_BOUNDARIES ? boundaries : NULL;
    TEST_WITH_CALL(self, histogram_create(&self, runtime, desc))
        check_all(&self, TEST_SEED + number * 37);
    free(boundaries);
}

enum { VARIANT = 0, TYPE, MAPPING };

/* Few devices can do SUB_GROUP_TAGGED. */
static int rank(const size_t *at)
{
    if (at[MAPPING] == CLPRIM_HISTOGRAM_IDENTITY && test_is_float((clprim_type)(at[TYPE] + 1)))
        return 0;
    return at[VARIANT] + 1 == CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED ? 2 : 1;
}

/* Variants that take weights meet each type of weights; with CLPRIM_TEST_FULL, in each case. */
TEST_BY_VARIANT(histogram, variant, clprim_histogram_operation)
{
    static const clprim_type weights[] = {CLPRIM_TYPE_DEFAULT, CLPRIM_I32, CLPRIM_U32, CLPRIM_F32,
                                          CLPRIM_I64,          CLPRIM_U64, CLPRIM_F64};
    enum { NUM_WEIGHTS = sizeof weights / sizeof *weights };
    const size_t levels[] = {(size_t)HISTOGRAM_LAST_VARIANT, CLPRIM_TYPE_END - 1, 4, 0};
    const test_case *cases = NULL;
    const size_t count = test_sample(&cases, variant, levels, rank);
    const size_t num_weights = takes_weights((clprim_histogram_variant)variant) ? NUM_WEIGHTS : 1;
    const size_t times = test_is_full() ? num_weights : 1;
    for (size_t i = 0; i < count * times; i++) {
        const size_t *at = cases[i / times];
        check_desc(runtime,
                   desc_of((clprim_histogram_variant)variant, (clprim_type)(at[TYPE] + 1),
                           (clprim_histogram_mapping)at[MAPPING], weights[i % num_weights], i + at[VARIANT]),
                   i + at[VARIANT]);
    }
}
