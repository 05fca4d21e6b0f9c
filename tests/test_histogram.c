/* test_histogram.c: every variant counts what the reference counts, for all types and mappings, with and without
 * weights, for all sizes, offsets, channels, counters and spreads. By default pairwise: every variant meets every type
 * and every mapping, every type every mapping, and variants that take weights every type of weights; with
 * CLPRIM_TEST_FULL set, every variant meets every type by every mapping, and every type with every type of weights. */
#include "test_histogram.h"

#include <criterion/parameterized.h> /* works only after criterion.h */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Around powers of two, where work-groups and tiles end. */
static const size_t sizes[] = {0, 1, 2, 3, 17, 255, 256, 257, 1023, 1025, 4096, 4097, 65537, 100003};
static const size_t offsets[] = {0, 1, 3, 7};

enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    MAX_COUNT = 100003,
    MAX_OFFSET = 7,
    TAIL = 64,
    OUTSIDE_SLOTS = MAX_OFFSET + 4 + 3,
    MAX_BINS_HERE = 65536
};

static const char *const spread_names[SPREAD_END] = {"uniform", "constant", "two values", "sorted",
                                                     "few",     "edges",    "bits",       "specials"};
static const char *const mapping_names[] = {"identity", "even", "boundaries", "custom"};

const char *histogram_variant_name(clprim_histogram_variant variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_histogram_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == (int)variant)
            return variants[i].name;
    return "auto";
}

clprim_reference_histogram_how histogram_how(const clprim_histogram_desc *desc)
{
    return (clprim_reference_histogram_how){.type = desc->type,
                                            .mapping = desc->mapping,
                                            .bins = desc->bins,
                                            .low = desc->low,
                                            .high = desc->high,
                                            .boundaries = desc->boundaries,
                                            .bin_of = desc->bin_of != NULL ? histogram_bin_of : NULL,
                                            .channels = desc->channels,
                                            .active_channels = desc->active_channels,
                                            .weights_type = desc->weights_type,
                                            .counter_type = desc->counter_type,
                                            .accumulate = desc->accumulate};
}

static clprim_type bin_of_type;

/* Integers by their low bits, floats by their exponent, in which devices cannot differ. */
const char *histogram_bin_of_text(clprim_type type)
{
    bin_of_type = type;
    return type == CLPRIM_F64    ? "(int)(as_ulong(x) >> 52 & 2047) - 1000"
           : test_is_float(type) ? "(int)(as_uint(x) >> 23 & 255) - 104"
                                 : "(x & 127) - 3";
}

int64_t histogram_bin_of(const void *element)
{
    uint64_t bits = 0; /* little-endian, as all the devices there are */
    float value = 0;
    uint32_t single = 0;
    memcpy(&bits, element, clprim_type_size(bin_of_type));
    value = clprim_half_to_float((uint16_t)bits);
    memcpy(&single, &value, sizeof single);
    switch (bin_of_type) {
    case CLPRIM_F64: return (int64_t)(bits >> 52 & 2047) - 1000;
    case CLPRIM_F32: return (int64_t)(bits >> 23 & 255) - 104;
    case CLPRIM_F16: return (int64_t)(single >> 23 & 255) - 104;
    default: return (int64_t)(bits & 127) - 3;
    }
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

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    cr_assert_not_null(memory);
    return memory;
}

static void resolve(clprim_histogram_desc *desc)
{
    desc->type = desc->type != CLPRIM_TYPE_DEFAULT ? desc->type : CLPRIM_U8;
    desc->bins = desc->bins != 0 ? desc->bins : 256;
    desc->channels = desc->channels != 0 ? desc->channels : 1;
    desc->active_channels = desc->active_channels != 0 ? desc->active_channels : desc->channels;
    if (desc->counter_type == CLPRIM_TYPE_DEFAULT)
        desc->counter_type = desc->weights_type != CLPRIM_TYPE_DEFAULT     ? desc->weights_type
                             : desc->max_count >= (uint64_t)UINT32_MAX + 1 ? CLPRIM_U64
                                                                           : CLPRIM_U32;
}

