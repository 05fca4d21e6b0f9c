/* cases.c: distributed operations, each rank's part compared with the reference's result for the whole array. */
#include "cases.h"

#include <clprim/reference.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

enum { GUARD = 64, POISON = 0xa5 };

static void wrong(cases_rank *self, const char *format, ...)
{
    va_list arguments;
    if (self->message[0] != '\0')
        return;
    const int length = snprintf(self->message, CASES_MESSAGE, "rank %u of %u: ", self->comm->rank, self->comm->size);
    va_start(arguments, format);
    (void)vsnprintf(self->message + length, CASES_MESSAGE - (size_t)length, format, arguments);
    va_end(arguments);
}

static void expect_ok(cases_rank *self, clprim_status status, const char *what)
{
    if (status != CLPRIM_SUCCESS)
        wrong(self, "%s: %s (%s)", what, clprim_status_string(status), clprim_last_error());
}

/* Memory with a guard behind it, all poisoned. There is always enough for tests. */
static void *memory(size_t bytes)
{
    void *result = malloc(bytes + GUARD);
    if (result == NULL)
        abort();
    return memset(result, POISON, bytes + GUARD);
}

static void *copy_of(const void *from, size_t bytes)
{
    return memcpy(memory(bytes), from, bytes);
}

static void expect_guard(cases_rank *self, const void *array, size_t bytes, const char *what)
{
    const unsigned char *at = (const unsigned char *)array + bytes;
    for (size_t i = 0; i < GUARD; i++)
        if (at[i] != POISON) {
            wrong(self, "%s: byte %zu behind the array was written", what, i);
            return;
        }
}

static void expect_bytes(cases_rank *self, const void *expected, const void *got, size_t size, size_t count,
                         const char *what, const char *array)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp((const char *)expected + i * size, (const char *)got + i * size, size) != 0) {
            wrong(self, "%s: %s: element %zu of %zu is wrong", what, array, i, count);
            return;
        }
    expect_guard(self, got, size * count, what);
}

void cases_parts(size_t *parts, unsigned size, size_t total, unsigned kind, uint64_t seed)
{
    size_t left = total;
    memset(parts, 0, size * sizeof *parts);
    for (unsigned r = 0; r + 1 < size; r++) {
        const size_t even = total / size + (r < total % size);
        parts[r] = kind == CASES_PARTS_EVEN     ? even
                   : kind == CASES_PARTS_RANDOM ? test_random_below(&seed, left + 1)
                   : kind == CASES_PARTS_GAPS   ? (r % 2 == 0 ? 0 : 2 * even)
                   : kind == CASES_PARTS_FIRST  ? (r == 0 ? total : 0)
                                                : 0;
        parts[r] = parts[r] < left ? parts[r] : left;
        left -= parts[r];
    }
    parts[size - 1] = left;
}

static size_t before(const size_t *parts, unsigned rank)
{
    size_t sum = 0;
    for (unsigned r = 0; r < rank; r++)
        sum += parts[r];
    return sum;
}

static uint64_t special(clprim_type type, uint64_t which)
{
    static const uint16_t halves[] = {0x7e00, 0xfe01, 0x0000, 0x8000, 0x7c00, 0xfc00, 0x0001, 0x3c00};
    static const uint32_t floats[] = {0x7fc00000, 0xffc00001, 0, 0x80000000, 0x7f800000, 0xff800000, 1, 0x3f800000};
    static const uint64_t doubles[] = {
        UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000001), 0, UINT64_C(0x8000000000000000),
        UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000), 1, UINT64_C(0x3ff0000000000000)};
    return type == CLPRIM_F16 ? halves[which % 8] : type == CLPRIM_F32 ? floats[which % 8] : doubles[which % 8];
}

void cases_fill(void *out, clprim_type type, size_t count, unsigned kind, uint64_t seed)
{
    const size_t size = clprim_type_size(type);
    for (size_t i = 0; i < count; i++) {
        const uint64_t random = test_random(&seed);
        const uint64_t element = kind == CASES_EQUAL      ? 5
                                 : kind == CASES_SORTED   ? i
                                 : kind == CASES_REVERSED ? count - i
                                 : kind == CASES_FEW      ? random % 3
                                 : kind == CASES_SPECIALS ? special(type, random >> 7)
                                                          : random;
        memcpy((char *)out + i * size, &element, size);
    }
}

/* The numbers of one case, which differ from case to case and are the same on all ranks. */
typedef struct shape {
    size_t total;
    unsigned data;
    bool in_place, has_rooms;
    uint64_t seed;
    size_t parts[CASES_RANKS], rooms[CASES_RANKS];
    char name[128];
} shape;

