// SPDX-License-Identifier: MIT
// The page of one object of attention. It makes everything it shows; no name of it is seen outside.
(() => {
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const NOT_FINITE = 65535;
const QUERIES = 0, KEYS = 1;
const FAINTEST = 1 / 255;           // a fainter line is not seen
const MIN_ROW = 20, MAX_ROW = 36;   // heights of tokens
const THIN_ROW = 12;                // lower ones have no room for all of their labels
const MAX_LINES = 8000;             // of all tokens; more take a browser too long
const MAX_CANVAS = 16384;           // pixels of a side that browsers can draw
const LABEL_PITCH = 14;             // from one label of a row or column to the next
const TIME = /^(-?[\d.]+)(?:–-?[\d.]+)? s$/;
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]*\u{e007f}/u;
const HIDDEN = /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
const SPELT = new RegExp (`(${FLAG.source})|${HIDDEN.source}`, "gu");
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const SPOKEN = 5, LISTED = 12;      // tokens that are said, and listed

function make (parent, tag, attributes = {}, text = null) {
  const node = document.createElement (tag);
  for (const [name, value] of Object.entries (attributes))
    node.setAttribute (name, value);
  if (text !== null)
    node.textContent = text;
  if (parent !== null)
    parent.append (node);
  return node;
}

function fill (template, values) {
  return template.replace (/\{(\w+)\}/g, (all, name) => name in values ? values[name] : all);
}

// As the program writes weights: two to three digits, and a minus sign that is one.
function weightText (weight) {
  if (Number.isNaN (weight))
    return "NaN";
  if (weight === 0)
    return "0";
  if (weight === Infinity)
    return "∞";
  if (weight < 0)
    return weight > -0.001 ? ">−0.001" : "−" + weightText (-weight);
  if (weight < 0.001)
    return "<0.001";
  if (weight >= 0.0995)
    return weight < 9.995 ? weight.toFixed (2) : String (Number (weight.toPrecision (3)));
  return weight.toPrecision (2);
}

// Blanks and line ends can be seen, and what would turn a line round or is not seen. Of tags, flags are made.
function visible (label) {
  const shown = label.replace (/\n/g, "↵").replace (/\t/g, "⇥")
                     .replace (SPELT, (c, flag) => flag || `⟨${c.codePointAt (0).toString (16).toUpperCase ().padStart (4, "0")}⟩`);
  return shown === "" ? "∅" : shown.trim () === "" ? "␣".repeat (shown.length) : shown;
}

// As the program puts names into sentences: else the arrow of two that run from right to left would point from the second to the first.
function isolate (name) {
  return RIGHT_TO_LEFT.test (name) ? `\u200e\u2068${name}\u2069` : name;
}

// Which rows or columns so far apart are labelled: as many as have room; of times, those where a round second begins.
function listLabelled (labels, pitch) {
  const stride = Math.ceil (LABEL_PITCH / pitch), all = labels.map ((_, i) => i);
  const times = stride > 1 ? labels.map (label => TIME.test (label) ? Number (TIME.exec (label)[1]) : NaN) : [NaN];
  const length = times[times.length - 1] - times[0];
  if (!(length > 0) || !times.every ((time, i) => i === 0 || time >= times[i - 1]))
    return all.filter (i => i % stride === 0);
  const least = LABEL_PITCH / pitch * length / labels.length;
  const power = 10 ** Math.floor (Math.log10 (least));
  const step = power * [1, 2, 5, 10].find (digit => digit * power >= least);
  const count = time => Math.floor (time / step + 1e-6);
  return all.filter (i => count (times[i]) > count (i === 0 ? times[i] - step / 1000 : times[i - 1]));
}

// Of any number of them: a function takes only so many arguments.
function greatestOf (numbers) {
  return numbers.reduce ((greatest, number) => Math.max (greatest, number), -Infinity);
}

function parseColours (text) {
  return text.match (/.{6}/g).map (hex => "#" + hex);
}

function luminance (colour) {
  const linear = i => {
    const c = parseInt (colour.substr (1 + 2 * i, 2), 16) / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear (0) + 0.7152 * linear (1) + 0.0722 * linear (2);
}

// The maps: decoded a layer at a time, when one of its heads is looked at.
class Maps {
  constructor (data, nQueries, nKeys) {
    this.layers = data.layers;
    this.nQueries = nQueries;
    this.nKeys = nKeys;
    this.least = data.range[0];
    this.step = (data.range[1] - data.range[0]) / data.steps;
    this.masked = data.masked;
    this.found = new Map ();
  }

  findLayer (layer) {
    return this.layers.find (one => one.layer === layer);
  }

  has (layer, head) {
    const found = this.findLayer (layer);
    return found !== undefined && found.heads.includes (head);
  }

  decode (one) {
    const bytes = Uint8Array.from (atob (one.numbers), c => c.charCodeAt (0));
    const view = new DataView (bytes.buffer);
    const n = this.nQueries * this.nKeys;
    one.heads.forEach ((head, index) => {
      const weights = new Float32Array (n), masked = new Uint8Array (n);
      let greatest = 0;
      for (let i = 0; i < n; i++) {
        const code = view.getUint16 (2 * (index * n + i), true);
        masked[i] = code === this.masked ? 1 : 0;
        weights[i] = masked[i] ? 0 : code === NOT_FINITE ? NaN : this.least + code * this.step;
        if (Math.abs (weights[i]) > greatest)
          greatest = Math.abs (weights[i]);
      }
      this.found.set (`${one.layer}.${head}`, { weights, masked, greatest });
    });
  }

  get (layer, head) {
    const key = `${layer}.${head}`;
    if (!this.found.has (key))
      this.decode (this.findLayer (layer));
    return this.found.get (key);
  }
}

class Page {
  constructor (root) {
    this.root = root;
    this.data = JSON.parse (root.querySelector ("script.headlight-attention").textContent);
    const data = this.data;
    this.words = data.words;
    this.tokens = [data.query_tokens || data.tokens, data.key_tokens || data.tokens];
    this.labels = [data.query_labels || (data.tokens && data.labels) || this.tokens[QUERIES],
                   data.key_labels || (data.tokens && data.labels) || this.tokens[KEYS]].map (all => all.map (visible));
    this.n = this.labels.map (all => all.length);
    this.maps = new Maps (data, this.n[QUERIES], this.n[KEYS]);
    this.selected = data.selected.map (([layer, head]) => ({ layer, head }));
    this.view = data.view;
    this.focus = null;    // what the pointer or the keyboard is at: {side, index} or {query, key}
    this.pin = null;
    this.pointed = null;  // a head whose chip is pointed at
    this.names = this.labels.map (all => {
      const counts = new Map ();
      all.forEach (label => counts.set (label, (counts.get (label) || 0) + 1));
      return all.map ((label, i) => counts.get (label) > 1 ? `${label} (${i})` : label);
    });
    this.build ();
    this.takeTheme ();
    matchMedia ("(prefers-color-scheme: dark)").addEventListener ("change", () => this.takeTheme ());
    let width = root.clientWidth;
    new ResizeObserver (() => {
      if (root.clientWidth === width)
        return;
      width = root.clientWidth;
      this.drawFigure ();
    }).observe (root);
  }

  build () {
    const { root, data, words } = this;
    const header = make (root, "header");
    make (header, "h1", { dir: "auto", title: data.title }, data.title);
    this.caption = make (header, "p", { class: "hl-caption" });
    const body = make (root, "div", { class: "hl-body" });
    const heads = make (body, "nav", { class: "hl-heads", "aria-label": words.heads });
    this.buildViews (heads);
    this.buildGrid (heads);
    const figure = make (body, "main", { class: "hl-figure" });
    this.chips = make (figure, "div", { class: "hl-chips" });
    this.figure = make (figure, "div");
    this.reading = make (body, "section", { class: "hl-reading" });
    const footer = make (root, "footer");
    if (data.left_out)
      make (footer, "p", {}, data.left_out);
    make (footer, "p", {}, `${data.precision} ${data.generator}`);
    this.live = make (root, "div", { class: "hl-live", "aria-live": "polite", role: "status" });
  }

  buildViews (parent) {
    const group = make (parent, "div", { class: "hl-views", role: "radiogroup", "aria-label": this.words.view });
    this.viewButtons = [["head-view", this.words.head_view], ["heatmap", this.words.heatmap]].map (([view, text]) => {
      const button = make (group, "button", { type: "button", role: "radio", "data-view": view }, text);
      button.addEventListener ("click", () => this.setView (view));
      return button;
    });
    group.addEventListener ("keydown", event => {
      if (!event.key.startsWith ("Arrow"))
        return;
      event.preventDefault ();
      this.setView (this.view === "heatmap" ? "head-view" : "heatmap");
      this.viewButtons.find (button => button.dataset.view === this.view).focus ();
    });
  }

  buildGrid (parent) {
    const { layers } = this.maps;
    const nColumns = Math.max (...layers.map (one => Math.max (...one.heads))) + 1;
    const size = Math.max (12, Math.min (26, Math.floor (260 / nColumns) - 3));
    const { words } = this;
    this.cells = [];
    if (layers.length === 1 && layers[0].heads.length === 1)
      return;
    const grid = make (parent, "div", { class: "hl-grid", role: "grid", "aria-label": words.heads,
                                        "aria-multiselectable": "true" });
    grid.style.gridTemplateColumns = `auto repeat(${nColumns}, ${size}px)`;
    const top = make (grid, "div", { role: "row" });
    make (top, "span", { role: "columnheader" });
    for (let head = 0; head < nColumns; head++)
      make (top, "span", { role: "columnheader" }, size >= 16 || head % 4 === 0 ? head : "");
    for (const one of layers) {
      const row = make (grid, "div", { role: "row" });
      const all = make (row, "button", { type: "button", role: "rowheader", tabindex: "-1",
                                         "aria-label": fill (words.all_of_layer, { layer: one.layer }),
                                         title: fill (words.all_of_layer, { layer: one.layer }) }, one.layer);
      all.addEventListener ("click", () => this.select (one.heads.map (head => ({ layer: one.layer, head }))));
      for (const head of one.heads) {
        const name = this.fullName (one.layer, head);
        const cell = make (row, "button", { type: "button", role: "gridcell", class: "hl-cell", tabindex: "-1",
                                            "aria-label": name, title: name });
        cell.style.gridColumn = head + 2;
        cell.style.width = cell.style.height = `${size}px`;
        const canvas = make (cell, "canvas", { "aria-hidden": "true" });
        const place = { layer: one.layer, head, cell, canvas, size };
        cell.addEventListener ("click", event => {
          if (event.ctrlKey || event.metaKey || event.shiftKey)
            this.toggle (place);
          else
            this.select ([place]);
        });
        cell.addEventListener ("keydown", event => this.onGridKey (event, place));
        this.cells.push (place);
      }
    }
    make (parent, "p", { class: "hl-hint" }, words.heads_hint);
  }

  onGridKey (event, place) {
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (event.key === " ") {
      event.preventDefault ();
      this.toggle (place);
      return;
    }
    if (!(event.key in steps))
      return;
    event.preventDefault ();
    const [down, right] = steps[event.key];
    const layers = this.maps.layers;
    const row = layers.findIndex (one => one.layer === place.layer);
    const target = layers[row + down];
    if (target === undefined)
      return;
    const column = place.head + right;
    const head = down !== 0 ? Math.min (place.head, Math.max (...target.heads)) : column;
    const next = this.cells.find (cell => cell.layer === target.layer && cell.head === head);
    if (next === undefined)
      return;
    next.cell.focus ();
    if (!event.ctrlKey)
      this.select ([next]);
  }

  headName (layer, head) {
    const { data, words } = this;
    const parts = [];
    if (!data.merges_layers)
      parts.push (fill (words.layer, { layer }));
    if (!data.merges_heads)
      parts.push (fill (words.head, { head }));
    return parts.join (" · ");
  }

  // "previous token 0.92", or nothing.
  kindOf (layer, head) {
    const found = this.maps.findLayer (layer);
    return (found.names || [])[found.heads.indexOf (head)] || "";
  }

  // "layer 2 · head 8, next token 0.76"
  fullName (layer, head) {
    return [this.headName (layer, head), this.kindOf (layer, head)].filter (part => part !== "").join (", ");
  }

  setView (view) {
    this.view = view;
    this.focus = this.pin = null;
    this.drawFigure ();
    this.say (this.caption.textContent);
  }

  isSelected (place) {
    return this.selected.some (one => one.layer === place.layer && one.head === place.head);
  }

  select (places) {
    this.selected = places.map (({ layer, head }) => ({ layer, head }));
    this.pointed = null;
    this.drawFigure ();
    this.say (this.caption.textContent);
  }

  toggle (place) {
    const rest = this.selected.filter (one => one.layer !== place.layer || one.head !== place.head);
    if (rest.length === this.selected.length)
      rest.push (place);
    if (rest.length > 0)
      this.select (rest);
  }

  // Heads of other layers have colours that no head of the layer of the first has, as far as there are colours.
  getColour (place) {
    const lead = this.selected[0];
    if (place.layer === lead.layer)
      return this.theme.heads[place.head % this.theme.heads.length];
    const guests = this.selected.filter (one => one.layer !== lead.layer);
    const index = guests.findIndex (one => one.layer === place.layer && one.head === place.head);
    const nHeads = Math.max (...this.maps.findLayer (lead.layer).heads) + 1;
    return this.theme.heads[(nHeads + Math.max (index, 0)) % this.theme.heads.length];
  }

  takeTheme () {
    const dark = matchMedia ("(prefers-color-scheme: dark)").matches;
    const found = this.data.themes[dark ? "dark" : "light"];
    this.theme = { heads: parseColours (found.heads), map: parseColours (found.map),
                   thumbnails: parseColours (found.thumbnails) };
    for (const [name, colour] of Object.entries (found))
      if (colour.length === 6) {
        this.theme[name] = "#" + colour;
        this.root.style.setProperty ("--" + name, "#" + colour);
      }
    this.root.style.setProperty ("--raised", dark ? "#454545" : "#ffffff");
    this.cells.forEach (place => this.drawThumbnail (place));
    this.drawFigure ();
  }

  getShown () {
    return this.pointed !== null ? [this.pointed] : this.view === "heatmap" ? this.selected.slice (0, 1) : this.selected;
  }

  // From where to where colours of a map go: from 0 or what is below it, and where numbers have a sign as far to both sides.
  findEnds (map, leavesDiagonal) {
    const { nKeys, step } = this.maps, { signed, diagonal } = this.data;
    let least = 0, greatest = signed ? 0 : -Infinity;
    map.weights.forEach ((w, i) => {
      if (leavesDiagonal && i % nKeys === Math.floor (i / nKeys) + diagonal)
        return;
      if (w < least)
        least = w;
      if (w > greatest)
        greatest = w;
    });
    const farthest = Math.max (greatest, -least);
    // As the program has it: where all is 0, that is in the middle. A step in the middle may be off by a last digit.
    if (!(farthest > step / 2))
      return { least: signed ? -1 : 0, greatest: 1 };
    return signed ? { least: -farthest, greatest: farthest } : { least, greatest: greatest > least ? greatest : 0 };
  }

  // From 0 to 255 of the colours of the theme.
  makeScale (map) {
    const { data, maps } = this;
    const nKeys = maps.nKeys;
    if (data.scale === "cumulative" && !data.signed) {
      // What is no stronger, of each row.
      const shares = Array.from ({ length: maps.nQueries }, (_, row) => {
        const rising = map.weights.slice (row * nKeys, (row + 1) * nKeys).filter (w => w > 0).sort ();
        const total = rising.reduce ((all, w) => all + w, 0), found = new Map ();
        let sum = 0;
        rising.forEach (w => {
          sum += w;
          found.set (w, sum / total);
        });
        return found;
      });
      return { isCumulative: true, least: 0, greatest: 1, at: (w, row) => shares[row].get (w) || 0 };
    }
    let { least, greatest } = this.findEnds (map, data.scale === "off-diagonal");
    if (data.scale === "log" && !data.signed) {
      greatest = greatest > 0 ? greatest : 1;
      let smallest = greatest;
      map.weights.forEach (w => {
        if (w > 0 && w < smallest)
          smallest = w;
      });
      least = Math.max (smallest, greatest * 1e-6);
      if (least >= greatest)
        least = greatest / 10;
      const range = Math.log (greatest / least);
      return { least, greatest, at: w => w <= least ? 0 : Math.log (w / least) / range };
    }
    if (data.scale === "row") {
      const rows = new Float32Array (maps.nQueries);
      map.weights.forEach ((w, i) => {
        const row = Math.floor (i / nKeys);
        rows[row] = Math.max (rows[row], (data.signed ? Math.abs (w) : w) || 0);
      });
      return { byRow: true, least: data.signed ? -1 : 0, greatest: 1,
               at: (w, row) => rows[row] > 0 ? (data.signed ? 0.5 + w / rows[row] / 2 : w / rows[row]) : data.signed ? 0.5 : 0 };
    }
    const range = greatest - least;
    return { least, greatest, isOpenBelow: map.weights.some (w => w < least), isOpen: map.weights.some (w => w > greatest),
             at: w => (w - least) / range };
  }

  // The numbers at the ends of its colours, which stand for all that is beyond, too.
  tellEnds (scale) {
    return { least: (scale.isOpenBelow ? "≤ " : "") + weightText (scale.least),
             greatest: (scale.isOpen ? "≥ " : "") + weightText (scale.greatest) };
  }

  numberText (weight) {
    return Number.isNaN (weight) ? this.words.not_a_number : weightText (weight);
  }

  pickColour (scale, map, row, column) {
    const i = row * this.maps.nKeys + column;
    if (map.masked[i])
      return this.theme.masked;
    if (Number.isNaN (map.weights[i]))
      return this.theme.hatch;
    const t = Math.max (0, Math.min (1, scale.at (map.weights[i], row)));
    return this.theme.map[Math.round (t * (this.theme.map.length - 1))];
  }

  drawThumbnail (place) {
    const { nQueries, nKeys } = this.maps;
    const map = this.maps.get (place.layer, place.head);
    const size = Math.round (place.size * Math.max (devicePixelRatio, 1));
    const width = Math.min (size, nKeys), height = Math.min (size, nQueries);
    const { least, greatest } = this.findEnds (map, false);
    place.canvas.width = width;
    place.canvas.height = height;
    place.canvas.style.imageRendering = "pixelated";
    const context = place.canvas.getContext ("2d");
    const strongest = new Float32Array (width * height).fill (this.data.signed ? 0 : least);
    for (let q = 0; q < nQueries; q++)
      for (let k = 0; k < nKeys; k++) {
        const at = Math.floor (q * height / nQueries) * width + Math.floor (k * width / nKeys);
        const i = q * nKeys + k, weight = map.weights[i];
        if (!map.masked[i] && (this.data.signed ? Math.abs (weight) > Math.abs (strongest[at]) : weight > strongest[at]))
          strongest[at] = weight;
      }
    strongest.forEach ((weight, i) => {
      const t = (weight - least) / (greatest - least);
      context.fillStyle = this.theme.thumbnails[Math.round (t * 255)];
      context.fillRect (i % width, Math.floor (i / width), 1, 1);
    });
  }

  drawFigure () {
    const { words } = this;
    this.viewButtons.forEach (button => {
      const checked = button.dataset.view === this.view;
      button.setAttribute ("aria-checked", checked);
      button.tabIndex = checked ? 0 : -1;
    });
    this.cells.forEach (place => {
      const selected = this.isSelected (place);
      const leads = place.layer === this.selected[0].layer && place.head === this.selected[0].head;
      place.cell.setAttribute ("aria-selected", selected);
      place.cell.tabIndex = leads ? 0 : -1;
      place.cell.style.setProperty ("--colour", selected ? this.getColour (place) : "transparent");
    });
    this.drawChips ();
    this.figure.replaceChildren ();
    if (this.view === "heatmap")
      this.drawHeatmap ();
    else
      this.drawHeadView ();
    make (this.figure, "p", { class: "hl-hint" }, this.view === "heatmap" ? words.cell_hint : words.token_hint)
      .style.marginTop = "12px";
    this.describe ();
    this.showFocus ();
  }

  drawChips () {
    this.chips.replaceChildren ();
    if (this.selected.length < 2)
      return;
    for (const place of this.selected) {
      const text = this.selected.every (one => one.layer === place.layer) ? String (place.head)
                                                                          : `${place.layer}.${place.head}`;
      const name = this.fullName (place.layer, place.head);
      const chip = make (this.chips, "button", { type: "button", "aria-label": name, title: name }, text);
      chip.style.setProperty ("--colour", this.getColour (place));
      chip.addEventListener ("click", () => this.select ([place, ...this.selected.filter (one => one !== place)]));
      const point = pointed => {
        this.pointed = pointed;
        if (this.view !== "heatmap")
          this.drawLines ();
        this.showFocus ();
      };
      chip.addEventListener ("pointerenter", () => point (place));
      chip.addEventListener ("pointerleave", () => point (null));
    }
  }

  // "attention weight · layer 2 · head 8 · lines to the strongest, 0.87"
  describe () {
    const { data, words } = this;
    const shown = this.view === "heatmap" ? this.selected.slice (0, 1) : this.selected;
    const parts = [data.about];
    const sameLayer = shown.every (one => one.layer === shown[0].layer);
    if (sameLayer && !data.merges_layers)
      parts.push (fill (words.layer, { layer: shown[0].layer }));
    if (!data.merges_heads && shown.length === 1)
      parts.push (fill (words.head, { head: shown[0].head }), this.kindOf (shown[0].layer, shown[0].head));
    else if (!sameLayer)
      parts.push (fill (words.heads_of_layers, { heads: shown.map (one => `${one.layer}.${one.head}`).join (", ") }));
    else if (!data.merges_heads)
      parts.push (fill (words.heads_of, { heads: shown.map (one => one.head).sort ((a, b) => a - b).join (", ") }));
    if (this.view === "heatmap") {
      const scale = this.makeScale (this.maps.get (shown[0].layer, shown[0].head));
      const range = fill (data.scale === "log" && !data.signed ? words.colours_log : words.colours_to, this.tellEnds (scale));
      parts.push (scale.byRow ? words.colours_row : scale.isCumulative ? `${range}: ${words.cumulative}` : range);
    } else {
      const strongest = this.getStrongest (shown), whole = this.getWhole (strongest);
      parts.push (fill (strongest < whole ? words.lines_to_least : words.lines_to,
                        { weight: weightText (strongest), whole: weightText (whole) }));
    }
    if (this.view !== "heatmap" && this.leastLine !== null)
      parts.push (fill (words.lines_from, { weight: weightText (this.leastLine) }));
    if (data.signed)
      parts.push (words.signed);
    this.caption.textContent = parts.filter (part => part !== "").join (" · ");
  }

  // What a line of full strength stands for: next to nothing must not look like much.
  getWhole (strongest) {
    return Math.max (strongest, this.data.least_whole || 0);
  }

  // As the program has it: of what is below zero where numbers have no sign, there is no line and no bar.
  getStrength (weight, whole) {
    return Math.max (0, (this.data.signed ? Math.abs (weight) : weight) / whole) || 0;
  }

  getStrongest (places) {
    return Math.max (...places.map (one => this.maps.get (one.layer, one.head).greatest));
  }

  // The head view: tokens on both sides, lines between them.
  drawHeadView () {
    const { data, words } = this;
    this.layOutRows (innerHeight - this.root.getBoundingClientRect ().top - 240);
    this.plot = make (this.figure, "div", { class: "hl-plot" });
    this.plot.classList.toggle ("hl-mirrored", data.right_to_left === 1);
    make (this.plot, "h2", {}, words.queries);
    make (this.plot, "span");
    make (this.plot, "h2", {}, words.keys);
    this.columns = [this.drawTokens (QUERIES)];
    const middle = make (this.plot, "div", { class: "hl-middle" });
    this.columns.push (this.drawTokens (KEYS));
    this.canvas = make (middle, "canvas", { "aria-hidden": "true" });
    this.overlay = document.createElementNS (SVG, "svg");
    this.overlay.setAttribute ("aria-hidden", "true");
    middle.append (this.overlay);
    middle.style.height = `${this.length}px`;
    this.middle = middle;
    this.drawLines ();
  }

  // How high tokens of each side are. Where one side has so many more that they do not fit, both are as long as one another, as the program
  // has it: else nearly all lines would leave the picture.
  layOutRows (room) {
    const { n } = this;
    const most = Math.max (...n), least = Math.min (...n);
    const row = Math.max (MIN_ROW, Math.min (MAX_ROW, Math.floor (room / most)));
    const isSpread = most >= this.data.spread * least && most * MIN_ROW > room;
    // Browsers round to 64ths of a pixel, of which there may be thousands.
    const thin = Math.max (1, Math.floor (Math.max (room, MIN_ROW * least, 240) / most * 64)) / 64;
    this.length = (isSpread ? thin : row) * most;
    this.pitches = n.map (count => isSpread ? this.length / count : row);
  }

  drawTokens (side) {
    const pitch = this.pitches[side], isThin = pitch < THIN_ROW;
    const labelled = new Set (isThin ? listLabelled (this.labels[side], pitch) : []);
    const column = make (this.plot, "div", { class: "hl-column", role: "listbox",
                                             "aria-label": side === QUERIES ? this.words.queries : this.words.keys });
    column.classList.toggle ("hl-thin", isThin);
    column.style.setProperty ("--row", `${pitch}px`);
    column.style.setProperty ("--size", `${Math.max (12, Math.min (16, pitch * 0.56))}px`);
    return this.labels[side].map ((label, index) => {
      const token = make (column, "div", { class: `hl-token ${side === QUERIES ? "hl-query" : "hl-key"}`, role: "option",
                                           tabindex: index === 0 ? "0" : "-1", "aria-selected": "false",
                                           "aria-label": this.names[side][index], title: `${index}: ${label}` });
      make (token, "span", { class: "hl-stripes" });
      make (token, "bdi", { dir: "auto" }, label);
      make (token, "span", { class: "hl-number" });
      token.classList.toggle ("hl-labelled", labelled.has (index));
      token.classList.toggle ("hl-second", index > 0 && this.data.second[side] === index);
      token.addEventListener ("pointerenter", () => this.setFocus ({ side, index }));
      token.addEventListener ("pointerleave", () => this.setFocus (null));
      token.addEventListener ("focus", () => this.setFocus ({ side, index }));
      token.addEventListener ("blur", () => this.setFocus (null));
      token.addEventListener ("click", () => this.togglePin ({ side, index }));
      token.addEventListener ("keydown", event => this.onTokenKey (event, side, index));
      return token;
    });
  }

  onTokenKey (event, side, index) {
    let target = null;
    if (event.key === "ArrowDown" || event.key === "ArrowUp")
      target = [side, index + (event.key === "ArrowDown" ? 1 : -1)];
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight")
      target = [(event.key === "ArrowRight") !== (this.data.right_to_left === 1) ? KEYS : QUERIES, index];
    else if (event.key === "Home" || event.key === "End")
      target = [side, event.key === "Home" ? 0 : this.n[side] - 1];
    else if (event.key === "Enter" || event.key === " ")
      this.togglePin ({ side, index });
    else if (event.key === "Escape")
      this.setPin (null);
    else
      return;
    event.preventDefault ();
    if (target === null)
      return;
    const column = this.columns[target[0]];
    const next = column[Math.max (0, Math.min (column.length - 1, target[1]))];
    column.forEach (token => { token.tabIndex = token === next ? 0 : -1; });
    next.focus ();
  }

  togglePin (focus) {
    const same = this.pin !== null && this.pin.side === focus.side && this.pin.index === focus.index;
    this.setPin (same ? null : focus);
  }

  setPin (pin) {
    this.pin = pin;
    this.showFocus ();
    if (pin !== null)
      this.say (`${this.names[pin.side][pin.index]}: ${this.words.pinned}`);
  }

  setFocus (focus) {
    this.focus = focus;
    this.showFocus ();
    const text = this.tell (this.focus || this.pin);
    if (focus !== null && text !== "")
      this.say (text);
  }

  say (text) {
    this.live.textContent = text;
  }

  // How strong a line must be to be among the strongest that are drawn.
  findFaintest (strongest) {
    const counts = new Uint32Array (256);
    for (const place of this.getShown ())
      this.maps.get (place.layer, place.head).weights.forEach (weight => {
        const strength = this.getStrength (weight, strongest);
        if (strength >= FAINTEST)
          counts[Math.min (255, Math.floor (strength * 256))]++;
      });
    let bucket = 256, n = 0;
    while (bucket > 0 && n + counts[bucket - 1] <= MAX_LINES)
      n += counts[--bucket];
    return { faintest: Math.max (FAINTEST, bucket / 256), isCut: bucket > 0 };
  }

  // The lines of all tokens, the faintest first.
  drawLines () {
    const { middle, canvas, pitches, n } = this;
    const width = middle.clientWidth, height = this.length;
    const density = Math.min (devicePixelRatio || 1, MAX_CANVAS / Math.max (width, height));
    canvas.width = Math.round (width * density);
    canvas.height = Math.round (height * density);
    const context = canvas.getContext ("2d");
    context.scale (density, density);
    const strongest = this.getWhole (this.getStrongest (this.selected));
    const lines = [];
    const { faintest, isCut } = this.findFaintest (strongest);
    this.leastLine = isCut ? faintest * strongest : null;
    for (const place of this.getShown ()) {
      const { weights } = this.maps.get (place.layer, place.head);
      const colour = this.getColour (place);
      for (let q = 0; q < n[QUERIES]; q++)
        for (let k = 0; k < n[KEYS]; k++) {
          const weight = weights[q * n[KEYS] + k];
          const strength = this.getStrength (weight, strongest);
          if (strength >= faintest && lines.length < MAX_LINES)
            lines.push ([strength, q, k, this.getLineColour (weight, colour)]);
        }
    }
    lines.sort ((a, b) => a[0] - b[0]);
    for (const [strength, q, k, colour] of lines) {
      context.globalAlpha = strength;
      context.lineWidth = 0.75 + 1.75 * strength;
      context.strokeStyle = colour;
      context.beginPath ();
      context.moveTo (0, (q + 0.5) * pitches[QUERIES]);
      context.lineTo (width, (k + 0.5) * pitches[KEYS]);
      context.stroke ();
    }
  }

  getLineColour (weight, colour) {
    return !this.data.signed ? colour : weight < 0 ? this.theme.below : this.theme.above;
  }

  // What a token of one side has with each of the other: of a head, weights, or which are masked.
  getWeights (focus, place, what = "weights") {
    const all = this.maps.get (place.layer, place.head)[what];
    const nKeys = this.n[KEYS];
    const other = 1 - focus.side;
    return Array.from ({ length: this.n[other] }, (_, i) =>
      focus.side === QUERIES ? all[focus.index * nKeys + i] : all[i * nKeys + focus.index]);
  }

  // Whether there is something that is not masked, and no number in it.
  lacksNumbers (focus, place) {
    const masked = this.getWeights (focus, place, "masked");
    const seen = this.getWeights (focus, place).filter ((_, i) => !masked[i]);
    return seen.length > 0 && seen.every (Number.isNaN);
  }

  showFocus () {
    const focus = this.focus || this.pin;
    if (this.view === "heatmap") {
      this.showCell (focus);
      return;
    }
    this.canvas.classList.toggle ("hl-dim", focus !== null);
    this.plot.classList.toggle ("hl-pinned", this.pin !== null);
    this.overlay.replaceChildren ();
    this.columns.forEach ((column, side) => column.forEach ((token, index) => {
      token.classList.toggle ("hl-focus", focus !== null && focus.side === side && focus.index === index);
      token.setAttribute ("aria-selected", this.pin !== null && this.pin.side === side && this.pin.index === index);
      token.classList.remove ("hl-named");
      token.querySelector (".hl-number").textContent = "";
      token.querySelector (".hl-stripes").style.visibility = "hidden";
    }));
    if (focus !== null)
      this.drawFocus (focus);
    this.list (focus);
  }

  drawFocus (focus) {
    const places = this.getShown ();
    const all = places.map (place => this.getWeights (focus, place));
    const strongest = greatestOf (all.flat ().map (w => Math.abs (w) || 0)), whole = this.getWhole (strongest);
    const width = this.middle.clientWidth;
    const other = 1 - focus.side;
    const number = token => token.querySelector (".hl-number");
    const lines = [];
    const isThin = this.pitches[other] < THIN_ROW;
    const best = all[0].reduce ((found, _, i) => this.getTop (all, i) > this.getTop (all, found) ? i : found, 0);
    this.columns[other].forEach ((token, i) => {
      const stripes = token.querySelector (".hl-stripes");
      let greatest = NaN;
      stripes.replaceChildren ();
      places.forEach ((place, p) => {
        const weight = all[p][i];
        const strength = this.getStrength (weight, whole);
        const colour = this.getLineColour (weight, this.getColour (place));
        const stripe = make (stripes, "i");
        stripe.style.background = colour;
        stripe.style.opacity = strength;
        if (Number.isNaN (greatest) || Math.abs (weight) > Math.abs (greatest))
          greatest = weight;
        if (strength >= FAINTEST)
          lines.push ({ i, place, weight, strength, colour });
      });
      stripes.style.visibility = "visible";
      const isTold = isThin ? i === best && strongest > 0 : Math.abs (greatest) >= strongest / 20 || Number.isNaN (greatest);
      token.classList.toggle ("hl-named", isThin && isTold);
      number (token).textContent = isTold ? this.numberText (greatest) : "";
    });
    lines.sort ((a, b) => a.strength - b.strength).forEach (line => this.addLine (focus, line, width));
  }

  getTop (all, i) {
    return Math.max (...all.map (weights => Math.abs (weights[i]) || 0));
  }

  // From the token that attends, whichever of them has the row.
  namePair (query, key) {
    const row = isolate (this.names[QUERIES][query]), column = isolate (this.names[KEYS][key]);
    return this.data.transposed === 1 ? `${column} → ${row}` : `${row} → ${column}`;
  }

  addLine (focus, { i, place, weight, strength, colour }, width) {
    const query = focus.side === QUERIES ? focus.index : i, key = focus.side === QUERIES ? i : focus.index;
    const line = document.createElementNS (SVG, "line");
    const attributes = { x1: 0, y1: (query + 0.5) * this.pitches[QUERIES], x2: width, y2: (key + 0.5) * this.pitches[KEYS],
                         stroke: colour,
                         "stroke-opacity": strength.toFixed (3), "stroke-width": (0.75 + 2.25 * strength).toFixed (2) };
    for (const [name, value] of Object.entries (attributes))
      line.setAttribute (name, value);
    const title = document.createElementNS (SVG, "title");
    title.textContent = `${this.namePair (query, key)}: ${weightText (weight)}` +
                        (this.selected.length > 1 ? ` (${this.headName (place.layer, place.head)})` : "");
    line.append (title);
    this.overlay.append (line);
  }

  // The strongest of what a token has with those of the other side, strongest first.
  rank (focus, place, n) {
    const other = 1 - focus.side;
    return this.getWeights (focus, place).map ((weight, i) => ({ weight, i, name: this.names[other][i] }))
      .filter (one => Math.abs (one.weight) > 0).sort ((a, b) => Math.abs (b.weight) - Math.abs (a.weight)).slice (0, n);
  }

  // As a sentence.
  tell (focus) {
    const { words } = this;
    if (focus === null)
      return "";
    if ("query" in focus) {
      const map = this.maps.get (this.selected[0].layer, this.selected[0].head);
      const i = focus.query * this.n[KEYS] + focus.key;
      return `${this.namePair (focus.query, focus.key)}: ` +
             (map.masked[i] ? words.masked : this.numberText (map.weights[i]));
    }
    const lists = this.getShown ().map (place => {
      const ranked = this.rank (focus, place, SPOKEN).map (one => `${isolate (one.name)} ${weightText (one.weight)}`);
      const list = ranked.length > 0 ? ranked.join (", ") : this.lacksNumbers (focus, place) ? words.not_a_number : words.nothing;
      const head = this.selected.every (one => one.layer === place.layer) ? place.head : `${place.layer}.${place.head}`;
      return this.selected.length > 1 ? fill (words.head_says, { head, list }) : list;
    });
    return fill (focus.side === QUERIES ? words.query_says : words.key_says,
                 { token: isolate (this.names[focus.side][focus.index]), list: lists.join ("; ") });
  }

  // Of no token: what is strongest of all that is shown.
  listStrongest () {
    const nKeys = this.n[KEYS];
    const pairs = [];
    for (const place of this.getShown ()) {
      const { weights } = this.maps.get (place.layer, place.head);
      weights.forEach ((weight, i) => {
        if (Math.abs (weight) > 0 && (pairs.length < LISTED || Math.abs (weight) > Math.abs (pairs[pairs.length - 1].weight))) {
          const before = pairs.findIndex (one => Math.abs (one.weight) < Math.abs (weight));
          pairs.splice (before < 0 ? pairs.length : before, 0, { weight, i, place });
          pairs.splice (LISTED);
        }
      });
    }
    make (this.reading, "h2", {}, this.words.strongest);
    const list = make (this.reading, "ol");
    for (const { weight, i, place } of pairs) {
      const item = make (list, "li");
      make (item, "bdi", { dir: "ltr" }, this.namePair (Math.floor (i / nKeys), i % nKeys));
      make (item, "span", { class: "hl-number" }, weightText (weight));
      this.addBar (item, weight, this.getWhole (Math.abs (pairs[0].weight)), place);
    }
  }

  addBar (item, weight, whole, place) {
    const bar = make (item, "span", { class: "hl-bar" });
    bar.style.width = `${this.getStrength (weight, whole) * 100}%`;
    bar.style.setProperty ("--colour", this.getLineColour (weight, this.getColour (place)));
  }

  // As a list with bars beside the picture.
  list (focus) {
    this.reading.replaceChildren ();
    if (focus === null) {
      this.listStrongest ();
      return;
    }
    const row = "query" in focus ? { side: QUERIES, index: focus.query } : focus;
    const { words } = this;
    const says = row.side === QUERIES ? words.query_says : words.key_says;
    make (this.reading, "h2", { dir: "auto" }, fill (says, { token: isolate (this.names[row.side][row.index]), list: "" }).trim ());
    const places = this.getShown ();
    const weights = places.map (place => this.getWeights (row, place));
    const whole = this.getWhole (greatestOf (weights.flat ().map (w => Math.abs (w) || 0))) || 1;
    const order = Array.from (weights[0], (_, i) => ({ i, top: Math.max (...weights.map (all => Math.abs (all[i]) || 0)) }))
      .filter (one => one.top > 0).sort ((a, b) => b.top - a.top).slice (0, LISTED);
    const list = make (this.reading, "ol");
    for (const { i } of order) {
      const item = make (list, "li");
      item.classList.toggle ("hl-focus", "query" in focus && focus.key === i);
      make (item, "bdi", { dir: "auto" }, this.names[1 - row.side][i]);
      const best = weights.reduce ((found, all) => Math.abs (all[i]) > Math.abs (found) ? all[i] : found, 0);
      make (item, "span", { class: "hl-number" }, weightText (best));
      places.forEach ((place, p) => this.addBar (item, weights[p][i], whole, place));
    }
  }

  // The heatmap of the head that leads.
  drawHeatmap () {
    const { n, theme, labels, words } = this;
    const lead = this.selected[0];
    const map = this.maps.get (lead.layer, lead.head);
    const scale = this.makeScale (map);
    const box = make (this.figure, "div", { class: "hl-heatmap" });
    this.cellsBox = make (box, "div", { class: "hl-cells", tabindex: "0", role: "application",
                                        "aria-label": `${words.heatmap}, ${this.headName (lead.layer, lead.head)}. ` +
                                                      words.cell_hint });
    const canvas = make (this.cellsBox, "canvas", { "aria-hidden": "true" });
    const context = canvas.getContext ("2d");
    const measure = (all, most) => Math.min (most, Math.ceil (greatestOf (all.map (label => context.measureText (label).width))));
    context.font = "12px system-ui, Cantarell, sans-serif";
    const left = measure (labels[QUERIES], 140) + 10, top = measure (labels[KEYS], 110) + 10;
    const cell = this.chooseCell (this.figure.clientWidth - left - 8, Math.max (240, innerHeight - 300));
    const width = left + n[KEYS] * cell.width + 1, height = top + n[QUERIES] * cell.height + 1;
    const density = Math.min (devicePixelRatio || 1, MAX_CANVAS / Math.max (width, height));
    this.heat = { left, top, cell, width, height };
    canvas.width = Math.round (width * density);
    canvas.height = Math.round (height * density);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    context.scale (density, density);
    this.drawCells (context, map, scale);
    this.drawAxes (context);
    this.overlay = document.createElementNS (SVG, "svg");
    this.overlay.setAttribute ("width", width);
    this.overlay.setAttribute ("height", height);
    this.cellsBox.append (this.overlay);
    const bar = make (this.figure, "div", { class: "hl-scale", "aria-hidden": "true" });
    const ends = this.tellEnds (scale);
    make (bar, "span", {}, ends.least);
    const stops = Array.from ({ length: 17 }, (_, i) => theme.map[Math.round (i / 16 * 255)]);
    make (bar, "i").style.background = `linear-gradient(90deg, ${stops.join (", ")})`;
    make (bar, "span", {}, ends.greatest);
    // What has no place on it.
    for (const [isThere, colour, name] of [[map.masked.includes (1), theme.masked, words.masked],
                                           [map.weights.some (Number.isNaN), theme.hatch, words.not_a_number]])
      if (isThere) {
        make (bar, "b").style.background = colour;
        make (bar, "span", { class: "hl-blank" }, name);
      }
    this.listenToCells ();
  }

  // Squares, or where these would leave the shorter side a strip, height and width apart: as the program has it.
  chooseCell (width, height) {
    const { n } = this, { ratio, part, most } = this.data.cells;
    const apart = { width: Math.min (width / n[KEYS], most), height: Math.min (height / n[QUERIES], most) };
    const square = Math.min (apart.width, apart.height);
    const taken = n[QUERIES] < n[KEYS] ? n[QUERIES] * square / height : n[KEYS] * square / width;
    if (Math.max (...n) >= ratio * Math.min (...n) && taken < part)
      return { width: Math.max (1, Math.floor (apart.width)), height: Math.max (1, Math.floor (apart.height)) };
    const size = Math.max (2, Math.floor (square));
    return { width: size, height: size };
  }

  drawCells (context, map, scale) {
    const { n, heat } = this;
    const { left, top, cell } = heat;
    const gap = Math.min (cell.width, cell.height) >= 12 ? 1 : 0;
    context.font = "11px system-ui, Cantarell, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let q = 0; q < n[QUERIES]; q++)
      for (let k = 0; k < n[KEYS]; k++) {
        const colour = this.pickColour (scale, map, q, k);
        context.fillStyle = colour;
        context.fillRect (left + k * cell.width, top + q * cell.height, cell.width - gap, cell.height - gap);
        const i = q * n[KEYS] + k;
        if (cell.width < 36 || cell.height < 16 || map.masked[i] || Number.isNaN (map.weights[i]))
          continue;
        context.fillStyle = luminance (colour) > 0.179 ? "#000000" : "#ffffff";
        context.fillText (weightText (map.weights[i]), left + (k + 0.5) * cell.width, top + (q + 0.5) * cell.height);
      }
  }

  drawAxes (context) {
    const { n, labels, theme, heat } = this;
    const { left, top, cell } = heat;
    const shorten = (label, most) => {
      let text = label;
      while (text.length > 1 && context.measureText (text).width > most)
        text = text.replace (/…$/, "").slice (0, -1) + "…";
      return text;
    };
    context.font = "12px system-ui, Cantarell, sans-serif";
    context.fillStyle = theme.foreground;
    context.textBaseline = "middle";
    context.textAlign = "right";
    for (const q of listLabelled (labels[QUERIES], cell.height))
      context.fillText (shorten (labels[QUERIES][q], 140), left - 6, top + (q + 0.5) * cell.height);
    context.textAlign = "left";
    for (const k of listLabelled (labels[KEYS], cell.width)) {
      context.save ();
      context.translate (left + (k + 0.5) * cell.width, top - 6);
      context.rotate (-Math.PI / 2);
      context.fillText (shorten (labels[KEYS][k], 110), 0, 0);
      context.restore ();
    }
  }

  listenToCells () {
    const box = this.cellsBox;
    const find = event => {
      const bounds = box.getBoundingClientRect ();
      const { left, top, cell } = this.heat;
      const key = Math.floor ((event.clientX - bounds.left - left) / cell.width);
      const query = Math.floor ((event.clientY - bounds.top - top) / cell.height);
      return query >= 0 && key >= 0 && query < this.n[QUERIES] && key < this.n[KEYS] ? { query, key } : null;
    };
    box.addEventListener ("pointermove", event => this.setFocus (find (event)));
    box.addEventListener ("pointerleave", () => this.setFocus (null));
    box.addEventListener ("click", event => {
      this.pin = find (event);
      this.showFocus ();
    });
    box.addEventListener ("keydown", event => {
      const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
      const at = this.focus || this.pin;
      if (event.key === "Escape") {
        this.pin = null;
        this.setFocus (null);
      } else if (event.key in steps) {
        event.preventDefault ();
        const [down, right] = at === null ? [0, 0] : steps[event.key];
        const clamp = (value, most) => Math.max (0, Math.min (most - 1, value));
        this.pin = { query: clamp ((at || { query: 0 }).query + down, this.n[QUERIES]),
                     key: clamp ((at || { key: 0 }).key + right, this.n[KEYS]) };
        this.setFocus (this.pin);
      }
    });
  }

  showCell (focus) {
    const { left, top, cell, width, height } = this.heat;
    this.overlay.replaceChildren ();
    if (focus !== null) {
      const add = (x, y, w, h, strong) => {
        const rect = document.createElementNS (SVG, "rect");
        const attributes = { x, y, width: w, height: h, fill: "none", stroke: strong ? this.theme.foreground : this.theme.muted,
                             "stroke-width": strong ? 2 : 1 };
        for (const [name, value] of Object.entries (attributes))
          rect.setAttribute (name, value);
        this.overlay.append (rect);
      };
      const x = left + focus.key * cell.width, y = top + focus.query * cell.height;
      add (0.5, y, width - 1, cell.height, false);
      add (x, 0.5, cell.width, height - 1, false);
      add (x, y, cell.width, cell.height, true);
    }
    this.list (focus);
  }
}

for (const root of document.querySelectorAll (".headlight-page:not([data-ready])")) {
  root.dataset.ready = "";
  new Page (root);
}
})();
