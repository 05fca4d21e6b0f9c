/* items.cl: elements, the values that go with them, and which of two comes first.
 *
 *   item                          an element, with its value where there are values; elements of built-in types as their
 *                                 images: unsigned integers in the elements' order
 *   before(x, y)                  must x come before y?
 *   pick(which, x, y)             x or y
 *   load, store                   of an array in global memory
 *   LOCAL_ARRAY(name, count)      an array in local memory; with local_load, local_store
 *   array_from, local_from        what begins with element i of an array, of either kind. Where loops are unrolled, places in it are
 *                                 constants, which a compiler can leave to the instructions that load and store
 *
 * Parameters: the prelude (lib/runtime/program/order.h), with ELEMENT; CUSTOM, and where it is 1 LESS(a, b), the caller's order of
 * two ELEMENTs, else ELEMENT_BITS and ELEMENT_KIND: 0 unsigned, 1 signed, 2 floats, as their bits, 3 floats with all NaNs
 * last; DESCENDING; VALUE, where each element has one (VALUE_SIZE not 0); INDEX, an unsigned integer in which elements can be
 * counted. */
#if !defined(ELEMENT) || !defined(CUSTOM) || !defined(DESCENDING) || !defined(VALUE_SIZE) || !defined(INDEX)
#error "ELEMENT, CUSTOM, DESCENDING, VALUE_SIZE and INDEX must be given"
#endif
#if (CUSTOM && !defined(LESS)) || (!CUSTOM && (!defined(ELEMENT_BITS) || !defined(ELEMENT_KIND)))
#error "LESS must be given, or ELEMENT_BITS and ELEMENT_KIND"
#endif

#if CUSTOM
#define IMAGE_OF(x) (x)
#define ELEMENT_OF(x) (x)
#define KEY_BEFORE(x, y) (DESCENDING ? LESS(y, x) : LESS(x, y))
#else
#define LAST_IMAGE ((ELEMENT) ~(ELEMENT)0) /* none comes after it */
#define SIGN ((ELEMENT)((ELEMENT)1 << (ELEMENT_BITS - 1)))
#define FLIP ((ELEMENT)(DESCENDING ? LAST_IMAGE : 0))
#if ELEMENT_KIND == 2 /* of floats all bits where they are negative, else the sign; downwards then all once more */
#define IMAGE_OF(x) ((ELEMENT)((x) ^ (((x)&SIGN) != 0 ? LAST_IMAGE : SIGN) ^ FLIP))
#define ELEMENT_OF(x) ((ELEMENT)((x) ^ FLIP ^ ((((x) ^ FLIP) & SIGN) != 0 ? SIGN : LAST_IMAGE)))
#elif ELEMENT_KIND == 3 /* the same, rotated so that the negative NaNs, the first of all, come behind the positive ones */
#define NEGATIVE_NANS ((ELEMENT)(ELEMENT_BITS == 16 ? 0x3ff : ELEMENT_BITS == 32 ? 0x7fffff : 0xffffffffffffful))
#define TOTAL_IMAGE(x) ((ELEMENT)((ELEMENT)((x) ^ FLIP) + NEGATIVE_NANS))
#define IMAGE_OF(x) ((ELEMENT)((ELEMENT)(((x) ^ (((x)&SIGN) != 0 ? LAST_IMAGE : SIGN)) - NEGATIVE_NANS) ^ FLIP))
#define ELEMENT_OF(x) ((ELEMENT)(TOTAL_IMAGE(x) ^ ((TOTAL_IMAGE(x) & SIGN) != 0 ? SIGN : LAST_IMAGE)))
#elif ELEMENT_KIND == 1
#define IMAGE_OF(x) ((ELEMENT)((x) ^ SIGN ^ FLIP))
#define ELEMENT_OF(x) IMAGE_OF(x)
#else
#define IMAGE_OF(x) ((ELEMENT)((x) ^ FLIP))
#define ELEMENT_OF(x) IMAGE_OF(x)
#endif
#define KEY_BEFORE(x, y) ((x) < (y))
#endif

/* An array as a kernel is handed it, `name` before each of its parameters; two of them, where one is read first. Names
 * that are glued together begin with clprim__, since lib/runtime/program/names.h cannot see them. */
#define ARRAY_PART(name, part) clprim__##name##_##part
#if VALUE_SIZE
#define ARRAY_PARAMETERS(name)                                                                                         \
    __global ELEMENT *ARRAY_PART(name, keys), ulong ARRAY_PART(name, keys_offset),                                     \
        __global VALUE *ARRAY_PART(name, values), ulong ARRAY_PART(name, values_offset)
#define ARRAY(name)                                                                                                    \
    (array)                                                                                                            \
    {                                                                                                                  \
        ARRAY_PART(name, keys) + ARRAY_PART(name, keys_offset),                                                        \
            ARRAY_PART(name, values) + ARRAY_PART(name, values_offset)                                                 \
    }
#define LOCAL_ARRAY(name, count)                                                                                       \
    __local ELEMENT ARRAY_PART(name, keys)[count];                                                                     \
    __local VALUE ARRAY_PART(name, values)[count];                                                                     \
    const local_array name = {ARRAY_PART(name, keys), ARRAY_PART(name, values)}
typedef struct {
    ELEMENT key;
    VALUE value;
} item;
typedef struct {
    __global ELEMENT *keys;
    __global VALUE *values;
} array;
typedef struct {
    __local ELEMENT *keys;
    __local VALUE *values;
} local_array;
#define KEY_OF(x) ((x).key)
#else
#define ARRAY_PARAMETERS(name) __global ELEMENT *ARRAY_PART(name, keys), ulong ARRAY_PART(name, keys_offset)
#define ARRAY(name)                                                                                                    \
    (array)                                                                                                            \
    {                                                                                                                  \
        ARRAY_PART(name, keys) + ARRAY_PART(name, keys_offset)                                                         \
    }
#define LOCAL_ARRAY(name, count)                                                                                       \
    __local ELEMENT ARRAY_PART(name, keys)[count];                                                                     \
    const local_array name = {ARRAY_PART(name, keys)}
typedef ELEMENT item;
typedef struct {
    __global ELEMENT *keys;
} array;
typedef struct {
    __local ELEMENT *keys;
} local_array;
#define KEY_OF(x) (x)
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
    return z;
}

static inline item load(array a, INDEX i)
{
    item x;
    KEY_OF(x) = IMAGE_OF(a.keys[i]);
#if VALUE_SIZE
    x.value = a.values[i];
#endif
    return x;
}

static inline void store(array a, INDEX i, item x)
{
    a.keys[i] = ELEMENT_OF(KEY_OF(x));
#if VALUE_SIZE
    a.values[i] = x.value;
#endif
}

static inline item local_load(local_array a, uint i)
{
    item x;
    KEY_OF(x) = a.keys[i];
#if VALUE_SIZE
    x.value = a.values[i];
#endif
    return x;
}

static inline void local_store(local_array a, uint i, item x)
{
    a.keys[i] = KEY_OF(x);
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

static inline local_array local_from(local_array a, uint i)
{
    a.keys += i;
#if VALUE_SIZE
    a.values += i;
#endif
    return a;
}