static const size_t totals[] = {0, 1, 3, 7, 100, 1000, 4099};
enum { NUM_TOTALS = sizeof totals / sizeof totals[0] };

static shape shape_of(const cases_rank *self, size_t number, const char *name)
{
    shape result = {.total = totals[number % NUM_TOTALS],
                    .data = (unsigned)(number / 3 % CASES_DATA_END),
                    .in_place = number % 2 != 0,
                    .has_rooms = number % 3 == 1,
                    .seed = UINT64_C(0x5eed0fc1) + number};
    const unsigned parts = (unsigned)(number % CASES_PARTS_END);
    const unsigned rooms = (unsigned)((number / 2 + 1) % CASES_PARTS_END);
    cases_parts(result.parts, self->comm->size, result.total, parts, result.seed);
    cases_parts(result.rooms, self->comm->size, result.total, result.has_rooms ? rooms : parts, result.seed);
    if (!result.has_rooms)
        memcpy(result.rooms, result.parts, sizeof result.rooms);
    (void)snprintf(result.name, sizeof result.name, "%s, case %zu: %zu elements, data %u, parts %u, rooms %u%s", name,
                   number, result.total, result.data, parts, result.has_rooms ? rooms : parts,
                   result.in_place ? ", in place" : "");
    return result;
}

static void expect_part(cases_rank *self, const shape *at, const clprim_distributed_part *part)
{
    if (part->first != before(at->rooms, self->comm->rank) || part->count != at->rooms[self->comm->rank] ||
        part->total != at->total)
        wrong(self, "%s: the part is %llu, %zu of %llu", at->name, (unsigned long long)part->first, part->count,
              (unsigned long long)part->total);
}

/* One array of a rank: its input, with room for the output if that is in place. */
typedef struct column {
    size_t size;
    void *whole; /* of all ranks, before; then as it must be */
    void *in, *out;
    void *kept; /* a copy of the input; NULL: in place */
    size_t in_bytes, out_bytes;
} column;

static column column_of(const cases_rank *self, const shape *at, size_t size, void *whole)
{
    const unsigned rank = self->comm->rank;
    column result = {
        .size = size, .whole = whole, .in_bytes = at->parts[rank] * size, .out_bytes = at->rooms[rank] * size};
    const char *mine = (const char *)whole + before(at->parts, rank) * size;
    const size_t most = result.in_bytes > result.out_bytes ? result.in_bytes : result.out_bytes;
    result.in = memory(most);
    memcpy(result.in, mine, result.in_bytes);
    result.out = at->in_place ? result.in : memory(result.out_bytes);
    result.kept = at->in_place ? NULL : copy_of(mine, result.in_bytes);
    return result;
}

/* Compare, when the whole has become what it must be; and give everything up. */
static void column_check(cases_rank *self, const shape *at, column *it, const char *name)
{
    const char *expected = (const char *)it->whole + before(at->rooms, self->comm->rank) * it->size;
    if (it->kept != NULL) {
        expect_bytes(self, expected, it->out, it->size, it->out_bytes / it->size, at->name, name);
        expect_bytes(self, it->kept, it->in, it->size, it->in_bytes / it->size, at->name, "an input");
    } else if (memcmp(expected, it->out, it->out_bytes) != 0) {
        wrong(self, "%s: %s, in place, are wrong", at->name, name);
    }
    if (it->kept != NULL)
        free(it->out);
    free(it->in);
    free(it->kept);
    free(it->whole);
}

static clprim_reference_sort_how how_of(const clprim_radix_sort_desc *desc)
{
    return (clprim_reference_sort_how){.key_type = desc->key_type,
                                       .value_size =
                                           desc->argsort ? (desc->index_type == CLPRIM_U64 ? 8 : 4) : desc->value_size,
                                       .argsort = desc->argsort,
                                       .descending = desc->descending,
                                       .nan_order = desc->nan_order,
                                       .bit_range = desc->bit_range,
                                       .begin_bit = desc->begin_bit,
                                       .end_bit = desc->end_bit};
}

