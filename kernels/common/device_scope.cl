/* device_scope.cl: how one work-group publishes memory to another within one kernel.
 *
 * Parameters: SUB_GROUP_MEANS (1: inline PTX may be used); INT64_ATOMICS (cl_khr_int64_base_atomics).
 *
 * TAGGED_WORDS: a word and a tag travel in one 64-bit access, which cannot be torn: who reads the tag has the word, and
 * no fence is needed. By a relaxed access in PTX, elsewhere by 64-bit atomics.
 * Without: device_store every word; device_fence; then an atomic on a counter or flag. The reader: the atomic;
 * device_fence; device_load every word. OpenCL C 1.2 has no fence of device scope; there, words travel by atomics, which
 * act where all work-groups see them, and the host runs such kernels only on devices whose atomics are known to order
 * memory (clprim_device_info.has_device_fence).
 * device_peek(p): as device_load, but it may return what was there at some earlier time since the kernel began. Where
 * device_load is an atomic, this is an ordinary load, which costs less; no word of 32 bits is ever half written. */
#if !defined(SUB_GROUP_MEANS) || !defined(INT64_ATOMICS)
#error "SUB_GROUP_MEANS and INT64_ATOMICS must be given"
#endif

#if SUB_GROUP_MEANS == 1
#define TAGGED_WORDS 1
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
#define TAGGED_WORDS 1
static inline void tagged_store(__global ulong *p, uint tag, uint word)
{
    (void)atom_xchg((volatile __global ulong *)p, (ulong)tag << 32 | word);
}
static inline ulong tagged_load(__global ulong *p)
{
    return atom_add((volatile __global ulong *)p, 0ul);
}
#else
#define TAGGED_WORDS 0
#endif

#if SUB_GROUP_MEANS != 1
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
