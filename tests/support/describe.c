// SPDX-License-Identifier: MIT
/* describe.c: random descriptions of operations, and descriptions in words. */
#include "describe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t test_number(test_source *source)
{
    if (source->bytes == NULL)
        return (uint32_t)test_random(&source->state) & 0xffff;
    uint32_t number = 0;
    for (int i = 0; i < 2 && source->left > 0; i++, source->left--)
        number = number << 8 | *source->bytes++;
    return number;
}

size_t test_below(test_source *source, size_t limit)
{
    size_t number = test_number(source);
    for (size_t reach = 0x10000; reach < limit && reach != 0; reach <<= 16)
        number = number << 16 | test_number(source);
    return number % limit;
}

bool test_is_empty(const test_source *source)
{
    return source->bytes != NULL && source->left == 0;
}

const clprim_member *test_member(const clprim_member *members, const char *name)
{
    while (members->name != NULL && strcmp(members->name, name) != 0)
        members++;
    return members->name != NULL ? members : NULL;
}

size_t test_member_width(const clprim_member *member)
{
    static const size_t sizes[] = {[CLPRIM_MEMBER_TYPE] = sizeof(clprim_type),
                                   [CLPRIM_MEMBER_BOOL] = sizeof(bool),
                                   [CLPRIM_MEMBER_SIZE] = sizeof(size_t),
                                   [CLPRIM_MEMBER_TEXT] = sizeof(char *),
                                   [CLPRIM_MEMBER_PARAMETER] = sizeof(clprim_parameter),
                                   [CLPRIM_MEMBER_OUTPUT] = 0};
    return sizes[member->kind] != 0 ? sizes[member->kind] : member->size;
}

void test_set_member(test_struct *out, const clprim_member *member, size_t index, uint64_t number)
{
    memcpy(out->bytes + member->place + index * test_member_width(member), &number,
           test_member_width(member)); /* little-endian */
}

bool test_put(test_struct *out, const clprim_member *members, const char *name, uint64_t value)
{
    const clprim_member *member = test_member(members, name);
    if (member != NULL)
        test_set_member(out, member, 0, value);
    return member != NULL;
}

clprim_array *test_array_at(test_struct *call, const clprim_operation *face, const char *name)
{
    return (clprim_array *)(void *)(call->bytes + test_member(face->call_members, name)->place);
}

test_struct test_with(const clprim_operation *face, const void *desc, const char *name, uint64_t value)
{
    test_struct copy = {.bytes = {0}};
    memcpy(copy.bytes, desc, face->desc_size);
    (void)test_put(&copy, face->desc_members, name, value);
    return copy;
}

uint64_t test_get(const test_struct *of, const clprim_member *members, const char *name)
{
    const clprim_member *member = test_member(members, name);
    uint64_t value = 0; /* little-endian, like all supported devices */
    if (member != NULL)
        memcpy(&value, of->bytes + member->place, test_member_width(member)); /* the first value of several */
    return value;
}

const clprim_variant_info *test_variants(const clprim_operation *face, size_t *count)
{
    *count = 0;
    return face->variants != NULL ? face->variants(count) : NULL;
}

size_t test_num_samples(const clprim__trial_subject *subject)
{
    size_t count = 0;
    while (count < CLPRIM__TRIAL_MAX_SAMPLES && subject->sample_names[count] != NULL)
        count++;
    return count;
}

const void *test_sample_of(const clprim__trial_subject *subject, size_t sample)
{
    return (const char *)subject->samples + sample * subject->desc_size;
}

enum { MOST_COPIES = 64 };

typedef struct copies {
    void *memory[MOST_COPIES];
    size_t bytes[MOST_COPIES];
    size_t count;
} copies;

/* Replace what a pointer points to, a text or this many bytes, by a copy. */
static void copy(copies *self, void *pointer, bool is_text, size_t bytes)
{
    const void *from = NULL;
    memcpy(&from, pointer, sizeof from);
    if (from == NULL)
        return;
    bytes = is_text ? strlen(from) + 1 : bytes;
    void *memory = self->count < MOST_COPIES ? malloc(bytes + 1) : NULL;
    if (memory == NULL)
        abort();
    memcpy(memory, from, bytes);
    memcpy(pointer, &memory, sizeof memory);
    self->memory[self->count] = memory;
    self->bytes[self->count++] = bytes;
}