static void check_sort(cases_rank *self, const clprim_radix_sort_desc *desc, const shape *at)
{
    const unsigned rank = self->comm->rank;
    const clprim_type type = desc->key_type != 0 ? desc->key_type : CLPRIM_U32;
    const clprim_reference_sort_how how = how_of(desc);
    const size_t size = clprim_type_size(type);
    void *whole = memory(at->total * size);
    void *values = memory(at->total * how.value_size);
    uint64_t seed = at->seed;
    const bool is_float = type >= CLPRIM_F16;
    cases_fill(whole, type, at->total, at->data == CASES_SPECIALS && !is_float ? CASES_RANDOM : at->data, seed);
    for (size_t i = 0; i < at->total * how.value_size; i++)
        ((unsigned char *)values)[i] = (unsigned char)test_random(&seed);
    column keys = column_of(self, at, size, whole);
    column rest = column_of(self, at, how.value_size != 0 ? how.value_size : 1, values);
    clprim_radix_sort_call call = {
        .keys_in = {.host = keys.in}, .count = at->parts[rank], .keys_out = {.host = keys.out}};
    if (how.value_size > 0)
        call.values_out.host = rest.out;
    if (desc->value_size > 0)
        call.values_in.host = rest.in;
    clprim_distributed_part part = {0};
    expect_ok(self,
              clprim_distributed_radix_sort(self->comm, self->runtime, desc, &call,
                                            at->has_rooms ? &at->rooms[rank] : NULL, &part),
              at->name);
    expect_part(self, at, &part);
    expect_ok(self, clprim_reference_sort(whole, how.value_size > 0 ? values : NULL, &how, at->total), "the reference");
    if (how.value_size > 0)
        column_check(self, at, &rest, "values");
    else
        column_check(self, &(shape){.in_place = at->in_place}, &(column){.whole = values, .in = rest.in, .size = 1},
                     "");
    column_check(self, at, &keys, "keys");
}

static void run_sorts(cases_rank *self)
{
    static const clprim_radix_sort_desc descs[] = {
        {.key_type = CLPRIM_U32},
        {.key_type = CLPRIM_F32, .value_size = 4, .descending = true, .nan_order = CLPRIM_NAN_LAST},
        {.key_type = CLPRIM_U8, .argsort = true},
        {.key_type = CLPRIM_I64, .argsort = true, .index_type = CLPRIM_U64, .descending = true},
        {.key_type = CLPRIM_U16, .value_size = 16, .bit_range = true, .begin_bit = 2, .end_bit = 7},
        {.key_type = CLPRIM_F16, .nan_order = CLPRIM_NAN_LAST},
        {.key_type = CLPRIM_F64, .value_size = 1},
        {.key_type = CLPRIM_I8, .value_size = 8, .bit_range = true},
    };
    for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++)
        for (size_t number = 0; number < 2 * NUM_TOTALS + 4; number++) {
            const shape at = shape_of(self, number + d * 5, "sort");
            check_sort(self, &descs[d], &at);
        }
}

static void check_sort_by_key(cases_rank *self, bool values_only, const shape *at)
{
    const unsigned rank = self->comm->rank;
    const clprim_sort_by_key_desc desc = {.key_type = CLPRIM_I32,
                                          .descending = at->seed % 2 != 0,
                                          .values_only = values_only,
                                          .num_arrays = 2,
                                          .element_sizes = {12, 3}};
    const clprim_reference_sort_by_key_how how = {.key_type = CLPRIM_I32,
                                                  .descending = desc.descending,
                                                  .values_only = values_only,
                                                  .num_arrays = 2,
                                                  .element_sizes = {12, 3}};
    uint32_t *keys = memory(at->total * sizeof *keys);
    unsigned char *arrays[2] = {memory(at->total * 12), memory(at->total * 3)};
    uint64_t seed = at->seed;
    cases_fill(keys, CLPRIM_I32, at->total, at->data == CASES_SPECIALS ? CASES_FEW : at->data, seed);
    for (size_t i = 0; i < at->total * 12; i++)
        arrays[0][i] = (unsigned char)test_random(&seed);
    for (size_t i = 0; i < at->total * 3; i++)
        arrays[1][i] = (unsigned char)test_random(&seed);
    column by = column_of(self, at, sizeof *keys, keys);
    column twelve = column_of(self, at, 12, arrays[0]);
    column three = column_of(self, at, 3, arrays[1]);
    clprim_sort_by_key_call call = {.keys_in = {.host = by.in},
                                    .arrays_in = {{.host = twelve.in}, {.host = three.in}},
                                    .count = at->parts[rank],
                                    .arrays_out = {{.host = twelve.out}, {.host = three.out}}};
    call.keys_out.host = values_only ? NULL : by.out;
    clprim_distributed_part part = {0};
    expect_ok(self,
              clprim_distributed_sort_by_key(self->comm, self->runtime, &desc, &call,
                                             at->has_rooms ? &at->rooms[rank] : NULL, &part),
              at->name);
    expect_part(self, at, &part);
    expect_ok(self, clprim_reference_sort_by_key(keys, (void *const *)arrays, &how, at->total), "the reference");
    column_check(self, at, &twelve, "the first array");
    column_check(self, at, &three, "the second array");
    if (values_only) /* the keys stay, and nothing is written for them */
        memcpy(by.out, (char *)keys + before(at->rooms, rank) * sizeof *keys, by.out_bytes);
    column_check(self, at, &by, "keys");
}

