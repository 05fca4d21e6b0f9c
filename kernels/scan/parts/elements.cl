// SPDX-License-Identifier: MIT
/* elements.cl: what a scan folds and writes: elements, or with SEGMENTS elements and where segments begin.
 *
 * A segmented scan is a scan of pairs: a value, and whether a segment begins anywhere in the folded range. COMBINE
 * drops what precedes such a beginning. VALUE and COMBINE become those of the pairs here, so the kernels need not know
 * about segments. With SEES_SEGMENTS nothing is dropped: the operator is told whether a segment begins in its right
 * operand, and the initial value belongs to the first segment.
 *
 *   SEGMENTS_HERE, RUNS_HERE             in a kernel: define `segments`, to pass on: where segments begin, and where
 *                                        runs are written
 *   SCAN_VALUE(x, i)                     the VALUE of element x, the i-th; uses `segments`; not with
 *                                        SEGMENTS_BY_OFFSETS
 *   scan_begin(initial)                  the value that the first element is combined with
 *   scan_result(before, through, own, initial)
 *                                        the RESULT for an element, from the fold of all before it and through it
 *   plain_combine(a, b), plain_identity()
 *                                        the operator itself, also with SEGMENTS
 *   plain_combine_16, plain_combine_8    the same on vectors of 16 or 8 lanes, if PLAIN_VECTORS is 1
 *   initial_value()                      the value that segments begin with: INITIAL; if it is not given, the identity,
 *                                        or NOTHING if EXCLUSIVE, because it is written then
 *
 * With RUNS a segment is a run of equal keys, and only its key and its fold are written. So pairs count the beginnings
 * of segments, which says where a run's key and fold are written (tile.cl, cpu_runs.cl):
 *
 *   store_no_runs(n)                     if there are no elements, writes the number of runs; otherwise, or without
 *                                        RUNS, does nothing
 *   store_key(run, key, is_tight), store_end(out, run, fold, is_tight)
 *                                        write the key and the fold of a run. With is_tight they check for room:
 *                                        keys_out and `out` may have room for fewer runs than there are (keys_room,
 *                                        results_room), and all runs are counted. Not with RUNS_SPANS
 *
 * Parameters: the operator's prelude; EXCLUSIVE; SEGMENTS and RUNS (modes.h); SEES_SEGMENTS. With offsets, tiles find
 * their own segments (marks.cl).
 * With SEGMENTS also HEAD, an unsigned integer type of the size of flags, keys or offsets, or a word of 32 bits;
 * HEAD_SIZE; with flags FLAG_BITS (lib/runtime/program/flags.h).
 * With RUNS also RUN_WORDS: runs are counted in so many words of 32 bits, 1 or 2; COUNT_TYPE, uint or ulong, in which
 * their number is written; OWN_KEYS, if HEAD is the caller's own type; OWN_EQUALS, if differs(left, own) says that a
 * run ends (lib/runtime/program/equality.h).
 * With RUNS_SPANS also RUN_OFFSETS: 1, offsets are written. spans.cl then continues from here.
 * Source: Schwartz 1980; Blelloch 1990, Prefix Sums and Their Applications. */
#include "scan/modes.h"

#if !defined(EXCLUSIVE) || !defined(SEGMENTS) || !defined(RUNS)
#error "EXCLUSIVE, SEGMENTS and RUNS must be given"
#endif
#if SEGMENTS > SEGMENTS_NONE && !(defined(HEAD) && defined(HEAD_SIZE))
#error "HEAD and HEAD_SIZE must be given"
#endif
#if SEGMENTS == SEGMENTS_BY_FLAG && !defined(FLAG_BITS)
#error "FLAG_BITS must be given"
#endif
#if RUNS && (SEGMENTS != SEGMENTS_BY_KEY || EXCLUSIVE || !defined(RUN_WORDS) || !defined(COUNT_TYPE))
#error "runs are those of keys, and RUN_WORDS and COUNT_TYPE must be given"
#endif
#if RUNS == RUNS_SPANS && !defined(RUN_OFFSETS)
#error "RUN_OFFSETS must be given"
#endif

#if !HAS_OUTPUT && defined(BITS_OF_RESULT)
#define OUTPUT_SIZE       RESULT_SIZE
#define BITS_OF_OUTPUT(o) BITS_OF_RESULT(o)
#endif

typedef VALUE plain_value;

