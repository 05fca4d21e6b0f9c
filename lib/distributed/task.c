// SPDX-License-Identifier: MIT
/* task.c: check what a rank is about to do, by the operation's table. */
#include <string.h>

#include "plan_internal.h"
#include "sizes.h"
#include "team.h"

/* FNV-1a (Fowler, Noll, Vo) of bytes, and of strings, which may be NULL. */
static uint64_t add(uint64_t sum, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static uint64_t add_text(uint64_t sum, const char *text)
{
    return text != NULL ? add(sum, text, strlen(text) + 1) : add(sum, "\1", 2);
}

static uint64_t add_custom(uint64_t sum, const clprim_custom_op *custom)
{
    if (custom == NULL)
        return add(sum, "", 1);
    sum = add_text(add_text(sum, custom->type_name), custom->source);
    sum = add_text(add_text(sum, custom->combine), custom->identity);
    sum = add(sum, &custom->type_size, sizeof custom->type_size);
    return add(sum, &custom->non_commutative, sizeof custom->non_commutative);
}

static uint64_t add_parameter(uint64_t sum, const clprim_parameter *parameter)
{
    sum = add_text(add_text(sum, parameter->name), parameter->type_name);
    sum = add(sum, &parameter->type, sizeof parameter->type);
    sum = add(sum, &parameter->type_size, sizeof parameter->type_size);
    return add(sum, &parameter->is_array, sizeof parameter->is_array);
}

static uint64_t add_member(uint64_t sum, const clprim_member *member, const void *desc)
{
    const char *at = (const char *)desc + member->place;
    switch (member->kind) {
    case CLPRIM_MEMBER_TEXT:
        for (size_t i = 0; i < member->size; i += sizeof(char *))
            sum = add_text(sum, *(const char *const *)(const void *)(at + i));
        return sum;
    case CLPRIM_MEMBER_PARAMETER:
        for (size_t i = 0; i < member->size; i += sizeof(clprim_parameter))
            sum = add_parameter(sum, (const clprim_parameter *)(const void *)(at + i));
        return sum;
    case CLPRIM_MEMBER_CUSTOM_OP: return add_custom(sum, *(const clprim_custom_op *const *)(const void *)at);
    case CLPRIM_MEMBER_DATA: {
        const void *data = *(const void *const *)(const void *)at;
        const size_t size = clprim__times(member->element(desc, 0).size, member->length(desc, NULL));
        return data != NULL ? add(sum, data, size) : add(sum, "", 1);
    }
    default: return add(sum, at, member->size);
    }
}

/* Whether each rank may choose this member for its own device. */
static bool is_own(const clprim_member *member)
{
    static const char *const names[] = {"variant", "work_group_size", "items_per_work_item", "banks", "max_count"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(member->name, names[i]) == 0)
            return true;
    return false;
}

uint64_t clprim__desc_checksum(const clprim_operation *operation, const void *desc)
{
    uint64_t sum = add_text(UINT64_C(0xcbf29ce484222325), operation->name);
    for (const clprim_member *member = operation->desc_members; member->name != NULL; member++)
        if (!is_own(member))
            sum = add_member(sum, member, desc);
    return sum;
}

/* An array of a call, as listed in the table. */
typedef struct place {
    const clprim_member *member;
    size_t index;  /* index in a repeated member */
    size_t number; /* number among all arrays of the table */
} place;

_Static_assert(CLPRIM__MAX_ARRAYS <= 64, "a rank's arrays are the bits of a number");

/* Advance to the next array of the table that is not an argument. Arguments are checked by `run`, and their texts need
 * all of them. Begin with {.member = NULL}. */
static bool next_array(place *at, const clprim_operation *operation)
{
    do {
        const bool is_same = at->member != NULL && at->index + 1 < at->member->repeat;
        at->number += at->member != NULL && at->member->element != NULL;
        at->index = is_same ? at->index + 1 : 0;
        at->member = at->member == NULL ? operation->call_members : is_same ? at->member : at->member + 1;
    } while (at->member->name != NULL && (at->member->element == NULL || at->member->is_value != NULL));
    return at->member->name != NULL;
}

static const clprim_array *array_at(const void *call, const place *at)
{
    return (const clprim_array *)(const void *)((const char *)call + at->member->place) + at->index;
}

/* The arrays that were checked. `room`: each output is at least this long, unless another output counts its
 * elements. */
typedef struct known {
    size_t room;
    bool is_apart; /* no output is in place of an input */
    struct {
        place at;
        clprim__range range;
    } all[CLPRIM__MAX_ARRAYS];
    size_t count;
} known;

/* An output must not overlap any other array, unless it overwrites an input exactly in place. That is allowed for every
 * output if all inputs have been read when the first output is written. */
static clprim_status check_overlaps(known *self, const place *at, const clprim__range *range)
{
    clprim_status status = CLPRIM_SUCCESS;
    for (size_t k = 0; k < self->count && at->member->kind == CLPRIM_MEMBER_OUTPUT && status == CLPRIM_SUCCESS; k++) {
        const place *other = &self->all[k].at;
        const clprim__range *its = &self->all[k].range;
        if (self->is_apart || other->member->kind == CLPRIM_MEMBER_OUTPUT || its->element_size != range->element_size ||
            !clprim__is_same_range(its, range))
            status = clprim__check_disjoint(its, range);
    }
    self->all[self->count].at = *at;
    self->all[self->count++].range = *range;
    return status;
}

/* outputs: the call with the number of elements for which its outputs have room. */
static clprim_status check_array(const clprim__task *task, const void *outputs, const place *at, clprim__rank *mine,
                                 known *others)
{
    const clprim_member *member = at->member;
    const clprim_array *array = array_at(task->call, at);
    const size_t size = member->element(task->desc, at->index).size;
    const bool is_output = member->kind == CLPRIM_MEMBER_OUTPUT;
    const char *name = member->name;
    if (array->buffer != NULL || array->svm != NULL)
        return clprim__fail(CLPRIM_UNSUPPORTED,
                            "%s is not on the host: distributed operations take arrays on the host (.host)", name);
    if (size == 0 && array->host != NULL)
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is given, but the description does not ask for it", name);
    if (size == 0)
        return CLPRIM_SUCCESS;
    const size_t length = is_output && member->counted_by != NULL
                              ? task->room
                              : member->length(task->desc, is_output ? outputs : task->call);
    if (array->host == NULL && length > 0 &&
        (!member->is_optional || (member->is_needed != NULL && member->is_needed(task->desc))))
        return clprim__fail(CLPRIM_INVALID_ARGUMENT, "%s is NULL", name);
    if (array->length != 0 && array->length < length)
        return clprim__fail(CLPRIM_INVALID_RANGE, "%s has %zu elements, but the call needs %zu", name, array->length,
                            length);
    if (array->host != NULL)
        mine->given |= UINT64_C(1) << at->number;
    else if (length > 0)
        mine->left_out |= UINT64_C(1) << at->number;
    clprim__range range = {.name = name, .offset = array->offset, .count = length, .element_size = size};
    clprim_status status = clprim__check_host_range(&range, array->host);
    if (status != CLPRIM_SUCCESS || array->host == NULL)
        return status;
    if (is_output && (member->counted_by != NULL || others->room < task->room)) /* it may need less than its room */
        range.count = member->counted_by != NULL ? 0 : clprim__smaller(others->room, length);
    status = clprim__check_host_range(&range, array->host);
    return status == CLPRIM_SUCCESS ? check_overlaps(others, at, &range) : status;
}

clprim_status clprim__host_arrays_check(const clprim__task *task, clprim__rank *mine)
{
    clprim_status status = CLPRIM_SUCCESS;
    place at = {.member = NULL};
    known others = {.is_apart = task->is_apart,
                    .room = task->has_spare_room ? clprim__smaller(task->room, task->count) : task->room};
    clprim__given outputs;
    memcpy(outputs.bytes, task->call, task->operation->call_size);
    for (const clprim_member *member = task->operation->call_members; member->name != NULL; member++) {
        const bool is_second = strcmp(member->name, "b_count") == 0;
        const size_t count = is_second ? 0 : task->room;
        if (is_second || strcmp(member->name, "count") == 0 || strcmp(member->name, "a_count") == 0)
            memcpy(outputs.bytes + member->place, &count, sizeof count);
    }
    while (next_array(&at, task->operation))
        CLPRIM__TRY(check_array(task, outputs.bytes, &at, mine, &others));
done:
    return status;
}

clprim_status clprim__host_arrays_agree(const clprim__team *team, const clprim_operation *operation)
{
    for (place at = {.member = NULL}; next_array(&at, operation);) {
        const uint64_t bit = UINT64_C(1) << at.number;
        unsigned with = 0;
        unsigned without = 0;
        while (with < team->comm->size && (team->ranks[with].given & bit) == 0)
            with++;
        while (without < team->comm->size && (team->ranks[without].left_out & bit) == 0)
            without++;
        if (with < team->comm->size && without < team->comm->size)
            return clprim__fail(CLPRIM_INVALID_ARGUMENT,
                                "clprim_distributed_%s: rank %u passes %s, and rank %u does not: all ranks must pass "
                                "the same arrays",
                                team->name, with, at.member->name, without);
    }
    return CLPRIM_SUCCESS;
}

void clprim__argument_lengths_fix(const clprim__task *task)
{
    for (const clprim_member *member = task->operation->call_members; member->name != NULL; member++) {
        clprim_array *arrays = (clprim_array *)(void *)((char *)task->call + member->place);
        for (size_t i = 0; member->is_value != NULL && i < member->repeat; i++)
            if (member->element(task->desc, i).size > 0 && !member->is_value(task->desc, i) && arrays[i].length == 0)
                arrays[i].length = member->length(task->desc, task->call);
    }
}

size_t clprim__element_size(const clprim_operation *operation, const void *desc, const char *name)
{
    const clprim_member *member = operation->call_members;
    while (strcmp(member->name, name) != 0)
        member++;
    return member->element(desc, 0).size;
}

clprim_status clprim__team_check_numbers(const clprim__team *team, clprim_type index_type, uint64_t most,
                                         const char *what)
{
    return index_type == CLPRIM_U64 || most <= UINT32_MAX
               ? CLPRIM_SUCCESS
               : clprim__fail(CLPRIM_INVALID_RANGE,
                              "clprim_distributed_%s: index_type U32 cannot hold the %s of %llu elements", team->name,
                              what, (unsigned long long)most);
}

void clprim__team_put_number(const clprim_array *out, clprim_type index_type, uint64_t number)
{
    const uint32_t narrow = (uint32_t)number;
    if (index_type == CLPRIM_U64)
        memcpy(clprim__host_of(out, sizeof number), &number, sizeof number);
    else
        memcpy(clprim__host_of(out, sizeof narrow), &narrow, sizeof narrow);
}
