/* test_select.c: every variant selects what the reference selects, for all types, by predicate and by flags of several
 * types, as partition or not, for all sizes, offsets, data and shares of selected elements. By default pairwise: every
 * variant meets every type and every way, and every type predicate and flags, and both with and without partition; with
 * CLPRIM_TEST_FULL set, everything meets everything. */
#include <clprim/reference.h>
#include <clprim/select.h>
#include <criterion/criterion.h>
#include <criterion/parameterized.h> /* works only after criterion.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

/* Around powers of two, where work-groups and tiles end. The last one stands for a random one. */
static const size_t sizes[] = {0,   1,    2,    3,    17,   255,  256,  257,   511,   512,   513,
                               600, 1023, 1024, 1025, 4095, 4096, 4097, 65535, 65536, 65537, 100000};
static const size_t offsets[] = {0, 1, 3, 7};

/* OUT_TAIL: a tile that is written out as a whole, with what was not selected, does not fit into it unseen. */
enum {
    NUM_SIZES = sizeof sizes / sizeof *sizes,
    MAX_OFFSET = 7,
    TAIL = 32,
    OUT_TAIL = 2048,
    MAX_COUNT = 100000 + 9999,
    MANY = 3000017,
    POISON = 0xa5
};

/* Ways to say what to keep: by flags of this type; DEFAULT: by predicate. As often by one as by the other. */
static const clprim_type ways[] = {CLPRIM_TYPE_DEFAULT, CLPRIM_U8,  CLPRIM_TYPE_DEFAULT, CLPRIM_I8,
                                   CLPRIM_TYPE_DEFAULT, CLPRIM_U32, CLPRIM_TYPE_DEFAULT, CLPRIM_I64};

enum { NUM_WAYS = sizeof ways / sizeof *ways };

/* Which of the elements are selected. */
typedef enum share {
    SHARE_NONE = 0,
    SHARE_ALL,
    SHARE_FIRST,
    SHARE_MIDDLE,
    SHARE_LAST,
    SHARE_ALTERNATING,
    SHARE_FIRST_HALF,
    SHARE_ONE_PERCENT,
    SHARE_HALF,
    SHARE_RUNS,
    SHARE_END
} share;

static const char *const share_names[SHARE_END] = {"none",     "all",         "the first",      "one in the middle",
                                                   "the last", "every other", "the first half", "1 %",
                                                   "50 %",     "runs"};

static bool is_in_share(share which, size_t i, size_t count, uint64_t *random)
{
    switch (which) {
    case SHARE_ALL: return true;
    case SHARE_FIRST: return i == 0;
    case SHARE_MIDDLE: return i == count / 2;
    case SHARE_LAST: return i == count - 1;
    case SHARE_ALTERNATING: return i % 2 == 0;
    case SHARE_FIRST_HALF: return i < count / 2;
    case SHARE_ONE_PERCENT: return test_random_below(random, 100) == 0;
    case SHARE_HALF: return test_random_below(random, 2) == 0;
    case SHARE_RUNS: return i / 300 % 3 == 1 || i / 40 % 5 == 2;
    default: return false;
    }
}

/* A plan and what it is fed with. */
typedef struct subject {
    clprim_runtime *runtime;
    clprim_plan *plan;
    clprim_select_desc desc;
    char name[128];
    size_t size;      /* of an element */
    size_t flag_size; /* 0: by predicate */
    unsigned char *in;
    unsigned char *flags;
    unsigned char *keep; /* what the reference is told */
    unsigned char *expected;
    unsigned char *found;
    cl_mem in_memory;
    cl_mem flags_memory;
    cl_mem out_memory;
    test_output selected;
} subject;

static const char *variant_name(clprim_select_variant variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = clprim_select_operation.variants(&count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == (int)variant)
            return variants[i].name;
    return "auto";
}

static bool is_unsigned(clprim_type type)
{
    return type == CLPRIM_U8 || type == CLPRIM_U16 || type == CLPRIM_U32 || type == CLPRIM_U64;
}

/* A predicate for each type whose answer test data can be given without changing what else they are: the sign, or for
 * unsigned numbers the lowest bit. Halves are looked at as the floats they become, so NaNs and zeros are not below 0.
 */
static const char *predicate_for(clprim_type type)
{
    if (is_unsigned(type))
        return "x & 1";
    return type == CLPRIM_F32 ? "as_int(x) < 0" : type == CLPRIM_F64 ? "as_long(x) < 0" : "x < 0";
}

