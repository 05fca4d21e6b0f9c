#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Everyday scripts, as somebody who knows NumPy writes them, run with NumPy and then with clPRIM's functions in NumPy's
place: each gets the same values, shapes and dtypes. CTest runs it with CLPRIM_LIBRARY set."""
import concurrent.futures
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "bindings" / "python")]
import system_python

system_python.need("numpy")
import numpy

import clprim


class Swapped:
    """numpy, but with clPRIM's functions."""

    def __getattr__(self, name):
        return getattr(clprim if name in clprim.__all__ else numpy, name)


def columns(np):
    rng = np.random.default_rng(0)
    table = rng.normal(size=(1000, 5)).astype(np.float32)
    table[::50, 2] = np.nan
    yield np.median(table, axis=0), np.max(table, axis=0)
    good = table[~np.isnan(table[:, 2])]
    z = (good - np.mean(good, axis=0)) / np.std(good, axis=0, ddof=1)
    yield z, np.sum(np.abs(z) > 2, axis=0), np.any(z > 3), np.all(np.abs(z) < 9, axis=1), np.ptp(good, axis=0)
    yield np.dot(z.T, z) / (len(z) - 1), np.percentile(good, [5, 50, 95], axis=0)
    yield np.unravel_index(np.argmax(good), good.shape), np.argmin(good, axis=0)


def ranks(np):
    marks = np.array([88, 92, 75, 92, 60, 75, 99])
    order = np.argsort(-marks, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(marks)) + 1
    yield rank, np.argsort(order)
    different, which = np.unique(marks, return_inverse=True)
    yield len(different) - which, np.searchsorted(np.sort(marks), marks, side="right") / len(marks)
    yield np.sort(marks)[::-1][:3], np.partition(marks, len(marks) // 2)[len(marks) // 2]


def picture(np):
    image = (np.add.outer(np.arange(64), np.arange(80)) * 7 % 251).astype(np.uint8)
    counts, edges = np.histogram(image, bins=256, range=(0, 256))
    shares = np.cumsum(counts) / image.size
    yield counts, edges, np.take(np.round(shares * 255).astype(np.uint8), image)
    yield np.bincount(image.ravel(), minlength=256), np.histogram(image / 255, bins="auto")
    yield np.histogram2d(image[:, :-1].ravel(), image[:, 1:].ravel(), bins=16)


def words(np):
    text = "the cat and the dog and the bird and a cat".split()
    dictionary, counts = np.unique(text, return_counts=True)
    top = np.argsort(-counts, kind="stable")[:3]
    yield dictionary[top], counts[top], np.lexsort((dictionary, -counts)), np.sort(text)


def balance(np):
    amounts = np.array([100, -20.5, 3.25, -50, 10])
    account = np.cumsum(amounts)
    yield account, np.min(account), np.argmin(account), np.flatnonzero(account < 40), np.diff(account, prepend=0)
    yield np.cumprod(1 + amounts / 1000), np.cumsum(amounts > 0), np.sum(amounts, where=amounts < 0), np.sum(amounts[:0])


def groups(np):
    rng = np.random.default_rng(1)
    group, x = rng.integers(0, 5, 200), rng.random(200)
    for each in np.unique(group):
        yield np.percentile(x[group == each], [25, 50, 75]), np.quantile(x[group == each], 0.9, method="nearest")
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    yield np.add.reduceat(x[order], starts), np.bincount(group, weights=x) / np.bincount(group)


def sets(np):
    a, b = [5, 3, 3, 9, 1], [3, 4, 5, 100]
    yield np.union1d(a, b), np.intersect1d(a, b, return_indices=True), np.setdiff1d(a, b), np.setxor1d(a, b), np.isin(a, b)
    yield np.isin(5, b), np.setdiff1d(np.arange(10), [1, 2]), np.unique([[1, 2], [1, 2], [3, 4]], axis=0), np.unique([])


def outliers(np):
    x = np.append(np.random.default_rng(3).normal(size=500), [50, -80])
    low, high = np.percentile(x, [25, 75])
    keep = (x >= low - 1.5 * (high - low)) & (x <= high + 1.5 * (high - low))
    yield np.compress(keep, x), np.extract(~keep, x), np.count_nonzero(keep), np.mean(keep), np.clip(x, low, high)
    yield np.median(np.abs(x - np.median(x))), np.var(x[keep]), np.mean(x, where=keep), np.flatnonzero(~keep)


def permutation_test(np):
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=40), rng.normal(0.5, size=50)
    pool = np.concatenate([a, b])
    mixed = np.array([rng.permutation(pool) for _ in range(200)])
    differences = np.mean(mixed[:, 40:], axis=1) - np.mean(mixed[:, :40], axis=1)
    yield np.mean(differences >= np.mean(b) - np.mean(a)), np.quantile(differences, [0.025, 0.975])


