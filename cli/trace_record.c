// SPDX-License-Identifier: MIT
/* trace_record.c: see trace_record.h. */
#include "trace_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 4, SECTOR = 32, APART = 4096 /* bytes */ };

static int by_number(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *left, const void *right)
{
    const event *a = left;
    const event *b = right;
    int order = by_number(a->launch, b->launch);
    order = order != 0 ? order : by_number(a->group, b->group);
    order = order != 0 ? order : by_number(a->step, b->step);
    order = order != 0 ? order : by_number(a->site, b->site);
    order = order != 0 ? order : by_number(a->turn, b->turn);
    return order != 0 ? order : by_number(a->item, b->item);
}

static int by_item(const void *left, const void *right)
{
    const event *a = left;
    const event *b = right;
    int order = by_number(a->launch, b->launch);
    order = order != 0 ? order : by_number(a->group, b->group);
    order = order != 0 ? order : by_number(a->item, b->item);
    return order != 0 ? order : by_number(a->time, b->time);
}

static int by_time(const void *left, const void *right)
{
    const access *a = left;
    const access *b = right;
    int order = by_number(a->events->launch, b->events->launch);
    order = order != 0 ? order : by_number(a->events->group, b->events->group);
    order = order != 0 ? order : by_number(a->events->step, b->events->step);
    order = order != 0 ? order : by_number(a->time, b->time);
    return order != 0 ? order : by_place(a->events, b->events);
}

static bool read_events(recording *self, const char *text)
{
    size_t capacity = 0;
    for (const char *at = text; *at != '\0'; at++)
        capacity += *at == '\1';
    self->events = calloc(capacity + 1, sizeof *self->events);
    for (const char *at = text; self->events != NULL && (at = strchr(at, '\1')) != NULL; at++) {
        event one = {0};
        if (sscanf(at, "\1%u %u %u %c %u %u %u %u", &one.group, &one.item, &one.site, &one.space, &one.index,
                   &one.value, &one.address, &one.size) == 8 &&
            one.site < self->sites->count)
            self->events[self->num_events++] = one;
    }
    return self->events != NULL;
}

static bool is_kind(const recording *self, const event *one, site_kind kind)
{
    return self->sites->sites[one->site].kind == kind;
}

/* A launch begins where a work-item begins that has begun in this launch, or another kernel. Commands of an in-order
 * queue print one after the other. */
static void find_launches(recording *self)
{
    uint32_t launch = 0;
    size_t first = 0; /* event of the launch */
    bool has_begun = false;
    for (size_t i = 0; i < self->num_events; i++) {
        event *one = &self->events[i];
        bool is_new = false;
        for (size_t k = first; is_kind(self, one, SITE_BEGIN) && k < i && !is_new; k++)
            is_new = is_kind(self, &self->events[k], SITE_BEGIN) &&
                     (self->events[k].site != one->site ||
                      (self->events[k].group == one->group && self->events[k].item == one->item));
        if (is_new && has_begun) {
            launch++;
            first = i;
        }
        has_begun = has_begun || is_kind(self, one, SITE_BEGIN);
        one->launch = launch;
        one->time = (uint32_t)i; /* keeps the work-item's order */
    }
}

/* Which step each event is in, and how often its work-item was at its site in that step. */
static void find_steps(recording *self)
{
    qsort(self->events, self->num_events, sizeof *self->events, by_item);
    for (size_t begin = 0, end; begin < self->num_events; begin = end) {
        uint32_t step = 0;
        const event *first = &self->events[begin];
        for (end = begin; end < self->num_events && self->events[end].launch == first->launch &&
                          self->events[end].group == first->group && self->events[end].item == first->item;
             end++) {
            event *one = &self->events[end];
            one->step = step;
            one->time = (uint32_t)(end - begin);
            for (size_t k = begin; k < end; k++)
                one->turn += self->events[k].step == step && self->events[k].site == one->site;
            step += is_kind(self, one, SITE_BARRIER);
        }
    }
}

static int by_address(const void *left, const void *right)
{
    return by_number(*(const uint32_t *)left, *(const uint32_t *)right);
}

/* Several arrays of local memory may have the same text, such as those that a function is called with: which of them, in the
 * order in which a group uses them. */
static void find_arrays(recording *self)
{
    enum { MOST = 64 };
    struct {
        const char *text;
        uint32_t address;
    } arrays[MOST];
    size_t count = 0;
    for (size_t i = 0; i < self->num_events; i++) {
        event *one = &self->events[i];
        const site *at = &self->sites->sites[one->site];
        const uint32_t address = one->address - one->index * one->size;
        size_t k = 0;
        if (i == 0 || one[-1].launch != one->launch || one[-1].group != one->group)
            count = 0;
        if (one->space != 'l' || at->index[0] == '\0')
            continue;
        for (; k < count && !(strcmp(arrays[k].text, at->array) == 0 && arrays[k].address == address); k++)
            one->block += strcmp(arrays[k].text, at->array) == 0;
        if (k == count && count < MOST) {
            arrays[count].text = at->array;
            arrays[count++].address = address;
        }
    }
}

