// SPDX-License-Identifier: MIT
/* items.cl: elements, their values, and the order of elements.
 *
 *   item                          an element, with its value if there are values. Elements of built-in types are held
 *                                 as images: unsigned integers with the same order
 *   before(x, y)                  whether x must come before y
 *   pick(which, x, y)             x if `which` is true, otherwise y
 *   ARRAY_OF(name)                an array in global memory from a kernel's list of arguments (items.h); its numbers
 *                                 are in `args`
 *   load, store                   for an array in global memory
 *   LOCAL_ARRAY(name, count)      an array in local memory; with local_load, local_store
 *   LOCAL_KEYS(name, count)       an array of elements without values; with local_key, set_local_key
 *   array_from, local_from        the rest of an array of either kind, from element i on. In unrolled loops, places in
 *                                 it are constants, which load and store instructions can contain. For local memory
 *                                 only if elements are stored as they are
 *
 * Parameters: the prelude (lib/runtime/program/order.h), with ELEMENT; CUSTOM: if it is 1, LESS(a, b), the caller's
 * order of two ELEMENTs; otherwise ELEMENT_BITS and ELEMENT_KIND: 0 unsigned, 1 signed, 2 floats, as their bits, 3
 * floats with all NaNs last; DESCENDING; VALUE, if elements have values (VALUE_SIZE is not 0); INDEX, an unsigned
 * integer type that can count elements.
 *
 * Optional, or 0:
 *   BY_WORDS 1   elements are records of ELEMENT_SIZE / 4 words. In local memory, the words of a record are apart:
 *                contiguous records would use only a few banks. Also, only those words are read that the order needs
 *   PACKETS 1    arrays in global memory begin at multiples of 16 bytes, so that records of 16 bytes are loaded at once
 *   PLACES 1     records are sorted by moving their places: staged_store puts each record in local memory, where it
 *                stays until staged_load; local_store moves only the place, and local_load reads the words of the
 *                record that are used. */
#if !defined(ELEMENT) || !defined(CUSTOM) || !defined(DESCENDING) || !defined(VALUE_SIZE) || !defined(INDEX)
#error "ELEMENT, CUSTOM, DESCENDING, VALUE_SIZE and INDEX must be given"
#endif
#if (CUSTOM && !defined(LESS)) || (!CUSTOM && (!defined(ELEMENT_BITS) || !defined(ELEMENT_KIND)))
#error "LESS must be given, or ELEMENT_BITS and ELEMENT_KIND"
#endif
#if !CUSTOM && ELEMENT_KIND == 3 && !defined(MOVED_NANS)
#error "MOVED_NANS must be given"
#endif

#include "common/items.h"

#ifndef BY_WORDS
#define BY_WORDS 0
#endif
#ifndef PACKETS
#define PACKETS 0
#endif
#ifndef PLACES
#define PLACES 0
#endif

#if CUSTOM
#define IMAGE_OF(x)      (x)
#define ELEMENT_OF(x)    (x)
#define KEY_BEFORE(x, y) (DESCENDING ? LESS(y, x) : LESS(x, y))
#else
#define LAST_IMAGE ((ELEMENT) ~(ELEMENT)0) /* no image comes after it */
#define SIGN       ((ELEMENT)((ELEMENT)1 << (ELEMENT_BITS - 1)))
#define FLIP       ((ELEMENT)(DESCENDING ? LAST_IMAGE : 0))
#if ELEMENT_KIND == 2 /* for floats: flip all bits of negative ones, and the sign of others; if descending, flip all
                       * bits again */
