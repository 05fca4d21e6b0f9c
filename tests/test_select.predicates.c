/* test_select.predicates.c: what predicates may say, elements of the caller's own types, and arrays on the host. */
#include <clprim/reference.h>
#include <clprim/select.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

static const size_t counts[] = {0, 1, 2, 3, 255, 256, 257, 513, 1025, 4097, 20011};

enum { NUM_COUNTS = sizeof counts / sizeof *counts, MAX_COUNT = 20011, POISON = 0xa5 };

/* A predicate as the device and as the host know it. */
typedef struct predicate_case {
    const char *name;
    clprim_select_desc desc;
    test_pattern pattern;
    bool (*keeps)(const void *element, uint64_t i);
} predicate_case;

static bool is_below(const void *element, uint64_t i)
{
    int32_t x = 0;
    (void)i;
    memcpy(&x, element, sizeof x);
    return x < -12345;
}

static bool is_third(const void *element, uint64_t i)
{
    (void)element;
    return i % 3 == 1;
}

static bool is_second(const void *element, uint64_t i)
{
    (void)element;
    return i % 3 == 2;
}

static bool is_odd_with_index(const void *element, uint64_t i)
{
    uint16_t x = 0;
    memcpy(&x, element, sizeof x);
    return ((x ^ i) & 1) != 0 || i > 20000;
}

static bool is_every(const void *element, uint64_t i)
{
    (void)element;
    (void)i;
    return true;
}

static bool is_no(const void *element, uint64_t i)
{
    (void)element;
    (void)i;
    return false;
}

static bool has_high_bits(const void *element, uint64_t i)
{
    uint64_t x = 0;
    (void)i;
    memcpy(&x, element, sizeof x);
    return (x & UINT64_C(0x7000000000)) != 0;
}

static bool is_small_half(const void *element, uint64_t i)
{
    uint16_t x = 0;
    (void)i;
    memcpy(&x, element, sizeof x);
    return clprim_half_to_float(x) * 0x1p-30f > 0.5f * 0x1p-30f;
}

static bool is_float_nan(const void *element, uint64_t i)
{
    float x = 0;
    (void)i;
    memcpy(&x, element, sizeof x);
    return isnan(x);
}

static bool is_float_not_zero(const void *element, uint64_t i)
{
    float x = 0;
    (void)i;
    memcpy(&x, element, sizeof x);
    return x != 0.0f;
}

static bool is_half_not_zero(const void *element, uint64_t i)
{
    uint16_t x = 0;
    (void)i;
    memcpy(&x, element, sizeof x);
    return (x & 0x7fff) != 0;
}

static bool is_double_small(const void *element, uint64_t i)
{
    double x = 0;
    (void)i;
    memcpy(&x, element, sizeof x);
    return fabs(x) < 0.3;
}

typedef struct span {
    uint32_t begin;
    uint32_t end;
    int32_t weight;
} span;

static bool is_heavy_span(const void *element, uint64_t i)
{
    span x;
    (void)i;
    memcpy(&x, element, sizeof x);
    return x.weight > 0 && x.end > x.begin;
}

typedef struct wide {
    uint64_t v[5];
} wide;

static bool is_even_wide(const void *element, uint64_t i)
{
    wide x;
    memcpy(&x, element, sizeof x);
    return ((x.v[0] ^ x.v[4] ^ i) & 1) == 0;
}

static const predicate_case on_element = {
    "on the element", {.type = CLPRIM_I32, .predicate = "x < -12345"}, TEST_RANDOM, is_below};
static const predicate_case on_index = {
    "on the index", {.type = CLPRIM_U8, .predicate = "i % 3 == 1"}, TEST_RANDOM, is_third};
static const predicate_case on_another_index = {
    "on another index", {.type = CLPRIM_U8, .predicate = "i % 3 == 2"}, TEST_RANDOM, is_second};
static const predicate_case on_both = {
    "on both", {.type = CLPRIM_U16, .predicate = "((x ^ i) & 1) || i > 20000"}, TEST_RANDOM, is_odd_with_index};
static const predicate_case always = {"always", {.type = CLPRIM_F32, .predicate = "1"}, TEST_SPECIALS, is_every};
static const predicate_case never = {"never", {.type = CLPRIM_I8, .predicate = "false"}, TEST_RANDOM, is_no};

/* Cut down to an int, or to its lowest bit, this would be 0. */
static const predicate_case high_bits = {
    "bits above 32", {.type = CLPRIM_U64, .predicate = "x & 0x7000000000ul"}, TEST_RANDOM, has_high_bits};

/* Several lines, with operators that bind less tightly than those a library may put around them, and comments. */
static const predicate_case lines = {
    "several lines",
    {.type = CLPRIM_I32, .predicate = "\n  x >= -12345 // large\n  ? false /* no */ : true // small"},
    TEST_RANDOM,
    is_below};

