# SPDX-License-Identifier: MIT
"""Pages in a headless browser: lines, cells, colours, what is said, and that nothing is asked of a network.

Usage: test-page.py HEADLIGHT-CLI TESTS-FOLDER.  Prints TAP.
"""

import importlib.util
import json
import pathlib
import sys

import browser

spec = importlib.util.spec_from_file_location("test_cli", pathlib.Path(sys.argv[2]) / "cli" / "test-cli.py")
test_cli = importlib.util.module_from_spec(spec)
spec.loader.exec_module(test_cli)

Case, FIXTURES = test_cli.Case, test_cli.FIXTURES
SAMPLE = FIXTURES.parent.parent / "data" / "samples" / "minilm-time-flies.h5"


class Page(Case):
    def setUp(self):
        super().setUp()
        if browser.find() is None:
            self.skipTest("chromium is not installed: pages are not looked at in a browser")

    def page(self, source, *options):
        path = self.folder / "page.html"
        self.done("render", source, *options, "--output", path)
        return path

    def test_head_view(self):
        page = self.page(SAMPLE, "--layer=2", "--heads=5")
        answer = browser.ask(page, """
          const tokens = $$ (".hl-query"), keys = $$ (".hl-key");
          const caption = $ (".hl-caption").textContent;
          point (tokens[2], "pointerenter");
          const lines = $$ (".hl-middle svg line").map (line => Number (line.getAttribute ("stroke-opacity")));
          const hovered = { said: spoken (), numbers: $$ (".hl-key .hl-number").map (n => n.textContent),
                            dimmed: $ (".hl-middle canvas").classList.contains ("hl-dim") };
          point (tokens[2], "pointerleave");
          const left = $$ (".hl-middle svg line").length;
          point (keys[0], "pointerenter");
          const toKey = { lines: $$ (".hl-middle svg line").length, said: spoken () };
          point (keys[0], "pointerleave");
          return { title: document.title, caption, n: [tokens.length, keys.length], lines, hovered, left, toKey,
                   heads: $$ ("[role=gridcell]").length, rows: $$ ("[role=rowheader]").length,
                   listed: $$ (".hl-reading li").length };
        """)
        self.assertEqual(answer["title"], "time flies like an arrow / fruit flies like a banana")
        self.assertRegex(answer["caption"],
                         r"^attention weight · layer 2 · head 5 · first-token sink 0\.71 · lines to the strongest, 0\.\d\d$")
        self.assertEqual(answer["n"], [13, 13])
        self.assertEqual((answer["heads"], answer["rows"]), (72, 6))
        self.assertEqual(max(answer["lines"]), 1)
        self.assertTrue(1 <= len(answer["lines"]) <= 13)
        # As many as NumPy sees: lines whose weight is at least 1/255 of the strongest of the row.
        numbers = self.read(page, 2, 5)[2]
        self.assertEqual(len(answer["lines"]), sum(w >= max(numbers) / 255 for w in numbers))
        self.assertRegex(answer["hovered"]["said"], r"^“flies \(2\)” attends to \[CLS\] 0\.\d\d, ")
        self.assertRegex(answer["hovered"]["numbers"][0], r"^0\.\d\d$")
        self.assertTrue(answer["hovered"]["dimmed"])
        self.assertEqual(answer["left"], 0)
        self.assertEqual(answer["toKey"]["lines"], 13)
        self.assertTrue(answer["toKey"]["said"].startswith("“[CLS]” is attended to by "))
        self.assertEqual(answer["listed"], 12)

    def read(self, page, layer, head):
        """The numbers of a head, as another reader of the file finds them."""
        import base64
        import struct

        text = page.read_text(encoding="utf-8")
        start = text.index('class="headlight-attention">') + len('class="headlight-attention">')
        data = json.loads(text[start:text.index("</script>", start)])
        low, high = data["range"]
        one = next(one for one in data["layers"] if one["layer"] == layer)
        raw = base64.b64decode(one["numbers"])
        codes = struct.unpack(f"<{len(raw) // 2}H", raw)
        n = len(data.get("query_tokens", data.get("tokens")))
        m = len(data.get("key_tokens", data.get("tokens")))
        first = one["heads"].index(head) * n * m
        numbers = [low + (high - low) * code / data["steps"] if code <= data["steps"] else 0
                   for code in codes[first:first + n * m]]
        return [numbers[i * m:(i + 1) * m] for i in range(n)]

    def test_keyboard(self):
        answer = browser.ask(self.page(SAMPLE, "--layer=2", "--heads=5"), """
          const said = [];
          const go = (key, more) => { press (document.activeElement, key, more); said.push (spoken ()); };
          $ (".hl-query").focus ();
          said.push (spoken ());
          go ("ArrowDown");
          go ("ArrowRight");
          go ("End");
          go ("Enter");
          const pinned = $$ ("[role=option][aria-selected=true]").length;
          go ("Home");
          const kept = $$ ("[role=option][aria-selected=true]").length;
          go ("Escape");
          const freed = $$ ("[role=option][aria-selected=true]").length;
          $ ("[role=gridcell][aria-selected=true]").focus ();
          go ("ArrowRight");
          go ("ArrowDown");
          press (document.activeElement, "ArrowLeft", { ctrlKey: true });
          go (" ");
          const chosen = $$ ("[role=gridcell][aria-selected=true]").map (cell => cell.getAttribute ("aria-label"));
          $ (".hl-views [aria-checked=true]").focus ();
          go ("ArrowRight");
          const stops = $$ ("[tabindex='0'], button:not([tabindex='-1'])").length;
          $ (".hl-cells").focus ();
          go ("ArrowRight");
          go ("ArrowDown");
          return { said, pinned, kept, freed, chosen, stops, roles: $$ ("[role]").map (node => node.getAttribute ("role")),
                   unnamed: $$ ("button, [role=application], [role=grid], [role=radiogroup]").filter (
                     node => !node.textContent.trim () && !node.getAttribute ("aria-label")).length };
        """)
        said = answer["said"]
        self.assertTrue(said[0].startswith("“[CLS] (0)” attends to ") or said[0].startswith("“[CLS]” attends to "), said)
        self.assertTrue(said[1].startswith("“time” attends to "), said)
        self.assertTrue(said[2].startswith("“time” is attended to by "), said)
        self.assertTrue(said[3].startswith("“[SEP] (12)” is attended to by "), said)
        self.assertEqual(said[4], "[SEP] (12): pinned")
        self.assertEqual((answer["pinned"], answer["kept"], answer["freed"]), (1, 1, 0))
        self.assertIn("layer 2 · head 6 · ", said[7])
        self.assertIn("layer 3 · head 6 · ", said[8])
        self.assertEqual(answer["chosen"], ["layer 3 · head 5, first-token sink 0.77", "layer 3 · head 6, first-token sink 0.63"])
        self.assertIn("layer 3 · heads 5, 6 · ", said[9])
        self.assertIn("colours from 0 to 0.", said[10])
        self.assertRegex(said[11], r"^\[CLS\] → \[CLS\]: ")
        self.assertRegex(said[12], r"^time → \[CLS\]: ")
        self.assertEqual(answer["unnamed"], 0)
        self.assertIn("status", answer["roles"])

    def test_transposed(self):
        """An arrow leads from the token that attends, also where keys have the rows."""
        script = 'return $$ (".hl-reading li bdi").map (one => one.textContent);'
        pairs = [browser.ask(self.page(SAMPLE, "--layer=2", "--heads=5", f"--direction={direction}"), script)
                 for direction in ("as-is", "transposed")]
        self.assertEqual(len(pairs[0]), 12)
        self.assertEqual(set(pairs[1]), set(pairs[0]))

    def test_several_heads(self):
        """Each head has its colour of the program in both themes; a chip dims the others; stripes tell heads apart."""
        page = self.page(SAMPLE, "--layer=2", "--heads=5,0,1")
        script = """
          const colours = () => {
            const canvas = $ (".hl-middle canvas");
            const { data } = canvas.getContext ("2d").getImageData (0, 0, canvas.width, canvas.height);
            const found = new Set ();
            for (let i = 0; i < data.length; i += 4)
              if (data[i + 3] > 240)
                found.add ("#" + [0, 1, 2].map (c => data[i + c].toString (16).padStart (2, "0")).join (""));
            return [...found];
          };
          const all = colours ();
          const background = getComputedStyle ($ (".headlight-page")).backgroundColor;
          const chips = $$ (".hl-chips button");
          point (chips[1], "pointerenter");
          const one = colours ();
          point (chips[1], "pointerleave");
          point ($ (".hl-query"), "pointerenter");
          return { all, one, background, chips: chips.map (chip => chip.textContent),
                   chipColours: chips.map (chip => chip.style.getPropertyValue ("--colour")),
                   stripes: $$ (".hl-key .hl-stripes").map (node => node.children.length), said: spoken () };
        """
        palette = {False: {"0": "#265faa", "1": "#b15528", "5": "#0a99e1"}, True: {"0": "#1195ff", "1": "#e58822", "5": "#00d9ff"}}
        for dark, colours in palette.items():
            answer = browser.ask(page, script, dark=dark)
            self.assertEqual(answer["background"], "rgb(30, 30, 30)" if dark else "rgb(255, 255, 255)")
            self.assertEqual(answer["chips"], ["0", "1", "5"])
            self.assertEqual(answer["chipColours"], [colours[chip] for chip in answer["chips"]])
            self.assertTrue(self.has_near(answer["all"], colours["5"]))
            self.assertFalse(self.has_near(answer["one"], colours["5"]))
            self.assertTrue(self.has_near(answer["one"], colours["1"]))
            self.assertEqual(set(answer["stripes"]), {3})
            self.assertRegex(answer["said"], r"attends to head 0: .*; head 1: .*; head 5: ")

    @staticmethod
    def has_near(colours, wanted):
        """Whether one is that colour, but for what the edge of a line takes of it."""
        def parts(colour):
            return [int(colour[i:i + 2], 16) for i in (1, 3, 5)]
        return any(max(abs(a - b) for a, b in zip(parts(one), parts(wanted))) <= 24 for one in colours)

    def test_heatmap(self):
        """Cells have the colours of the program's map, and numbers where there is room."""
        page = self.page(SAMPLE, "--view=heatmap", "--layer=2", "--heads=5")
        numbers = self.read(page, 2, 5)
        answer = browser.ask(page, """
          const box = $ (".hl-cells"), canvas = $ ("canvas", box), bounds = box.getBoundingClientRect ();
          const at = (x, y) => point (box, "pointermove", { clientX: bounds.left + x, clientY: bounds.top + y });
          const found = [];
          for (let y = 1; y < bounds.height; y += 4)
            for (let x = 1; x < bounds.width; x += 4) {
              at (x, y);
              const text = spoken ();
              if ($$ ("svg rect", box).length === 3)
                found.push (text);
            }
          const rect = $$ ("svg rect", box).length;
          at (-5, -5);
          return { cells: [...new Set (found)].length, first: found[0], last: found[found.length - 1], rect,
                   gone: $$ ("svg rect", box).length, caption: $ (".hl-caption").textContent,
                   labels: [...$$ (".hl-scale span")].map (span => span.textContent) };
        """)
        # Pairs with repeated words are told apart by their positions.
        self.assertEqual(answer["cells"], 169)
        self.assertRegex(answer["first"], r"^\[CLS\] → \[CLS\]: 0\.\d\d$")
        self.assertTrue(answer["last"].startswith("[SEP] (12) → [SEP] (12): "))
        self.assertEqual((answer["rect"], answer["gone"]), (3, 0))
        self.assertEqual(answer["labels"][0], "0")
        self.assertEqual(answer["labels"][1], f"{max(map(max, numbers)):.2f}")

    def heatmap(self, *options, **document):
        """What the ends of the scale are, and each cell's colour, numbered in the order in which they are found."""
        source = self.folder / "heatmap.json"
        source.write_text(json.dumps(document), encoding="utf-8")
        return browser.ask(self.page(source, "--view=heatmap", *options), """
          const box = $ (".hl-cells"), bounds = box.getBoundingClientRect (), canvas = $ ("canvas", box);
          point (box, "pointermove", { clientX: bounds.right - 2, clientY: bounds.bottom - 2 });
          const [x, y, width, height] = ["x", "y", "width", "height"].map (
            name => Number ($$ ("svg rect", box)[2].getAttribute (name)));
          const data = JSON.parse ($ ("script.headlight-attention").textContent);
          const n = [data.query_tokens || data.tokens, data.key_tokens || data.tokens].map (tokens => tokens.length);
          const context = canvas.getContext ("2d"), colours = [], rows = [];
          for (let row = 0; row < n[0]; row++) {
            rows.push ([]);
            for (let column = 0; column < n[1]; column++) {
              const at = [x + (column - n[1] + 1) * width + 2, y + (row - n[0] + 1) * height + 2];
              const colour = context.getImageData (...at, 1, 1).data.join ();
              if (!colours.includes (colour))
                colours.push (colour);
              rows[row].push (colours.indexOf (colour));
            }
          }
          return { rows, ends: $$ (".hl-scale span:not(.hl-blank)").map (span => span.textContent) };
        """)

    def test_row_by_itself(self):
        """What is no number, where a row begins with it, takes nothing of the colours of the others."""
        answer = self.heatmap("--value-scale=row", attention=[[[[float("nan"), 0.5, 0], [0.25, 0, 0.125], [0, 0, 0]]]])
        none, top, zero, half = answer["rows"][0] + [answer["rows"][1][2]]
        self.assertEqual(answer["rows"], [[none, top, zero], [top, zero, half], [zero, zero, zero]])
        self.assertEqual(len({none, top, zero, half}), 4)
        self.assertEqual(answer["ends"], ["0", "1.00"])

    def test_off_diagonal(self):
        """The cells that are left out are those of a token with itself, whichever rows and columns are seen."""
        n, second = 4, 2
        weights = [[0.1] * n for _ in range(n)]
        for i in range(n):
            weights[i][i] = 0.7
        weights[1][3], weights[3][1], weights[0][1], weights[3][2] = 0.5, 0.4, 0.3, 0.2
        document = {"tokens": list("abcd"), "attention": [[weights]], "sentence_b_start": second}
        for options, end in (([], "0.50"), (["--sentences=aa"], "0.30"), (["--sentences=ab"], "0.50"), (["--sentences=ba"], "0.40"),
                             (["--sentences=bb"], "0.20"), (["--hidden=1"], "0.20")):
            answer = self.heatmap("--value-scale=off-diagonal", *options, **document)
            # Beyond the end is the diagonal, where there is one.
            self.assertEqual(answer["ends"], ["0", end if options == ["--sentences=ab"] or options == ["--sentences=ba"] else "≥ " + end], options)
        other = self.folder / "other.json"
        other.write_text(json.dumps({"tokens": ["a", "b"], "attention": [[[[0.1, 0.2], [0.4, 0.6]]]]}), encoding="utf-8")
        answer = self.heatmap("--value-scale=off-diagonal", f"--difference={other}", tokens=["a", "b"],
                              attention=[[[[0.9, 0.1], [0.2, 0.8]]]])
        self.assertEqual(answer["ends"], ["≤ −0.20", "0.20"])

    def test_cumulative(self):
        """Colours are those of the share of the row that keys hold that are no stronger; equal ones have the same."""
        weights = [[0.9, 0.1, 0], [0.6, 0.1, 0.3], [0.5, 0.5, 0]]
        answer = self.heatmap("--value-scale=cumulative", tokens=list("abc"), attention=[[weights]])
        (most, tenth, none), (top, other, more), halves = answer["rows"]
        self.assertEqual((top, other, halves), (most, tenth, [most, most, none]))
        self.assertEqual(len({most, tenth, none, more}), 4)
        self.assertEqual(answer["ends"], ["0", "1.00"])
        caption = browser.ask(self.folder / "page.html", 'return $ (".hl-caption").textContent;')
        self.assertTrue(caption.endswith(" · colours from 0 to 1.00: share of the row held by keys no stronger"), caption)

    def test_not_in_both(self):
        """What only one side has is called so, as in figures."""
        source, other = self.folder / "a.json", self.folder / "b.json"
        for path, tokens in ((source, ["x", "y"]), (other, ["x", "y", "z"])):
            n = len(tokens)
            path.write_text(json.dumps({"tokens": tokens, "attention": [[[[(row + 1) / n / 4] * n for row in range(n)]]]}), encoding="utf-8")
        answer = browser.ask(self.page(source, "--view=heatmap", f"--difference={other}"), """
          const box = $ (".hl-cells"), bounds = box.getBoundingClientRect ();
          point (box, "pointermove", { clientX: bounds.right - 3, clientY: bounds.bottom - 3 });
          return [spoken (), $$ (".hl-scale .hl-blank").map (node => node.textContent)];
        """)
        self.assertEqual(answer, ["z → z: not in both", ["not in both"]])

    def test_head_of_one_side(self):
        """Of several heads, that which only one side has takes no number of the others, and has no bar."""
        source, other = self.folder / "a.json", self.folder / "b.json"
        weights = [[0.75, 0.25], [0.5, 0.5]]
        source.write_text(json.dumps({"tokens": ["x", "y"], "attention": [[weights, weights]]}), encoding="utf-8")
        other.write_text(json.dumps({"tokens": ["x", "y"], "attention": [[[[0.25, 0.75], [0.5, 0.5]]]]}), encoding="utf-8")
        answer = browser.ask(self.page(source, "--heads=0,1", f"--difference={other}"), """
          const read = () => [spoken (), $$ (".hl-key .hl-number").map (node => node.textContent),
                              $$ (".hl-reading .hl-bar").map (bar => bar.getBoundingClientRect ().width > 0)];
          return $$ (".hl-query").map (query => {
            point (query, "pointerenter");
            return read ();
          });
        """)
        self.assertEqual(answer, [["“x” attends to head 0: x −0.50, y 0.50; head 1: not in both", ["−0.50", "0.50"],
                                   [True, False, True, False]],
                                  ["“y” attends to head 0: nothing; head 1: not in both", ["0", "0"], []]])

    def test_below_zero(self):
        """Numbers below zero that no file calls signed have colours of their own, as in figures, and no lines or bars, as in the program."""
        cases = (([[-10, -2], [-6, -4]], "linear", ["−10", "−2.00"], [[0, 1], [2, 3]]),
                 ([[-10, 2], [-4, 0]], "linear", ["−10", "2.00"], [[0, 1], [2, 3]]),
                 ([[-10, 2], [-10, -4]], "row", ["0", "1.00"], [[0, 1], [0, 0]]),
                 ([[3, -2], [-8, 9]], "off-diagonal", ["−8.00", "≥ −2.00"], [[0, 0], [1, 0]]),
                 ([[-9, 2], [1, 0.5]], "off-diagonal", ["≤ 0", "2.00"], [[0, 1], [2, 3]]),
                 ([[-10, -10], [-10, -10]], "linear", ["−10", "0"], [[0, 0], [0, 0]]),
                 ([[-10, 1], [10, 1]], "log", ["1.00", "10"], [[0, 0], [1, 0]]))
        for weights, scale, ends, rows in cases:
            answer = self.heatmap(f"--value-scale={scale}", tokens=["a", "b"], attention=[[weights]])
            self.assertEqual((answer["ends"], answer["rows"]), (ends, rows), (weights, scale))
        source = self.folder / "below.json"
        source.write_text(json.dumps({"tokens": ["a", "b"], "attention": [[[[-10, 2], [-4, 0]], [[0, 0], [0, 1]]]]}), encoding="utf-8")
        answer = browser.ask(self.page(source, "--heads=0"), """
          const pixels = canvas => canvas.getContext ("2d").getImageData (0, 0, canvas.width, canvas.height).data;
          const cell = pixels ($ (".hl-cell canvas")), n = cell.length / 4;
          const lines = pixels ($ (".hl-middle canvas")), width = $ (".hl-middle canvas").width;
          // Beside a query there is ink where one of its lines begins.
          const inked = $$ (".hl-query").map ((_, row) => {
            const height = lines.length / 4 / width / 2;
            for (let y = Math.floor (row * height); y < (row + 1) * height; y++)
              for (let x = 0; x < 4; x++)
                if (lines[4 * (y * width + x) + 3] > 0)
                  return true;
            return false;
          });
          point ($ (".hl-query"), "pointerenter");
          return { inked, focused: $$ (".hl-middle svg line title").map (title => title.textContent),
                   colours: new Set (Array.from ({ length: n }, (_, i) => cell.slice (4 * i, 4 * i + 3).join ())).size,
                   bars: $$ (".hl-reading .hl-bar").map (bar => Math.round (parseFloat (bar.style.width))) };
        """)
        self.assertEqual(answer, {"inked": [True, False], "focused": ["a → b: 2.00"], "colours": 4, "bars": [0, 20]})

    def test_no_difference(self):
        """What is the same on both sides has the colour of 0, and not of what is farthest below."""
        weights = [[0.9, 0.1], [0.2, 0.8]]
        other = self.folder / "other.json"
        # In the second layer is the greatest difference of the page.
        for own, scale, rows in ((weights, "linear", [[0, 0], [0, 0]]),
                                 ([[0.4, 0.1], [0.2, 0.8]], "off-diagonal", [[0, 1], [1, 1]])):
            other.write_text(json.dumps({"tokens": ["a", "b"], "attention": [[own], [[[0, 1], [1, 0]]]]}), encoding="utf-8")
            answer = self.heatmap(f"--value-scale={scale}", f"--difference={other}", tokens=["a", "b"],
                                  attention=[[weights], [weights]])
            self.assertEqual(answer["rows"], rows, scale)
            self.assertEqual(answer["ends"], ["−1.00", "1.00"], scale)

    def test_rectangles(self):
        """Where one side has far more tokens, cells are not squares: rows can be read, and the pointer finds what is under it."""
        words, frames = [f"word{i}" for i in range(12)], [f"{i * 0.02:.2f} s" for i in range(600)]
        source = self.folder / "sound.json"
        weights = [[1 if key == 40 * query else 0 for key in range(600)] for query in range(12)]
        source.write_text(json.dumps({"query_tokens": words, "key_tokens": frames, "attention": [[weights]]}), encoding="utf-8")
        answer = browser.ask(self.page(source, "--view=heatmap"), """
          const box = $ (".hl-cells"), bounds = box.getBoundingClientRect ();
          const at = (x, y) => point (box, "pointermove", { clientX: bounds.left + x, clientY: bounds.top + y });
          const read = () => ["x", "y", "width", "height"].map (name => Number ($$ ("svg rect", box)[2].getAttribute (name)));
          at (bounds.width - 2, bounds.height - 2);
          const last = spoken (), [x, y, width, height] = read ();
          const found = Array.from ({ length: 12 }, (_, i) => {
            at (x + (40 * i - 599 + 0.5) * width, y + (i - 11 + 0.5) * height);
            return spoken ();
          });
          return { found, last, width, height, whole: bounds.height };
        """)
        self.assertEqual(answer["found"], [f"word{i} → {i * 0.8:.2f} s: 1.00" for i in range(12)])
        self.assertEqual(answer["last"], "word11 → 11.98 s: 0")
        self.assertLess(answer["width"], 4)
        self.assertGreaterEqual(answer["height"], 14)
        self.assertGreater(answer["whole"], 12 * answer["height"])

    def test_spread(self):
        """Where one side has far more tokens, both are as long as one another; the frame that is pointed at and the strongest say their times."""
        words, frames = [f"word{i}" for i in range(12)], [f"{i * 0.02:.2f} s" for i in range(600)]
        source = self.folder / "sound.json"
        weights = [[1 if key == 40 * query else 0 for key in range(600)] for query in range(12)]
        source.write_text(json.dumps({"query_tokens": words, "key_tokens": frames, "attention": [[weights]]}), encoding="utf-8")
        answer = browser.ask(self.page(source), """
          const queries = $$ (".hl-query"), keys = $$ (".hl-key"), middle = $ (".hl-middle").getBoundingClientRect ();
          const end = tokens => tokens[tokens.length - 1].getBoundingClientRect ().bottom - middle.top;
          const seen = key => getComputedStyle ($ ("bdi", key)).visibility === "visible";
          const labelled = keys.filter (seen).map (key => $ ("bdi", key).textContent);
          point (queries[5], "pointerenter");
          const line = $ (".hl-middle svg line");
          const places = ["y1", "y2"].map (name => Number (line.getAttribute (name)));
          const named = keys.filter (key => key.classList.contains ("hl-named") && seen (key)).map (key => $ ("bdi", key).textContent);
          const numbers = keys.map (key => $ (".hl-number", key).textContent).filter (text => text !== "");
          point (queries[5], "pointerleave");
          return { height: middle.height, ends: [end (queries), end (keys)], labelled, places, named, numbers };
        """)
        height = answer["height"]
        for end in answer["ends"]:
            self.assertAlmostEqual(end, height, delta=2)
        self.assertLess(height, 1000)
        self.assertAlmostEqual(answer["places"][0], 5.5 / 12 * height, delta=0.5)
        self.assertAlmostEqual(answer["places"][1], 200.5 / 600 * height, delta=0.5)
        self.assertEqual((answer["named"], answer["numbers"]), (["4.00 s"], ["1.00"]))
        # Round seconds.
        self.assertEqual(answer["labelled"][:2], ["0.00 s", "0.50 s"])
        self.assertEqual(len(answer["labelled"]), 24)

    def test_two_texts(self):
        """A line stands before the second text, on either side where it begins there."""
        for options, expected in (([], [[7], [7]]), (["--hidden=k1"], [[7], [6]]), (["--sentences=ab"], [[], []])):
            answer = browser.ask(self.page(SAMPLE, *options), """
              const find = name => $$ (name).flatMap ((node, index) => node.classList.contains ("hl-second") ? [index] : []);
              return [find (".hl-query"), find (".hl-key")];
            """)
            self.assertEqual(answer, expected, options)

    def test_hostile_tokens(self):
        """Texts stay texts."""
        tokens = ["</script><script>throw 1</script>", "<!--", "-->", "\u2028\u2029", "<img src=http://example.org/x onerror=alert(1)>",
                  "&amp;", "", "\"'\\", "\x01\n\t", "שלום", "{list}", "b\U000e0041\U000e0042",
                  "\U0001f3f4\U000e0067\U000e0062\U000e007f", "a\u202eb\u2066c", "$&"]
        source = self.folder / "hostile.json"
        n = len(tokens)
        source.write_text(json.dumps({"tokens": tokens, "attention": [[[[1 / n] * n] * n]], "text": "</title><script>throw 2</script>\u202e"}),
                          encoding="utf-8")
        answer = browser.ask(self.page(source), """
          const labels = $$ (".hl-query bdi").map (node => node.textContent);
          $$ (".hl-query").forEach (node => point (node, "pointerenter"));
          return { labels, names: $$ (".hl-query").map (node => node.title), images: document.images.length,
                   title: $ ("h1").textContent, said: spoken () };
        """)
        self.assertEqual(len(answer["labels"]), n)
        self.assertEqual(answer["images"], 0)
        self.assertEqual(answer["labels"][0], tokens[0])
        self.assertEqual(answer["labels"][5:7] + answer["labels"][8:9], ["&amp;", "∅", "⟨0001⟩↵⇥"])
        self.assertEqual(answer["title"], "</title><script>throw 2</script>\ufffd")
        # What would turn a line round is shown.
        self.assertEqual(answer["labels"][3], "⟨2028⟩⟨2029⟩")
        self.assertEqual(answer["labels"][-2], "a⟨202E⟩b⟨2066⟩c")
        self.assertEqual(answer["labels"][-4], "b⟨E0041⟩⟨E0042⟩")
        self.assertEqual(answer["labels"][-3], tokens[-3])
        self.assertNotRegex("".join(answer["names"]), "[\u202e\u2066]")
        self.assertIn("“$&” attends to ", answer["said"])

    def test_arrows_of_right_to_left(self):
        """They point from the query to the key, whichever way these run."""
        source = self.folder / "hebrew.json"
        words = ["שלום", "עולם", "12"]
        source.write_text(json.dumps({"tokens": words, "attention": [[[[0, 0.9, 0], [0, 0, 0.8], [0.7, 0, 0]]]]}, ensure_ascii=False),
                          encoding="utf-8")
        answer = browser.ask(self.page(source), """
          const find = (node, word) => {
            const text = node.firstChild, range = document.createRange (), start = text.data.indexOf (word);
            range.setStart (text, start);
            range.setEnd (text, start + word.length);
            return range.getBoundingClientRect ().left;
          };
          const pairs = $$ (".hl-reading li bdi");
          return [["שלום", "עולם"], ["עולם", "12"], ["12", "שלום"]].map (
            ([query, key], i) => [find (pairs[i], query), find (pairs[i], "→"), find (pairs[i], key)]);
        """)
        for places in answer:
            self.assertEqual(places, sorted(places))

    def test_right_to_left_and_cross(self):
        answer = browser.ask(self.page(FIXTURES / "cross-only.h5"), """
          return { n: [$$ (".hl-query").length, $$ (".hl-key").length], caption: $ (".hl-caption").textContent };
        """)
        self.assertNotEqual(answer["n"][0], answer["n"][1])
        self.assertIn("cross", answer["caption"].lower())

    def test_difference(self):
        answer = browser.ask(self.page(SAMPLE, "--view=heatmap", f"--difference={SAMPLE}", "--other-layer=3"), """
          return { caption: $ (".hl-caption").textContent, labels: $$ (".hl-scale span").map (span => span.textContent) };
        """)
        self.assertIn("blue above zero, orange below", answer["caption"])
        self.assertEqual(answer["labels"][0], "−" + answer["labels"][1])

    def test_in_a_notebook(self):
        """A notebook puts the page into one of its own, twice: both work, and leave the rest alone."""
        page = self.page(SAMPLE, "--layer=2", "--heads=5")
        text = page.read_text(encoding="utf-8")
        notebook = self.folder / "notebook.html"
        notebook.write_text("<!DOCTYPE html><html><head><meta charset=\"utf-8\"></head><body><p id=other>x</p>"
                            f"<div>{text}</div><div>{text}</div></body></html>", encoding="utf-8")
        answer = browser.ask(notebook, """
          const pages = $$ (".headlight-page");
          return { pages: pages.length, made: pages.map (page => $$ (".hl-query", page).length),
                   other: getComputedStyle ($ ("#other")).backgroundColor, names: Object.keys (window).filter (
                     name => /page|maps|headlight/i.test (name) && name.startsWith ("hl") && name !== "hlTest") };
        """)
        self.assertEqual(answer["pages"], 2)
        self.assertEqual(answer["made"], [13, 13])
        self.assertEqual(answer["other"], "rgba(0, 0, 0, 0)")

    def test_contrast(self):
        """All text has the contrast that WCAG AA asks for, in both themes and in both views."""
        page = self.page(SAMPLE, "--layer=2", "--heads=0,5")
        script = """
          const parse = text => text.match (/[\\d.]+/g).map (Number);
          const light = c => c.slice (0, 3).map (v => v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)
                              .reduce ((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
          const ground = node => {
            for (let at = node; at; at = at.parentElement) {
              const colour = parse (getComputedStyle (at).backgroundColor);
              if (colour.length === 3 || colour[3] === 1)
                return colour;
            }
            return [255, 255, 255];
          };
          const measure = () => $$ (".headlight-page *").filter (node => !/^(SCRIPT|STYLE|NOSCRIPT|CANVAS)$/.test (node.tagName)
              && node.namespaceURI.endsWith ("xhtml") && [...node.childNodes].some (child => child.nodeType === 3 && child.data.trim ()))
            .map (node => {
              const a = light (parse (getComputedStyle (node).color)), b = light (ground (node));
              return [(Math.max (a, b) + 0.05) / (Math.min (a, b) + 0.05), node.className || node.tagName];
            }).sort ((a, b) => a[0] - b[0])[0];
          point ($$ (".hl-query")[1], "pointerenter");
          const lines = measure ();
          $ ("[data-view=heatmap]").click ();
          return [lines, measure ()];
        """
        for dark in (False, True):
            for least, where in browser.ask(page, script, dark=dark):
                self.assertGreaterEqual(least, 4.5, (dark, where))

    def test_many_tokens(self):
        """Of many lines the strongest are drawn, which the caption says; of one token all."""
        n = 200
        source = self.folder / "many.json"
        source.write_text(json.dumps({"attention": [[[[(1 + (i * 7 + j * 13) % 101) for j in range(n)] for i in range(n)]]]}))
        answer = browser.ask(self.page(source), """
          point ($$ (".hl-query")[3], "pointerenter");
          return { caption: $ (".hl-caption").textContent, lines: $$ (".hl-middle svg line").length };
        """)
        self.assertRegex(answer["caption"], r" · lines to the strongest, 101 · lines from 8\d(\.\d)? on, those of a token all$")
        self.assertEqual(answer["lines"], n)

    def test_very_many_tokens(self):
        """More than a function can be given as arguments: of one map, and of the heads of a layer together."""
        n = 150000
        source = self.folder / "long.json"
        source.write_text(json.dumps({"query_tokens": ["q"], "key_tokens": ["k"] * n, "attention": [[[[0.5] * (n - 1) + [1]]]]}),
                          encoding="utf-8")
        answer = browser.ask(self.page(source, "--view=heatmap"), """
          press ($ (".hl-cells"), "ArrowDown");
          return { end: $$ (".hl-scale span").pop ().textContent, listed: $ (".hl-reading .hl-number").textContent };
        """)
        self.assertEqual(answer, {"end": "1.00", "listed": "1.00"})
        source = self.folder / "heads.json"
        heads, keys = 100, 1500
        source.write_text(json.dumps({"query_tokens": ["q"], "key_tokens": ["k"] * keys,
                                      "attention": [[[[0.001] * (keys - 1) + [1]]] * heads]}), encoding="utf-8")
        answer = browser.ask(self.page(source, "--heads=all"), """
          point ($ (".hl-query"), "pointerenter");
          return { lines: $$ (".hl-middle svg line").length, last: $$ (".hl-key .hl-number").pop ().textContent };
        """)
        self.assertEqual(answer, {"lines": heads, "last": "1.00"})

    def test_weak(self):
        """Of weights that are next to nothing, lines and bars are parts of 0.01, and the caption says so."""
        source = self.folder / "weak.json"
        source.write_text(json.dumps({"attention": [[[[0.0008, 0.0004], [0.0001, 0.0002]]]]}))
        answer = browser.ask(self.page(source), """
          point ($$ (".hl-query")[0], "pointerenter");
          return { caption: $ (".hl-caption").textContent,
                   lines: $$ (".hl-middle svg line").map (line => Number (line.getAttribute ("stroke-opacity"))),
                   bars: $$ (".hl-reading .hl-bar").map (bar => parseFloat (bar.style.width)) };
        """)
        self.assertTrue(answer["caption"].endswith(" · lines to 0.010, the strongest <0.001"), answer)
        self.assertAlmostEqual(max(answer["lines"]), 0.08, delta=0.002)
        self.assertAlmostEqual(max(answer["bars"]), 8, delta=0.2)

    def test_narrow(self):
        """Nothing needs more than the width of a telephone."""
        answer = browser.ask(self.page(SAMPLE), """
          return { width: document.documentElement.scrollWidth, inner: innerWidth };
        """, size=(500, 800))
        self.assertLessEqual(answer["width"], answer["inner"])


if __name__ == "__main__":
    sys.exit(test_cli.main())