/* Set the sign, or the lowest bit; little-endian, as all the devices there are. */
static void mark(unsigned char *element, clprim_type type, bool is_selected)
{
    unsigned char *byte = element + (is_unsigned(type) ? 0 : clprim_type_size(type) - 1);
    const unsigned bit = is_unsigned(type) ? 0x01 : 0x80;
    *byte = (unsigned char)(is_selected ? *byte | bit : *byte & ~bit);
}

/* What the predicate says. */
static bool is_marked(const unsigned char *element, clprim_type type)
{
    uint16_t half = 0;
    if (type != CLPRIM_F16)
        return is_unsigned(type) ? (element[0] & 0x01) != 0 : (element[clprim_type_size(type) - 1] & 0x80) != 0;
    memcpy(&half, element, sizeof half);
    return clprim_half_to_float(half) < 0;
}

/* Whatever is not 0 counts as set, wherever its bits are. */
static void store_flag(unsigned char *flags, size_t size, size_t i, bool is_set, uint64_t random)
{
    const uint64_t values[4] = {1, UINT64_MAX, UINT64_C(1) << (8 * size - 1), UINT64_C(1) << (4 * size)};
    const uint64_t flag = is_set ? values[random % 4] : 0;
    memcpy(flags + i * size, &flag, size);
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    cr_assert_not_null(memory);
    return memory;
}

/* desc.flags_type is the way. False where the device cannot run it, and says so. */
static bool subject_create(subject *out, clprim_runtime *runtime, clprim_select_desc desc, size_t max_count)
{
    subject self = {.runtime = runtime, .desc = desc, .size = clprim_type_size(desc.type)};
    self.flag_size = clprim_type_size(desc.flags_type);
    self.desc.index_type = desc.type % 2 == 0 ? CLPRIM_U64 : CLPRIM_U32;
    self.desc.predicate = self.flag_size == 0 ? predicate_for(desc.type) : NULL;
    (void)snprintf(self.name, sizeof self.name, "select%s of %s by %s%s, by %s", desc.partition ? " (partition)" : "",
                   clprim_type_name(desc.type), self.flag_size == 0 ? "predicate" : "flags of ",
                   self.flag_size == 0 ? "" : clprim_type_name(desc.flags_type), variant_name(desc.variant));
    const clprim_status status = clprim_select_create(&self.plan, runtime, &self.desc);
    if (status == CLPRIM_UNSUPPORTED) {
        cr_log_info("%s skipped: %s", self.name, clprim_last_error());
        return false;
    }
    cr_assert_eq((int)status, (int)CLPRIM_SUCCESS, "%s: %s", self.name, clprim_last_error());
    const size_t room = MAX_OFFSET + max_count + OUT_TAIL;
    self.in = allocate(room * self.size);
    self.flags = allocate(room * sizeof(uint64_t));
    self.keep = allocate(max_count);
    self.expected = allocate(room * self.size);
    self.found = allocate(room * sizeof(uint64_t));
    self.in_memory = test_buffer(runtime, room * self.size);
    self.flags_memory = test_buffer(runtime, room * self.flag_size);
    self.out_memory = test_buffer(runtime, room * self.size);
    self.selected = test_output_create(runtime, clprim_type_size(self.desc.index_type), 3);
    *out = self;
    return true;
}

static void subject_destroy(subject *self)
{
    clprim_plan_destroy(self->plan);
    ASSERT_CL(clReleaseMemObject(self->in_memory));
    ASSERT_CL(clReleaseMemObject(self->flags_memory));
    ASSERT_CL(clReleaseMemObject(self->out_memory));
    test_output_destroy(&self->selected);
    free(self->in);
    free(self->flags);
    free(self->keep);
    free(self->expected);
    free(self->found);
}

/* One selection. */
typedef struct call {
    size_t count;
    size_t in_offset;
    size_t flags_offset;
    size_t out_offset;
    test_pattern pattern;
    share which;
    uint64_t seed;
} call;

