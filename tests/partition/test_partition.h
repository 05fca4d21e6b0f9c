/* test_partition.h: one partition; test_partition.c has the functions. */
#ifndef CLPRIM_TEST_PARTITION_H
#define CLPRIM_TEST_PARTITION_H

#include "cases.h"

/* A call that test_fill_turn has filled: element i is in part[i], where 2 is the rest. Flags, if the plan has any, become
 * those that tell the same, and so does the first argument. */
void partition_check(test_call *self, test_struct *call, const uint8_t *part, const test_turn *turn);

#endif