clprim_status test_create_fleeting(clprim_plan **out, clprim_runtime *runtime, const clprim_operation *face,
                                   const test_struct *desc)
{
    test_struct own = *desc;
    copies self = {.count = 0};
    for (const clprim_member *m = face->desc_members; m->name != NULL; m++) {
        char *place = own.bytes + m->place;
        for (size_t i = 0; m->kind == CLPRIM_MEMBER_TEXT && i < m->size / test_member_width(m); i++)
            copy(&self, place + i * test_member_width(m), true, 0);
        for (size_t i = 0; m->kind == CLPRIM_MEMBER_PARAMETER && i < m->size / test_member_width(m); i++) {
            clprim_parameter *parameter = (clprim_parameter *)(void *)place + i;
            copy(&self, &parameter->name, true, 0);
            copy(&self, &parameter->type_name, true, 0);
        }
        if (m->kind == CLPRIM_MEMBER_DATA)
            copy(&self, place, false, m->element(desc->bytes, 0).size * m->length(desc->bytes, NULL));
        if (m->kind == CLPRIM_MEMBER_CUSTOM_OP)
            copy(&self, place, false, sizeof(clprim_custom_op));
        clprim_custom_op *op = m->kind == CLPRIM_MEMBER_CUSTOM_OP ? *(clprim_custom_op **)(void *)place : NULL;
        for (size_t i = 0; i < 4 && op != NULL; i++)
            copy(&self, (const char **[]){&op->type_name, &op->source, &op->combine, &op->identity}[i], true, 0);
    }
    const clprim_status status = face->create(out, runtime, own.bytes);
    memset(&own, 0xff, sizeof own);
    while (self.count-- > 0) {
        memset(self.memory[self.count], '?', self.bytes[self.count]);
        free(self.memory[self.count]);
    }
    return status;
}

static int any_enumerator(const clprim_operation *face, const clprim_member *member, test_source *source)
{
    size_t count = 0;
    if (member->enumerators == NULL) { /* choose AUTO half of the time */
        const clprim_variant_info *variants = test_variants(face, &count);
        return count == 0 || test_below(source, 2) == 0 ? 0 : variants[test_below(source, count)].id;
    }
    while (member->enumerators[count].name != NULL)
        count++;
    return member->enumerators[test_below(source, count)].value;
}

static void change(test_struct *out, const clprim_operation *face, const clprim_member *member, test_source *source)
{
    static const size_t sizes[] = {0, 1, 2, 4, 8, 16, 32, 64, 256, 1024, 3, 12, 100, 999, 4000, SIZE_MAX};
    static const double doubles[] = {0, -1, 1, -0.0, 0.5, 255, 1e6, 1e300, HUGE_VAL, (double)NAN};
    const size_t index = test_below(source, member->size / test_member_width(member));
    uint64_t number = 0;
    switch (member->kind) {
    case CLPRIM_MEMBER_TYPE: number = test_below(source, CLPRIM_TYPE_END); break;
    case CLPRIM_MEMBER_ENUM: number = (uint64_t)any_enumerator(face, member, source); break;
    case CLPRIM_MEMBER_BOOL: number = test_below(source, 2); break;
    case CLPRIM_MEMBER_UNSIGNED: number = test_below(source, test_below(source, 8) == 0 ? SIZE_MAX : 9); break;
    case CLPRIM_MEMBER_SIZE:
        number = sizes[test_below(source, sizeof sizes / sizeof *sizes)];
        if (number > 0 && number < 100 && strncmp(member->name, "max_", 4) == 0)
            number += 900; /* so that calls have more than a few elements */
        break;
    case CLPRIM_MEMBER_DOUBLE:
        memcpy(&number, &doubles[test_below(source, sizeof doubles / sizeof *doubles)], sizeof number);
        break;
    default: return;
    }
    test_set_member(out, member, index, number);
}

