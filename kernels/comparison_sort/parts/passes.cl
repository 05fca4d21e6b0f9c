// SPDX-License-Identifier: MIT
/* passes.cl: how the launches of a merge sort communicate.
 *
 * A pass merges pairs of runs, from one array to the other. A search finds where a tile of the result begins in the two
 * runs. If the caller's order is inconsistent, the tiles of a pass may not fit together. A group that detects this sets
 * the pass's flag, and later passes return to the array that was read, which still has all elements. So the result is a
 * permutation, whatever LESS returns. Orders of built-in types need no flags for that (HAS_FLAGS 0). merges.cl also
 * uses the flags as counters.
 *
 *   FLAGS                  in scratch memory: one for each pass, and one before the first
 *   CLEAR_FLAGS            used in the launch before the first pass
 *   STATE_BEFORE, SET_STATE
 *   LOCAL_CHECK            local memory for serial merges (serial_merge.cl)
 *   HEED_COUNT(t, n)       end a group whose tile t is beyond n, which may be on the device (CALL_COUNT_0). Use it
 *                          before all barriers
 *
 * TWO_PATHS 1: a copy of the code is for complete tiles, and need not check whether elements exist. */
#if !defined(TWO_PATHS) || !defined(HAS_FLAGS)
#error "TWO_PATHS and HAS_FLAGS must be given"
#endif

enum {
    PASS_INTACT = 0,
    PASS_DAMAGED, /* the array that was written lacks elements; the array that was read has all of them */
    PASS_KEPT     /* after such a pass: all elements are there, and passes do not sort any more */
};

#ifdef CALL_COUNTED
#define HEED_COUNT(t, n)                                                                                               \
    if ((t).begin >= (n))                                                                                              \
        return;
#else
#define HEED_COUNT(t, n)
#endif

#if CUSTOM
#define LOCAL_CHECK(name) __local uint name[GROUP_SIZE + 1]
#define BROKEN(check)     (check)[GROUP_SIZE]
#else
#define LOCAL_CHECK(name) __local uint name[1]
#define BROKEN(check)     0
#endif

#if HAS_FLAGS
#define FLAGS ((__global uint *)(scratch + args.flags_at))
/* Used in the launch before the first pass, in which `flag` is the number of flags. */
#define CLEAR_FLAGS                                                                                                    \
    if (get_local_id(0) == 0)                                                                                          \
        for (uint i = (uint)get_group_id(0); i < args.flag; i += (uint)get_num_groups(0))                              \
            FLAGS[i] = PASS_INTACT;
/* The state before this pass. While a pass runs, only its own flag is written. */
#define STATE_BEFORE FLAGS[args.flag - 1]
/* Several groups may set it, all to the same value. */
#define SET_STATE(state) (void)atomic_xchg((volatile __global uint *)&FLAGS[args.flag], (uint)(state))
#else
#define CLEAR_FLAGS
#define STATE_BEFORE PASS_INTACT
#define SET_STATE(state)
#endif