static void run_sorts_by_key(cases_rank *self)
{
    for (size_t number = 0; number < 12; number++) {
        const shape at = shape_of(self, number, "sort_by_key");
        check_sort_by_key(self, number % 3 == 2, &at);
    }
}

/* Reduce the whole by the reference, and by the ranks. */
static void check_reduce(cases_rank *self, const clprim_reduce_desc *desc, const shape *at)
{
    const clprim_type type = desc->type != 0 ? desc->type : CLPRIM_I32;
    const size_t size = clprim_type_size(type);
    const clprim_reference_operator by = {.type = type,
                                          .op = desc->op,
                                          .accumulator_type = desc->accumulator_type,
                                          .nan_order = desc->nan_order,
                                          .initial = desc->initial};
    char *whole = memory(at->total * size);
    const bool is_float = type >= CLPRIM_F16;
    clprim_indexed expected, got;
    memset(&expected, POISON, sizeof expected);
    memset(&got, POISON, sizeof got);
    cases_fill(whole, type, at->total, at->data == CASES_SPECIALS && !is_float ? CASES_RANDOM : at->data, at->seed);
    const clprim_reduce_call call = {.in = {.host = whole, .offset = before(at->parts, self->comm->rank)},
                                     .count = at->parts[self->comm->rank],
                                     .out = {.host = &got}};
    expect_ok(self, clprim_distributed_reduce(self->comm, self->runtime, desc, &call), at->name);
    expect_ok(self, clprim_reference_reduce(&expected, &by, whole, at->total), "the reference");
    if (memcmp(&expected, &got, sizeof got) != 0)
        wrong(self, "%s: operator %s of %s: a wrong result", at->name, clprim_op_name(desc->op),
              clprim_type_name(type));
    free(whole);
}

/* An operator that does not commute and has no identity: the first and the last element of a row. */
static void check_ends(cases_rank *self, const shape *at)
{
    typedef struct ends {
        uint32_t first, last;
    } ends;
    static const clprim_custom_op op = {.type_name = "ends",
                                        .type_size = sizeof(ends),
                                        .source = "typedef struct { uint first, last; } ends;",
                                        .combine = "(ends){a.first, b.last}",
                                        .non_commutative = true};
    static const ends initial = {7, 9};
    const bool has_initial = at->seed % 2 != 0;
    const clprim_reduce_desc desc = {.custom = &op,
                                     .initial = has_initial ? &initial : NULL,
                                     .output = "(r.first << 16) + r.last + i",
                                     .output_type = CLPRIM_U32};
    ends *whole = memory(at->total * sizeof *whole);
    uint32_t got = 0;
    for (size_t i = 0; i < at->total; i++)
        whole[i] = (ends){(uint32_t)i + 20, (uint32_t)i + 30};
    const uint32_t first = has_initial ? initial.first : at->total > 0 ? 20 : 0;
    const uint32_t last = at->total > 0 ? (uint32_t)at->total + 29 : has_initial ? initial.last : 0;
    const clprim_reduce_call call = {.in = {.host = whole, .offset = before(at->parts, self->comm->rank)},
                                     .count = at->parts[self->comm->rank],
                                     .out = {.host = &got}};
    expect_ok(self, clprim_distributed_reduce(self->comm, self->runtime, &desc, &call), at->name);
    if (got != (first << 16) + last)
        wrong(self, "%s: the ends are %u and %u, not %u and %u", at->name, got >> 16, got & 65535, first, last);
    free(whole);
}

static void run_reductions(cases_rank *self)
{
    static const int64_t five = 5;
    static const clprim_reduce_desc descs[] = {
        {.type = CLPRIM_I32},
        {.type = CLPRIM_U8, .accumulator_type = CLPRIM_I64, .initial = &five},
        {.type = CLPRIM_F32, .op = CLPRIM_MIN, .nan_order = CLPRIM_NAN_LAST},
        {.type = CLPRIM_F32, .op = CLPRIM_ARGMAX},
        {.type = CLPRIM_U16, .op = CLPRIM_ARGMIN},
    };
    for (size_t number = 0; number < 14; number++) {
        const shape at = shape_of(self, number, "reduce");
        for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++)
            check_reduce(self, &descs[d], &at);
        check_ends(self, &at);
    }
}

