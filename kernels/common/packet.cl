/* packet.cl: loads of 16 bytes, whatever the element.
 *
 * Parameters: ELEMENT, ELEMENT_SIZE.
 *
 * vload4 promises only the alignment of an element and may be split by the compiler; a PACKET is loaded whole. A kernel
 * first takes PACKET_HEAD(p) elements one by one, after which p is aligned. Elements whose size does not divide 16
 * travel alone: then PACK is 1 and there is no head. */
#if !defined(ELEMENT) || !defined(ELEMENT_SIZE)
#error "ELEMENT and ELEMENT_SIZE must be given"
#endif

#if ELEMENT_SIZE == 1 || ELEMENT_SIZE == 2 || ELEMENT_SIZE == 4 || ELEMENT_SIZE == 8
#define PACK (16 / ELEMENT_SIZE)
typedef uint4 packet_words;
#define PACKET_HEAD(p) ((uint)(-(uintptr_t)(p)) % 16 / ELEMENT_SIZE)
#else
#define PACK 1
typedef ELEMENT packet_words;
#define PACKET_HEAD(p) 0u
#endif

typedef union {
    packet_words words;
    ELEMENT elements[PACK];
} packet;
