/* fleeting.h: descriptions that are gone once create has returned: what they point to is the plan's own copy. */
#ifndef CLPRIM_TEST_FLEETING_H
#define CLPRIM_TEST_FLEETING_H

#include "describe.h"

/* clprim_<operation>_create with a copy of the description and of all that it points to, which is overwritten and freed
 * before this returns. */
clprim_status test_create_fleeting(clprim_plan **out, clprim_runtime *runtime, const clprim_operation *face,
                                   const test_struct *desc);

#endif
