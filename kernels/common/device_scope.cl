/* device_scope.cl: how one work-group publishes memory to another within one kernel.
 *
 * Parameters: CLPRIM_SUB_GROUP_MEANS (1: inline PTX may be used); INT64_ATOMICS (cl_khr_int64_base_atomics); FALLBACK.
 *
 * TAGGED_WORDS: TAGGED_BITS bits and a tag travel in one tagged_word by one access, which cannot be torn: who reads the
 * tag has the bits, and no fence is needed. Words of 64 bits hold 32 and a tag of 32: by a relaxed access in PTX,
 * elsewhere by 64-bit atomics. With FALLBACK there are tagged words on every device: without 64-bit atomics, words of
 * 32 bits hold 16 and a tag of 16. tagged_offer(p, stale, tag, bits) stores only where *p is still `stale`: it never
 * replaces what another group has stored since.
 * Without: device_store every word; device_fence; then an atomic on a counter or flag. The reader: the atomic;
 * device_fence; device_load every word. OpenCL C 1.2 has no fence of device scope; there, words travel by atomics,
 * which act where all work-groups see them, and the host runs such kernels only on devices whose atomics are known to
 * order memory (clprim_device_info.has_device_fence).
 * device_peek(p): as device_load, but it may return what was there at some earlier time since the kernel began. Where
 * device_load is an atomic, this is an ordinary load, which costs less; no word of 32 bits is ever half written. */
#if !defined(CLPRIM_SUB_GROUP_MEANS) || !defined(INT64_ATOMICS) || !defined(FALLBACK)
#error "CLPRIM_SUB_GROUP_MEANS, INT64_ATOMICS and FALLBACK must be given"
#endif

#if CLPRIM_SUB_GROUP_MEANS == 1 || INT64_ATOMICS
#define TAGGED_WORDS 1
#define TAGGED_BITS  32
typedef ulong tagged_word;
#elif FALLBACK
#define TAGGED_WORDS 1
#define TAGGED_BITS  16
typedef uint tagged_word;
#else
#define TAGGED_WORDS 0
#endif

#if CLPRIM_SUB_GROUP_MEANS == 1
static inline void tagged_store(__global ulong *p, uint tag, uint word)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"((ulong)tag << 32 | word) : "memory");
}
/* Tag in the upper half, word in the lower. */
static inline ulong tagged_load(__global ulong *p)
{
    ulong x;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
    return x;
}
static inline void tagged_offer(__global ulong *p, ulong stale, uint tag, uint word)
{
    ulong x;
    asm volatile("atom.relaxed.gpu.global.cas.b64 %0, [%1], %2, %3;"
                 : "=l"(x)
                 : "l"(p), "l"(stale), "l"((ulong)tag << 32 | word)
                 : "memory");
}
static inline void device_store(volatile __global uint *p, uint x)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(x) : "memory");
}
static inline uint device_load(volatile __global uint *p)
{
    uint x;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(x) : "l"(p) : "memory");
    return x;
}
static inline uint device_peek(volatile __global uint *p)
{
    return device_load(p);
}
static inline void device_fence(void)
{
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
#elif INT64_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
static inline void tagged_store(__global ulong *p, uint tag, uint word)
{
    (void)atom_xchg((volatile __global ulong *)p, (ulong)tag << 32 | word);
}
static inline ulong tagged_load(__global ulong *p)
{
    return atom_add((volatile __global ulong *)p, 0ul);
}
static inline void tagged_offer(__global ulong *p, ulong stale, uint tag, uint word)
{
    (void)atom_cmpxchg((volatile __global ulong *)p, stale, (ulong)tag << 32 | word);
}
#elif TAGGED_WORDS
static inline void tagged_store(__global uint *p, uint tag, uint bits)
{
    (void)atomic_xchg((volatile __global uint *)p, tag << 16 | bits);
}
static inline uint tagged_load(__global uint *p)
{
    return atomic_or((volatile __global uint *)p, 0u);
}
static inline void tagged_offer(__global uint *p, uint stale, uint tag, uint bits)
{
    (void)atomic_cmpxchg((volatile __global uint *)p, stale, tag << 16 | bits);
}
#endif

#if CLPRIM_SUB_GROUP_MEANS != 1
static inline void device_store(volatile __global uint *p, uint x)
{
    (void)atomic_xchg(p, x);
}
static inline uint device_load(volatile __global uint *p)
{
    return atomic_or(p, 0u);
}
static inline uint device_peek(volatile __global uint *p)
{
    return *p;
}
static inline void device_fence(void)
{
#if __OPENCL_C_VERSION__ >= 200
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
#else
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
}
#endif
