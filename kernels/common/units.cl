/* units.cl: elements as units, the largest powers of two of bytes that their size is a multiple of and that load at
 * once: 12 bytes are three units of 4, 48 are three of 16. Offsets count in elements, so units are aligned.
 *
 * Parameters: UNIT, a type of 1, 2, 4, 8 or 16 bytes; UNITS, how many an element has; INDEX, an unsigned integer that
 * holds an element's place. */
#if !defined(UNIT) || !defined(UNITS) || !defined(INDEX)
#error "UNIT, UNITS and INDEX must be given"
#endif
