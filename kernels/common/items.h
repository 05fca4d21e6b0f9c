// SPDX-License-Identifier: MIT
/* items.h: an array of items.cl in a list of buffers and in one of numbers: its elements, their values if they have
 * any, and offsets in elements. CLPRIM__PUT_ITEMS fills it. */
#ifndef ITEMS_H
#define ITEMS_H

#include "common/args.h"

/* Names that are pasted together begin with clprim__, because lib/runtime/program/names.h cannot see them. */
#define ARRAY_PART(name, part) clprim__##name##_##part

#if defined(__OPENCL_VERSION__) && !VALUE_SIZE
#define ITEM_VALUES(BUFFER, name)
#else
#define ITEM_VALUES(BUFFER, name) BUFFER(__global VALUE, ARRAY_PART(name, values))
#endif
#define ITEM_BUFFERS(BUFFER, name)                                                                                     \
    BUFFER(__global ELEMENT, ARRAY_PART(name, keys))                                                                   \
    ITEM_VALUES(BUFFER, name)
#define ITEM_OFFSETS(LONG, place, next_place, name)                                                                    \
    LONG(place, ARRAY_PART(name, keys_offset))                                                                         \
    LONG(next_place, ARRAY_PART(name, values_offset))

#endif
