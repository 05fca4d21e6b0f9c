/* elements.cl: what a scan folds and writes: elements, or with SEGMENTS elements and where segments begin.
 *
 * A segmented scan is a scan of pairs: a value, and whether a segment begins anywhere in what was folded; what lies
 * before such a beginning is forgotten. So the kernels know nothing of segments: here VALUE and COMBINE become the
 * pair's.
 *
 *   HEADS_PARAMETERS, HEADS_ARGUMENTS    in a parameter list, and to hand them on: the flags or keys
 *   SCAN_VALUE(x, i)                     the VALUE of element x, the i-th
 *   scan_begin(initial)                  what the first element is combined with
 *   scan_result(before, through, own, initial)
 *                                        the RESULT for an element, from the fold of all before it and through it
 *   initial_of(initial, has_initial)     the kernel's initial value, or the identity
 *
 * Parameters: the operator's prelude; EXCLUSIVE; SEGMENTS 0 none, 1 head flags, 2 keys (clprim_scan_segments), then also
 * HEAD, an unsigned integer type of the size of flags or keys.
 * Source: Schwartz 1980; Blelloch 1990, Prefix Sums and Their Applications. */
#if !defined(EXCLUSIVE) || !defined(SEGMENTS)
#error "EXCLUSIVE and SEGMENTS must be given"
#endif

typedef VALUE plain_value;

static inline plain_value initial_of(RESULT initial, uint has_initial)
{
    return has_initial ? VALUE_OF_RESULT(initial) : IDENTITY;
}

#if SEGMENTS == 0
#define HEADS_PARAMETERS
#define HEADS_ARGUMENTS
#define SCAN_VALUE(x, i) VALUE_AT(x, i)

static inline VALUE scan_begin(plain_value initial)
{
    return initial;
}

static inline RESULT scan_result(VALUE before, VALUE through, VALUE own, plain_value initial)
{
    return EXCLUSIVE ? RESULT_OF(before) : RESULT_OF(through);
}
#else
#define HEADS_PARAMETERS , const __global HEAD *heads, ulong heads_offset
#define HEADS_ARGUMENTS , heads, heads_offset

typedef RESULT plain_result;
static inline plain_value plain_combine(plain_value a, plain_value b)
{
    return COMBINE(a, b);
}
static inline plain_value plain_identity(void)
{
    return IDENTITY;
}
static inline plain_value plain_value_at(ELEMENT x, ulong i)
{
    return VALUE_AT(x, i);
}

/* In words, so that the size is known: a struct of the value itself might be padded. */
enum { PLAIN_WORDS = (VALUE_SIZE + 3) / 4 };
typedef union {
    uint words[PLAIN_WORDS];
    plain_value value;
} plain_words;
typedef struct {
    uint words[PLAIN_WORDS];
    uint begins; /* 0 or 1 */
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
#define RESULT plain_result
#define VALUE segment_value
#define VALUE_SIZE (4 * PLAIN_WORDS + 4)
#define COMBINE(a, b) segment_combine(a, b)
#define IDENTITY segment_of(plain_identity(), 0)
#define VECTORS 0
#define COMMUTATIVE 0
#define SCAN_VALUE(x, i) segment_of(plain_value_at(x, i), head_at(i, heads, heads_offset))

static inline plain_value plain_of(segment_value a)
{
    plain_words p;
    for (uint w = 0; w < PLAIN_WORDS; w++)
        p.words[w] = a.words[w];
    return p.value;
}

static inline segment_value segment_of(plain_value x, uint begins)
{
    plain_words p = {{0}};
    segment_value a;
    p.value = x;
    for (uint w = 0; w < PLAIN_WORDS; w++)
        a.words[w] = p.words[w];
    a.begins = begins;
    return a;
}

static inline segment_value segment_combine(segment_value a, segment_value b)
{
    const plain_value x = plain_combine(plain_of(a), plain_of(b));
    return segment_of(b.begins ? plain_of(b) : x, a.begins | b.begins);
}

static inline uint head_at(ulong i, const __global HEAD *heads, ulong heads_offset)
{
#if SEGMENTS == 1
    return i == 0 || heads[heads_offset + i] != 0;
#else
    return i == 0 || heads[heads_offset + i] != heads[heads_offset + i - 1];
#endif
}

static inline VALUE scan_begin(plain_value initial)
{
    return IDENTITY; /* each segment has its own beginning */
}

static inline RESULT scan_result(VALUE before, VALUE through, VALUE own, plain_value initial)
{
    const plain_value folded = plain_of(EXCLUSIVE ? before : through);
    const plain_value result = EXCLUSIVE && own.begins ? initial : plain_combine(initial, folded);
    return RESULT_OF(result);
}
#endif
