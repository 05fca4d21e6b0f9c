// SPDX-License-Identifier: MIT
/* cases.c: distributed operations, each rank's piece compared with the reference's result for the whole array. */

#include <clprim/reference.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases_frame.h"
#include "random.h"

void cases_wrong(cases_rank *self, const char *format, ...)
{
    va_list arguments;
    if (self->message[0] != '\0')
        return;
    const int length = snprintf(self->message, CASES_MESSAGE, "rank %u of %u: ", self->comm->rank, self->comm->size);
    va_start(arguments, format);
    (void)vsnprintf(self->message + length, CASES_MESSAGE - (size_t)length, format, arguments);
    va_end(arguments);
}

void cases_expect_ok(cases_rank *self, clprim_status status, const char *what)
{
    if (status != CLPRIM_SUCCESS)
        cases_wrong(self, "%s: %s (%s)", what, clprim_status_string(status), clprim_last_error());
}

/* Memory with a guard after it, all poisoned. It is always large enough for the tests. */
void *cases_memory(size_t bytes)
{
    void *result = malloc(bytes + CASES_GUARD);
    if (result == NULL)
        abort();
    return memset(result, CASES_POISON, bytes + CASES_GUARD);
}

void *cases_copy(const void *from, size_t bytes)
{
    return memcpy(cases_memory(bytes), from, bytes);
}

static void expect_guard(cases_rank *self, const void *array, size_t bytes, const char *what)
{
    const unsigned char *at = (const unsigned char *)array + bytes;
    for (size_t i = 0; i < CASES_GUARD; i++)
        if (at[i] != CASES_POISON) {
            cases_wrong(self, "%s: byte %zu behind the array was written", what, i);
            return;
        }
}

void cases_expect_bytes(cases_rank *self, const void *expected, const void *got, size_t size, size_t count,
                        const char *what, const char *array)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp((const char *)expected + i * size, (const char *)got + i * size, size) != 0) {
            cases_wrong(self, "%s: %s: element %zu of %zu is wrong", what, array, i, count);
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

size_t cases_before(const size_t *parts, unsigned rank)
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

static const size_t totals[] = {0, 1, 3, 7, 100, 1000, 4099};
_Static_assert(CASES_TOTALS == sizeof totals / sizeof totals[0], "as many as there are");

cases_shape cases_shape_of(const cases_rank *self, size_t number, const char *name)
{
    cases_shape result = {.total = totals[number % CASES_TOTALS],
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

void cases_expect_part(cases_rank *self, const cases_shape *at, const clprim_distributed_part *part)
{
    if (part->first != cases_before(at->rooms, self->comm->rank) || part->count != at->rooms[self->comm->rank] ||
        part->total != at->total)
        cases_wrong(self, "%s: the part is %llu, %zu of %llu", at->name, (unsigned long long)part->first, part->count,
                    (unsigned long long)part->total);
}

/* The place where a rank's share begins, by the formula in clprim/distributed.h. */
size_t cases_share(const cases_shape *at, unsigned rank, size_t number)
{
    return at->total > 0 ? number * cases_before(at->rooms, rank) / at->total : 0;
}

cases_column cases_column_of(const cases_rank *self, const cases_shape *at, size_t size, void *whole)
{
    const unsigned rank = self->comm->rank;
    cases_column result = {
        .size = size, .whole = whole, .in_bytes = at->parts[rank] * size, .out_bytes = at->rooms[rank] * size};
    const char *mine = (const char *)whole + cases_before(at->parts, rank) * size;
    const size_t most = result.in_bytes > result.out_bytes ? result.in_bytes : result.out_bytes;
    result.in = cases_memory(most);
    memcpy(result.in, mine, result.in_bytes);
    result.out = at->in_place ? result.in : cases_memory(result.out_bytes);
    result.kept = at->in_place ? NULL : cases_copy(mine, result.in_bytes);
    return result;
}

void cases_column_free(cases_column *it)
{
    if (it->kept != NULL)
        free(it->out);
    free(it->in);
    free(it->kept);
    free(it->whole);
}

/* Compare the rank's piece with `whole`, which now holds the expected result, and free everything. */
void cases_column_check(cases_rank *self, const cases_shape *at, cases_column *it, const char *name)
{
    const char *expected = (const char *)it->whole + cases_before(at->rooms, self->comm->rank) * it->size;
    if (it->kept != NULL) {
        cases_expect_bytes(self, expected, it->out, it->size, it->out_bytes / it->size, at->name, name);
        cases_expect_bytes(self, it->kept, it->in, it->size, it->in_bytes / it->size, at->name, "an input");
    } else if (it->out_bytes > 0 && memcmp(expected, it->out, it->out_bytes) != 0) {
        cases_wrong(self, "%s: %s, in place, are wrong", at->name, name);
    }
    cases_column_free(it);
}

const cases_group cases_groups[] = {
    {"reduce", cases_run_reductions},
    {"sort", cases_run_sorts},
    {"sort_by_key", cases_run_sorts_by_key},
    {"scan", cases_run_scans},
    {"zeros", cases_run_zeros},
    {"histogram", cases_run_histograms},
    {"top_k", cases_run_top_ks},
    {"nth_element", cases_run_nth_elements},
    {"select", cases_run_selections},
    {"runs", cases_run_runs},
    {"errors", cases_run_errors},
    {"members", cases_run_members},
    {"sizes", cases_run_sizes},
    {"arguments", cases_run_arguments},
    {"elements", cases_run_elements},
    {"merge", cases_run_merges},
    {"shuffle", cases_run_shuffles},
};
const size_t cases_num_groups = sizeof cases_groups / sizeof cases_groups[0];
