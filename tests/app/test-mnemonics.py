#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Alt and a letter leads to one thing: within each template, of all panels that a view shows together, and in each menu. What a window really shows,
with what was made by the program, is looked at by test-document-page.

Usage: test-mnemonics.py UI
"""
import re
import sys
import xml.etree.ElementTree
from pathlib import Path

UI = Path(sys.argv[1])
WINDOW = ["window.ui", "head-picker.ui", "example-panel.ui", "banner.ui"]
MAPS = [*WINDOW, "quantity-panel.ui", "hiding-panel.ui", "filter-panel.ui", "colour-panel.ui"]
# What stands beside each other, view by view, and of what is in those files but never shown with the rest.
TOGETHER = {
    "head view and layers": (MAPS, {"Thu_mbnails", "Sq_uare Cells", "Bars as _Parts of 1", "_Colours", "Colour Sca_le", "He_at", "Inte_rpolated", "Opacit_y"}),
    "heatmap": (MAPS, {"Thu_mbnails", "Sq_uare Cells", "Bars as _Parts of 1", "Relative _Lines", "He_at", "Inte_rpolated", "Opacit_y"}),
    "model view of heatmaps": ([*MAPS, "order-panel.ui"], {"Bars as _Parts of 1", "Relative _Lines", "He_at", "Inte_rpolated", "Opacit_y"}),
    "model view of lines": ([*MAPS, "order-panel.ui"], {"Bars as _Parts of 1", "_Colours", "Colour Sca_le", "He_at", "Inte_rpolated", "Opacit_y"}),
    "steps and neurons": (
        [*WINDOW, "score-panel.ui", "hiding-panel.ui", "colour-panel.ui"],
        {"Thu_mbnails", "Sq_uare Cells", "Colour Sca_le", "H_ide Special Tokens", "Hide First To_ken", "Rows Sum to O_ne", "He_at",
         "Inte_rpolated", "Opacit_y"},
    ),
    "picture": (MAPS, {"Thu_mbnails", "Sq_uare Cells", "Bars as _Parts of 1", "Relative _Lines", "C_urved Lines"}),
    "charts": ([*WINDOW, "quantity-panel.ui", "chart-panel.ui"], set()),
}
# Of two one is shown at a time: heatmaps have colours, lines have strengths; and curves, where heads are not squares.
ALTERNATIVES = ({"Colour Sca_le", "Relative _Lines"}, {"Sq_uare Cells", "C_urved Lines"})


def get_labels(path):
    labels = []
    for node in xml.etree.ElementTree.parse(path).getroot().iter("object"):
        values = {child.get("name"): child.text or "" for child in node.findall("property")}
        if values.get("use-underline") == "true":
            labels.append(values.get("label") or values.get("title"))
    return labels


def get_menus(path):
    """What each menu shows at a time, by its name: its items and the names of those below it."""
    menus = {}
    for menu in xml.etree.ElementTree.parse(path).getroot().iter():
        if menu.tag not in ("menu", "submenu"):
            continue
        entries = []
        for part in [menu, *menu.findall("section")]:
            for entry in [*part.findall("item"), *part.findall("submenu")]:
                entries += [node.text for node in entry.findall("attribute") if node.get("name") == "label"]
        title = next((node.text for node in menu.findall("attribute") if node.get("name") == "label"), None)
        menus[f"{path.name}: {menu.get('id') or title}"] = entries
    return menus


def find_doubled(labels):
    seen = {}
    for label in labels:
        found = re.search("_(.)", label or "")
        if found:
            seen.setdefault(found[1].lower(), []).append(label)
    return {letter: list_ for letter, list_ in seen.items() if len(list_) > 1 and set(list_) not in ALTERNATIVES}


def main():
    files = sorted(UI.rglob("*.ui"))
    labels = {path.name: get_labels(path) for path in files}
    everything = {label for list_ in labels.values() for label in list_}
    results = [(name, find_doubled(list_)) for name, list_ in labels.items()]
    menus = {name: list_ for path in files for name, list_ in get_menus(path).items()}
    results += [(name, find_doubled(list_)) for name, list_ in menus.items()]
    if not any(len(list_) > 10 for list_ in menus.values()):
        results.append(("menus", {"": "entries are missing"}))
    for name, (parts, absent) in TOGETHER.items():
        together = [label for part in parts for label in labels[part] if label not in absent]
        results.append((name, find_doubled(together)))
        results.append((f"{name}: names", {label: "no such label" for label in absent if label not in everything}))
    print(f"1..{len(results) + 1}")
    print("ok 1 - templates" if sum(map(len, labels.values())) > 50 else "not ok 1 - templates: labels are missing")
    for number, (name, doubled) in enumerate(results, 2):
        print(f"ok {number} - {name}" if not doubled else f"not ok {number} - {name}: {doubled}")
    return 1 if any(doubled for _, doubled in results) else 0


sys.exit(main())
