/* test_radix_sort.c: every variant sorts as the reference does, for all types of keys, values of all sizes, indices,
 * both directions, ranges of bits, sizes, offsets and kinds of keys, in place and not. By default pairwise: each
 * variant meets each type, and of all else each two meet; of types, with values, bits and groups, their sizes and
 * classes do. With CLPRIM_TEST_FULL set, every variant meets every type with all values in both directions. */
#include "test_radix_sort.h"

#include <criterion/parameterized.h> /* works only after criterion.h */

/* Around powers of two, where sub-groups, work-groups and tiles end. */
static const size_t sizes[] = {0,    1,    2,    3,    31,   32,   33,   255,  256,   257,   1023,
                               1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 16383, 16384, 16385};
static const size_t offsets[] = {0, 1, 3, SORT_MAX_OFFSET};

enum { NUM_SIZES = sizeof sizes / sizeof *sizes, SOME = 5003, LARGE = 100003, VERY_LARGE = (1 << 20) + 7 };

/* The turn decides on offsets, different ones for each array, on what is in place, and on the keys. */
static sort_call call_of_turn(uint64_t turn, size_t count)
{
    uint64_t random = turn;
    const uint64_t r = test_random(&random);
    sort_call c = {.count = count, .seed = turn, .data = (sort_data)((r >> 32) % SORT_DATA_END)};
    for (int a = 0; a < SORT_ARRAYS; a++)
        c.offsets[a] = offsets[(r >> 2 * a) % 4];
    c.in_place[SORT_KEYS_IN] = (r >> 16) % 2 == 1;
    c.in_place[SORT_VALUES_IN] = (r >> 17) % 2 == 1;
    c.repeat = count < 5000 ? 1 + (unsigned)(r >> 24) % 3 : 1;
    return c;
}

/* All sizes; at one size all kinds of keys, of those that differ in one byte each byte; and large ones. */
static void check_all(sort_subject *self, uint64_t seed)
{
    const size_t some = SOME < self->max_count ? SOME : self->max_count;
    const size_t size = clprim_type_size(self->desc.key_type);
    uint64_t turn = seed * 1000;
    sort_call c;
    for (size_t i = 0; i < NUM_SIZES; i++)
        if (sizes[i] <= self->max_count) {
            c = call_of_turn(turn++, sizes[i]);
            sort_check(self, &c);
        }
    for (int data = 0; data < SORT_DATA_END; data++)
        for (size_t byte = 0; byte < (data == SORT_ONE_BYTE ? size : 1); byte++) {
            c = call_of_turn(turn++, some);
            c.data = (sort_data)data;
            c.seed = c.seed * 8 + byte; /* of which the size is a divisor */
            sort_check(self, &c);
        }
    for (size_t count = LARGE; count <= self->max_count; count += VERY_LARGE - LARGE) {
        c = call_of_turn(turn++, count);
        sort_check(self, &c);
    }
}

/* What plans differ in. A type stands for three: of its size and class there are fewer, so that they can meet all. */
enum { VARIANT, TYPE, KEY_SIZE, KEY_CLASS, VALUES, BITS, DIRECTION, GROUP, FACTORS, FIRST_FREE = VALUES };
enum { MAX_WAYS = 12, CHOICES = 8 * 4 * 2 * 6, NUM_ROWS = SORT_VARIANTS * (CLPRIM_TYPE_END - 1) };

static const size_t ways[FACTORS] = {SORT_VARIANTS, CLPRIM_TYPE_END - 1, 4, 3, 8, 4, 2, 6};

typedef struct row {
    size_t way[FACTORS];
} row;

/* One row for each variant and type, and which ways met in them. */
typedef struct sample {
    row rows[NUM_ROWS];
    bool met[FACTORS][FACTORS][MAX_WAYS][MAX_WAYS];
} sample;

static row row_of(size_t variant, size_t type, size_t choice)
{
    static const size_t facts[CLPRIM_TYPE_END - 1][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1},
                                                         {3, 0}, {3, 1}, {1, 2}, {2, 2}, {3, 2}};
    return (row){
        {variant, type, facts[type][0], facts[type][1], choice % 8, choice / 8 % 4, choice / 32 % 2, choice / 64 % 6}};
}

/* Must these two factors meet in all their ways? */
static bool is_paired(int a, int b)
{
    return a < b && b >= FIRST_FREE && (a != TYPE || b == DIRECTION);
}

/* What only variants show of which few devices are capable counts for nothing but for these. */
static bool counts(const row *r, int a)
{
    return a == VARIANT || r->way[VARIANT] != CLPRIM_RADIX_SORT_ONESWEEP;
}

/* Twice the pairs that are new in the row; all bits rather than some, where that makes no difference. */
static size_t worth_of(const sample *self, const row *r)
{
    size_t worth = r->way[BITS] == 0;
    for (int a = 0; a < FACTORS; a++)
        for (int b = FIRST_FREE; b < FACTORS; b++)
            worth += is_paired(a, b) && counts(r, a) && !self->met[a][b][r->way[a]][r->way[b]];
    return worth;
}

/* Row after row that one of which most is new; the choices begin elsewhere each time, or the first would be too many.
 */
static void make_sample(sample *out)
{
    *out = (sample){.rows = {{{0}}}};
    for (size_t n = 0; n < NUM_ROWS; n++) {
        row best = {{0}};
        size_t best_worth = 0;
        for (size_t i = 0; i < CHOICES; i++) {
            const row r = row_of(n % SORT_VARIANTS, n / SORT_VARIANTS, (n + i) % CHOICES);
            const size_t worth = worth_of(out, &r);
            if (i == 0 || worth > best_worth) {
                best = r;
                best_worth = worth;
            }
        }
        for (int a = 0; a < FACTORS; a++)
            for (int b = FIRST_FREE; b < FACTORS; b++)
                out->met[a][b][best.way[a]][best.way[b]] |= counts(&best, a);
        out->rows[n] = best;
    }
}

