/* device_scope.cl: how one work-group publishes memory to another within one kernel.
 *
 * Parameters: SUB_GROUP_MEANS (1: inline PTX may be used).
 *
 * The pattern is: device_store every word; device_fence; then an atomic on a flag or counter. The reader: the atomic;
 * device_fence; device_load every word. OpenCL C 1.2 has no fence of device scope; there, words travel by atomics,
 * which act where all work-groups see them, and the host only runs such kernels on devices whose atomics are known to
 * order memory (clprim_device_info.has_device_fence). */
#ifndef SUB_GROUP_MEANS
#error "SUB_GROUP_MEANS must be given"
#endif

#if SUB_GROUP_MEANS == 1
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
static inline void device_fence(void)
{
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
}
#else
static inline void device_store(volatile __global uint *p, uint x)
{
    (void)atomic_xchg(p, x);
}
static inline uint device_load(volatile __global uint *p)
{
    return atomic_or(p, 0u);
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
