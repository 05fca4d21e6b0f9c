/* test_scan.output.c: what an expression makes of the prefixes: every variant writes what comes of the reference's
 * prefixes, inclusive and exclusive, by segments, in place, and where the device says how many there are. */
#include "folds.h"

enum { MAX_COUNT = 20011, WORDS = 3 };

static const size_t counts[] = {0, 1, 255, 257, 1025, 4097, MAX_COUNT};

static uint32_t x[MAX_COUNT * WORDS];
static uint64_t prefixes[MAX_COUNT * 2];
static uint8_t flags[MAX_COUNT];

#define PREFIX(type) ((const type *)(const void *)prefixes)[i]

static void scaled(void *to, size_t i)
{
    ((uint32_t *)to)[i] = PREFIX(uint32_t) * 3 + (uint32_t)i;
}

static void halved(void *to, size_t i)
{
    ((float *)to)[i] = (float)PREFIX(int16_t) * 0.5F;
}

static void doubled(void *to, size_t i)
{
    const float twice = clprim_half_to_float(PREFIX(uint16_t)) * 2;
    ((uint16_t *)to)[i] = twice != twice ? 0x7e00 : clprim_half_from_float(twice); /* the identity is a NaN */
}

static void rest(void *to, size_t i)
{
    ((uint8_t *)to)[i] = (uint8_t)(PREFIX(uint64_t) % 251);
}

static void is_odd(void *to, size_t i)
{
    ((int8_t *)to)[i] = (int8_t)(PREFIX(uint32_t) & 1 ? -1 : 1);
}

static void widened(void *to, size_t i)
{
    ((int64_t *)to)[i] = (int64_t)PREFIX(int32_t) * 3;
}

static void triple(void *to, size_t i)
{
    const uint32_t words[WORDS] = {(uint32_t)i, PREFIX(uint8_t), 3};
    memcpy((uint32_t *)to + WORDS * i, words, sizeof words);
}

static void last(void *to, size_t i)
{
    ((uint32_t *)to)[i] = ((const uint32_t *)(const void *)prefixes)[WORDS * i + 2] + 3;
}

static void same_span(void *to, size_t i)
{
    memcpy((uint32_t *)to + WORDS * i, (const uint32_t *)(const void *)prefixes + WORDS * i, WORDS * sizeof(uint32_t));
}

static const struct output_row {
    clprim_scan_desc desc;
    void (*made)(void *to, size_t i); /* of prefixes[i] and 3 */
    const test_operator *own;
} rows[] = {
    {{.type = CLPRIM_U32, .output = "r * three + (uint)i"}, .made = scaled},
    {{.type = CLPRIM_I16, .op = CLPRIM_MAX, .output = "r * 0.5f", .output_type = CLPRIM_F32}, .made = halved},
    {{.type = CLPRIM_F16, .op = CLPRIM_MIN, .output = "r + r"}, .made = doubled},
    {{.type = CLPRIM_U8, .accumulator_type = CLPRIM_U64, .output = "r % 251", .output_type = CLPRIM_U8}, .made = rest},
    {{.type = CLPRIM_U32, .op = CLPRIM_XOR, .output = "r & 1 ? -1 : 1", .output_type = CLPRIM_I8}, .made = is_odd},
    {{.type = CLPRIM_I32, .op = CLPRIM_MIN, .output = "(long)r * three", .output_type = CLPRIM_I64}, .made = widened},
    {{.type = CLPRIM_U8,
      .op = CLPRIM_OR,
      .text.source = "typedef struct { uint i, r, n; } triple;",
      .output = "(triple){(uint)i, r, three}",
      .output_type_name = "triple",
      .output_type_size = WORDS * sizeof(uint32_t)},
     .made = triple},
    {{.output = "r.last + three", .output_type = CLPRIM_U32}, .made = last, .own = &test_operators[TEST_SPANS]},
    {{.output = "r"}, .made = same_span, .own = &test_operators[TEST_SPANS]},
};

