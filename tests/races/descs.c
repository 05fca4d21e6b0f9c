// SPDX-License-Identifier: MIT
/* descs.c: descriptions of any operation, made from its table. They are samples in which as many members as possible
 * are changed at once, each according to its kind or name. */
#include "races.h"

enum { ROUNDS = 8, TEXT = 2, COUNT = -1 /* COUNT stands for the number of the call's elements */ };

/* Members that are numbers, with a value for each round; 0: as in the sample. `with`: the value is used only if that
 * member is given, too. */
static const struct number {
    const char *name;
    int in_round[ROUNDS];
    const char *with;
} numbers[] = {
    {"work_group_size", {32, 64, 32, 32, 32}, NULL},
    {"items_per_work_item", {4, 0, 2, 4, 2}, NULL},
    {"max_count", {COUNT, 0, COUNT, 0, COUNT, 0, 0, COUNT}, NULL},
    {"max_segments", {0, 0, COUNT, 0, 0, COUNT}, NULL},
    {"max_ranks", {0, 0, 3}, NULL},
    {"max_segment_size", {0, 0, 0, 60}, NULL},
    {"index_type", {0, CLPRIM_U64, 0, CLPRIM_U64, 0, 0, CLPRIM_U64}, NULL},
    {"count_at_type", {0, CLPRIM_U32, 0, CLPRIM_U64, CLPRIM_U32}, NULL},
    {"accumulator_type", {0, CLPRIM_I64, 0, CLPRIM_U64, CLPRIM_F64}, NULL},
    {"offsets_type", {0, CLPRIM_U64, 0, 0, 0, 0, CLPRIM_U64}, NULL},
    {"value_size", {0, 4, 1, 16, 0, 2, 8}, NULL},
    {"begin_bit", {0, 4, 2, 3, 0, 16, 8, 1}, "bit_range"},
    {"end_bit", {0, 8, 7, 8, 0, 32, 16, 64}, "bit_range"},
    {"num_arrays", {0, 1, 2, 3, 1, 16}, NULL},
    {"element_sizes", {0, 24, 3, 16, 4, 1, 20}, NULL},
    {"bins", {50, 256, 0, 3000, 60, 0, 65536}, NULL},
    {"channels", {0, 3, 0, 0, 0, 4, 2}, NULL},
    {"weights_type", {CLPRIM_F32, 0, 0, CLPRIM_I32, CLPRIM_F32, 0, 0, CLPRIM_U32}, NULL}, /* of one channel */
    {"active_channels", {0, 2, 0, 0, 0, 3}, "channels"},
    {"second_channel_bins", {0, 20, 0, 0, 0, 30}, "channels"},
    {"counter_type", {0, CLPRIM_U64}, NULL}, /* without weights or text */
    {"low", {1, 1, 1, 1, 1, 1, 1, 1}, NULL},
    {"high", {200, 200, 200, 200, 200, 200, 200, 200}, NULL},
    {"banks", {0, 16}, NULL},
};
enum { NUM_NUMBERS = sizeof numbers / sizeof *numbers };

/* The caller's type: a struct whose first member decides. Each operation on it means the same as the operation on that
 * U32. */
static const char source[] =
    "typedef struct { uint key, low, high; } record;\n"
    "static inline record record_of(uint key) { record r; r.key = key; r.low = ~key; r.high = key * 3u; return r; }";
enum { RECORD_SIZE = 12 };
static const struct text {
    const char *name, *text;
} texts[] = {{"less", "a.key < b.key"},
             {"equal", "a.key == b.key"},
             {"predicate", "x.key != 0u"},
             {"second_predicate", "x.key != x.key"}, /* an empty part */
             {"bin_of", "x"},
             {"output", "r"}};
static const clprim_custom_op custom = {.type_name = "record",
                                        .type_size = RECORD_SIZE,
                                        .source = source,
                                        .combine = "record_of(a.key + b.key)",
                                        .identity = "record_of(0u)",
                                        .non_commutative = true};

size_t races_count(const races_call *call)
{
    return clprim__trial_count(call->round->count, call->most);
}

