// SPDX-License-Identifier: MIT
/* nvidia.h: the functions of OpenCL C that kernels use, in terms of clang's builtins for nvptx64, as NVIDIA's driver has
 * them. nvidia.py and run.py put this file in front of each program. A program that calls another function does not compile:
 * add the function here. */
#define NV_INLINE    __attribute__((overloadable, always_inline)) static
#define as_char(x)   __builtin_astype((x), char)
#define as_uchar(x)  __builtin_astype((x), uchar)
#define as_short(x)  __builtin_astype((x), short)
#define as_ushort(x) __builtin_astype((x), ushort)
#define as_int(x)    __builtin_astype((x), int)
#define as_uint(x)   __builtin_astype((x), uint)
#define as_long(x)   __builtin_astype((x), long)
#define as_ulong(x)  __builtin_astype((x), ulong)
#define as_float(x)  __builtin_astype((x), float)
#define as_double(x) __builtin_astype((x), double)

/* The driver keeps the global offset in envreg3. Kernels have groups of one dimension. */
NV_INLINE size_t get_local_id(uint d)
{
    return d == 0 ? __nvvm_read_ptx_sreg_tid_x() : 0;
}
NV_INLINE size_t get_group_id(uint d)
{
    return d == 0 ? __nvvm_read_ptx_sreg_ctaid_x() : 0;
}
NV_INLINE size_t get_local_size(uint d)
{
    return d == 0 ? __nvvm_read_ptx_sreg_ntid_x() : 1;
}
NV_INLINE size_t get_num_groups(uint d)
{
    return d == 0 ? __nvvm_read_ptx_sreg_nctaid_x() : 1;
}
NV_INLINE size_t get_global_size(uint d)
{
    return d == 0 ? (uint)(__nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x()) : 1;
}
NV_INLINE size_t get_global_id(uint d)
{
    uint offset;
    __asm__("mov.u32 %0, %%envreg3;" : "=r"(offset));
    return d == 0 ? (uint)(__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + offset +
                           __nvvm_read_ptx_sreg_tid_x())
                  : 0;
}

NV_INLINE void barrier(cl_mem_fence_flags flags)
{
    __syncthreads();
}

NV_INLINE void mem_fence(cl_mem_fence_flags flags)
{
    __asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
}

/* They become single instructions, without fences. */
#define NV_ATOMIC(name, type, x, value)                                                                                \
    NV_INLINE type name(volatile __global type *p x)                                                                   \
    {                                                                                                                  \
        return value;                                                                                                  \
    }                                                                                                                  \
    NV_INLINE type name(volatile __local type *p x)                                                                    \
    {                                                                                                                  \
        return value;                                                                                                  \
    }