/* The lowest address of local memory that the group uses by this pointer. */
static uint32_t lowest(const recording *self, const event *one)
{
    const char *text = self->sites->sites[one->site].array;
    uint32_t address = one->address;
    for (size_t i = 0; i < self->num_events; i++) {
        const event *other = &self->events[i];
        if (other->space == 'l' && other->launch == one->launch && other->group == one->group &&
            other->address < address && strcmp(self->sites->sites[other->site].array, text) == 0)
            address = other->address;
    }
    return address;
}

/* In global memory count from the lowest address of the block of memory that is used: blocks are further apart. So does
 * local memory where only a pointer is known. */
static bool find_indices(recording *self)
{
    uint32_t *addresses = calloc(self->num_events + 1, sizeof *addresses);
    size_t count = 0;
    if (addresses == NULL)
        return false;
    for (size_t i = 0; i < self->num_events; i++)
        if (self->events[i].space != '-')
            addresses[count++] = self->events[i].address;
    qsort(addresses, count, sizeof *addresses, by_address);
    for (size_t i = 0; i < self->num_events; i++) {
        event *one = &self->events[i];
        if (one->space == 'l' && self->sites->sites[one->site].index[0] == '\0')
            one->index = (one->address - lowest(self, one)) / (one->size > 0 ? one->size : 1);
        if (one->space != 'g')
            continue;
        const uint32_t *own = bsearch(&one->address, addresses, count, sizeof *addresses, by_address);
        while (own > addresses && own[0] - own[-1] < APART)
            own--;
        for (const uint32_t *k = addresses + 1; k <= own; k++)
            one->block += k[0] - k[-1] >= APART;
        one->index = (one->address - *own) / (one->size > 0 ? one->size : 1);
    }
    free(addresses);
    return true;
}

static bool find_accesses(recording *self)
{
    self->accesses = calloc(self->num_events + 1, sizeof *self->accesses);
    if (self->accesses == NULL)
        return false;
    qsort(self->events, self->num_events, sizeof *self->events, by_place);
    access *last = self->accesses;
    for (size_t i = 0; i < self->num_events; i++) {
        const event *one = &self->events[i];
        const event *first = i > 0 ? last->events : NULL;
        if (first != NULL && first->launch == one->launch && first->group == one->group && first->step == one->step &&
            first->site == one->site && first->turn == one->turn) {
            last->count++;
            last->time = last->time != UINT32_MAX && one->time < last->time ? one->time : last->time;
        } else {
            /* a barrier comes last, although some work-items have nothing to do before it */
            last = &self->accesses[self->num_accesses++];
            *last = (access){one, 1, is_kind(self, one, SITE_BARRIER) ? UINT32_MAX : one->time};
        }
    }
    qsort(self->accesses, self->num_accesses, sizeof *self->accesses, by_time);
    return true;
}

bool recording_read(recording *out, const site_list *sites, const char *text)
{
    *out = (recording){.sites = sites};
    if (!read_events(out, text))
        return false;
    find_launches(out);
    find_steps(out);
    find_arrays(out);
    return find_indices(out) && find_accesses(out);
}

void recording_clear(recording *self)
{
    free(self->events);
    free(self->accesses);
    *self = (recording){0};
}

/* The number of different ones among the first `count`; they are sorted here. */
static unsigned different(uint32_t *numbers, unsigned count)
{
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned k = 0;
        while (k < found && numbers[k] != numbers[i])
            k++;
        if (k == found)
            numbers[found++] = numbers[i];
    }
    return found;
}

bool recording_collides(const access *one, const event *lane, unsigned lanes, unsigned banks)
{
    const uint32_t word = lane->address / WORD;
    for (size_t i = 0; i < one->count && lane->space == 'l'; i++) {
        const uint32_t other = one->events[i].address / WORD;
        if (one->events[i].item / lanes == lane->item / lanes && other != word && other % banks == word % banks)
            return true;
    }
    return false;
}

lanes_at recording_lanes(const access *one, unsigned first, unsigned lanes, unsigned banks)
{
    enum { MOST = 1024 };
    lanes_at at = {0};
    uint32_t words[MOST], sectors[MOST];
    unsigned in_bank[MOST] = {0};
    for (size_t i = 0; i < one->count && at.active < MOST; i++) {
        const event *lane = &one->events[i];
        if (lane->item < first || lane->item - first >= lanes)
            continue;
        words[at.active] = lane->address / WORD;
        sectors[at.active++] = lane->address / SECTOR;
    }
    if (one->events->space == 'g')
        at.sectors = different(sectors, at.active);
    if (one->events->space != 'l' || banks > MOST)
        return at;
    const unsigned num_words = different(words, at.active);
    for (unsigned i = 0; i < num_words; i++) {
        const unsigned served = ++in_bank[words[i] % banks];
        at.turns = served > at.turns ? served : at.turns;
    }
    return at;
}