static inline plain_value plain_combine(plain_value a, plain_value b)
{
    return COMBINE(a, b);
}
static inline plain_value plain_identity(void)
{
    return IDENTITY;
}
#if VECTORS && RUNS < RUNS_LENGTHS /* with RUNS_LENGTHS and RUNS_SPANS, elements are keys */
#define PLAIN_VECTORS 1
static inline VALUES(16) plain_combine_16(VALUES(16) a, VALUES(16) b)
{
    return COMBINE(a, b);
}
static inline VALUES(8) plain_combine_8(VALUES(8) a, VALUES(8) b)
{
    return COMBINE(a, b);
}
#else
#define PLAIN_VECTORS 0
#endif

static inline plain_value initial_value(void)
{
#ifdef INITIAL
    return VALUE_OF_RESULT(INITIAL);
#else
    return EXCLUSIVE ? NOTHING : IDENTITY;
#endif
}

/* Where segments begin: HEADs, the first of which is that of element 0; or offsets, and their number. With RUNS also
 * the arrays to which runs are written, and how many have room there. */
typedef struct {
#if SEGMENTS == SEGMENTS_NONE
    uint none; /* structs cannot be empty */
#else
    const __global HEAD *heads; /* begin at place heads_at; adding it to the pointer beforehand would take registers all
                                 * the time */
    ulong heads_at, ends;
#endif
#if RUNS
    __global HEAD *keys_out;
    __global COUNT_TYPE *runs; /* receives their number */
    __global COUNT_TYPE *offsets;
    ulong keys_room, results_room, offsets_room, first_index;
#endif
} segment_places;

/* Macros, because only some programs have these buffers. */
#if SEGMENTS == SEGMENTS_NONE
#define SEGMENTS_HERE segment_places segments = {0};
#else
#define SEGMENTS_HERE                                                                                                  \
    segment_places segments;                                                                                           \
    segments.heads = heads;                                                                                            \
    segments.heads_at = args.heads_offset;                                                                             \
    segments.ends = args.ends;
#endif
#if RUNS == RUNS_SPANS && RUN_OFFSETS
#define RUN_OFFSETS_HERE segments.offsets = offsets + args.offsets_offset;
#else
#define RUN_OFFSETS_HERE
#endif
#if RUNS == RUNS_NONE
#define RUNS_HERE SEGMENTS_HERE
#else
#define RUNS_HERE                                                                                                      \
    SEGMENTS_HERE                                                                                                      \
    segments.keys_out = keys_out + args.keys_out_offset;                                                               \
    segments.runs = runs + args.runs_offset;                                                                           \
    RUN_OFFSETS_HERE                                                                                                   \
    segments.keys_room = args.keys_room;                                                                               \
    segments.results_room = args.results_room;                                                                         \
    segments.offsets_room = args.offsets_room;                                                                         \
    segments.first_index = args.first_index;
#endif

#if SEGMENTS == SEGMENTS_NONE
#define SCAN_VALUE(x, i) VALUE_AT(x, i)

static inline plain_value plain_value_at(ELEMENT x, ulong i)
{
    return VALUE_AT(x, i);
}

static inline VALUE scan_begin(plain_value initial)
{
    return initial;
}

static inline RESULT scan_result(VALUE before, VALUE through, VALUE own, plain_value initial)
{
    return EXCLUSIVE ? RESULT_OF(before) : RESULT_OF(through);
}
#else
#if !RUNS
#define RUN_WORDS 1
#endif

#if RUNS >= RUNS_LENGTHS
#undef ELEMENT
#undef ELEMENT_SIZE
#undef ELEMENT_OF_BITS
#undef VALUE_AT
#define ELEMENT      HEAD
#define ELEMENT_SIZE HEAD_SIZE
#ifndef OWN_KEYS
#define ELEMENT_OF_BITS(b) ((HEAD)(b))
#endif
#define VALUE_AT(x, i) ((VALUE)1)
#endif

typedef RESULT plain_result;
#ifdef SEES_SEGMENTS
static inline plain_value plain_combine_across(plain_value a, plain_value b, bool across)
{
    return COMBINE_ACROSS(a, b, across);
}
#endif
static inline plain_value plain_value_at(ELEMENT x, ulong i)
{
    return VALUE_AT(x, i);
}

/* In words, so that the size is known: the compiler might pad a struct with the value itself. */
enum { PLAIN_WORDS = (VALUE_SIZE + 3) / 4 };
typedef union {
    uint words[PLAIN_WORDS];
    plain_value value;
} plain_words;
typedef struct {
    uint words[PLAIN_WORDS];
    uint begins[RUN_WORDS]; /* 0 or 1; with RUNS, how many runs begin */
} segment_value;

