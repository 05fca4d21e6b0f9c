// SPDX-License-Identifier: MIT
/* units.cl: divides elements into units: a unit has the largest power of two of bytes that divides the element's size
 * and can be loaded at once. 12 bytes are three units of 4, 48 bytes are three units of 16. Offsets count elements, so
 * units are aligned.
 *
 * Parameters: UNIT, a type of 1, 2, 4, 8 or 16 bytes; UNITS per element; INDEX, an unsigned integer type for the places
 * of elements. */
#if !defined(UNIT) || !defined(UNITS) || !defined(INDEX)
#error "UNIT, UNITS and INDEX must be given"
#endif
