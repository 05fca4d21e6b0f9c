/* segments.cl: where segments lie, and where what is found in them goes.
 *
 * Segment s has the elements from offset s up to offset s + 1; without offsets (HAS_OFFSETS 0), `segment_length`
 * elements. Offsets beyond n count as n, and between two that do not ascend there is no element: whatever they are,
 * nothing is read or written out of bounds. The first k of segment s go to row s of the outputs, of k elements each.
 *
 * Parameters: with images in the order in which the first k are wanted, told of no values; HAS_OFFSETS, and OFFSET, an
 * unsigned integer; CARRIED_SIZE; where it is not 0 CARRIED, and CARRIES_INDICES: what is written are indices in the
 * segment. */
#if !defined(HAS_OFFSETS) || !defined(OFFSET) || !defined(CARRIED_SIZE) || !defined(CARRIES_INDICES)
#error "HAS_OFFSETS, OFFSET, CARRIED_SIZE and CARRIES_INDICES must be given"
#endif

/* What is scanned from here on are counts. */
#undef VALUE_SIZE
#define VALUE uint
#define VALUE_SIZE 4
#define IDENTITY 0u
#define COMBINE(a, b) ((a) + (b))
#define COMMUTATIVE 1
#define REDUX "add.u32"

typedef struct {
    ulong begin;
    ulong length;
} segment;

/* What all kernels are handed: the keys, the segments, of n elements in all, and how many are wanted of each. */
#if HAS_OFFSETS
#define SEGMENT_PARAMETERS                                                                                             \
    const __global KEY *keys_in, ulong keys_in_offset, const __global OFFSET *offsets, ulong offsets_offset,           \
        ulong segments, ulong n, ulong k
#define SEGMENT_AT(s) segment_between(offsets + offsets_offset + (s), n)
static inline segment segment_between(const __global OFFSET *ends, ulong n)
{
    const ulong end = min((ulong)ends[1], n);
    segment own;
    own.begin = min((ulong)ends[0], end);
    own.length = end - own.begin;
    return own;
}
#else
#define SEGMENT_PARAMETERS                                                                                             \
    const __global KEY *keys_in, ulong keys_in_offset, ulong segment_length, ulong segments, ulong n, ulong k
#define SEGMENT_AT(s) ((segment){(s) * segment_length, segment_length})
#endif

/* Where the first k go, with their values or indices. */
#if CARRIED_SIZE
#define TARGET_PARAMETERS                                                                                              \
    __global KEY *keys_out, ulong keys_out_offset, const __global CARRIED *carried_in, ulong carried_in_offset,        \
        __global CARRIED *carried_out, ulong carried_out_offset
#define TARGET_ARGUMENTS keys_out, keys_out_offset, carried_in, carried_in_offset, carried_out, carried_out_offset
#else
#define TARGET_PARAMETERS __global KEY *keys_out, ulong keys_out_offset
#define TARGET_ARGUMENTS keys_out, keys_out_offset
#endif

/* Element i of a segment to place `at` of the outputs. */
static inline void put(ulong at, KEY key, segment own, ulong i, TARGET_PARAMETERS)
{
    keys_out[keys_out_offset + at] = key;
#if CARRIED_SIZE && CARRIES_INDICES
    carried_out[carried_out_offset + at] = (CARRIED)i;
#elif CARRIED_SIZE
    carried_out[carried_out_offset + at] = carried_in[carried_in_offset + own.begin + i];
#endif
}
