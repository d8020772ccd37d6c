#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A window of 360 × 640 pixels: all of it is seen, views and panels are reached, and what comes up goes again.

Usage: test-window-narrow.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import re
import subprocess
import sys
from pathlib import Path

from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE = sys.argv[1], sys.argv[2]

MODEL = Path(SAMPLE).with_name("minilm-l6-v2.gguf")

program = Program(BINARY, SAMPLE, size=(360, 640))
atexit.register(program.kill)


def get_frame_size():
    return program.accessibility.get_extents(program.main_frame())[2:]


def find_button(name, fits):
    """That of those called so whose place in the window fits."""
    for node in program.accessibility.walk(program.main_frame()):
        if node.name == name and "button" in node.role:
            extents = program.accessibility.get_extents(node)
            if extents is not None and extents[2] > 0 and fits(*extents):
                return node
    return None


def is_in_window(x, y, width, height):
    frame_width, frame_height = get_frame_size()
    return x >= 0 and x + width <= frame_width and y >= 0 and y + height <= frame_height


def find_in_bar(name):
    """That of the bar at the bottom."""
    bottom = get_frame_size()[1]
    return find_button(name, lambda x, y, width, height: y > bottom - 70 and is_in_window(x, y, width, height))


def click_in_bar(name):
    node = wait_for(f"“{name}” in the bar", lambda: find_in_bar(name))
    program.click(*program.point(node, 10, 10))


def get_brightness():
    """Of the paper above whatever comes up from below."""
    return max(program.get_colour(*program.point(program.image, 3, 3)))


def test_fits():
    program.use_page(0)
    wait_for("a narrow window", lambda: program.get_geometry(program.x_window)[2:] == (360, 640))
    for name in ("Export the Figure", "Document Menu", "Main Menu", "Find Heads", "Side Panel", "Chart"):
        wait_for(f"all of “{name}”", lambda: find_button(name, is_in_window))
    wait_for("all of the picture", lambda: is_in_window(*program.wait_place(program.image)))


def test_all_views_fit():
    """None of them is cut by what stands beside them."""
    names = ("Layers, Heads and Filters", "Head View", "Heatmap", "Model View", "Steps", "Neuron View", "All Layers", "Chart", "Picture", "Find Heads",
             "Side Panel")
    places = [program.accessibility.get_extents(wait_for(f"“{name}” in the bar", lambda: find_in_bar(name))) for name in names]
    for name, place, following in zip(names, places, places[1:]):
        assert place[0] + place[2] <= following[0], (name, place, following)


def test_views():
    for name in ("Heatmap", "Model View", "All Layers", "Chart", "Head View"):
        click_in_bar(name)
        program.wait_view(f"{name}: " if name != "Chart" else "Chart")


def test_sidebar():
    plain = get_brightness()
    program.key("ctrl+Home")
    program.wait_view("(query 0): ")
    click_in_bar("Layers, Heads and Filters")
    wait_for("the picture to be dimmed", lambda: get_brightness() < plain - 40)
    # Keys are for what came up, until Escape takes it away; then they are the picture's again.
    program.key("ctrl+a")
    program.key("Escape")
    wait_for("the picture as it was", lambda: get_brightness() == plain)
    program.key("ctrl+Home", "Down")
    program.wait_view("(query 1): ")


def test_beside():
    """A click beside what came up takes it away."""
    plain = get_brightness()
    click_in_bar("Side Panel")
    wait_for("the picture to be dimmed", lambda: get_brightness() < plain - 40)
    program.click(*program.point(program.image, 40, 20))
    wait_for("the picture as it was", lambda: get_brightness() == plain)


def test_find_heads():
    plain = get_brightness()
    click_in_bar("Find Heads")
    wait_for("the picture to be dimmed", lambda: get_brightness() < plain - 40)
    program.type("banana -> fruit")
    program.key("Return")
    wait_for("heads that link them", lambda: program.find_all("label", "Strongest: ", program.page))


def get_places(*names):
    """Where buttons, lists and fields of the page are that are seen."""
    found = {}
    for node in program.accessibility.walk(program.page):
        extents = program.accessibility.get_extents(node) if node.name in names else None
        if extents is not None and extents[2] > 0 and node.name not in found:
            found[node.name] = extents
    return found


