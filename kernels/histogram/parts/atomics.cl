/* atomics.cl: add to a table's word while others do the same. The result is not used, which lets a compiler take an
 * instruction that sends none back.
 *
 * Parameters: slots.cl comes before. With 8-byte words the device has cl_khr_int64_base_atomics. */
#if WEIGHT_KIND == 2
/* There is no atomic addition of floats: try until nobody came in between. */
#define ADD(table, slot, amount)                                                                                       \
    for (WORD before = table[slot];;) {                                                                                \
        const WORD seen = WORD_CMPXCHG(table + slot, before, word_sum(slot, before, amount));                          \
        if (seen == before)                                                                                            \
            return;                                                                                                    \
        before = seen;                                                                                                 \
    }
#elif WEIGHT_KIND == 1
#define ADD(table, slot, amount) (void)WORD_ADD(table + slot, amount)
#else
#define ADD(table, slot, amount) (void)WORD_INC(table + slot)
#endif

static inline void global_add(volatile __global WORD *table, uint slot, WORD amount)
{
    ADD(table, slot, amount);
}

static inline void local_add(volatile __local WORD *table, uint slot, WORD amount)
{
    ADD(table, slot, amount);
}