static const clprim_member *members_of(const races_call *call)
{
    return call->subject->operation->face->desc_members;
}

static const struct number *number_of(const clprim_member *m)
{
    for (size_t i = 0; i < NUM_NUMBERS; i++)
        if (strcmp(numbers[i].name, m->name) == 0)
            return &numbers[i];
    return NULL;
}

static const char *text_of(const clprim_member *m)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts && m->kind == CLPRIM_MEMBER_TEXT; i++)
        if (strcmp(texts[i].name, m->name) == 0)
            return texts[i].text;
    return NULL;
}

/* Whether elements come from this expression: x at i (clprim__plan_give_input); or whether it replaces the stored
 * result. */
static bool is_input(const clprim_member *m)
{
    return strcmp(m->name, "input") == 0;
}

static bool is_output(const clprim_member *m)
{
    return strcmp(m->name, "output") == 0;
}

/* Whether the member is source text of the caller that is compiled into kernels. */
static bool is_text(const clprim_member *m)
{
    return m->kind == CLPRIM_MEMBER_CUSTOM_OP || text_of(m) != NULL;
}

bool races_knows(const clprim_member *m)
{
    static const char *const others[] = {"variant",
                                         "output_type",
                                         "sees_segments",
                                         "then_types",
                                         "then_descending",
                                         "out_index",
                                         "second_input",
                                         "second_type",
                                         "second_bins",
                                         "second_low",
                                         "second_high",
                                         "second_boundaries",
                                         "third_input",
                                         "third_type",
                                         "third_bins",
                                         "third_low",
                                         "third_high",
                                         "third_boundaries",
                                         "second_channel_boundaries",
                                         "third_channel_boundaries",
                                         "fourth_channel_boundaries"};
    /* all but the first are of texts, or of channels whose bins are in boundaries as the first one's are */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(m->name, others[i]) == 0)
            return false;
    const bool has_kind = m->kind == CLPRIM_MEMBER_TYPE || m->kind == CLPRIM_MEMBER_ENUM ||
                          m->kind == CLPRIM_MEMBER_BOOL || m->kind == CLPRIM_MEMBER_DATA;
    return has_kind || is_text(m) || is_input(m) || is_output(m) || number_of(m) != NULL;
}

/* Whether this is a round with text, for an operation that takes some. */
static bool has_text(const races_call *call)
{
    const clprim_member *m = members_of(call);
    while (m->name != NULL && !is_text(m))
        m++;
    return m->name != NULL && call->number % (ROUNDS / 2) == TEXT;
}

static void put(test_struct *desc, const clprim_member *m, long value)
{
    const double real = (double)value;
    uint64_t bits = (uint64_t)value;
    if (m->kind == CLPRIM_MEMBER_DOUBLE)
        memcpy(&bits, &real, sizeof bits);
    test_set_member(desc, m, 0, bits); /* the first one that matches, of several sizes */
}

/* The value of a member in this round. Not 0 for text and data that are given; 0: as in the sample. */
static long value_of(const races_call *call, const clprim_member *m)
{
    static const clprim_type types[] = {CLPRIM_U8,  CLPRIM_I64, CLPRIM_F32, CLPRIM_U16, CLPRIM_F64, CLPRIM_I32,
                                        CLPRIM_F16, CLPRIM_U64, CLPRIM_I8,  CLPRIM_U32, CLPRIM_I16};
    const struct number *number = number_of(m);
    const size_t index = (size_t)(m - members_of(call));
    const size_t turn = call->number / 2 + (size_t)call->variant;
    size_t count = 0;
    if (is_text(m))
        return has_text(call);
    if (is_input(m) || is_output(m))
        return call->round->by_expressions;
    if (number != NULL) {
        const int value = number->in_round[call->number % ROUNDS];
        return value == COUNT ? (long)races_count(call) : value;
    }
    /* not with texts, nor with the member before it, which is accumulate */
    if (strcmp(m->name, "cumulative") == 0)
        return !has_text(call) && !call->round->by_expressions && value_of(call, m - 1) == 0;
    /* rows with gaps, where elements come from an array */
    if (strcmp(m->name, "strided") == 0 && (has_text(call) || call->round->by_expressions))
        return 0;
    if (m->kind == CLPRIM_MEMBER_BOOL)
        return (long)(call->number >> (index + (size_t)call->variant) % 3 & 1);
    if (call->number == 0)
        return 0;
    if (m->kind == CLPRIM_MEMBER_DATA)
        return 1;
    if (has_text(call))
        return 0;
    if (m->kind == CLPRIM_MEMBER_TYPE)
        return (turn + index) % 3 == 0 ? 0 : types[(turn * 3 + index) % (sizeof types / sizeof *types)];
    while (m->kind == CLPRIM_MEMBER_ENUM && m->enumerators[count + 1].name != NULL &&
           strcmp(m->enumerators[count + 1].name, "custom") != 0)
        count++; /* excluding the default, and variants that take text */
    return count > 0 ? m->enumerators[1 + turn * 3 % count].value : 0;
}

