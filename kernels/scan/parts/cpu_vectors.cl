/* cpu_vectors.cl: where VECTORS allows it, 16 elements at a time from an array or an expression, and 16 results.
 * Parameters: the operator's prelude and elements.cl. */
#if VECTORS
static inline VALUES(16) load_vector(const __global ELEMENT *in, ulong i)
{
#ifdef INPUT_AT
    ELEMENT x[16];
    for (uint l = 0; l < 16; l++)
        x[l] = INPUT_AT(i + l);
    return VALUES_OF(16, vload16(0, x));
#else
    return VALUES_OF(16, vload16(0, in + i));
#endif
}

/* A vector without an alignment is stored as a whole. vstore16 of PoCL 3.1 stores each 16 bytes of it alone. */
typedef struct {
    RESULTS(16) results;
} __attribute__((packed)) unaligned_results;

static inline void store_vector(__global OUTPUT *out, ulong i, VALUES(16) x)
{
#if HAS_OUTPUT
    RESULT results[16];
    vstore16(RESULTS_OF(16, x), 0, results);
    for (uint l = 0; l < 16; l++)
        out[i + l] = OUTPUT_OF(results[l], i + l);
#else
    ((__global unaligned_results *)(out + i))->results = RESULTS_OF(16, x);
#endif
}
#endif