/* Each rank's prefixes of the whole. */
static void check_scan(cases_rank *self, const clprim_scan_desc *desc, const shape *given)
{
    shape at = *given;
    const clprim_reference_operator by = {
        .type = desc->type, .op = desc->op, .accumulator_type = desc->accumulator_type, .nan_order = desc->nan_order};
    const clprim_reference_scan_how how = {.exclusive = desc->exclusive, .initial = desc->initial};
    const size_t in_size = clprim_type_size(desc->type);
    const size_t size =
        clprim_type_size(desc->accumulator_type != CLPRIM_TYPE_DEFAULT ? desc->accumulator_type : desc->type);
    memcpy(at.rooms, at.parts, sizeof at.rooms);
    at.in_place = false;
    void *whole = memory(at.total * in_size);
    void *expected = memory(at.total * size);
    cases_fill(whole, desc->type, at.total, at.data == CASES_SPECIALS && desc->type < CLPRIM_F16 ? CASES_FEW : at.data,
               at.seed);
    column in = column_of(self, &at, in_size, copy_of(whole, at.total * in_size));
    void *out = given->in_place && size == in_size ? in.in : memory(in.in_bytes / in_size * size);
    const clprim_scan_call call = {.in = {.host = in.in}, .count = at.parts[self->comm->rank], .out = {.host = out}};
    expect_ok(self, clprim_distributed_scan(self->comm, self->runtime, desc, &call), at.name);
    expect_ok(self, clprim_reference_scan(expected, &by, &how, whole, at.total), "the reference");
    expect_bytes(self, (char *)expected + before(at.parts, self->comm->rank) * size, out, size, call.count, at.name,
                 "prefixes");
    if (out != in.in) {
        expect_bytes(self, in.kept, in.in, in_size, call.count, at.name, "an input");
        free(out);
    }
    free(in.in);
    free(in.out);
    free(in.kept);
    free(in.whole);
    free(whole);
    free(expected);
}

static void run_scans(cases_rank *self)
{
    static const int64_t five = 5;
    static const clprim_scan_desc descs[] = {
        {.type = CLPRIM_I32, .exclusive = true},
        {.type = CLPRIM_U8, .accumulator_type = CLPRIM_I64, .initial = &five},
        {.type = CLPRIM_F32, .op = CLPRIM_MAX, .nan_order = CLPRIM_NAN_LAST},
    };
    for (size_t number = 0; number < 14; number++) {
        const shape at = shape_of(self, number, "scan");
        for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++)
            check_scan(self, &descs[d], &at);
    }
}

enum { BINS = 100 };

static void check_histogram(cases_rank *self, const clprim_histogram_desc *desc, const shape *at)
{
    const clprim_reference_histogram_how how = {.type = desc->type,
                                                .mapping = desc->mapping,
                                                .bins = BINS,
                                                .low = desc->low,
                                                .high = desc->high,
                                                .weights_type = desc->weights_type,
                                                .counter_type = desc->counter_type,
                                                .accumulate = desc->accumulate};
    const size_t size = clprim_type_size(desc->type);
    const size_t first = before(at->parts, self->comm->rank);
    unsigned char *whole = memory(at->total * size);
    double *weights = memory(at->total * sizeof *weights);
    uint64_t seed = at->seed;
    uint64_t expected[BINS], got[BINS], expected_outside = 3, got_outside = 3;
    for (size_t i = 0; i < BINS; i++)
        expected[i] = got[i] = desc->weights_type != CLPRIM_TYPE_DEFAULT ? 0 : i;
    cases_fill(whole, desc->type, at->total, CASES_RANDOM, at->seed);
    for (size_t i = 0; i < at->total; i++) /* whose sums are exact */
        weights[i] = (double)test_random_below(&seed, 1000);
    clprim_histogram_call call = {.in = {.host = whole, .offset = first},
                                  .count = at->parts[self->comm->rank],
                                  .out = {.host = got},
                                  .outside_out = {.host = &got_outside}};
    if (desc->weights_type != CLPRIM_TYPE_DEFAULT)
        call.weights = (clprim_array){.host = weights, .offset = first};
    expect_ok(self, clprim_distributed_histogram(self->comm, self->runtime, desc, &call), at->name);
    expect_ok(self,
              clprim_reference_histogram(expected, &expected_outside, &how, whole,
                                         call.weights.host != NULL ? weights : NULL, at->total),
              "the reference");
    if (memcmp(expected, got, sizeof got) != 0 || expected_outside != got_outside)
        wrong(self, "%s: a wrong histogram", at->name);
    free(whole);
    free(weights);
}

