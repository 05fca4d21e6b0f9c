/* atomics.cl: add to a table's word while others do the same. The result is not used, which lets a compiler take an
 * instruction that sends none back.
 *
 * Parameters: slots.cl comes before. With 8-byte words the device has cl_khr_int64_base_atomics. */
#if WEIGHT_KIND == 2
/* There is no atomic addition of floats: try until nobody came in between. */
#define DEFINE_ADD(name, space)                                                                                        \
    static inline void name(volatile space WORD *table, uint slot, WORD amount)                                        \
    {                                                                                                                  \
        WORD before = table[slot];                                                                                     \
        for (;;) {                                                                                                     \
            const WORD seen = WORD_CMPXCHG(table + slot, before, word_sum(slot, before, amount));                      \
            if (seen == before)                                                                                        \
                return;                                                                                                \
            before = seen;                                                                                             \
        }                                                                                                              \
    }
#elif WEIGHT_KIND == 1
#define DEFINE_ADD(name, space)                                                                                        \
    static inline void name(volatile space WORD *table, uint slot, WORD amount)                                        \
    {                                                                                                                  \
        (void)WORD_ADD(table + slot, amount);                                                                          \
    }
#else
#define DEFINE_ADD(name, space)                                                                                        \
    static inline void name(volatile space WORD *table, uint slot, WORD amount)                                        \
    {                                                                                                                  \
        (void)WORD_INC(table + slot);                                                                                  \
    }
#endif

DEFINE_ADD(global_add, __global)
DEFINE_ADD(local_add, __local)
