/* passes.cl: what the launches of a sort by merging tell each other.
 *
 * A pass merges runs by two, from one array to the other. Where in the two runs a tile of the result begins, is
 * searched; with an order that is none the tiles of a pass may then not fit together. A group that sees that says so in
 * the pass's flag, and later passes go back to the array that was read, whose elements are all there: what comes out is
 * a permutation whatever LESS says. Orders of built-in types need no flags for that (HAS_FLAGS 0); merges.cl counts in
 * them.
 *
 *   FLAGS                  in scratch memory, one for each pass and one before
 *   CLEAR_FLAGS            in the launch before the first pass
 *   STATE_BEFORE, SET_STATE
 *   LOCAL_CHECK            local memory that merges one by one take (serial_merge.cl)
 *   HEED_COUNT(t, n)       a group whose tile t lies behind n, which the device knows (CALL_COUNT_0), ends. Before
 *                          barriers
 *
 TWO_PATHS 1: tiles that are whole are dealt with in a copy of the code, which need not ask whether
 * elements are there. */
#if !defined(TWO_PATHS) || !defined(HAS_FLAGS)
#error "TWO_PATHS and HAS_FLAGS must be given"
#endif

enum {
    PASS_INTACT = 0,
    PASS_DAMAGED, /* the array that was written lacks elements; in the one that was read they are all */
    PASS_KEPT     /* after such a pass: all are there, and no order is looked for any more */
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
#endif

#if HAS_FLAGS
#define FLAGS ((__global uint *)(scratch + args.flags_at))
/* In the launch before the first pass, where `flag` is how many there are. */
#define CLEAR_FLAGS                                                                                                    \
    if (get_local_id(0) == 0)                                                                                          \
        for (uint i = (uint)get_group_id(0); i < args.flag; i += (uint)get_num_groups(0))                              \
            FLAGS[i] = PASS_INTACT;
/* Of the pass whose flag it is; flags of other passes than one's own are not written meanwhile. */
#define STATE_BEFORE FLAGS[args.flag - 1]
/* Several groups may, all of them the same. */
#define SET_STATE(state) (void)atomic_xchg((volatile __global uint *)&FLAGS[args.flag], (uint)(state))
#else
#define CLEAR_FLAGS
#define STATE_BEFORE PASS_INTACT
#define SET_STATE(state)
#endif
