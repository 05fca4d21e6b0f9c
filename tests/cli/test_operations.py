"""`clprim operations` says what the operations' tables say, all of it."""
import ctypes

import tool
from clprim import _c, _operations


def text(value):
    return value.decode() if value is not None else None


def given(**members):
    """Those that JSON has, for others are left out."""
    return {name: value for name, value in members.items() if value}


def of_members(size, rows):
    return {"size": size, "members": [
        {"name": text(row.name), "summary": text(row.summary), "kind": _c.MEMBER_KINDS[row.kind], "place": row.place,
         "size": row.size, **given(enumerators=row.enumerators and [
             {"name": text(one.name), "value": one.value} for one in _operations._until_null(row.enumerators)],
             repeat=row.repeat, in_place_of=text(row.in_place_of), counted_by=text(row.counted_by),
             optional=row.is_optional, partial=row.is_partial)}
        for row in _operations._until_null(rows)]}


def of_variants(row):
    count = ctypes.c_size_t()
    variants = row.variants(ctypes.byref(count)) if row.variants else []
    names = ("name", "summary", "needs", "origin")
    return [{**{name: text(getattr(variants[i], name)) for name in names}, "value": variants[i].id,
             "keeps_order": variants[i].keeps_order} for i in range(count.value)]


class Operations(tool.Case):
    def test_operations_are_those_of_the_library_with_all_members_and_variants(self):
        said = self.json("operations")
        count = ctypes.c_size_t()
        rows = self.library().clprim_operations(ctypes.byref(count))
        rows = [rows[i].contents for i in range(count.value)]
        self.assertEqual(said, {"command": "operations", "operations": [
            {"name": text(row.name), "summary": text(row.summary), "desc": of_members(row.desc_size, row.desc_members),
             "call": of_members(row.call_size, row.call_members), "variants": of_variants(row)} for row in rows]})

    def test_operations_are_listed_without_a_device(self):
        """With what the JSON says, in the same order."""
        lines = []
        for operation in self.json("operations")["operations"]:
            lines.append(f"{operation['name']:<18} {operation['summary']}")
            for part in ("desc", "call"):
                lines += [f"  {part:<8} {row['name']:<20} {row['kind']:<10} {row['summary']}"
                          for row in operation[part]["members"]]
            lines += [f"  variant  {row['name']:<20} {'':<10} {row['summary']}" for row in operation["variants"]]
        self.prints("\n".join(lines) + "\n", "operations", variables={"CLPRIM_DEVICE": "no such device"})