#undef VALUE
#undef VALUE_SIZE
#undef COMBINE
#undef IDENTITY
#undef VECTORS
#undef INDEXED
#undef COMMUTATIVE
#undef REDUX
#undef RESULT
#define RESULT           plain_result
#define VALUE            segment_value
#define VALUE_SIZE       (4 * PLAIN_WORDS + 4 * RUN_WORDS)
#define COMBINE(a, b)    segment_combine(a, b)
#define IDENTITY         segment_of(plain_identity(), 0)
#define VECTORS          0
#define COMMUTATIVE      0
#define SCAN_VALUE(x, i) segment_of(plain_value_at(x, i), head_at(i, segments))

static inline plain_value plain_of(segment_value a)
{
    plain_words p;
    for (uint w = 0; w < PLAIN_WORDS; w++)
        p.words[w] = a.words[w];
    return p.value;
}

#if RUN_WORDS == 2
typedef ulong run_count;
#else
typedef uint run_count;
#endif

static inline run_count begins_of(segment_value a)
{
#if RUN_WORDS == 2
    return (ulong)a.begins[1] << 32 | a.begins[0];
#else
    return a.begins[0];
#endif
}

static inline segment_value segment_of(plain_value x, run_count begins)
{
    plain_words p = {{0}};
    segment_value a;
    p.value = x;
    for (uint w = 0; w < PLAIN_WORDS; w++)
        a.words[w] = p.words[w];
    a.begins[0] = (uint)begins;
#if RUN_WORDS == 2
    a.begins[1] = (uint)(begins >> 32);
#endif
    return a;
}

static inline segment_value segment_combine(segment_value a, segment_value b)
{
#if RUNS
    const run_count begins = begins_of(a) + begins_of(b);
#else
    const run_count begins = begins_of(a) | begins_of(b);
#endif
#ifdef SEES_SEGMENTS
    return segment_of(plain_combine_across(plain_of(a), plain_of(b), begins_of(b) != 0), begins);
#else
    const plain_value x = plain_combine(plain_of(a), plain_of(b));
    return segment_of(begins_of(b) ? plain_of(b) : x, begins);
#endif
}

#ifdef SEES_SEGMENTS
#define FIRST_BEGINS 0u /* before the first element there is at most the initial value */
#else
#define FIRST_BEGINS 1u
#endif

/* Whether an element other than the first begins a segment, from its flag, or from its key and the previous one. */
#if SEGMENTS == SEGMENTS_BY_FLAG
#define BEGINS(left, own) (((own) & (HEAD)FLAG_BITS) != 0)
#elif defined(OWN_EQUALS)
#define BEGINS(left, own) differs(left, own)
#else
#define BEGINS(left, own) ((left) != (own))
#endif

#if SEGMENTS != SEGMENTS_BY_OFFSETS
static inline uint head_at(ulong i, segment_places segments)
{
#if SEGMENTS == SEGMENTS_BY_MARKS
    return segments.heads[segments.heads_at + i / 32] >> i % 32 & 1;
#else
    return i == 0 ? FIRST_BEGINS
                  : BEGINS(segments.heads[segments.heads_at + i - 1], segments.heads[segments.heads_at + i]);
#endif
}
#endif

#if RUNS == RUNS_SPANS
/* scan_begin is defined in spans.cl */
#elif defined(SEES_SEGMENTS)
static inline VALUE scan_begin(plain_value initial)
{
    return segment_of(initial, 0);
}

static inline RESULT scan_result(VALUE before, VALUE through, VALUE own, plain_value initial)
{
    return RESULT_OF(plain_of(EXCLUSIVE ? before : through));
}
#else
static inline VALUE scan_begin(plain_value initial)
{
    return IDENTITY; /* each segment begins with the initial value itself */
}

static inline RESULT scan_result(VALUE before, VALUE through, VALUE own, plain_value initial)
{
    const plain_value folded = plain_combine(initial, plain_of(EXCLUSIVE ? before : through));
    const plain_value result = EXCLUSIVE && begins_of(own) ? initial : folded;
    return RESULT_OF(result);
}
#endif
#endif

static inline void store_no_runs(ulong n, segment_places segments)
{
#if RUNS
    if (n == 0 && get_global_id(0) == 0)
        *segments.runs = 0;
#endif
}

#if RUNS == RUNS_FOLDS || RUNS == RUNS_LENGTHS
static inline void store_key(ulong run, HEAD key, const bool is_tight, segment_places segments)
{
    if (!is_tight || run < segments.keys_room)
        segments.keys_out[run] = key;
}

static inline void store_end(__global OUTPUT *out, ulong run, plain_value x, const bool is_tight,
                             segment_places segments)
{
    if (!is_tight || run < segments.results_room)
        out[run] = OUTPUT_OF(RESULT_OF(x), run);
}
#endif
