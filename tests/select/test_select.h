// SPDX-License-Identifier: MIT
/* test_select.h: one selection; test_select.c defines the functions. */
#ifndef CLPRIM_TEST_SELECT_H
#define CLPRIM_TEST_SELECT_H

#include "cases.h"

/* Check a call that test_fill_turn has filled: the elements whose keep[i] is not 0 are selected. If the plan has flags,
 * they are set to match. */
void select_check(test_call *self, const test_struct *call, const uint8_t *keep, const test_turn *turn);

#endif