#define NV_COMMA ,
#define NV_ATOMICS(prefix, type)                                                                                       \
    NV_ATOMIC(prefix##add, type, NV_COMMA type x, __sync_fetch_and_add(p, x))                                          \
    NV_ATOMIC(prefix##sub, type, NV_COMMA type x, __sync_fetch_and_sub(p, x))                                          \
    NV_ATOMIC(prefix##and, type, NV_COMMA type x, __sync_fetch_and_and(p, x))                                          \
    NV_ATOMIC(prefix##xchg, type, NV_COMMA type x, __sync_lock_test_and_set(p, x))                                     \
    NV_ATOMIC(prefix##inc, type, , __sync_fetch_and_add(p, (type)1))                                                   \
    NV_ATOMIC(prefix##dec, type, , __sync_fetch_and_sub(p, (type)1))                                                   \
    NV_ATOMIC(prefix##cmpxchg, type, NV_COMMA type x NV_COMMA type y, __sync_val_compare_and_swap(p, x, y))
NV_ATOMICS(atomic_, uint)
NV_ATOMICS(atomic_, int)
NV_ATOMICS(atom_, ulong)
NV_ATOMIC(atomic_or, uint, NV_COMMA uint x, __sync_fetch_and_or(p, x))
NV_ATOMIC(atomic_or, int, NV_COMMA int x, __sync_fetch_and_or(p, x))
NV_ATOMIC(atomic_xor, uint, NV_COMMA uint x, __sync_fetch_and_xor(p, x))
NV_ATOMIC(atomic_xor, int, NV_COMMA int x, __sync_fetch_and_xor(p, x))
NV_ATOMIC(atomic_min, uint, NV_COMMA uint x, __sync_fetch_and_umin(p, x))
NV_ATOMIC(atomic_max, uint, NV_COMMA uint x, __sync_fetch_and_umax(p, x))
NV_ATOMIC(atomic_min, int, NV_COMMA int x, __sync_fetch_and_min(p, x))
NV_ATOMIC(atomic_max, int, NV_COMMA int x, __sync_fetch_and_max(p, x))

#define NV_ORDER(type)                                                                                                 \
    NV_INLINE type min(type x, type y)                                                                                 \
    {                                                                                                                  \
        return x < y ? x : y;                                                                                          \
    }                                                                                                                  \
    NV_INLINE type max(type x, type y)                                                                                 \
    {                                                                                                                  \
        return x > y ? x : y;                                                                                          \
    }                                                                                                                  \
    NV_INLINE type clamp(type x, type least, type most)                                                                \
    {                                                                                                                  \
        return min(max(x, least), most);                                                                               \
    }
#define NV_INTEGERS(type)                                                                                              \
    NV_ORDER(type)                                                                                                     \
    NV_ORDER(type##2)                                                                                                  \
    NV_ORDER(type##4)                                                                                                  \
    NV_ORDER(type##8)                                                                                                  \
    NV_ORDER(type##16)                                                                                                 \
    NV_INLINE int convert_int(type x)                                                                                  \
    {                                                                                                                  \
        return (int)x;                                                                                                 \
    }                                                                                                                  \
    NV_INLINE uint convert_uint(type x)                                                                                \
    {                                                                                                                  \
        return (uint)x;                                                                                                \
    }                                                                                                                  \
    NV_INLINE uint convert_uint_rte(type x)                                                                            \
    {                                                                                                                  \
        return (uint)x;                                                                                                \
    }
NV_INTEGERS(char)
NV_INTEGERS(uchar)
NV_INTEGERS(short)
NV_INTEGERS(ushort)
NV_INTEGERS(int)
NV_INTEGERS(uint)
NV_INTEGERS(long)
NV_INTEGERS(ulong)

NV_INLINE uint popcount(uint x)
{
    return __builtin_popcount(x);
}
NV_INLINE ulong popcount(ulong x)
{
    return __builtin_popcountl(x);
}
NV_INLINE uint4 popcount(uint4 x)
{
    return (uint4)(popcount(x.x), popcount(x.y), popcount(x.z), popcount(x.w));
}
NV_INLINE uint clz(uint x)
{
    return x == 0 ? 32 : __builtin_clz(x);
}
NV_INLINE ulong clz(ulong x)
{
    return x == 0 ? 64 : __builtin_clzl(x);
}
NV_INLINE uint rotate(uint x, uint by)
{
    return x << (by & 31) | x >> (-by & 31);
}
NV_INLINE uint mul_hi(uint x, uint y)
{
    return (uint)((ulong)x * y >> 32);
}
NV_INLINE ulong mul_hi(ulong x, ulong y)
{
    return __nvvm_mulhi_ull(x, y);
}

NV_INLINE float fmin(float x, float y)
{
    return __nvvm_fmin_f(x, y);
}
NV_INLINE float fmax(float x, float y)
{
    return __nvvm_fmax_f(x, y);
}
NV_INLINE float sqrt(float x)
{
    return __nvvm_sqrt_approx_f(x);
}
NV_INLINE int isnan(float x)
{
    return __builtin_isnan(x);
}
NV_INLINE int isnan(double x)
{
    return __builtin_isnan(x);
}
NV_INLINE int isfinite(float x)
{
    return __builtin_isfinite(x);
}
NV_INLINE float convert_float_rte(float x)
{
    return x;
}
NV_INLINE int4 vload4(size_t at, const __global int *p)
{
    return (int4)(p[at * 4], p[at * 4 + 1], p[at * 4 + 2], p[at * 4 + 3]);
}
NV_INLINE float vload_half(size_t at, const half *p)
{
    return __builtin_load_halff(p + at);
}
NV_INLINE void vstore_half_rte(float x, size_t at, half *p)
{
    __builtin_store_halff(x, p + at);
}

#undef NV_ATOMIC
#undef NV_ATOMICS
#undef NV_COMMA
#undef NV_INLINE
#undef NV_INTEGERS
#undef NV_ORDER