static void run_histograms(cases_rank *self)
{
    static const clprim_histogram_desc descs[] = {
        {.type = CLPRIM_U8, .bins = BINS, .accumulate = true},
        {.type = CLPRIM_U8, .bins = BINS, .counter_type = CLPRIM_U64},
        {.type = CLPRIM_I16,
         .bins = BINS,
         .mapping = CLPRIM_HISTOGRAM_EVEN,
         .low = -20000,
         .high = 30000,
         .weights_type = CLPRIM_F64},
    };
    for (size_t number = 0; number < 10; number++) {
        const shape at = shape_of(self, number, "histogram");
        for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++)
            check_histogram(self, &descs[d], &at);
    }
}

static void check_top_k(cases_rank *self, const clprim_top_k_desc *desc, const shape *at)
{
    const size_t value_size = desc->indices ? (desc->index_type == CLPRIM_U64 ? 8 : 4) : desc->value_size;
    const clprim_reference_top_k_how how = {.key_type = desc->key_type,
                                            .k = desc->k,
                                            .smallest = desc->smallest,
                                            .value_size = value_size,
                                            .indices = desc->indices,
                                            .unsorted = desc->unsorted,
                                            .nan_order = desc->nan_order};
    const size_t size = clprim_type_size(desc->key_type);
    const size_t first = before(at->parts, self->comm->rank);
    const size_t found = at->total < desc->k ? at->total : desc->k;
    void *keys = memory(at->total * size);
    uint32_t *values = memory(at->total * sizeof *values);
    void *expected[2] = {memory(desc->k * size), memory(desc->k * 8)};
    void *got[2] = {memory(found * size), memory(found * value_size)};
    cases_fill(keys, desc->key_type, at->total, at->data == CASES_SPECIALS ? CASES_FEW : at->data, at->seed);
    for (size_t i = 0; i < at->total; i++)
        values[i] = (uint32_t)i * 7;
    clprim_top_k_call call = {
        .keys_in = {.host = keys, .offset = first}, .count = at->parts[self->comm->rank], .keys_out = {.host = got[0]}};
    if (desc->value_size > 0)
        call.values_in = (clprim_array){.host = values, .offset = first};
    if (value_size > 0)
        call.values_out.host = got[1];
    expect_ok(self, clprim_distributed_top_k(self->comm, self->runtime, desc, &call), at->name);
    expect_ok(self,
              clprim_reference_top_k(expected[0], value_size > 0 ? expected[1] : NULL, &how, keys,
                                     desc->value_size > 0 ? values : NULL, at->total),
              "the reference");
    expect_bytes(self, expected[0], got[0], size, found, at->name, "keys");
    if (value_size > 0)
        expect_bytes(self, expected[1], got[1], value_size, found, at->name, "values");
    free(keys);
    free(values);
    for (int i = 0; i < 2; i++) {
        free(expected[i]);
        free(got[i]);
    }
}

static void run_top_ks(cases_rank *self)
{
    static const clprim_top_k_desc descs[] = {
        {.key_type = CLPRIM_F32, .k = 10, .indices = true, .index_type = CLPRIM_U64, .nan_order = CLPRIM_NAN_LAST},
        {.key_type = CLPRIM_U32, .k = 60, .smallest = true, .value_size = 4},
        {.key_type = CLPRIM_U32, .k = 25, .indices = true, .unsorted = true},
        {.key_type = CLPRIM_U32, .k = 1},
    };
    for (size_t number = 0; number < 12; number++) {
        const shape at = shape_of(self, number, "top_k");
        for (size_t d = 0; d < sizeof descs / sizeof descs[0]; d++)
            check_top_k(self, &descs[d], &at);
    }
}

/* Where the share of a rank begins, by the formula of clprim/distributed.h. */
static size_t share(const shape *at, unsigned rank, size_t number)
{
    return at->total > 0 ? number * before(at->rooms, rank) / at->total : 0;
}

/* The output of a selection, of `number` elements in all, of which the first `selected` count. */
static void check_share(cases_rank *self, const shape *at, const uint32_t *expected, size_t number, size_t selected,
                        const uint32_t *out, uint64_t count, const clprim_distributed_part *part)
{
    const size_t begin = share(at, self->comm->rank, number);
    const size_t end = share(at, self->comm->rank + 1, number);
    const size_t mine = selected <= begin ? 0 : selected < end ? selected - begin : end - begin;
    if (part->first != begin || part->count != end - begin || part->total != number || count != mine)
        wrong(self, "%s: %llu from %llu on, %zu of %llu", at->name, (unsigned long long)count,
              (unsigned long long)part->first, part->count, (unsigned long long)part->total);
    else
        expect_bytes(self, expected + begin, out, sizeof *out, end - begin, at->name, "the selection");
}

