// SPDX-License-Identifier: MIT
/* test_find.predicates.c: what predicates may use: parameters, neighbours and the index, with elements of the caller's
 * types, elements that come from an expression, and counts on the device; and arrays that do not fit in the device's
 * memory. */
#include <math.h>

#include "cases.h"

enum { MAX_COUNT = 40011 };

typedef struct span {
    uint32_t begin, end;
    int32_t weight;
} span;

/* Inputs of a call, one of which the predicate reads, with elements of `size` bytes. */
typedef struct arrays {
    const void *in, *other;
    size_t count, length; /* length: of `other` */
} arrays;

/* A predicate in the device's and in the host's version, and elements for it. `edit` changes element i, and its partner
 * in `other`, so that they satisfy it. */
typedef struct predicate_case {
    clprim_find_desc desc;
    size_t size;
    void (*edit)(void *in, void *other, size_t i);
    bool (*holds)(const void *in, const void *other, uint64_t i);
    bool has_other, has_value;
} predicate_case;

static const float value = 0.25f;

#define HOLDS(name, type, condition)                                                                                   \
    static bool name(const void *given, const void *given_other, uint64_t i)                                           \
    {                                                                                                                  \
        const type *in = given;                                                                                        \
        const type *other = given_other;                                                                               \
        (void)in;                                                                                                      \
        (void)other;                                                                                                   \
        return condition;                                                                                              \
    }
#define EDIT(name, type, statement)                                                                                    \
    static void name(void *given, void *given_other, size_t i)                                                         \
    {                                                                                                                  \
        type *in = given;                                                                                              \
        type *other = given_other;                                                                                     \
        (void)in;                                                                                                      \
        (void)other;                                                                                                   \
        (void)i;                                                                                                       \
        statement;                                                                                                     \
    }
HOLDS(is_large, float, in[i] > 1e38f)
EDIT(make_large, float, in[i] = 2e38f)
HOLDS(is_value, float, in[i] == value)
EDIT(make_value, float, in[i] = value)
HOLDS(differs, uint16_t, in[i] != other[i])
EDIT(make_differ, uint16_t, other[i] ^= 0x100)
HOLDS(repeats, int64_t, in[i] == other[i + 1])
EDIT(make_repeat, int64_t, other[i + 1] = in[i])
HOLDS(is_large_half, uint16_t, clprim_half_to_float(in[i]) > 60000.0f)
EDIT(make_large_half, uint16_t, in[i] = 0x7bff)
HOLDS(is_small, double, fabs(in[i]) < 0x1p-1000)
EDIT(make_small, double, in[i] = -0x1p-1001)
HOLDS(is_heavy, span, in[i].weight == 7 && i % 3 == 1)
EDIT(make_heavy, span, in[i].weight = 7)
HOLDS(is_late, uint8_t, i >= 30000 || in[i] == 77)
EDIT(make_late, uint8_t, in[i] = 77)
HOLDS(is_sum, uint32_t, ((uint32_t)i + other[i]) % 1024 == 1023)
EDIT(make_sum, uint32_t, other[i] = (uint32_t)(1023 - i))

#define ARRAY(name_, type_)                                                                                            \
    {                                                                                                                  \
        (name_), (type_), .is_array = true                                                                             \
    }

/* Elements are random numbers from 0 to 99, which satisfy a predicate only by chance. */
static const predicate_case cases[] = {
    {{.type = CLPRIM_F32, .predicate = "x > 1e38f"}, 4, make_large, is_large, false, false},
    {{.type = CLPRIM_F32, .predicate = "x == value", .text.parameters = {{"value", CLPRIM_F32}}},
     4,
     make_value,
     is_value,
     false,
     true},
    {{.type = CLPRIM_U16, .predicate = "x != b[i]", .text.parameters = {ARRAY("b", CLPRIM_U16)}},
     2,
     make_differ,
     differs,
     true,
     false},
    {{.type = CLPRIM_I64, .predicate = "x == a[i + 1]", .text.parameters = {ARRAY("a", CLPRIM_I64)}},
     8,
     make_repeat,
     repeats,
     true,
     false},
    {{.type = CLPRIM_F16, .predicate = "x > 60000"}, 2, make_large_half, is_large_half, false, false},
    {{.type = CLPRIM_F64, .predicate = "fabs(x) < 0x1p-1000"}, 8, make_small, is_small, false, false},
    {{.type_name = "span",
      .type_size = 12,
      .text.source = "typedef struct { uint begin, end; int weight; } span;",
      .predicate = "x.weight == 7 && i % 3 == 1"},
     12,
     make_heavy,
     is_heavy,
     false,
     false},
    {{.type = CLPRIM_U8, .predicate = "i >= 30000 || x == 77"}, 1, make_late, is_late, false, false},
    {{.type = CLPRIM_U32,
      .input = "i + c[i]",
      .predicate = "x % 1024 == 1023",
      .text.parameters = {ARRAY("c", CLPRIM_U32)}},
     4,
     make_sum,
     is_sum,
     true,
     false},
};
enum { CASES = sizeof cases / sizeof *cases };

