// SPDX-License-Identifier: MIT
/* target.cl: where the first k and what is carried along are written. TARGET makes it of a kernel's arguments.
 * Parameters: KEY; CARRIED_SIZE; CARRIED if that is not 0. */
#if !defined(KEY) || !defined(CARRIED_SIZE)
#error "KEY and CARRIED_SIZE must be given"
#endif

typedef struct {
    __global KEY *keys;
#if CARRIED_SIZE
    const __global CARRIED *carried_in;
    __global CARRIED *carried;
#endif
} target;

#if CARRIED_SIZE
#define TARGET                                                                                                         \
    (target)                                                                                                           \
    {                                                                                                                  \
        keys_out + args.keys_out_offset, carried_in + args.carried_in_offset, carried_out + args.carried_out_offset    \
    }
#else
#define TARGET                                                                                                         \
    (target)                                                                                                           \
    {                                                                                                                  \
        keys_out + args.keys_out_offset                                                                                \
    }
#endif