def bins(np):
    x = np.linspace(-1, 11, 60)
    edges = np.array([0, 2.5, 5, 10])
    number = np.digitize(x, edges)
    yield number, np.bincount(number, x ** 2, minlength=5), np.digitize(3, edges), np.digitize(x, edges[::-1], right=True)
    yield np.histogram(x, edges, weights=x ** 2), np.histogram(x, bins=5, density=True)
    yield np.histogramdd(np.c_[x, x ** 2], bins=(3, 4))
    order = np.argsort(number, kind="stable")
    yield np.add.reduceat(x[order], np.searchsorted(number[order], np.unique(number)))


def table(np):
    rows = np.array([("b", 2, 1.5), ("a", 2, 2.5), ("c", 1, 0.5)], dtype=[("name", "U1"), ("n", "i4"), ("x", "f8")])
    order = np.lexsort((rows["x"], rows["n"]))
    days = np.array(["2024-03-01", "NaT", "2023-01-05"], "M8[D]")
    yield np.sort(days), np.argsort(days), np.lexsort((rows["name"], rows["n"])), np.unique(days)
    yield np.take(rows["x"], order), rows[order]["n"], np.mean(rows["n"]), np.sum(rows["x"]), np.compress(rows["n"] > 1, rows)["x"]


def moving(np):
    x = np.arange(20.0) % 7
    total = np.cumsum(np.insert(x, 0, 0))
    yield (total[4:] - total[:-4]) / 4
    windows = np.lib.stride_tricks.sliding_window_view(x, 4)
    yield np.mean(windows, axis=1), np.max(windows, axis=-1), np.median(windows, axis=1), np.sort(windows[:, ::-1])
    yield np.sum(x.reshape(-1, 4), axis=-1, keepdims=True), np.std(np.broadcast_to(x, (3, 20)), axis=1), np.diff(x, 2)


class Everyday(unittest.TestCase):
    def same(self, ours, theirs):
        if isinstance(theirs, (tuple, list)):
            self.assertEqual(len(ours), len(theirs))
            for one, other in zip(ours, theirs):
                self.same(one, other)
            return
        ours, theirs = numpy.asarray(ours), numpy.asarray(theirs)
        self.assertEqual((ours.dtype, ours.shape), (theirs.dtype, theirs.shape))
        if theirs.dtype.kind == "f":
            numpy.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-5 if theirs.dtype == "f4" else 1e-12)
        else:
            numpy.testing.assert_array_equal(ours, theirs)

    def test_scripts(self):
        """By several threads: calls of clPRIM release Python's lock."""
        scripts = (columns, ranks, picture, words, balance, groups, sets, outliers, permutation_test, bins, table, moving)
        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            results = list(threads.map(lambda script: list(script(Swapped())), scripts))
        for script, result in zip(scripts, results):
            for place, (ours, theirs) in enumerate(zip(result, list(script(numpy)))):
                with self.subTest(script.__name__, part=place):
                    self.same(ours, theirs)


if __name__ == "__main__":
    unittest.main()
