/* units.cl: what the groups of select.cl work on. A unit is a segment, or one part of a segment that is divided into
 * parts of part_length elements. A part leaves its first k in a slot of scratch memory, keys and their indices in the
 * segment. The slots of a segment are one behind the other, so that its candidates are an array: all parts but the last
 * have k of them.
 *
 * Without offsets each segment has `parts` parts, and units are numbered through them. With offsets short.cl enters
 * units in a list, and segments with several parts in another one, in whatever order it meets them; how long the lists
 * are is in a header, which is 0 before. What offsets that do not ascend would enter beyond the ends of the lists is
 * left out.
 * Parameters: UNITS, SLOTS and JOINS, words of the header. */
#include "segmented_top_k/parts/segments.cl"

#if !defined(UNITS) || !defined(SLOTS) || !defined(JOINS)
#error "UNITS, SLOTS and JOINS must be given"
#endif

#define NONE 0xffffffffu

/* A unit in the list, or a segment with several parts; the slot is NONE, or that of the first part. */
typedef struct {
    uint segment;
    uint part;
    uint slot;
    uint unused;
} unit_entry;

/* Scratch memory, where its parts begin, in bytes, and how much there is room for; and how segments are divided. */
#define UNIT_PARAMETERS                                                                                                \
    __global uchar *scratch, ulong units_at, ulong joins_at, ulong keys_at, ulong indices_at, uint units_most,         \
        uint slots_most, uint joins_most, uint part_length, uint parts
#define UNIT_ARGUMENTS                                                                                                 \
    scratch, units_at, joins_at, keys_at, indices_at, units_most, slots_most, joins_most, part_length, parts

/* What short.cl and teams.cl take to leave long segments to others. Rows are never too long, so for rows this is nothing:
 * each argument makes a launch longer. */
#if HAS_OFFSETS
#define LEAVE_PARAMETERS , UNIT_PARAMETERS, uint longest
#else
#define LEAVE_PARAMETERS
#endif

/* How many units there are, or segments with several parts. */
static inline uint units_there(ulong segments, uint joins, UNIT_PARAMETERS)
{
#if HAS_OFFSETS
    return joins ? min(((const __global uint *)scratch)[JOINS], joins_most)
                 : min(((const __global uint *)scratch)[UNITS], units_most);
#else
    return (uint)(joins ? segments : segments * parts);
#endif
}

/* Number u of these. */
static inline unit_entry unit_number(uint u, uint joins, UNIT_PARAMETERS)
{
#if HAS_OFFSETS
    return ((const __global unit_entry *)(scratch + (joins ? joins_at : units_at)))[u];
#else
    unit_entry own;
    own.segment = joins ? u : u / parts;
    own.part = u - own.segment * parts;
    own.slot = parts == 1 ? NONE : own.segment * parts;
    own.unused = 0;
    return own;
#endif
}

#if HAS_OFFSETS
/* `count` numbers; NONE where there is room for `most` and not for these. Offsets that do not ascend may take so many
 * that they are counted from 0 again, and entries are mixed: who uses their slots checks them. */
static inline uint reserve(volatile __global uint *total, uint count, uint most)
{
    const uint first = atomic_add(total, count);
    return first < most && count <= most - first ? first : NONE;
}

static inline void enter_segment(UNIT_PARAMETERS, uint s, segment own)
{
    volatile __global uint *header = (volatile __global uint *)scratch;
    __global unit_entry *units = (__global unit_entry *)(scratch + units_at);
    const uint count = (uint)((own.length - 1) / part_length) + 1;
    unit_entry entry = {s, 0, NONE, 0};
    if (count > 1) {
        entry.slot = reserve(header + SLOTS, count, slots_most);
        const uint join = entry.slot != NONE ? reserve(header + JOINS, 1, joins_most) : NONE;
        if (join == NONE)
            return;
        ((__global unit_entry *)(scratch + joins_at))[join] = entry;
    }
    const uint first = atomic_add(header + UNITS, count);
    for (; entry.part < count && first + entry.part < units_most; entry.part++)
        units[first + entry.part] = entry;
}
#endif