/* Whether the member belongs to a histogram's further dimension: such dimensions need more than a type. */
static bool is_of_further_dimension(const clprim_member *m)
{
    return strcmp(m->name, "second_type") == 0 || strcmp(m->name, "third_type") == 0;
}

/* Set a text and all members that belong to it. The plain description says the same with types only. */
static void put_text(const races_call *call, races_desc *desc, const clprim_member *text)
{
    const bool is_operator = text->kind == CLPRIM_MEMBER_CUSTOM_OP;
    const clprim_member *members = members_of(call);
    const bool has_operator = test_member(members, "custom") != NULL; /* the text that has the type and the source */
    const bool has_name = test_member(members, "type_name") != NULL;
    test_put(&desc->given, members, text->name, (uintptr_t)(is_operator ? (const void *)&custom : text_of(text)));
    if (!has_operator)
        test_put(&desc->given, members, "source", (uintptr_t)source);
    test_put(&desc->given, members, "type_name", (uintptr_t) "record");
    test_put(&desc->given, members, "type_size", RECORD_SIZE);
    test_put(&desc->given, members, "key_type_name", (uintptr_t) "record");
    test_put(&desc->given, members, "key_type_size", RECORD_SIZE);
    for (const clprim_member *m = members; m->name != NULL; m++) {
        if (m->kind == CLPRIM_MEMBER_TYPE && number_of(m) == NULL && !is_of_further_dimension(m)) {
            put(&desc->plain, m, CLPRIM_U32);
            if (!has_operator && !has_name)
                put(&desc->given, m, CLPRIM_U32);
        }
        for (const clprim_enumerator *e = m->enumerators; e != NULL && e->name != NULL; e++)
            if (strcmp(e->name, "custom") == 0) {
                put(&desc->given, m, e->value);
                put(&desc->plain, m, 0);
            }
    }
}

/* Set numbers in ascending order, if their type is known. */
static bool put_data(races_call *call, races_desc *desc, const clprim_member *m)
{
    const clprim_reference_order by = {.type = m->element(desc->given.bytes, 0).type};
    const size_t length = m->length(desc->given.bytes, NULL);
    if (by.type == CLPRIM_TYPE_DEFAULT)
        return false;
    void *data = clprim__trial_numbers(&call->trial, by.type, CLPRIM_SUM, by.type, length);
    clprim__trial_sort(&call->trial, data, &by, length);
    test_set_member(&desc->given, m, 0, (uintptr_t)data);
    test_set_member(&desc->plain, m, 0, (uintptr_t)data);
    return true;
}

/* Whether the member depends on others: an input, for example, depends on the array that it replaces. */
static bool is_late(const clprim_member *m)
{
    const struct number *number = number_of(m);
    return m->kind == CLPRIM_MEMBER_DATA || is_input(m) || (number != NULL && number->with != NULL);
}

