// SPDX-License-Identifier: MIT
/* packet.cl: loads of 16 bytes for elements of any type.
 *
 * Parameters: ELEMENT, ELEMENT_SIZE; PACKET_BYTES: 16, or a smaller power of two if the results of a packet take 16
 * bytes, so that neighbouring work-items write neighbouring memory.
 *
 * vload4 guarantees only the alignment of an element, and the compiler may split it; a PACKET is loaded as a whole. A
 * kernel may first take PACKET_HEAD(p) elements one by one, after which p is aligned. Or it begins PACKET_SHIFT(p)
 * elements before p, at an aligned address. If the size of an element does not divide 16, or elements come from an
 * expression (INPUT_AT), packets have one element: then PACK is 1, and both are 0.
 *
 * PACKET_AT(packets, first, p) is packet p of those whose elements begin with number `first`: of the packets in memory
 * from `packets` on, or of the expression. */
#if !defined(ELEMENT) || !defined(ELEMENT_SIZE) || !defined(PACKET_BYTES)
#error "ELEMENT, ELEMENT_SIZE and PACKET_BYTES must be given"
#endif

#if !defined(INPUT_AT) && (ELEMENT_SIZE == 1 || ELEMENT_SIZE == 2 || ELEMENT_SIZE == 4 || ELEMENT_SIZE == 8)
#define PACK (PACKET_BYTES / ELEMENT_SIZE)
#if PACKET_BYTES == 16
typedef uint4 packet_words;
#elif PACKET_BYTES == 8
typedef ulong packet_words;
#elif PACKET_BYTES == 4
typedef uint packet_words;
#elif PACKET_BYTES == 2
typedef ushort packet_words;
#else
typedef uchar packet_words;
#endif
#define PACKET_HEAD(p)  ((uint)(-(uintptr_t)(p)) % PACKET_BYTES / ELEMENT_SIZE)
#define PACKET_SHIFT(p) ((uint)(uintptr_t)(p) % PACKET_BYTES / ELEMENT_SIZE)
#else
#define PACK            1
typedef ELEMENT packet_words;
#define PACKET_HEAD(p)  0u
#define PACKET_SHIFT(p) 0u
#endif
#ifdef INPUT_AT
#define PACKET_AT(packets, first, p) INPUT_AT((ulong)(first) + (p))
#else
#define PACKET_AT(packets, first, p) ((packets)[p])
#endif

typedef union {
    packet_words words;
    ELEMENT elements[PACK];
} packet;

/* The k-th element of a packet. For built-in types by shifts, which disappear once loops over k are unrolled. NVIDIA's
 * compiler would put the union in memory, if elements are not as large as words. */
static inline ELEMENT packet_element(packet_words p, uint k)
{
#if PACK > 1 && defined(ELEMENT_OF_BITS)
#if PACKET_BYTES < 16
    return ELEMENT_OF_BITS(p >> k * ELEMENT_SIZE * 8);
#elif ELEMENT_SIZE == 8
    return ELEMENT_OF_BITS((ulong)(k == 0 ? p.y : p.w) << 32 | (k == 0 ? p.x : p.z));
#else
    const uint i = k * ELEMENT_SIZE / 4;
    const uint word = i == 0 ? p.x : i == 1 ? p.y : i == 2 ? p.z : p.w;
    return ELEMENT_OF_BITS(word >> k * ELEMENT_SIZE % 4 * 8);
#endif
#else
    packet u;
    u.words = p;
    return u.elements[k];
#endif
}