static const predicate_case with_source = {
    "with declarations",
    {.type = CLPRIM_I32,
     .predicate = "is_below(x, LIMIT)",
     .source = "#define LIMIT limit_of[1]\n__constant int limit_of[2] = {7, -12345};\n"
               "static inline bool is_below(int a, int limit)\n{\n    return a < limit;\n}"},
    TEST_RANDOM,
    is_below};

/* As a half x * 2^-30 would be 0; NaNs are not above anything, and zeros are not either. */
static const predicate_case halves = {"halves are floats",
                                      {.type = CLPRIM_F16, .predicate = "x * 0x1p-30f > 0.5f * 0x1p-30f"},
                                      TEST_RANDOM,
                                      is_small_half};
static const predicate_case halves_not_zero = {
    "halves that are not 0", {.type = CLPRIM_F16, .predicate = "x"}, TEST_SPECIALS, is_half_not_zero};
static const predicate_case nans = {"NaNs", {.type = CLPRIM_F32, .predicate = "isnan(x)"}, TEST_SPECIALS, is_float_nan};

/* A predicate of type float: 0.5 is not 0. */
static const predicate_case fractions = {
    "floats that are not 0", {.type = CLPRIM_F32, .predicate = "x"}, TEST_FEW_DISTINCT, is_float_not_zero};
static const predicate_case doubles = {
    "doubles", {.type = CLPRIM_F64, .predicate = "fabs(x) < 0.3"}, TEST_RANDOM, is_double_small};

static const predicate_case spans = {"structs of 12 bytes",
                                     {.type_name = "span",
                                      .type_size = sizeof(span),
                                      .source = "typedef struct { uint begin, end; int weight; } span;",
                                      .predicate = "x.weight > 0 && x.end > x.begin"},
                                     TEST_RANDOM,
                                     is_heavy_span};
static const predicate_case wides = {"structs of 40 bytes",
                                     {.type_name = "wide",
                                      .type_size = sizeof(wide),
                                      .source = "typedef struct { ulong v[5]; } wide;",
                                      .predicate = "((x.v[0] ^ x.v[4] ^ i) & 1) == 0"},
                                     TEST_RANDOM,
                                     is_even_wide};
static const predicate_case wides_by_flags = {"structs of 40 bytes by flags",
                                              {.type_name = "wide",
                                               .type_size = sizeof(wide),
                                               .source = "typedef struct { ulong v[5]; } wide;",
                                               .flags_type = CLPRIM_U16},
                                              TEST_RANDOM,
                                              is_even_wide};

static size_t element_size(const clprim_select_desc *desc)
{
    return desc->type_name != NULL ? desc->type_size : clprim_type_size(desc->type);
}

/* Arrays on the host, whose flags say the same as the predicate. */
typedef struct arrays {
    size_t size;  /* of an element */
    size_t bytes; /* with room for offsets of up to 7 and for guards */
    unsigned char *elements;
    unsigned char *keep;
    uint16_t *flags;
    unsigned char *expected;
    unsigned char *found;
} arrays;

static arrays arrays_create(const predicate_case *c)
{
    arrays self = {.size = element_size(&c->desc)};
    const size_t room = MAX_COUNT + 16;
    self.bytes = room * self.size;
    self.elements = malloc(self.bytes);
    self.keep = malloc(room);
    self.flags = malloc(room * sizeof *self.flags);
    self.expected = malloc(self.bytes);
    self.found = malloc(self.bytes);
    cr_assert(self.elements != NULL && self.keep != NULL && self.flags != NULL && self.expected != NULL &&
              self.found != NULL);
    if (c->desc.type_name != NULL)
        test_fill(self.elements, CLPRIM_U32, CLPRIM_MIN, c->pattern, self.bytes / 4, TEST_SEED);
    else
        test_fill(self.elements, c->desc.type, CLPRIM_MIN, c->pattern, room, TEST_SEED);
    return self;
}

static void arrays_destroy(arrays *self)
{
    free(self->elements);
    free(self->keep);
    free(self->flags);
    free(self->expected);
    free(self->found);
}

/* What is to be found in an output that was poisoned before; the number of those selected. */
static size_t arrays_expect(arrays *self, const predicate_case *c, size_t offset, size_t out_offset, size_t count,
                            bool partition)
{
    size_t selected = 0;
    memset(self->expected, POISON, self->bytes);
    for (size_t i = 0; i < count; i++) {
        self->keep[i] = c->keeps(self->elements + (offset + i) * self->size, i);
        self->flags[i] = self->keep[i] ? (uint16_t)(0x8000 >> i % 16) : 0;
    }
    ASSERT_OK(clprim_reference_select(self->expected + out_offset * self->size, &selected, self->size, self->keep,
                                      partition, self->elements + offset * self->size, count));
    return selected;
}

/* Where a plan finds them and puts its results. */
typedef struct memory {
    cl_mem in;
    cl_mem flags;
    cl_mem out;
    test_output selected;
} memory;