/* Elements that satisfy no predicate: `in` and `other` are equal where they are compared, and no two neighbours are
 * equal. */
static void fill(const predicate_case *c, unsigned char *in, unsigned char *other, size_t count)
{
    for (size_t i = 0; i <= count; i++) {
        memset(in + i * c->size, 0, c->size);
        switch (c->size) {
        case 1: in[i] = (uint8_t)(i % 64); break;
        case 2: ((uint16_t *)(void *)in)[i] = (uint16_t)(0x3c00 + i % 512); break;
        case 4: ((uint32_t *)(void *)in)[i] = c->desc.input != NULL ? (uint32_t)(1 - i) : 0x3f800000; break;
        case 8: ((uint64_t *)(void *)in)[i] = UINT64_C(0x3ff0000000000000) + i; break;
        default: ((span *)(void *)in)[i] = (span){(uint32_t)i, 7, (int32_t)(i % 7)};
        }
    }
    memcpy(other, in, (count + 1) * c->size);
}

/* The first edited element is at `place`; others are after it. */
static void check(test_call *self, const predicate_case *c, size_t count, size_t place, bool by_run)
{
    static uint64_t in[2 * MAX_COUNT], other[2 * MAX_COUNT]; /* large enough for spans */
    static float given;
    uint32_t counted = (uint32_t)(count - count / 5);
    const size_t n = self->plan->counts.number > 0 ? counted : count;
    uint64_t expected = 0; /* little-endian */
    given = value;
    fill(c, (unsigned char *)in, (unsigned char *)other, count);
    for (size_t i = place; i < count; i += 1 + (i * 7) % 1000)
        c->edit(in, other, i);
    while (expected < n && !c->holds(in, other, expected))
        expected++;
    clprim_find_call call = {.count_at = {.host = &counted}, .count = count, .out = {.host = &expected}};
    if (c->desc.input == NULL)
        call.in.host = in;
    if (c->has_other)
        call.arguments[0] = (clprim_array){.host = other, .length = count + 1};
    if (c->has_value)
        call.arguments[0].host = &given;
    test_call_fill(self, &call, TEST_SEED + place);
    test_call_check_by(self, by_run, "case %d, %zu elements from %zu on", (int)(c - cases), count, place);
}

TEST_BY_VARIANT(find_predicates, texts, clprim_find_operation)
{
    static const size_t counts[] = {0, 1, 2, 255, 256, 257, 1025, 4097, 16385, MAX_COUNT - 1};
    for (size_t k = 0; k < CASES; k++) {
        clprim_find_desc desc = cases[k].desc;
        desc.variant = (clprim_find_variant)variant;
        desc.count_at_type = (k + (size_t)variant) % 2 == 0 ? CLPRIM_U32 : CLPRIM_TYPE_DEFAULT;
        desc.index_type = k % 3 == 0 ? CLPRIM_U64 : CLPRIM_TYPE_DEFAULT;
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_find_operation, &desc))
            for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
                check(&self, &cases[k], counts[i], counts[i], false);
                check(&self, &cases[k], counts[i], counts[i] / 3, false);
                check(&self, &cases[k], counts[i], 0, false);
            }
    }
}

/* Indices refer to the whole array. Arguments that are read at i are divided into pieces along with it. */
TEST_WITH_RUNTIME(find_predicates, in_parts)
{
    enum { COUNT = MAX_COUNT - 1 };
    for (size_t k = 0; k < CASES; k++)
        TEST_WITH_CALL(self, test_call_create(&self, runtime, &clprim_find_operation, &cases[k].desc))
            for (size_t place = 0; place <= COUNT; place += COUNT / 5) {
                const bool is_whole =
                    strstr(cases[k].desc.text.parameters[0].name != NULL ? cases[k].desc.predicate : "", "i + 1") !=
                    NULL;
                const size_t bytes = (is_whole ? COUNT * cases[k].size : 0) + COUNT * cases[k].size / 3 + 4096;
                ASSERT_OK(clprim_runtime_set_run_limits(runtime, &(clprim_run_limits){.device_memory = bytes}));
                check(&self, &cases[k], COUNT, place, true);
                ASSERT_OK(clprim_runtime_set_run_limits(runtime, NULL));
            }
}
