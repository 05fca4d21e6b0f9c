// SPDX-License-Identifier: MIT
/* device_scope.cl: how one work-group publishes memory to another within one kernel.
 *
 * There are three ways:
 * - On all devices, the tagged words of clprim/device/tagged_words.h.
 * - On all devices, atomics that return values, followed by a counter that depends on these, as in last_group.cl.
 * - On devices whose atomics are known to order memory (clprim_device_info.has_device_fence): device_store every word;
 *   device_fence; then an atomic on a counter or flag. The reader: the atomic; device_fence; device_load every word.
 *   OpenCL C 1.2 has no fence of device scope. There, words are written and read by atomics, which act where all
 *   work-groups see them.
 *
 * device_peek(p): like device_load, but it may return an earlier value, since the beginning of the kernel. If
 * device_load is an atomic, device_peek is an ordinary load, which costs less; words of 32 bits are never half written.
 *
 * Groups that wait for one another take numbers by clprim__draw_ticket of clprim/device/look_back.h.
 * Parameters: those of subgroup.cl and of clprim/device/look_back.h. */
#include "common/subgroup.cl"
#include "clprim/device/tagged_words.h"
#include "clprim/device/look_back.h"

#if CLPRIM_SUB_GROUP_MEANS == 1
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
#else
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
#if (__OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300) ||                                                     \
    (defined(__opencl_c_atomic_order_acq_rel) && defined(__opencl_c_atomic_scope_device))
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
#else
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
}
#endif
