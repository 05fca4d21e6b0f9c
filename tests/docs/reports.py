# SPDX-License-Identifier: MIT
"""Reports of `clprim self-test --report`: whether one is as it must be, and the row of docs/drivers.md that it makes.

docs/reports/NAME.json are those that were sent. `update_docs` (tables.py) writes their table."""
import json
import re

FOLDER = "docs/reports"
SPEEDS = ["reduce", "scan", "radix_sort"]
HEAD = ["report", "device", "driver", "clPRIM", "right", "wrong", *SPEEDS]

TEXT, COUNT, NUMBER, FLAG = str, int, (int, float), bool
PLAN = {"primitive": TEXT, "variant": TEXT, "plan": TEXT, "outcome": TEXT, "why": TEXT}
SPEED = {"primitive": TEXT, "variant": TEXT, "plan": TEXT, "count": COUNT, "seconds": NUMBER,
         "elements_per_second": NUMBER}
DEVICE = {**dict.fromkeys(("name", "vendor_name", "driver_version", "platform_name", "platform_version", "kind",
                           "vendor", "sub_group_means"), TEXT),
          **dict.fromkeys(("max_work_group_size", "local_memory_size", "global_memory_size", "max_allocation_size",
                           "base_address_alignment", "opencl_c_version", "compute_units", "sub_group_size"), COUNT),
          **dict.fromkeys(("has_int64_atomics", "has_fp64", "has_fp16", "has_denormals_f32", "has_warp_reduction",
                           "has_device_fence", "has_forward_progress", "starts_groups_in_order", "is_unified_memory",
                           "has_svm", "has_system_svm", "has_command_buffers"), FLAG)}
NUMBERS = dict.fromkeys(("right", "wrong", "unsupported", "programs_built", "programs_from_disk", "programs_rejected",
                         "cache_problems", "tuning_problems"), COUNT)
SCHEMA = {"report": COUNT, "clprim": TEXT, "quick": FLAG, "again": FLAG, "primitive": TEXT, "device": DEVICE,
          "opencl": dict, "environment": dict, "plans": [PLAN], "speeds": [SPEED], "set_aside": [TEXT],
          "numbers": NUMBERS, "error": TEXT}
PATH = re.compile(r"(?<![\w./~-])(?:~/|/[\w.~-])")  # from the root, or from a home


def has_kind(value, kind):
    return isinstance(value, kind) and (kind is FLAG or not isinstance(value, bool))


def misfits(value, kind, name):
    """Violations of the schema, as sentences. Members that are not in the schema are allowed."""
    if isinstance(kind, list):
        if not isinstance(value, list):
            return [f"{name} is no list"]
        return [found for i, each in enumerate(value) for found in misfits(each, kind[0], f"{name}[{i}]")]
    if isinstance(kind, dict):
        if not isinstance(value, dict):
            return [f"{name} is no object"]
        return [found for key, inner in kind.items()
                for found in (misfits(value[key], inner, f"{name}.{key}") if key in value
                              else [f"{name}.{key} is missing"])]
    return [] if has_kind(value, kind) else [f"{name} is {value!r}"]


def texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts(each)


def problems_of(report):
    """The errors of a report, as sentences."""
    found = misfits(report, SCHEMA, "report")
    if found:
        return found
    for outcome in ("right", "wrong", "unsupported"):
        count = sum(plan["outcome"] == outcome for plan in report["plans"])
        if count != report["numbers"][outcome]:
            found.append(f"{count} plans are {outcome}, not {report['numbers'][outcome]}")
    found += [f"{plan['variant']} of {plan['primitive']} is {plan['outcome']} without a reason, or for one"
              for plan in report["plans"] if (plan["outcome"] == "right") != (plan["why"] == "")]
    found += [f"the speed of {speed['primitive']} is none" for speed in report["speeds"]
              if speed["seconds"] <= 0 or speed["count"] <= 0]
    return found + [f"{text!r} has a path" for text in texts(report) if PATH.search(text)]


def speed_cell(report, primitive):
    speeds = [speed["elements_per_second"] for speed in report["speeds"] if speed["primitive"] == primitive]
    return f"{speeds[0] / 1e9:.3g}" if speeds else "–"


def cells_of(name, report):
    device, numbers = report["device"], report["numbers"]
    driver = f"{device['platform_name']} {device['driver_version']}"
    return [cell.replace("|", "/") for cell in (
        f"[{name}](reports/{name}.json)", device["name"], driver, report["clprim"], str(numbers["right"]),
        str(numbers["wrong"]), *(speed_cell(report, primitive) for primitive in SPEEDS))]


def rows(root):
    """Functions that make the rows of the table, by name. A report that is not valid is an error."""
    made = {}
    for path in sorted((root / FOLDER).glob("*.json")):
        report = json.loads(path.read_text())
        wrong = problems_of(report) + [f"it ended early: {report['error']}"] * bool(report.get("error"))
        if wrong:
            raise SystemExit("\n".join(f"{FOLDER}/{path.name}: {sentence}" for sentence in wrong))
        made[path.stem] = lambda _, cells=cells_of(path.stem, report): list(cells)
    return made