static const clprim_member *any_member(const clprim_operation *face, test_source *source)
{
    size_t count = 0;
    while (face->desc_members[count].name != NULL)
        count++;
    return &face->desc_members[test_below(source, count)];
}

void test_random_desc(test_struct *out, const clprim__trial_subject *subject, test_source *source)
{
    const clprim_operation *face = subject->operation->face;
    *out = test_with(face, test_sample_of(subject, test_below(source, test_num_samples(subject))), "", 0);
    for (size_t left = test_below(source, 5); left > 0; left--)
        change(out, face, any_member(face, source), source);
}

void test_random_give(test_struct *desc, const clprim__trial_subject *subject, test_source *source)
{
    if (test_below(source, 3) == 0)
        (void)clprim__plan_give_input(desc->bytes, subject->operation);
    if (test_below(source, 3) == 0)
        (void)clprim__plan_give_count_at(desc->bytes, subject->operation);
}

int test_wrong_value(const clprim_operation *face, const clprim_member *member, size_t which)
{
    size_t count = 0;
    const clprim_variant_info *variants = test_variants(face, &count);
    int end =
        count > 0 ? variants[count - 1].id + 1 : 1000; /* the first number after all variants, enumerators or types */
    for (const clprim_enumerator *e = member->enumerators; e != NULL && e->name != NULL; e++)
        end = e->value + 1;
    if (member->kind == CLPRIM_MEMBER_TYPE)
        end = CLPRIM_TYPE_END;
    return (const int[TEST_WRONG_VALUES]){end, -1, 1000, INT32_MAX, INT32_MIN}[which];
}

void test_wrong_desc(test_struct *out, const clprim__trial_subject *subject, test_source *source)
{
    const clprim_operation *face = subject->operation->face;
    const clprim_member *member = NULL;
    test_random_desc(out, subject, source);
    for (size_t left = 8; left > 0; left--) {
        const clprim_member *other = any_member(face, source);
        if (other->kind == CLPRIM_MEMBER_TYPE || other->kind == CLPRIM_MEMBER_ENUM)
            member = other;
    }
    if (member == NULL)
        member = test_member(face->desc_members, "variant");
    test_set_member(out, member, 0, (uint64_t)test_wrong_value(face, member, test_below(source, TEST_WRONG_VALUES)));
}

const char *test_variant_name(const clprim_operation *face, int variant)
{
    size_t count = 0;
    const clprim_variant_info *variants = test_variants(face, &count);
    for (size_t i = 0; i < count; i++)
        if (variants[i].id == variant)
            return variants[i].name;
    return "auto";
}

void test_describe_members(char *text, size_t room, const clprim_member *members, const test_struct *of)
{
    size_t length = strlen(text);
    for (const clprim_member *m = members; m->name != NULL && length < room; m++) {
        char *at = text + length;
        const size_t left = room - length;
        uint64_t number = 0;
        double value = 0;
        if (m->kind >= CLPRIM_MEMBER_PARAMETER || strcmp(m->name, "variant") == 0)
            continue;
        memcpy(&number, of->bytes + m->place, test_member_width(m)); /* little-endian */
        memcpy(&value, &number, sizeof value);
        if (number == 0)
            continue;
        if (m->kind == CLPRIM_MEMBER_TYPE)
            length += (size_t)snprintf(at, left, ", %s %s", m->name, clprim_type_name((clprim_type)number));
        else if (m->kind == CLPRIM_MEMBER_DOUBLE)
            length += (size_t)snprintf(at, left, ", %s %g", m->name, value);
        else if (m->kind >= CLPRIM_MEMBER_TEXT || m->kind == CLPRIM_MEMBER_BOOL)
            length += (size_t)snprintf(at, left, ", %s", m->name);
        else
            length += (size_t)snprintf(at, left, ", %s %llu", m->name, (unsigned long long)number);
    }
}

void test_describe(char out[TEST_NAME_SIZE], const clprim_operation *face, const test_struct *desc)
{
    (void)snprintf(out, TEST_NAME_SIZE, "%s by %s", face->name,
                   test_variant_name(face, (int)test_get(desc, face->desc_members, "variant")));
    test_describe_members(out, TEST_NAME_SIZE, face->desc_members, desc);
}