static void enqueue(clprim_plan *plan, const memory *m, bool by_flags, size_t offset, size_t count, size_t out_offset)
{
    const clprim_array flags = {.buffer = by_flags ? m->flags : NULL};
    ASSERT_OK(clprim_select_enqueue(plan, NULL,
                                    &(clprim_select_call){.in = {m->in, offset},
                                                          .flags = flags,
                                                          .count = count,
                                                          .out = {m->out, out_offset},
                                                          .out_count = {m->selected.buffer, m->selected.slot}},
                                    0, NULL, NULL));
}

/* All counts, each from another offset to another. */
static void check_plan(clprim_runtime *runtime, clprim_plan *plan, const predicate_case *c, bool partition,
                       const char *variant)
{
    char what[160];
    arrays a = arrays_create(c);
    memory m = {.in = test_upload(runtime, a.elements, a.bytes),
                .flags = test_buffer(runtime, (MAX_COUNT + 16) * sizeof *a.flags),
                .out = test_buffer(runtime, a.bytes),
                .selected = test_output_create(runtime, sizeof(cl_uint), 2)};
    for (size_t i = 0; i < NUM_COUNTS; i++) {
        const size_t offset = i % 8;
        const size_t out_offset = (i + 3) % 5;
        const size_t expected = arrays_expect(&a, c, offset, out_offset, counts[i], partition);
        cl_uint selected = 0;
        (void)snprintf(what, sizeof what, "%s by %s%s: %zu elements from %zu on to %zu", c->name, variant,
                       partition ? " (partition)" : "", counts[i], offset, out_offset);
        memset(a.found, POISON, a.bytes);
        test_write(runtime, m.out, a.found, a.bytes);
        test_output_poison(runtime, &m.selected);
        test_write(runtime, m.flags, a.flags, counts[i] * sizeof *a.flags);
        enqueue(plan, &m, c->desc.predicate == NULL, offset, counts[i], out_offset);
        test_output_read(runtime, &m.selected, &selected, what);
        cr_assert_eq(selected, expected, "%s: %u selected, not %zu", what, selected, expected);
        test_read(runtime, a.found, m.out, a.bytes);
        test_expect_same(a.expected, a.found, a.size, a.bytes / a.size, what);
    }
    test_output_destroy(&m.selected);
    ASSERT_CL(clReleaseMemObject(m.in));
    ASSERT_CL(clReleaseMemObject(m.flags));
    ASSERT_CL(clReleaseMemObject(m.out));
    arrays_destroy(&a);
}

/* False where the device cannot run it. */
static bool check_by(clprim_runtime *runtime, const predicate_case *c, int variant, const char *name)
{
    clprim_plan *plan = NULL;
    clprim_select_desc desc = c->desc;
    desc.variant = (clprim_select_variant)variant;
    desc.partition = variant == CLPRIM_SELECT_CPU_CHUNK; /* each way by some variant */
    const clprim_status status = clprim_select_create(&plan, runtime, &desc);
    if (status == CLPRIM_UNSUPPORTED)
        return false;
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s by %s: %s", c->name, name, clprim_last_error());
    check_plan(runtime, plan, c, desc.partition, name);
    clprim_plan_destroy(plan);
    return true;
}

/* Each case by one variant after the other, or with CLPRIM_TEST_FULL by all; those of `by_all` always. */
static void check_cases(const predicate_case *const cases[], size_t num_cases, bool by_all)
{
    size_t num_variants = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&num_variants);
    clprim_runtime *runtime = test_runtime(NULL);
    for (size_t c = 0; c < num_cases; c++)
        for (size_t v = 0; v < num_variants; v++)
            if (by_all || test_is_full() || c % num_variants == v)
                if (!check_by(runtime, cases[c], variants[v].id, variants[v].name))
                    cr_log_info("%s by %s skipped: %s", cases[c]->name, variants[v].name, clprim_last_error());
    clprim_runtime_destroy(runtime);
}

Test(select_predicates, on_elements_and_indices)
{
    static const predicate_case *const cases[] = {&on_element, &on_index, &on_both, &always, &never};
    check_cases(cases, sizeof cases / sizeof *cases, false);
}

Test(select_predicates, texts)
{
    static const predicate_case *const cases[] = {&with_source, &high_bits, &lines};
    check_cases(cases, sizeof cases / sizeof *cases, false);
}

/* By the same variant in the same runtime: the kernel of one is not taken for that of the other. */
Test(select_predicates, texts_of_the_same_length)
{
    static const predicate_case *const cases[] = {&on_index, &on_another_index};
    check_cases(cases, sizeof cases / sizeof *cases, true);
}

Test(select_predicates, floats)
{
    static const predicate_case *const cases[] = {&halves, &fractions, &doubles, &nans, &halves_not_zero};
    check_cases(cases, sizeof cases / sizeof *cases, false);
}

Test(select_predicates, structs)
{
    static const predicate_case *const cases[] = {&spans, &wides};
    check_cases(cases, sizeof cases / sizeof *cases, true);
    static const predicate_case *const by_flags[] = {&wides_by_flags};
    check_cases(by_flags, 1, false);
}
