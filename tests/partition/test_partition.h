// SPDX-License-Identifier: MIT
/* test_partition.h: one partition; test_partition.c defines the functions. */
#ifndef CLPRIM_TEST_PARTITION_H
#define CLPRIM_TEST_PARTITION_H

#include "cases.h"

/* Check a call that test_fill_turn has filled: element i is in part[i], where 2 is the rest. If the plan has flags,
 * they are set to match, and so is the first argument. */
void partition_check(test_call *self, test_struct *call, const uint8_t *part, const test_turn *turn);

#endif