def test_comparison():
    """One picture above the other, as wide as the window, under two lines of what is compared."""
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    program.key("alt+h")
    program.wait_gone("Compare With")

    def find_pictures():
        pictures = [program.accessibility.get_extents(node) for node in program.accessibility.walk(program.page)
                    if node.role == "image" and "Head View: " in node.name]
        return pictures if len(pictures) == 2 else None
    wait_for("both pictures", find_pictures)

    def are_stacked():
        pictures = find_pictures()
        if pictures is None:
            return False
        (left, top, width, height), (other_left, other_top, other_width, other_height) = pictures
        return (left == other_left and width == other_width >= get_frame_size()[0] - 4 and
                other_top >= top + height and abs(height - other_height) <= 2)
    wait_for(lambda: f"one above the other, not {find_pictures()}", are_stacked)
    names = ("Layer of B", "Head of B", "Heads That Changed Most", "Difference B − A", "Stop Comparing")

    def are_two_lines():
        places = get_places(*names).values()
        return (len(places) == len(names) and len({y + height // 2 for _, y, _, height in places}) == 2 and
                all(is_in_window(*place) for place in places))
    wait_for(lambda: f"two lines of all of {names}, not {get_places(*names)}", are_two_lines)
    # Both get less room, and more again: one follows the other when both have theirs, or GTK complains.
    for _ in range(2):
        program.key("ctrl+f")
        wait_for("the field", lambda: "Find a Token" in get_places("Find a Token"))
        wait_for("half of it each", are_stacked)
        program.type("banana")
        program.key("Escape")
        wait_for("half of all each", are_stacked)
    program.key("Escape", "ctrl+shift+d")
    wait_for("one picture", lambda: find_pictures() is None)


def test_wide_again():
    program.resize(1280, 860)
    # What was over the page is beside it.
    wait_for("the panel beside the picture",
             lambda: 300 < program.accessibility.get_extents(program.image)[2] < 800)
    wait_for("the picture not to be dimmed", lambda: get_brightness() > 230)
    program.key("F9")
    program.key("F9")
    program.resize(360, 640)
    wait_for("the bar at the bottom", lambda: find_in_bar("Heatmap"))


def test_texts():
    """Two texts of a model stand one above the other; a second one that nobody wrote takes little."""
    program.open_again(MODEL)
    program.wait_title("all-MiniLM-L6-v2")
    program.use_page(1)

    def are_stacked():
        places = get_places("Text", "Second Text")
        if len(places) < 2:
            return False
        (left, top, width, height), (other_left, other_top, other_width, _) = places["Text"], places["Second Text"]
        return left == other_left and width == other_width > 200 and other_top >= top + height
    wait_for(lambda: f"one above the other, not {get_places('Text', 'Second Text')}", are_stacked)
    program.key("Tab", "ctrl+a", "BackSpace", "Return")

    def is_beside():
        places = get_places("Text", "Second Text")
        return len(places) == 2 and places["Text"][1] == places["Second Text"][1] and places["Second Text"][2] < 100
    wait_for(lambda: f"little room for the second, not {get_places('Text', 'Second Text')}", is_beside)
    program.key("ctrl+l", "Tab")
    program.type("The cat lay on the rug\n")
    wait_for("both texts", are_stacked)


def find_seen():
    """The one picture that is seen."""
    images = []
    for node in program.accessibility.walk(program.page):
        extents = program.accessibility.get_extents(node) if node.role == "image" and "attention weight" in node.name else None
        if extents is not None and extents[2] > 0 and extents[3] > 0:
            images.append(node)
    return images[0] if len(images) == 1 else None


def wait_side(letter):
    """Until that side is seen alone, with its field, and fits."""
    def is_there():
        image = find_seen()
        return (image is not None and re.search(rf" · {letter}(: |$)", image.name) is not None and
                "Text" in get_places("Text"))
    names = ("Text", "Show Side A", "Show Side B", "Difference B − A", "Stop Comparing")

    def fits():
        image, places = is_there() and find_seen(), get_places(*names)
        if not image or len(places) < len(names):
            return None
        return image if all(map(lambda place: is_in_window(*place), (*places.values(), program.wait_place(image)))) else None
    wait_for(f"side {letter} alone", is_there)
    program.image = wait_for(lambda: f"all of {names} in the window, not {get_places(*names)}", fits)


def find_fields():
    """What stands in the texts that are seen, from above."""
    found = []
    for node in program.find_all("text box", "Text", program.page):
        extents = program.accessibility.get_extents(node)
        if node.name == "Text" and extents is not None and extents[3] > 0 and is_in_window(*extents):
            found.append((extents[1], program.accessibility.get_text(node)))
    return [text for _, text in sorted(found)]


def click_button(name):
    node = wait_for(f"“{name}”", lambda: find_button(name, is_in_window))
    program.click(*program.point(node, 10, 10))


def test_compared_texts():
    """Of two texts one is seen at a time, each with its field and with rows enough, by touch and by keys."""
    program.key("Escape", "ctrl+1", "ctrl+d")
    program.wait_dialog("Compare With")
    program.key("alt+t")
    program.wait_gone("Compare With")
    wait_side("B")
    # Nothing differs yet: they are not called by the same name.
    assert program.image.name.endswith(" · B"), program.image.name
    program.type("The dog slept\n")
    wait_side("B")
    words = [(x, y) for y in range(110, program.wait_place(program.image)[3], 8) for x in (80, 96)]
    program.seek(words, "slept (query 3): ")
    program.seek(words, "the (query 5): ")
    # By touch.
    click_button("Show Side A")
    wait_side("A")
    program.seek(words, "sat (query 3): ")
    program.seek(words, "mat (query 6): ")
    # The difference of both, and back by keys.
    click_button("Difference B − A")

    def is_difference():
        image = find_seen()
        return image is not None and "difference B − A" in image.name
    wait_for("the difference alone", lambda: is_difference() and find_fields() == ["The cat sat on the mat", "The dog slept"])
    program.go_by_tab("Show Side B", "shift+Tab")
    program.key("space")
    wait_side("B")
    program.key("F6")
    wait_side("A")
    program.key("F6")
    wait_side("B")
    # Who types goes on with the text that is seen, and from there to its picture.
    program.key("ctrl+l")
    wait_for("the keyboard in the field", lambda: "Text" in program.get_focused())
    program.key("Escape", "ctrl+Home")
    program.wait_view("(query 0): ")
    program.key("ctrl+shift+d")
    wait_for("one text", lambda: len(get_places("Text", "Show Side A")) == 1)
    program.use_page(1)
    program.key("Down")
    program.wait_view("(query ")


def test_models():
    program.key("ctrl+shift+l")
    _, window = program.wait_dialog("Models on This Computer")

    def is_narrow():
        program.xdotool("windowsize", window, 360, 600)
        return program.get_geometry(window)[2] <= 360
    wait_for("the dialog to be narrow", is_narrow)
    program.key("alt+d")
    program.wait_frame("Download a Model")
    wait_for("the page of downloads to be narrow", is_narrow)
    program.key("Escape")
    program.wait_frame("Models on This Computer")
    program.close_dialog("Models on This Computer")


def test_shortcuts():
    program.key("ctrl+F1")
    _, window = program.wait_dialog("Keyboard Shortcuts")
    wait_for(lambda: f"a narrow dialog, not {program.get_geometry(window)}", lambda: program.get_geometry(window)[2] <= 360)
    program.close_dialog("Keyboard Shortcuts")


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def test_welcome():
    """Of the sample's picture the last words are seen too, and the header has nothing that is of no use yet."""
    global program
    program = Program(BINARY, size=(360, 640))
    atexit.register(program.kill)
    program.image = program.wait("image", "Head View: ")
    width, height = program.wait_place(program.image)[2:]
    program.seek([(width * 0.72, height - dy) for dy in range(1, 60, 4)], "banana (key 11): ")
    assert find_button("Export the Figure", is_in_window) is None
    assert find_button("Document Menu", is_in_window) is None
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def set_dpi(dpi):
    """Of the display, as desktops tell how large text is to be."""
    subprocess.run(["xprop", "-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", f"Xft.dpi:\t{dpi}\n"], check=True)


def test_large_text():
    """Where all text is twice as large, so is the picture, for the eye and for the pointer, and the window has the same width."""
    global program
    set_dpi(192)
    program = Program(BINARY, SAMPLE, size=(360, 640))
    atexit.register(program.kill)
    test_fits()
    # Six of twelve heads beside each other have half as much room as they have elsewhere.
    for head in range(6):
        program.seek([(63 + 44 * head, y) for y in range(80, 160, 8)], re.compile(rf"head {head}\b"))
    program.key("ctrl+f")
    program.wait("search box", "Find a Token")
    test_fits()
    program.key("Escape")
    program.click(*program.seek([(90, y) for y in range(230, 330, 8)], "time (query 1): ")[:2])
    for name in ("Side Panel", "Layers, Heads and Filters"):
        click_in_bar(name)
        wait_for(f"all of “{name}”", lambda: find_button("As in the Text" if name == "Side Panel" else "None", is_in_window))
        wait_for(f"“{name}” to end in the window", lambda: find_button("Close", is_in_window))
        program.key("Escape")
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())
    set_dpi(96)


def recover():
    if program.process.poll() is None:
        program.key("Escape", "Escape")
        program.resize(360, 640)


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