/* Elements, flags and their surroundings, which would be selected if they were looked at. */
static void prepare(subject *self, const call *c)
{
    uint64_t random = c->seed;
    unsigned char *elements = self->in + c->in_offset * self->size;
    test_fill_margin(self->in, c->in_offset * self->size);
    test_fill(elements, self->desc.type, CLPRIM_MIN, c->pattern, c->count, c->seed);
    test_fill_margin(elements + c->count * self->size, TAIL * self->size);
    test_fill_margin(self->flags, (c->flags_offset + c->count + TAIL) * self->flag_size);
    for (size_t i = 0; i < c->count; i++) {
        const bool is_wanted = is_in_share(c->which, i, c->count, &random);
        self->keep[i] = is_wanted;
        if (self->flag_size != 0) {
            store_flag(self->flags + c->flags_offset * self->flag_size, self->flag_size, i, is_wanted, i + c->seed);
        } else {
            mark(elements + i * self->size, self->desc.type, is_wanted);
            self->keep[i] = is_marked(elements + i * self->size, self->desc.type);
        }
    }
    memset(self->expected, POISON, (c->out_offset + c->count + OUT_TAIL) * self->size);
    test_write(self->runtime, self->out_memory, self->expected, (c->out_offset + c->count + OUT_TAIL) * self->size);
    test_write(self->runtime, self->in_memory, self->in, (c->in_offset + c->count + TAIL) * self->size);
    test_write(self->runtime, self->flags_memory, self->flags, (c->flags_offset + c->count + TAIL) * self->flag_size);
    test_output_poison(self->runtime, &self->selected);
}

static void enqueue(const subject *self, const call *c, cl_event *done)
{
    const clprim_array flags = {.buffer = self->flags_memory, .offset = c->flags_offset};
    const clprim_array none = {.buffer = NULL};
    ASSERT_OK(clprim_select_enqueue(self->plan, NULL,
                                    &(clprim_select_call){.in = {self->in_memory, c->in_offset},
                                                          .flags = self->flag_size == 0 ? none : flags,
                                                          .count = c->count,
                                                          .out = {self->out_memory, c->out_offset},
                                                          .out_count = {self->selected.buffer, self->selected.slot}},
                                    0, NULL, done));
}

static void check_unchanged(const subject *self, cl_mem memory, const unsigned char *uploaded, size_t bytes,
                            const char *what)
{
    test_read(self->runtime, self->found, memory, bytes);
    cr_assert(bytes == 0 || memcmp(self->found, uploaded, bytes) == 0, "%s: an input was written to", what);
}

/* The output is what it should be, poison where nothing should be; the count too; the inputs are as they were. */
static void check_result(const subject *self, const call *c, const char *what)
{
    size_t expected = 0;
    cl_ulong selected = 0;
    const size_t out_elements = c->out_offset + c->count + OUT_TAIL;
    ASSERT_OK(clprim_reference_select(self->expected + c->out_offset * self->size, &expected, self->size, self->keep,
                                      self->desc.partition, self->in + c->in_offset * self->size, c->count));
    test_output_read(self->runtime, &self->selected, &selected, what);
    cr_assert_eq(selected, expected, "%s: %llu selected, not %zu", what, (unsigned long long)selected, expected);
    test_read(self->runtime, self->found, self->out_memory, out_elements * self->size);
    test_expect_same(self->expected, self->found, self->size, out_elements, what);
    check_unchanged(self, self->in_memory, self->in, (c->in_offset + c->count + TAIL) * self->size, what);
    check_unchanged(self, self->flags_memory, self->flags, (c->flags_offset + c->count + TAIL) * self->flag_size, what);
}

static void check_once(subject *self, const call *c)
{
    char what[320];
    (void)snprintf(what, sizeof what, "%s: %s of %zu elements (%s, seed %llx) from %zu, flags from %zu, to %zu",
                   self->name, share_names[c->which], c->count, test_pattern_name(c->pattern),
                   (unsigned long long)c->seed, c->in_offset, c->flags_offset, c->out_offset);
    cl_event done = NULL;
    prepare(self, c);
    enqueue(self, c, &done);
    ASSERT_CL(clWaitForEvents(1, &done));
    ASSERT_CL(clReleaseEvent(done));
    check_result(self, c, what);
}

/* The turn decides on offsets, different ones for each array, and on pattern and share. */
static call call_of_turn(size_t turn, size_t count, uint64_t seed)
{
    return (call){.count = count,
                  .in_offset = offsets[turn % 4],
                  .flags_offset = offsets[(turn + 1 + turn / 4 % 3) % 4],
                  .out_offset = offsets[(turn + 2 + turn / 12 % 3) % 4],
                  .pattern = (test_pattern)(turn % TEST_PATTERN_END),
                  .which = (share)(turn % SHARE_END),
                  .seed = seed + turn};
}

/* All sizes, with the rest in turn; then all shares and patterns at sizes with one and with many work-groups. */
static void check_all(subject *self, uint64_t seed)
{
    size_t turn = (size_t)(seed % 1000);
    uint64_t random = seed;
    for (size_t i = 0; i < NUM_SIZES; i++)
        for (int again = 0; again < 2; again++, turn++) {
            const size_t count = sizes[i] == 100000 ? sizes[i] - 9999 + test_random_below(&random, 19999) : sizes[i];
            const call c = call_of_turn(turn, count, seed);
            check_once(self, &c);
        }
    for (int which = 0; which < SHARE_END; which++)
        for (int many = 0; many < 2; many++, turn++) {
            call c = call_of_turn(turn, many ? 33333 : 613, seed);
            c.which = (share)which;
            check_once(self, &c);
        }
}