static void check_select(cases_rank *self, bool partition, const shape *at)
{
    const unsigned rank = self->comm->rank;
    const clprim_select_desc desc = {
        .type = CLPRIM_U32, .predicate = "x % 3 == 1", .index_type = CLPRIM_U64, .partition = partition};
    uint32_t *whole = memory(at->total * sizeof *whole);
    uint32_t *expected = memory(at->total * sizeof *whole);
    uint8_t *keep = memory(at->total);
    uint64_t count = 77;
    size_t selected = 0;
    cases_fill(whole, CLPRIM_U32, at->total, at->data == CASES_SPECIALS ? CASES_FEW : at->data, at->seed);
    for (size_t i = 0; i < at->total; i++)
        keep[i] = whole[i] % 3 == 1;
    expect_ok(self, clprim_reference_select(expected, &selected, sizeof *whole, keep, partition, whole, at->total),
              "the reference");
    const size_t number = partition ? at->total : selected;
    const size_t mine = share(at, rank + 1, number) - share(at, rank, number);
    uint32_t *out = memory(mine * sizeof *out);
    clprim_distributed_part part = {0};
    const clprim_select_call call = {.in = {.host = whole, .offset = before(at->parts, rank)},
                                     .count = at->parts[rank],
                                     .out = {.host = out},
                                     .out_count = {.host = &count}};
    expect_ok(self,
              clprim_distributed_select(self->comm, self->runtime, &desc, &call,
                                        at->has_rooms ? &at->rooms[rank] : NULL, &part),
              at->name);
    check_share(self, at, expected, number, selected, out, count, &part);
    free(whole);
    free(expected);
    free(keep);
    free(out);
}

static void check_unique(cases_rank *self, const shape *at)
{
    const unsigned rank = self->comm->rank;
    const clprim_unique_desc desc = {.type = CLPRIM_U32};
    uint32_t *whole = memory(at->total * sizeof *whole);
    uint32_t *expected = memory(at->total * sizeof *whole);
    uint32_t count = 77;
    size_t number = 0;
    for (size_t i = 0; i < at->total; i++) /* runs that are longer than some parts */
        whole[i] = (uint32_t)(at->data == CASES_EQUAL ? 5 : i / (at->data * 40 + 1));
    expect_ok(self, clprim_reference_unique(expected, &number, sizeof *whole, NULL, whole, at->total), "the reference");
    const size_t mine = share(at, rank + 1, number) - share(at, rank, number);
    uint32_t *out = memory(mine * sizeof *out);
    clprim_distributed_part part = {0};
    const clprim_unique_call call = {.in = {.host = whole, .offset = before(at->parts, rank)},
                                     .count = at->parts[rank],
                                     .out = {.host = out},
                                     .out_count = {.host = &count}};
    expect_ok(self,
              clprim_distributed_unique(self->comm, self->runtime, &desc, &call,
                                        at->has_rooms ? &at->rooms[rank] : NULL, &part),
              at->name);
    check_share(self, at, expected, number, number, out, count, &part);
    free(whole);
    free(expected);
    free(out);
}

static void run_selections(cases_rank *self)
{
    for (size_t number = 0; number < 28; number++) {
        const shape at = shape_of(self, number, "select or unique");
        check_select(self, number % 2 != 0, &at);
        check_unique(self, &at);
    }
}

