// SPDX-License-Identifier: MIT
/* subgroup.cl: the sub-groups of clprim/device/sub_group.h in groups of GROUP_SIZE.
 *
 * SUBGROUP_SHUFFLE is defined if all sub-groups are full and have several work-items. Otherwise, kernels that rely on
 * shuffles may use local memory instead. SUBGROUP_GATHER: lanes can shuffle by lane numbers at no extra cost, not only
 * by a distance.
 *
 * Parameters: CLPRIM_SUB_GROUP_MEANS; GROUP_SIZE work-items in the work-group. */
#ifndef CLPRIM_SUB_GROUP_MEANS
#error "CLPRIM_SUB_GROUP_MEANS must be given"
#endif
#ifndef GROUP_SIZE
#error "GROUP_SIZE must be given"
#endif

#if CLPRIM_SUB_GROUP_MEANS > 1 && GROUP_SIZE < 4 /* nothing to gain, and PoCL 5 and 6 abort with such sub-groups */
#define CLPRIM__SUB_GROUPS_BY 0
#endif
#ifndef CLPRIM_GROUP_SIZE /* otherwise a caller's text has included the header, too */
#define CLPRIM_GROUP_SIZE GROUP_SIZE
#endif
#include "clprim/device/sub_group.h"

#if CLPRIM_SUB_GROUPS && (CLPRIM__SUB_GROUPS_BY != 1 || GROUP_SIZE % 32 == 0)
#define SUBGROUP_SHUFFLE 1
#if CLPRIM__SUB_GROUPS_BY == 1 || defined(CLPRIM__SHUFFLE)
#define SUBGROUP_GATHER 1
#endif
#endif
