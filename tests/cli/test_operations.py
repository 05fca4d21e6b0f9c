# SPDX-License-Identifier: MIT
"""`clprim operations` prints all data of the operations' tables."""
import ctypes

import tool
from clprim import _c, _operations


def of(row, *names):
    """These members of a structure, with texts as Python has them."""
    values = [getattr(row, name) for name in names]
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in zip(names, values)}


def of_members(rows):
    for row in _operations._until_null(rows):
        enumerators = row.enumerators and [of(one, "name", "value") for one in _operations._until_null(row.enumerators)]
        given = {**of(row, "repeat", "in_place_of", "counted_by"), "optional": row.is_optional,
                 "partial": row.is_partial, "may_be_short": row.may_be_short, "enumerators": enumerators}
        yield {**of(row, "name", "summary", "place", "size"), "kind": _c.MEMBER_KINDS[row.kind],
               **{name: value for name, value in given.items() if value}}  # others are left out


def of_variants(row):
    count = ctypes.c_size_t()
    variants = row.variants(ctypes.byref(count)) if row.variants else []
    return [{**of(one, "name", "summary", "needs", "origin", "keeps_order"), "value": one.id}
            for one in variants[:count.value]]


class Operations(tool.Case):
    def test_operations_are_those_of_the_library_with_all_members_and_variants(self):
        said = self.json("operations")
        count = ctypes.c_size_t()
        rows = self.library().clprim_operations(ctypes.byref(count))
        rows = [rows[i].contents for i in range(count.value)]
        self.assertEqual(said, {"command": "operations", "operations": [
            {**of(row, "name", "summary"), "variants": of_variants(row),
             "desc": {"size": row.desc_size, "members": list(of_members(row.desc_members))},
             "call": {"size": row.call_size, "members": list(of_members(row.call_members))}} for row in rows]})

    def test_operations_are_listed_without_a_device(self):
        """With the data of the JSON, in the same order."""
        lines = []
        for operation in self.json("operations")["operations"]:
            lines.append(f"{operation['name']:<18} {operation['summary']}")
            for part in ("desc", "call"):
                lines += [f"  {part:<8} {row['name']:<20} {row['kind']:<10} {row['summary']}"
                          for row in operation[part]["members"]]
            lines += [f"  variant  {row['name']:<20} {'':<10} {row['summary']}" for row in operation["variants"]]
        self.prints("\n".join(lines) + "\n", "operations", variables={"CLPRIM_DEVICE": "no such device"})