#define IMAGE_OF(x)   ((ELEMENT)((x) ^ (((x)&SIGN) != 0 ? LAST_IMAGE : SIGN) ^ FLIP))
#define ELEMENT_OF(x) ((ELEMENT)((x) ^ FLIP ^ ((((x) ^ FLIP) & SIGN) != 0 ? SIGN : LAST_IMAGE)))
#elif ELEMENT_KIND == 3
/* the same, rotated so that the negative NaNs, which would come first, come after the positive ones */
#define NEGATIVE_NANS  ((ELEMENT)MOVED_NANS)
#define TOTAL_IMAGE(x) ((ELEMENT)((ELEMENT)((x) ^ FLIP) + NEGATIVE_NANS))
#define IMAGE_OF(x)    ((ELEMENT)((ELEMENT)(((x) ^ (((x)&SIGN) != 0 ? LAST_IMAGE : SIGN)) - NEGATIVE_NANS) ^ FLIP))
#define ELEMENT_OF(x)  ((ELEMENT)(TOTAL_IMAGE(x) ^ ((TOTAL_IMAGE(x) & SIGN) != 0 ? SIGN : LAST_IMAGE)))
#elif ELEMENT_KIND == 1
#define IMAGE_OF(x)   ((ELEMENT)((x) ^ SIGN ^ FLIP))
#define ELEMENT_OF(x) IMAGE_OF(x)
#else
#define IMAGE_OF(x)   ((ELEMENT)((x) ^ FLIP))
#define ELEMENT_OF(x) IMAGE_OF(x)
#endif
#define KEY_BEFORE(x, y) ((x) < (y))
#endif

#if BY_WORDS
#define ELEMENT_WORDS           (ELEMENT_SIZE / 4)
#define LOCAL_KEYS(name, count) __local uint name[((count) + 31) / 32 * 32 * ELEMENT_WORDS]
typedef __local uint *local_keys;
typedef union {
    ELEMENT element;
    uint words[ELEMENT_WORDS];
} element_words;

/* Of each 32 elements, the first words are stored first, then the second words, and so on. */
static inline uint first_word(uint i)
{
    return (i & ~31u) * (ELEMENT_WORDS - 1) + i;
}

static inline ELEMENT local_key(local_keys keys, uint i)
{
    element_words x;
    const uint first = first_word(i);
#pragma unroll
    for (uint w = 0; w < ELEMENT_WORDS; w++)
        x.words[w] = keys[first + 32 * w];
    return x.element;
}

static inline void set_local_key(local_keys keys, uint i, ELEMENT element)
{
    element_words x;
    const uint first = first_word(i);
    x.element = element;
#pragma unroll
    for (uint w = 0; w < ELEMENT_WORDS; w++)
        keys[first + 32 * w] = x.words[w];
}
#else
#define LOCAL_KEYS(name, count) __local ELEMENT name[count]
typedef __local ELEMENT *local_keys;
static inline ELEMENT local_key(local_keys keys, uint i)
{
    return keys[i];
}
static inline void set_local_key(local_keys keys, uint i, ELEMENT element)
{
    keys[i] = element;
}
#endif

#if PACKETS && ELEMENT_SIZE % 16 == 0
typedef union {
    ELEMENT element;
    uint4 packets[ELEMENT_SIZE / 16];
} element_packets;

static inline ELEMENT global_key(const __global ELEMENT *key)
{
    element_packets x;
#pragma unroll
    for (uint p = 0; p < ELEMENT_SIZE / 16; p++)
        x.packets[p] = ((const __global uint4 *)key)[p];
    return x.element;
}

static inline void set_global_key(__global ELEMENT *key, ELEMENT element)
{
    element_packets x;
    x.element = element;
#pragma unroll
    for (uint p = 0; p < ELEMENT_SIZE / 16; p++)
        ((__global uint4 *)key)[p] = x.packets[p];
}
#else
static inline ELEMENT global_key(const __global ELEMENT *key)
{
    return *key;
}
static inline void set_global_key(__global ELEMENT *key, ELEMENT element)
{
    *key = element;
}
#endif

#if PLACES
#define PLACE_MEMBER              uint place;
#define LOCAL_PLACES_MEMBER       __local ushort *places;
#define LOCAL_PLACES(name, count) __local ushort ARRAY_PART(name, places)[count];
#define LOCAL_PLACES_OF(name)     , ARRAY_PART(name, places)
#else
#define PLACE_MEMBER
#define LOCAL_PLACES_MEMBER
#define LOCAL_PLACES(name, count)
#define LOCAL_PLACES_OF(name)
#endif

