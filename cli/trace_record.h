// SPDX-License-Identifier: MIT
/* trace_record.h: what work-items have printed (instrument.h), in order: launches, groups, steps between barriers, and in
 * each step accesses, which the lanes of a sub-group make together. */
#ifndef CLPRIM_CLI_TRACE_RECORD_H
#define CLPRIM_CLI_TRACE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "instrument.h"

/* One work-item's part in an access, or a barrier that it reached. */
typedef struct event {
    uint32_t group, item, site, index, value, address, size;
    char space;
    uint32_t launch, step, time; /* of its launch: which step; of its work-item: how many events came before */
    uint32_t block; /* which block of global memory, by addresses; of local memory: which array of this text */
    uint32_t turn;  /* how often the work-item has been at the site in this step */
} event;

/* A site that some work-items of a group are at together. Its events are events[0 .. count), by work-item. */
typedef struct access {
    const event *events;
    size_t count;
    uint32_t time; /* of the first work-item there */
} access;

typedef struct recording {
    event *events; /* by launch, group, step, site, turn, work-item */
    size_t num_events;
    access *accesses; /* by launch, group, step, time */
    size_t num_accesses;
    const site_list *sites;
} recording;

/* Read what was printed. Lines that are no records are left out. Returns false if memory is short; *out must be cleared,
 * also then. */
bool recording_read(recording *out, const site_list *sites, const char *text);
void recording_clear(recording *self);

/* What a sub-group's lanes `first` to `first + lanes - 1` do in an access. */
typedef struct lanes_at {
    unsigned active;  /* how many lanes take part */
    unsigned turns;   /* in local memory: how many words the busiest bank must serve, one after the other */
    unsigned sectors; /* in global memory: how many pieces of 32 bytes are touched */
} lanes_at;

/* Whether another lane of the event's sub-group wants another word of the same bank. */
bool recording_collides(const access *one, const event *lane, unsigned lanes, unsigned banks);

lanes_at recording_lanes(const access *one, unsigned first, unsigned lanes, unsigned banks);

#endif