bool histogram_create(histogram_subject *out, clprim_runtime *runtime, clprim_histogram_desc desc, size_t max_count)
{
    histogram_subject self = {.runtime = runtime, .desc = desc};
    resolve(&self.desc);
    const char *text = histogram_bin_of_text(self.desc.type);
    if (self.desc.mapping == CLPRIM_HISTOGRAM_CUSTOM && self.desc.bin_of == NULL)
        self.desc.bin_of = desc.bin_of = text;
    self.how = histogram_how(&self.desc);
    self.counter_size = clprim_type_size(self.desc.counter_type);
    (void)snprintf(self.name, sizeof self.name, "histogram of %u/%u x %s by %s, %zu bins, %s %s%s, by %s",
                   self.desc.active_channels, self.desc.channels, clprim_type_name(self.desc.type),
                   mapping_names[desc.mapping], self.desc.bins,
                   desc.weights_type != CLPRIM_TYPE_DEFAULT ? "weights" : "counts",
                   clprim_type_name(self.desc.counter_type), desc.accumulate ? ", accumulated" : "",
                   histogram_variant_name(desc.variant));
    const clprim_status status = clprim_histogram_create(&self.plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED && !must_work(&self.desc, clprim_runtime_info(runtime))) {
        cr_log_info("%s skipped: %s", self.name, clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s: %s", self.name, clprim_status_string(status),
                 clprim_last_error());
    const clprim_histogram_variant used = clprim_plan_variant(self.plan)->id;
    cr_assert(used != CLPRIM_HISTOGRAM_AUTO && (desc.variant == CLPRIM_HISTOGRAM_AUTO || used == desc.variant),
              "%s: %s", self.name, histogram_variant_name(used));
    const size_t in_bytes = (MAX_OFFSET + max_count * self.desc.channels + TAIL) * clprim_type_size(self.desc.type);
    const size_t weights_bytes = (MAX_OFFSET + max_count + TAIL) * self.counter_size;
    const size_t out_bytes = (MAX_OFFSET + self.desc.active_channels * self.desc.bins + TAIL) * self.counter_size;
    const size_t larger = in_bytes > weights_bytes ? in_bytes : weights_bytes;
    self.in = allocate(in_bytes);
    self.weights = allocate(weights_bytes);
    self.expected = allocate(out_bytes);
    self.found = allocate(larger > out_bytes ? larger : out_bytes);
    self.in_memory = test_buffer(runtime, in_bytes);
    self.weights_memory = test_buffer(runtime, weights_bytes);
    self.out_memory = test_buffer(runtime, out_bytes);
    self.outside_memory = test_buffer(runtime, OUTSIDE_SLOTS * sizeof(cl_ulong));
    *out = self;
    return true;
}

void histogram_destroy(histogram_subject *self)
{
    clprim_plan_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in_memory));
    ASSERT_CL(clReleaseMemObject(self->weights_memory));
    ASSERT_CL(clReleaseMemObject(self->out_memory));
    ASSERT_CL(clReleaseMemObject(self->outside_memory));
    free(self->in);
    free(self->weights);
    free(self->expected);
    free(self->found);
}