#if VALUE_SIZE
#define ARRAY_OF(name)                                                                                                 \
    (array)                                                                                                            \
    {                                                                                                                  \
        ARRAY_PART(name, keys) + args.ARRAY_PART(name, keys_offset),                                                   \
            ARRAY_PART(name, values) + args.ARRAY_PART(name, values_offset)                                            \
    }
#define LOCAL_ARRAY(name, count)                                                                                       \
    LOCAL_KEYS(ARRAY_PART(name, keys), count);                                                                         \
    __local VALUE ARRAY_PART(name, values)[count];                                                                     \
    LOCAL_PLACES(name, count)                                                                                          \
    const local_array name = {ARRAY_PART(name, keys), ARRAY_PART(name, values) LOCAL_PLACES_OF(name)}
typedef struct {
    ELEMENT key;
    VALUE value;
    PLACE_MEMBER
} item;
typedef struct {
    __global ELEMENT *keys;
    __global VALUE *values;
} array;
typedef struct {
    local_keys keys;
    __local VALUE *values;
    LOCAL_PLACES_MEMBER
} local_array;
#define KEY_OF(x) ((x).key)
#else
#define ARRAY_OF(name)                                                                                                 \
    (array)                                                                                                            \
    {                                                                                                                  \
        ARRAY_PART(name, keys) + args.ARRAY_PART(name, keys_offset)                                                    \
    }
#define LOCAL_ARRAY(name, count)                                                                                       \
    LOCAL_KEYS(ARRAY_PART(name, keys), count);                                                                         \
    LOCAL_PLACES(name, count)                                                                                          \
    const local_array name = {ARRAY_PART(name, keys) LOCAL_PLACES_OF(name)}
#if PLACES
typedef struct {
    ELEMENT key;
    PLACE_MEMBER
} item;
#define KEY_OF(x) ((x).key)
#else
typedef ELEMENT item;
#define KEY_OF(x) (x)
#endif
typedef struct {
    __global ELEMENT *keys;
} array;
typedef struct {
    local_keys keys;
    LOCAL_PLACES_MEMBER
} local_array;
#endif

static inline bool before(item x, item y)
{
    return KEY_BEFORE(KEY_OF(x), KEY_OF(y));
}

/* Selects rather than branches, so that arrays of items stay in registers. */
static inline item pick(bool which, item x, item y)
{
    item z;
    KEY_OF(z) = which ? KEY_OF(x) : KEY_OF(y);
#if VALUE_SIZE
    z.value = which ? x.value : y.value;
#endif
#if PLACES
    z.place = which ? x.place : y.place;
#endif
    return z;
}

static inline item load(array a, INDEX i)
{
    item x;
    KEY_OF(x) = IMAGE_OF(global_key(a.keys + i));
#if VALUE_SIZE
    x.value = a.values[i];
#endif
    return x;
}

static inline void store(array a, INDEX i, item x)
{
    set_global_key(a.keys + i, ELEMENT_OF(KEY_OF(x)));
#if VALUE_SIZE
    a.values[i] = x.value;
#endif
}

static inline item staged_load(local_array a, uint i)
{
    item x;
    KEY_OF(x) = local_key(a.keys, i);
#if VALUE_SIZE
    x.value = a.values[i];
#endif
#if PLACES
    x.place = i;
#endif
    return x;
}

static inline void staged_store(local_array a, uint i, item x)
{
    set_local_key(a.keys, i, KEY_OF(x));
#if VALUE_SIZE
    a.values[i] = x.value;
#endif
}

static inline array array_from(array a, ulong i)
{
    a.keys += i;
#if VALUE_SIZE
    a.values += i;
#endif
    return a;
}

#if !BY_WORDS && !PLACES
static inline local_array local_from(local_array a, uint i)
{
    a.keys += i;
#if VALUE_SIZE
    a.values += i;
#endif
    return a;
}
#endif

#if PLACES
static inline item local_load(local_array a, uint i)
{
    return staged_load(a, a.places[i]);
}
static inline void local_store(local_array a, uint i, item x)
{
    a.places[i] = (ushort)x.place;
}
#else
static inline item local_load(local_array a, uint i)
{
    return staged_load(a, i);
}
static inline void local_store(local_array a, uint i, item x)
{
    staged_store(a, i, x);
}
#endif