static void check_desc(clprim_runtime *runtime, clprim_select_desc desc)
{
    subject self;
    const uint64_t seed = TEST_SEED + (uint64_t)desc.type * 64 + (uint64_t)desc.flags_type * 4 + (uint64_t)desc.variant;
    if (!subject_create(&self, runtime, desc, MAX_COUNT))
        return;
    if (desc.variant != CLPRIM_SELECT_AUTO)
        cr_assert_eq((int)clprim_plan_variant(self.plan)->id, (int)desc.variant);
    check_all(&self, seed);
    subject_destroy(&self);
}

static bool is_sampled(clprim_select_variant variant, int type, size_t way, bool partition)
{
    const size_t v = (size_t)variant - 1;
    const bool may_partition = variant != CLPRIM_SELECT_LOOK_BACK;
    return way == ((size_t)type + v) % NUM_WAYS && partition == (may_partition && ((size_t)type / 2 + v) % 2 == 1);
}

Test(select, the_sample_is_pairwise)
{
    bool variant_way[CLPRIM_SELECT_LOOK_BACK + 1][CLPRIM_TYPE_END] = {{false}};
    bool type_way[CLPRIM_TYPE_END][2] = {{false}};
    bool type_partition[CLPRIM_TYPE_END][2] = {{false}};
    bool way_partition[CLPRIM_TYPE_END][2] = {{false}};
    for (int variant = 1; variant <= CLPRIM_SELECT_LOOK_BACK; variant++)
        for (int type = 1; type < CLPRIM_TYPE_END; type++) {
            size_t met = 0;
            for (size_t way = 0; way < NUM_WAYS; way++)
                for (int partition = 0; partition < 2; partition++) {
                    if (!is_sampled((clprim_select_variant)variant, type, way, partition != 0))
                        continue;
                    met++;
                    variant_way[variant][ways[way]] = true;
                    type_way[type][ways[way] != CLPRIM_TYPE_DEFAULT] = true;
                    type_partition[type][partition] = true;
                    way_partition[ways[way]][partition] = true;
                }
            cr_assert_eq(met, 1, "%s by variant %d is tested %zu times", clprim_type_name((clprim_type)type), variant,
                         met);
        }
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        cr_assert(type_way[type][0] && type_way[type][1] && type_partition[type][0] && type_partition[type][1],
                  "%s does not meet everything", clprim_type_name((clprim_type)type));
    for (size_t way = 0; way < NUM_WAYS; way++) {
        cr_assert(way_partition[ways[way]][0] && way_partition[ways[way]][1], "way %zu", way);
        for (int variant = 1; variant <= CLPRIM_SELECT_LOOK_BACK; variant++)
            cr_assert(variant_way[variant][ways[way]], "variant %d does not meet way %zu", variant, way);
    }
}

static size_t *all_variants(size_t *count)
{
    static size_t places[16];
    (void)clprim_select_operation.variants(count);
    for (size_t i = 0; i < *count; i++)
        places[i] = i;
    return places;
}

ParameterizedTestParameters(select, variant)
{
    size_t count = 0;
    size_t *places = all_variants(&count);
    return cr_make_param_array(size_t, places, count);
}

/* Each variant, with the types and ways of the sample, or with all. */
ParameterizedTest(size_t *place, select, variant)
{
    size_t count = 0;
    const clprim_select_variant variant = (clprim_select_variant)clprim_select_operation.variants(&count)[*place].id;
    clprim_runtime *runtime = test_runtime(NULL);
    for (int type = 1; type < CLPRIM_TYPE_END; type++)
        for (size_t way = 0; way < NUM_WAYS; way++)
            for (int partition = 0; partition < (variant == CLPRIM_SELECT_LOOK_BACK ? 1 : 2); partition++) {
                const bool is_new = way <= 1 || ways[way] != CLPRIM_TYPE_DEFAULT; /* the predicate once */
                if ((test_is_full() && is_new) || is_sampled(variant, type, way, partition != 0))
                    check_desc(runtime, (clprim_select_desc){.type = (clprim_type)type,
                                                             .flags_type = ways[way],
                                                             .partition = partition != 0,
                                                             .variant = variant});
            }
    clprim_runtime_destroy(runtime);
}