static bool put_member(races_call *call, races_desc *desc, const clprim_member *m)
{
    const struct number *number = number_of(m);
    const char *with = number != NULL ? number->with : NULL;
    const clprim_member *other = with != NULL ? test_member(members_of(call), with) : NULL;
    if (m->kind == CLPRIM_MEMBER_DATA)
        return put_data(call, desc, m);
    if (is_input(m))
        return clprim__plan_give_input(desc->given.bytes, call->subject->operation) &&
               clprim__plan_give_input(desc->plain.bytes, call->subject->operation);
    if (is_output(m)) {
        test_put(&desc->given, members_of(call), m->name, (uintptr_t) "r");
    } else if (is_text(m)) {
        put_text(call, desc, m);
    } else if (with == NULL || (other != NULL && desc->given.bytes[other->place] != 0)) { /* a small number */
        put(&desc->given, m, value_of(call, m));
        put(&desc->plain, m, value_of(call, m));
    }
    return true;
}

/* Make a plan with these members changed. If it succeeds, the plan becomes the call's plan. */
static clprim_status attempt(races_call *call, size_t sample, const clprim_member *const *members, size_t count)
{
    const clprim__trial_subject *subject = call->subject;
    const char *given = (const char *)subject->samples + sample * subject->desc_size;
    races_desc desc = {.num_members = count};
    test_call self;
    memcpy(desc.given.bytes, given, subject->desc_size);
    memcpy(desc.given.bytes + subject->variant_at, &call->variant, sizeof call->variant);
    memcpy(desc.plain.bytes, desc.given.bytes, subject->desc_size);
    for (size_t i = 0; i < 2 * count; i++) {
        const clprim_member *m = desc.members[i % count] = members[i % count];
        if (is_late(m) == (i >= count) && !put_member(call, &desc, m))
            return CLPRIM_INVALID_ARGUMENT;
    }
    if (!clprim__plan_trial_has_reference(subject, desc.plain.bytes))
        return CLPRIM_INVALID_ARGUMENT;
    const clprim_status status = test_call_try(&self, call->runtime, subject->operation->face, desc.given.bytes);
    if (status == CLPRIM_SUCCESS) {
        test_call_destroy(&call->self);
        call->self = self;
        call->desc = desc;
    }
    return status;
}

/* Whether a status says that the variant does not support this. */
static bool is_refused(clprim_status status)
{
    return status == CLPRIM_INVALID_ARGUMENT || status == CLPRIM_UNSUPPORTED || status == CLPRIM_INVALID_OPERATOR;
}

/* Change as many of these members as possible, in addition to those that the call's description changes already. */
static clprim_status add(races_call *call, size_t sample, const clprim_member *const *more, size_t count)
{
    const clprim_member *all[RACES_MAX_MEMBERS];
    const size_t before = call->desc.num_members;
    memcpy(all, call->desc.members, before * sizeof *all);
    memcpy(all + before, more, count * sizeof *all);
    clprim_status status = attempt(call, sample, all, before + count);
    if (!is_refused(status) || count < 2)
        return status;
    status = add(call, sample, more, count / 2);
    return status == CLPRIM_SUCCESS || is_refused(status) ? add(call, sample, more + count / 2, count - count / 2)
                                                          : status;
}

bool races_make(races_call *call)
{
    const clprim_member *members = members_of(call);
    const clprim_member *wanted[RACES_MAX_MEMBERS];
    const size_t num_samples = test_num_samples(call->subject);
    size_t count = 0;
    size_t num_members = 0;
    clprim_status status = CLPRIM_UNSUPPORTED;
    while (members[num_members].name != NULL)
        num_members++;
    for (size_t i = 0; i < num_members; i++) { /* each time, another member comes first; it has the fewest
                                                * constraints */
        const clprim_member *m = &members[(i + call->number + (size_t)call->variant) % num_members];
        if (races_knows(m) && value_of(call, m) != 0)
            wanted[count++] = m;
    }
    for (size_t s = 0; s < num_samples && call->self.plan == NULL && is_refused(status); s++) {
        const size_t sample = (has_text(call) ? s : call->number % CLPRIM__TRIAL_MAX_SAMPLES + s) % num_samples;
        status = add(call, sample, wanted, count);
        if (call->self.plan == NULL && is_refused(status))
            status = attempt(call, sample, NULL, 0);
    }
    cr_expect(status == CLPRIM_SUCCESS || is_refused(status), "%s: %s", call->self.name, clprim_last_error());
    return call->self.plan != NULL;
}