/* The number's bits, or those of the nearest one that the type has. */
static uint64_t bits_of(clprim_type type, double value)
{
    const unsigned bits = 8 * (unsigned)clprim_type_size(type);
    const bool is_signed = type == CLPRIM_I8 || type == CLPRIM_I16 || type == CLPRIM_I32 || type == CLPRIM_I64;
    const double limit = ldexp(1.0, (int)bits - is_signed); /* the least number above all of the type */
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

/* Where bin b begins; b may be the number of bins. */
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

/* An edge and the numbers next to it: for floats, too, these have the next bits. Of boundaries of 64 bits exactly. */
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

/* Floats: small integers, whose sums are exact in any order. */
static void fill_weights(unsigned char *out, clprim_type type, size_t n, uint64_t seed)
{
    const size_t size = clprim_type_size(type);
    uint64_t random = seed + 1;
    for (size_t i = 0; i < n; i++) {
        const uint64_t r = test_random(&random);
        const uint64_t bits = test_is_float(type) ? bits_of(type, (double)(r % 17) - 8.0) : r;
        memcpy(out + i * size, &bits, size);
    }
}

static void enqueue(const histogram_subject *self, const histogram_call *c, cl_event *done)
{
    cl_mem outside = c->without_outside ? NULL : self->outside_memory;
    const clprim_array weights = {.buffer = self->weights_memory, .offset = c->weights_offset};
    const clprim_array none = {.buffer = NULL};
    ASSERT_OK(clprim_histogram_enqueue(
        self->plan, NULL,
        &(clprim_histogram_call){.in = {self->in_memory, c->in_offset},
                                 .weights = self->desc.weights_type == CLPRIM_TYPE_DEFAULT ? none : weights,
                                 .count = c->count,
                                 .out = {self->out_memory, c->out_offset},
                                 .outside_out = {outside, c->outside_offset}},
        0, NULL, done));
}

static void check_unchanged(const histogram_subject *self, cl_mem memory, const unsigned char *uploaded, size_t bytes,
                            const char *what)
{
    test_read(self->runtime, self->found, memory, bytes);
    cr_assert(memcmp(self->found, uploaded, bytes) == 0, "%s: an input was written to", what);
}

void histogram_check(histogram_subject *self, const histogram_call *c)
{
    const clprim_histogram_desc *desc = &self->desc;
    const size_t size = clprim_type_size(desc->type);
    const size_t cells = desc->active_channels * desc->bins;
    const size_t in_bytes = (c->in_offset + c->count * desc->channels + TAIL) * size;
    const size_t weights_bytes = (c->weights_offset + c->count + TAIL) * self->counter_size;
    const size_t out_cells = c->out_offset + cells + TAIL;
    const unsigned repeat = c->repeat > 0 ? c->repeat : 1;
    const bool is_weighted = desc->weights_type != CLPRIM_TYPE_DEFAULT;
    unsigned char *elements = self->in + c->in_offset * size;
    unsigned char *weights = self->weights + c->weights_offset * self->counter_size;
    unsigned char *counters = self->expected + c->out_offset * self->counter_size;
    uint64_t outside[OUTSIDE_SLOTS];
    uint64_t outside_found[OUTSIDE_SLOTS];
    char what[384];
    cl_event done = NULL;
    (void)snprintf(what, sizeof what, "%s: %zu elements (%s, seed %llx) from %zu, weights from %zu, to %zu, %u times",
                   self->name, c->count, c->data != NULL ? "given" : spread_names[c->spread],
                   (unsigned long long)c->seed, c->in_offset, c->weights_offset, c->out_offset, repeat);
    test_fill_margin(self->in, in_bytes);
    test_fill_margin(self->weights, weights_bytes);
    fill_weights(weights, desc->counter_type, c->count, c->seed);
    if (c->data != NULL)
        memcpy(elements, c->data, c->count * desc->channels * size);
    else
        fill(elements, desc, c->count * desc->channels, c->spread, c->seed);
    memset(self->expected, HISTOGRAM_POISON, out_cells * self->counter_size);
    if (test_is_float(desc->counter_type)) /* what is added to; integers are added to the poison */
        fill_weights(counters, desc->counter_type, cells, c->seed);
    memset(outside, HISTOGRAM_POISON, sizeof outside);
    test_write(self->runtime, self->in_memory, self->in, in_bytes);
    test_write(self->runtime, self->weights_memory, self->weights, weights_bytes);
    test_write(self->runtime, self->out_memory, self->expected, out_cells * self->counter_size);
    test_write(self->runtime, self->outside_memory, outside, sizeof outside);
    for (unsigned i = 0; i < repeat; i++)
        enqueue(self, c, i + 1 == repeat ? &done : NULL);
    bin_of_type = desc->type;
    for (unsigned i = 0; i < (desc->accumulate ? repeat : 1); i++)
        ASSERT_OK(clprim_reference_histogram(counters, c->without_outside ? NULL : outside + c->outside_offset,
                                             &self->how, elements, is_weighted ? weights : NULL, c->count));
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    test_read(self->runtime, self->found, self->out_memory, out_cells * self->counter_size);
    test_expect_same(self->expected, self->found, self->counter_size, out_cells, what);
    test_read(self->runtime, outside_found, self->outside_memory, sizeof outside_found);
    test_expect_same(outside, outside_found, sizeof *outside, OUTSIDE_SLOTS, what);
    check_unchanged(self, self->in_memory, self->in, in_bytes, what);
    check_unchanged(self, self->weights_memory, self->weights, weights_bytes, what);
}

/* The turn decides on offsets, different ones for each array, and on the spread. */
static histogram_call call_of_turn(size_t turn, size_t count, uint64_t seed)
{
    return (histogram_call){.count = count,
                            .in_offset = offsets[turn % 4],
                            .weights_offset = offsets[(turn + 1) % 4],
                            .out_offset = offsets[(turn / 4 + 2) % 4],
                            .outside_offset = turn % (MAX_OFFSET + 1),
                            .without_outside = turn % 5 == 3,
                            .repeat = count < 5000 ? 1 + (unsigned)turn % 3 : 1,
                            .spread = (histogram_spread)(turn % SPREAD_END),
                            .seed = seed + turn};
}

static void check_all(histogram_subject *self, uint64_t seed)
{
    size_t turn = (size_t)(seed % 1000);
    for (size_t i = 0; i < NUM_SIZES; i++, turn++) {
        const histogram_call c = call_of_turn(turn, sizes[i], seed);
        histogram_check(self, &c);
    }
    for (int spread = 0; spread < SPREAD_END; spread++, turn++) {
        histogram_call c = call_of_turn(turn, 15013, seed);
        c.spread = (histogram_spread)spread;
        histogram_check(self, &c);
    }
}

/* Some bins are narrow, some empty: every seventh boundary is that before it. Floats have the whole line where `open`.
 */
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

/* What EVEN covers: all that the type has, or a part of it. */
static void choose_range(clprim_histogram_desc *desc, bool whole)
{
    const int bits = 8 * (int)clprim_type_size(desc->type);
    const bool is_signed =
        desc->type == CLPRIM_I8 || desc->type == CLPRIM_I16 || desc->type == CLPRIM_I32 || desc->type == CLPRIM_I64;
    if (test_is_float(desc->type)) {
        desc->low = whole ? -1.0 : -0.7; /* 0.7 and 0.9 are no floats: where they lie must not be rounded */
        desc->high = whole ? 1.0 : 0.9;
    } else {
        desc->low = is_signed ? -ldexp(1.0, bits - 1) : 0.0;
        desc->high = desc->low + ldexp(1.0, bits);
        if (!whole) {
            desc->low = floor(desc->low * 0.6) + 3.0;
            desc->high = floor(desc->high * 0.7) - 5.0;
        }
    }
}

static bool takes_weights(clprim_histogram_variant variant)
{
    return variant == CLPRIM_HISTOGRAM_GLOBAL_ATOMIC || variant == CLPRIM_HISTOGRAM_LOCAL_ATOMIC ||
           variant == CLPRIM_HISTOGRAM_CPU_CHUNK;
}

/* What is not compared pairwise follows from a number. */
static clprim_histogram_desc desc_of(clprim_histogram_variant variant, clprim_type type,
                                     clprim_histogram_mapping mapping, clprim_type weights, size_t number)
{
    static const size_t bins[] = {1, 2, 63, 64, 65, 255, 256, 257, 1000, 4096, MAX_BINS_HERE};
    static const size_t usable[HISTOGRAM_VARIANTS] = {
        [CLPRIM_HISTOGRAM_PER_ITEM] = 4,         [CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED] = 4,
        [CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED] = 8, [CLPRIM_HISTOGRAM_REPLICATED] = 9,
        [CLPRIM_HISTOGRAM_LOCAL_ATOMIC] = 10,
    };
    const bool is_weighted = weights != CLPRIM_TYPE_DEFAULT;
    const bool is_small = variant == CLPRIM_HISTOGRAM_PER_ITEM || variant == CLPRIM_HISTOGRAM_PER_ITEM_SHUFFLED;
    clprim_histogram_desc desc = {.type = type, .mapping = mapping, .weights_type = weights, .variant = variant};
    desc.bins = bins[(number * 5 + (size_t)variant) % (usable[variant] != 0 ? usable[variant] : 11)];
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
    histogram_subject self;
    void *boundaries = allocate((desc.bins + 1) * 8);
    make_boundaries(boundaries, desc.type, desc.bins, number % 3 == 1);
    desc.boundaries = desc.mapping == CLPRIM_HISTOGRAM_BOUNDARIES ? boundaries : NULL;
    if (histogram_create(&self, runtime, desc, MAX_COUNT)) {
        check_all(&self, TEST_SEED + number * 37);
        histogram_destroy(&self);
    }
    free(boundaries);
}

static const clprim_type weight_types[] = {CLPRIM_TYPE_DEFAULT, CLPRIM_I32, CLPRIM_U32, CLPRIM_F32,
                                           CLPRIM_I64,          CLPRIM_U64, CLPRIM_F64};

enum { NUM_WEIGHTS = sizeof weight_types / sizeof *weight_types };

/* For each variant and type one mapping, and the place of one type of weights. */
static clprim_histogram_mapping sampled_mapping(clprim_histogram_variant variant, int type)
{
    const bool has_identity = !test_is_float((clprim_type)type);
    return (clprim_histogram_mapping)(has_identity ? (type + (int)variant) % 4 : 1 + (type + (int)variant) % 3);
}

static size_t sampled_weights(clprim_histogram_variant variant, int type)
{
    const size_t place = ((size_t)type + 3 * (size_t)variant) % 11; /* 6 of the 11 types with weights */
    return takes_weights(variant) && place < NUM_WEIGHTS ? place : 0;
}

Test(histogram, the_sample_is_pairwise)
{
    bool type_mapping[CLPRIM_TYPE_END][4] = {{false}};
    for (int variant = 1; variant < HISTOGRAM_VARIANTS; variant++) {
        bool mapped[4] = {false};
        bool weighted[NUM_WEIGHTS] = {false};
        for (int type = 1; type < CLPRIM_TYPE_END; type++) {
            const clprim_histogram_mapping mapping = sampled_mapping((clprim_histogram_variant)variant, type);
            mapped[mapping] = true;
            weighted[sampled_weights((clprim_histogram_variant)variant, type)] = true;
            if (variant != CLPRIM_HISTOGRAM_SUB_GROUP_TAGGED) /* which few devices can do */
                type_mapping[type][mapping] = true;
        }
        for (size_t i = 0; i < 4; i++)
            cr_assert(mapped[i], "variant %d does not meet %s", variant, mapping_names[i]);
        for (size_t i = 0; i < (takes_weights((clprim_histogram_variant)variant) ? NUM_WEIGHTS : 1); i++)
            cr_assert(weighted[i], "variant %d does not meet weights %zu", variant, i);
    }
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (size_t i = test_is_float((clprim_type)type) ? 1 : 0; i < 4; i++)
            cr_assert(type_mapping[type][i], "%s does not meet %s", clprim_type_name((clprim_type)type),
                      mapping_names[i]);
}

ParameterizedTestParameters(histogram, variant)
{
    static size_t places[16];
    size_t count = 0;
    (void)clprim_histogram_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        places[i] = i;
    return cr_make_param_array(size_t, places, count);
}

/* Each variant, with the types, mappings and weights of the sample, or with all. */
ParameterizedTest(size_t *place, histogram, variant, .timeout = 1500)
{
    size_t count = 0;
    const clprim_histogram_variant variant =
        (clprim_histogram_variant)clprim_histogram_operation.variants(&count)[*place].id;
    const size_t num_weights = takes_weights(variant) ? NUM_WEIGHTS : 1;
    clprim_runtime *runtime = test_runtime(NULL);
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (int mapping = test_is_float((clprim_type)type) ? 1 : 0; mapping < 4; mapping++)
            for (size_t w = 0; w < num_weights; w++) {
                const bool is_sampled =
                    mapping == (int)sampled_mapping(variant, type) && w == sampled_weights(variant, type);
                const size_t number = (size_t)type + 2 * (size_t)variant + (is_sampled ? 0 : (size_t)mapping + w);
                const bool has_one_sampled = mapping == (int)sampled_mapping(variant, type) || w == 0;
                if (is_sampled || (test_is_full() && has_one_sampled))
                    check_desc(
                        runtime,
                        desc_of(variant, (clprim_type)type, (clprim_histogram_mapping)mapping, weight_types[w], number),
                        number);
            }
    clprim_runtime_destroy(runtime);
}