/* The reference for the prefixes. */
static clprim_status (*reference)(const void *desc, const void *call);
static const struct output_row *row;

static clprim_status of_prefixes(const void *desc, const void *call)
{
    clprim_scan_desc plain = *(const clprim_scan_desc *)desc;
    clprim_scan_call given = *(const clprim_scan_call *)call;
    plain.output = plain.output_type_name = NULL;
    plain.output_type = CLPRIM_TYPE_DEFAULT;
    plain.output_type_size = 0;
    given.out.host = prefixes;
    const clprim_status status =
        reference != NULL ? reference(&plain, &given) : test_reference(&clprim_scan_operation, &plain, &given);
    for (size_t i = 0; status == CLPRIM_SUCCESS && i < given.count; i++)
        row->made(((const clprim_scan_call *)call)->out.host, i);
    return status;
}

static void check(test_call *self, clprim_type type, size_t count, uint64_t seed)
{
    static int32_t three = 3;
    static uint32_t less;
    uint64_t random = seed;
    const clprim_scan_call call = {.in = {.host = x},
                                   .heads = {.host = flags},
                                   .arguments = {{.host = &three}},
                                   .count_at = {.host = &less},
                                   .count = count};
    less = (uint32_t)(count - count / 3);
    test_fill(x, row->own != NULL ? CLPRIM_U32 : type, CLPRIM_SUM, TEST_EXACT, row->own != NULL ? WORDS * count : count,
              seed);
    for (size_t i = 0; i < count; i++)
        flags[i] = (uint8_t)(test_random_below(&random, 50) == 0);
    self->replaced = seed % 2; /* in place of the elements, where outputs have their size */
    test_call_fill(self, &call, seed);
    test_call_check(self, "output %s", row->desc.output);
}

/* CPU_CHUNK meets all expressions, the others each third one: a CPU's compiler takes seconds for kernels with tiles. */
TEST_BY_VARIANT(scan_output, is_made_of_prefixes, clprim_scan_operation)
{
    const size_t num_rows = sizeof rows / sizeof *rows;
    for (size_t r = 0; r < num_rows; r++) {
        const size_t how = r / 3 + r + (size_t)variant;
        clprim_scan_desc desc = rows[r].desc;
        if (variant != CLPRIM_SCAN_CPU_CHUNK && (r + (size_t)variant) % 6 != 0 && !test_is_full())
            continue;
        row = &rows[r];
        desc.variant = (clprim_scan_variant)variant;
        desc.exclusive = how % 2 == 0;
        desc.segments = how % 4 >= 2 ? CLPRIM_SEGMENTS_BY_FLAG : CLPRIM_SEGMENTS_NONE;
        desc.count_at_type = how % 3 == 0 ? CLPRIM_U32 : CLPRIM_TYPE_DEFAULT;
        desc.text.parameters[0] = (clprim_parameter){.name = "three"};
        TEST_WITH_CALL(self, test_fold_create(&self, runtime, &clprim_scan_operation, &desc, row->own)) {
            reference = self.reference;
            self.reference = of_prefixes;
            for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts; i++)
                check(&self, desc.type, counts[i / 2], TEST_SEED + i);
        }
    }
}

#define INVALID(culprit, ...) TEST_INVALID(scan, culprit, false, __VA_ARGS__)

Test(scan_output, refusals)
{
    TEST_REFUSE_EACH(scan, INVALID("without an output", .output_type = CLPRIM_F32),
                     INVALID("without an output", .output_type_name = "int", .output_type_size = 4),
                     INVALID("argmax takes no output", .op = CLPRIM_ARGMAX, .output = "r"),
                     INVALID("has no type_size", .output = "r", .output_type_name = "int"),
                     INVALID("unknown type", .output = "r", .output_type = CLPRIM_TYPE_END),
                     TEST_MISTAKE(scan, "output:1", .output = "nothing[i]"));
}
