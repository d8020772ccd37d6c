# SPDX-License-Identifier: MIT
"""headlight-cli with maps that are made of several, or read another way round: against NumPy, and what it refuses.

Usage: test-cli-quantity.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import csv
import importlib.util
import io
import json
import pathlib
import sys

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(__file__).with_name("test-cli.py"))
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, SAMPLE, FIXTURES = test_cli.Case, test_cli.SAMPLE, test_cli.FIXTURES
h5py, numpy, needs_numpy = test_cli.h5py, test_cli.numpy, test_cli.needs_numpy

MEAN = ("--combine=mean",)
OVER_ALL = ("--combine=mean", "--combine-over=all")


def numbers_of(weights):
    """Entropy, distance and the weight on the first, of [query, key]."""
    distance = abs(numpy.arange(weights.shape[1])[None, :] - numpy.arange(weights.shape[0])[:, None])
    logs = numpy.log(numpy.where(weights > 0, weights, 1))
    return -(weights * logs).sum(-1).mean(), (weights * distance).sum(-1).mean(), weights[:, 0].mean()


@needs_numpy
class Stats(Case):
    def setUp(self):
        super().setUp()
        with h5py.File(SAMPLE) as file:
            self.maps = file["attention"][...].astype(float)

    def rows(self, *arguments):
        return json.loads(self.done("stats", SAMPLE, "--format=json", *arguments))

    def assert_numbers(self, row, weights):
        for name, number in zip(("entropy", "distance", "first"), numbers_of(weights)):
            self.assertAlmostEqual(row[name], number, delta=1e-5)

    def test_mean_of_heads(self):
        for option, heads in ((), slice(None)), (("--heads=0,2,5",), [0, 2, 5]), (("--heads=3-6",), slice(3, 7)):
            rows = self.rows(*MEAN, *option)
            self.assertEqual([(row["layer"], row["head"]) for row in rows], [(layer, "mean") for layer in range(6)])
            for row in rows:
                self.assert_numbers(row, self.maps[row["layer"], heads].mean(0))

    def test_over_layers(self):
        rows = self.rows("--combine=mean", "--combine-over=layers", "--layers=1,4-5")
        self.assertEqual([(row["layer"], row["head"]) for row in rows], [("mean", head) for head in range(12)])
        for row in rows:
            self.assert_numbers(row, self.maps[[1, 4, 5], row["head"]].mean(0))

    def test_over_all(self):
        (row,) = self.rows(*OVER_ALL)
        self.assertEqual((row["layer"], row["head"]), ("mean", "mean"))
        self.assert_numbers(row, self.maps.mean((0, 1)))

    def test_residual(self):
        """Rows of A + I, divided by their sum; the mean over heads is that of the mean."""
        def residual(weights):
            weights = weights + numpy.eye(weights.shape[-1])
            return weights / weights.sum(-1, keepdims=True)

        for row in self.rows("--quantity=residual"):
            self.assert_numbers(row, residual(self.maps[row["layer"], row["head"]]))
        for row in self.rows("--quantity=residual", *MEAN):
            self.assert_numbers(row, residual(self.maps[row["layer"]].mean(0)))

    def test_formats(self):
        table = self.done("stats", SAMPLE, *MEAN).splitlines()
        self.assertEqual(table[1].split()[:3], ["attention", "0", "mean"])
        rows = list(csv.DictReader(io.StringIO(self.done("stats", SAMPLE, "--combine=max", "--format=csv"))))
        self.assertEqual((rows[5]["layer"], rows[5]["head"]), ("5", "max"))
        self.assertAlmostEqual(float(rows[5]["first"]), self.maps[5].max(0)[:, 0].mean(), delta=1e-5)

    def test_not_of_weights(self):
        """What is transposed has keys for rows, what is subtracted a sign: neither has these numbers."""
        for direction in ("transposed", "asymmetry"):
            for row in self.rows("--direction", direction)[:3]:
                self.assertEqual({row[name] for name in ("entropy", "distance", "first", "self")}, {None})


class Render(Case):
    def texts(self, *arguments):
        """The caption of a figure as text of an SVG, and the rest of it."""
        figure = self.folder / "figure.svg"
        self.done("render", SAMPLE, "-o", figure, *arguments)
        return figure.read_bytes()

    def test_pictures_differ(self):
        seen = {}
        for options in ((), MEAN, ("--combine=max",), (*MEAN, "--heads=0,1"), OVER_ALL, (*OVER_ALL, "--layers=0,1"),
                        ("--combine=mean", "--combine-over=layers"), ("--direction=transposed",), ("--direction=asymmetry",),
                        (*MEAN, "--direction=asymmetry"), ("--quantity=residual",)):
            for view in ("head-view", "heatmap", "model-view"):
                picture = self.texts("--view", view, *options)
                self.assertNotIn(picture, seen, (options, seen.get(picture)))
                seen[picture] = options

    def test_several_heads_make_one(self):
        """A heatmap shows one map: that of one head, or of several that are combined."""
        figure = self.folder / "figure.png"
        self.done("render", SAMPLE, "-o", figure, "--view=heatmap", "--heads=0,2-5", *MEAN)
        self.misused("render", SAMPLE, "-o", figure, "--view=heatmap", "--heads=0,2", says="one head")
        self.misused("render", SAMPLE, "-o", figure, "--view=heatmap", "--heads=0,2", "--combine=mean", "--combine-over=layers",
                     says="one head")

    def test_asymmetry_of_cross_attention(self):
        """There is none: what is drawn is the attention itself."""
        plain, asymmetric = self.folder / "plain.png", self.folder / "asymmetric.png"
        cross = (FIXTURES / "encoder-decoder.h5", "--block=cross")
        self.done("render", *cross, "-o", plain)
        self.done("render", *cross, "-o", asymmetric, "--direction=asymmetry")
        self.assertEqual(plain.read_bytes(), asymmetric.read_bytes())

    def test_refused(self):
        figure = self.folder / "figure.png"
        for text in ("", "1,,2", "2-1", "a", "1-", "-1", "4096"):
            self.misused("render", SAMPLE, "-o", figure, *OVER_ALL, f"--layers={text}", says="--layers cannot be")
        for text in ("", "5-2", "1024"):
            self.misused("render", SAMPLE, "-o", figure, f"--heads={text}", says="--heads cannot be")
        self.misused("render", SAMPLE, "-o", figure, "--layers=1", says="--layers needs")
        self.misused("render", SAMPLE, "-o", figure, "--layers=1", *MEAN, says="--layers needs")
        self.misused("stats", SAMPLE, "--heads=1", says="--heads needs")
        self.misused("render", SAMPLE, "-o", figure, "--combine=product", says="none|mean|max|sum")
        self.fails("render", SAMPLE, "-o", figure, *OVER_ALL, "--layers=6", says="no layer 6; the last one is 5")
        self.fails("render", SAMPLE, "-o", figure, *MEAN, "--heads=12", says="no head 12 in layer 0; the last one is 11")
        self.fails("render", FIXTURES / "encoder-decoder.h5", "--block=cross", "-o", figure, "--quantity=residual",
                   says="the quantity needs queries and keys that are the same tokens, which this attention")
        self.assertFalse(figure.exists())


if __name__ == "__main__":
    sys.exit(test_cli.main())