Test(radix_sort, the_sample_is_pairwise)
{
    static sample s;
    make_sample(&s);
    for (int a = 0; a < FACTORS; a++)
        for (int b = FIRST_FREE; b < FACTORS; b++)
            for (size_t i = 0; is_paired(a, b) && i < ways[a]; i++)
                for (size_t j = 0; j < ways[b]; j++)
                    cr_assert(s.met[a][b][i][j], "way %zu of factor %d does not meet way %zu of %d", i, a, j, b);
}

static clprim_radix_sort_desc desc_of(const row *r)
{
    static const size_t value_sizes[] = {0, 1, 2, 4, 8, 16, 0, 8}; /* the last two made by the sort */
    static const size_t group_sizes[] = {0, 1, 2, 32, 64, 1024};
    const clprim_type type = (clprim_type)(r->way[TYPE] + 1);
    const unsigned bits = 8 * (unsigned)clprim_type_size(type);
    const unsigned ranges[4][2] = {{0, r->way[DIRECTION] == 0 ? 0 : bits}, {0, 5}, {3, bits - 2}, {bits - 1, bits}};
    return (clprim_radix_sort_desc){.key_type = type,
                                    .value_size = value_sizes[r->way[VALUES]],
                                    .argsort = r->way[VALUES] >= 6,
                                    .descending = r->way[DIRECTION] == 1,
                                    .begin_bit = ranges[r->way[BITS]][0],
                                    .end_bit = ranges[r->way[BITS]][1],
                                    .variant = (clprim_radix_sort_variant)r->way[VARIANT],
                                    .work_group_size = group_sizes[r->way[GROUP]]};
}

/* SINGLE_GROUP has to know for how many; fewer than it is asked for first need less local memory. */
static void check_row(clprim_runtime *runtime, const row *r, uint64_t seed)
{
    clprim_radix_sort_desc desc = desc_of(r);
    sort_subject self;
    const bool is_single = desc.variant == CLPRIM_RADIX_SORT_SINGLE_GROUP;
    desc.max_count = !is_single ? 0 : seed % 2 == 0 ? 4096 : 1024;
    const size_t usual = test_is_full() ? VERY_LARGE : LARGE;
    bool is_made = sort_create(&self, runtime, desc, is_single ? desc.max_count : usual);
    if (!is_made && desc.max_count > 1024) {
        desc.max_count = 1024;
        is_made = sort_create(&self, runtime, desc, desc.max_count);
    }
    if (!is_made)
        return;
    check_all(&self, seed);
    sort_destroy(&self);
}

ParameterizedTestParameters(radix_sort, variant)
{
    static size_t variants[SORT_VARIANTS];
    for (size_t i = 0; i < SORT_VARIANTS; i++)
        variants[i] = i;
    return cr_make_param_array(size_t, variants, SORT_VARIANTS);
}

/* Each variant, with its rows of the sample, or with all there are; then bits and groups take turns. */
ParameterizedTest(size_t *variant, radix_sort, variant, .timeout = 1500)
{
    static sample s;
    clprim_runtime *runtime = test_runtime(NULL);
    make_sample(&s);
    for (size_t n = 0; n < NUM_ROWS && !test_is_full(); n++)
        if (s.rows[n].way[VARIANT] == *variant)
            check_row(runtime, &s.rows[n], n / SORT_VARIANTS);
    for (size_t type = 0; type < ways[TYPE] && test_is_full(); type++)
        for (size_t n = 0; n < ways[VALUES] * ways[DIRECTION]; n++) {
            const size_t bits = (type + n + n / 8) % 8 < 4 ? 0 : (type + n) % 4;
            const row r = row_of(*variant, type, n % 8 + 8 * bits + 32 * (n / 8) + 64 * ((type + n) % ways[GROUP]));
            check_row(runtime, &r, type * 16 + n);
        }
    const clprim_program_stats stats = clprim_runtime_program_stats(runtime);
    cr_log_info("%s: %zu programs", sort_variant_name((clprim_radix_sort_variant)*variant),
                stats.built + stats.from_disk);
    clprim_runtime_destroy(runtime);
}

/* Then whatever counts elements takes 64 bits. */
Test(radix_sort, plans_for_2_to_the_33_elements, .timeout = 240)
{
    clprim_runtime *runtime = test_runtime(NULL);
    for (int variant = 0; variant < SORT_VARIANTS; variant++) {
        const clprim_radix_sort_desc desc = {.key_type = CLPRIM_U16,
                                             .value_size = 8,
                                             .argsort = true,
                                             .variant = (clprim_radix_sort_variant)variant,
                                             .max_count = (size_t)1 << 33};
        sort_subject self;
        if (!sort_create(&self, runtime, desc, SOME))
            continue;
        check_all(&self, (uint64_t)variant);
        sort_destroy(&self);
    }
    clprim_runtime_destroy(runtime);
}

Test(radix_sort, variants_describe_themselves)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_radix_sort_variants(&count);
    cr_assert_eq(count, SORT_VARIANTS - 1, "as many as there are enumerators but AUTO");
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(variants[i].id, (int)i + 1, "in the order of the enumerators");
        cr_assert(strlen(variants[i].name) > 0 && strlen(variants[i].summary) > 0 && strlen(variants[i].origin) > 0);
        cr_assert_not_null(variants[i].needs);
        for (size_t j = 0; j < i; j++)
            cr_assert_str_neq(variants[i].name, variants[j].name);
    }
    cr_assert_eq((int)clprim_radix_sort_plan_variant(NULL), (int)CLPRIM_RADIX_SORT_AUTO);
}