/* Runs that are shorter and longer than parts. op SUM: of ones, so that results are lengths, too. */
static void check_runs(cases_rank *self, clprim_op op, const shape *at)
{
    const unsigned rank = self->comm->rank;
    const bool indexed = op == CLPRIM_ARGMIN;
    const size_t size = indexed ? sizeof(clprim_indexed) : sizeof(uint32_t);
    const size_t first = before(at->parts, rank);
    const clprim_reference_operator by = {.type = CLPRIM_U32, .op = op};
    uint32_t *keys = memory(at->total * sizeof *keys), *values = memory(at->total * sizeof *values);
    uint32_t *expected_keys = memory(at->total * sizeof *keys);
    char *expected = memory(at->total * size);
    size_t number = 0;
    uint32_t counts[2] = {77, 77};
    for (size_t i = 0; i < at->total; i++) {
        keys[i] = (uint32_t)(at->data == CASES_EQUAL ? 5 : i / (at->data * 40 + 1) % 3);
        values[i] = op == CLPRIM_SUM ? 1 : (uint32_t)(i * 7 % 50);
    }
    expect_ok(
        self,
        clprim_reference_reduce_by_key(expected_keys, expected, &number, sizeof *keys, &by, keys, values, at->total),
        "the reference");
    const size_t begin = share(at, rank, number);
    const size_t mine = share(at, rank + 1, number) - begin;
    uint32_t *keys_out = memory(mine * sizeof *keys_out);
    char *out = memory(mine * size);
    const size_t *room = at->has_rooms ? &at->rooms[rank] : NULL;
    clprim_distributed_part parts[2] = {{0}, {0}};
    const clprim_array in = {.host = keys, .offset = first};
    expect_ok(self,
              clprim_distributed_reduce_by_key(
                  self->comm, self->runtime,
                  &(clprim_reduce_by_key_desc){.key_type = CLPRIM_U32, .type = CLPRIM_U32, .op = op},
                  &(clprim_reduce_by_key_call){.keys_in = in,
                                               .values_in = {.host = values, .offset = first},
                                               .count = at->parts[rank],
                                               .keys_out = {.host = keys_out},
                                               .values_out = {.host = out},
                                               .out_count = {.host = &counts[0]}},
                  room, &parts[0]),
              at->name);
    check_share(self, at, expected_keys, number, number, keys_out, counts[0], &parts[0]);
    expect_bytes(self, expected + begin * size, out, size, mine, at->name, "values of runs");
    if (op == CLPRIM_SUM) {
        memset(out, POISON, mine * size);
        expect_ok(self,
                  clprim_distributed_run_length_encode(
                      self->comm, self->runtime, &(clprim_run_length_encode_desc){.type = CLPRIM_U32},
                      &(clprim_run_length_encode_call){.in = in,
                                                       .count = at->parts[rank],
                                                       .out = {.host = keys_out},
                                                       .lengths_out = {.host = out},
                                                       .out_count = {.host = &counts[1]}},
                      room, &parts[1]),
                  at->name);
        check_share(self, at, expected_keys, number, number, keys_out, counts[1], &parts[1]);
        expect_bytes(self, expected + begin * size, out, size, mine, at->name, "lengths of runs");
    }
    free(keys);
    free(values);
    free(expected_keys);
    free(expected);
    free(keys_out);
    free(out);
}

static void run_runs(cases_rank *self)
{
    for (size_t number = 0; number < 28; number++) {
        const shape at = shape_of(self, number, "runs");
        check_runs(self, number % 2 != 0 ? CLPRIM_ARGMIN : CLPRIM_SUM, &at);
        check_runs(self, CLPRIM_SUM, &at);
    }
}

/* One rank has no call: all ranks say so, and go on. */
static void run_errors(cases_rank *self)
{
    const clprim_comm *comm = self->comm;
    clprim_runtime *runtime = self->runtime;
    const unsigned culprit = comm->size - 1;
    uint64_t room[256]; /* for outputs that are there without elements, too */
    char sentence[32];
    (void)snprintf(sentence, sizeof sentence, comm->size > 1 ? "rank %u: " : "call is NULL", culprit);
#define SHARES , NULL, NULL
#define EXPECT_REFUSAL(op, desc, output, shares)                                                                          \
    do {                                                                                                               \
        const clprim_##op##_call call = {.output = {.host = room}};                                                    \
        const clprim_status status =                                                                                   \
            clprim_distributed_##op(comm, runtime, desc, comm->rank == culprit ? NULL : &call shares);            \
        if (status != CLPRIM_INVALID_ARGUMENT || strstr(clprim_last_error(), sentence) == NULL ||                      \
            strstr(clprim_last_error(), "call is NULL") == NULL)                                                       \
            wrong(self, #op " without a call: %s (%s)", clprim_status_string(status), clprim_last_error());            \
    } while (0)
    EXPECT_REFUSAL(reduce, NULL, out, );
    EXPECT_REFUSAL(scan, NULL, out, );
    EXPECT_REFUSAL(histogram, NULL, out, );
    EXPECT_REFUSAL(top_k, &(clprim_top_k_desc){.k = 1}, keys_out, );
    EXPECT_REFUSAL(select, &(clprim_select_desc){.predicate = "x"}, out_count, SHARES);
    EXPECT_REFUSAL(unique, NULL, out_count, SHARES);
    EXPECT_REFUSAL(run_length_encode, NULL, out_count, SHARES);
    EXPECT_REFUSAL(reduce_by_key, NULL, out_count, SHARES);
    EXPECT_REFUSAL(radix_sort, NULL, keys_out, SHARES);
    EXPECT_REFUSAL(sort_by_key, NULL, keys_out, SHARES);
#undef EXPECT_REFUSAL
#undef SHARES
}

const cases_group cases_groups[] = {
    {"reduce", run_reductions},    {"sort", run_sorts},   {"sort_by_key", run_sorts_by_key}, {"scan", run_scans},
    {"histogram", run_histograms}, {"top_k", run_top_ks}, {"select", run_selections},        {"runs", run_runs},
    {"errors", run_errors},
};
const size_t cases_num_groups = sizeof cases_groups / sizeof cases_groups[0];
