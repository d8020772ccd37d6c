# SPDX-License-Identifier: MIT
"""Pictures as a window gives them away, the commands that draw them, and the sessions that keep them."""
import json
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from window_driver import wait_for


class Figures:
    def __init__(self, program, cli, work):
        """A running program, headlight-cli, and a folder for what they write."""
        self.program, self.cli, self.work = program, Path(cli), Path(work)

    def wait_said(self, words):
        wait_for(f"to be told “{words}”", lambda: self.program.find_all("label", words, self.program.main_frame()))

    def forget_said(self, words):
        wait_for(f"“{words}” to go", lambda: not self.program.find_all("label", words, self.program.main_frame()), 60)

    def copy(self, key, target, beginning):
        """What a key puts on the clipboard, on which it is nothing that counts before."""
        self.program.write_clipboard(b"nothing")
        self.program.key(key)

        def ask():
            content = self.program.read_clipboard(target)
            return content if content and content.startswith(beginning) else None
        return wait_for(f"the clipboard after {key}", ask)

    def copy_figure(self):
        """The picture as the window copies it, the pointer nowhere in it."""
        self.program.move(5, 5)
        return self.copy("ctrl+c", "image/png", b"\x89PNG")

    def copy_command(self):
        return self.copy("ctrl+shift+k", "UTF8_STRING", b"headlight-cli").decode()

    def run(self, command):
        """What the command draws, run by a shell that finds headlight-cli."""
        folder = Path(tempfile.mkdtemp(dir=self.work))
        environment = dict(os.environ, PATH=f"{self.cli.parent}:{os.environ['PATH']}")
        subprocess.run(["sh", "-c", command], cwd=folder, env=environment, check=True, timeout=120)
        files = list(folder.iterdir())
        assert len(files) == 1, files
        return files[0].read_bytes()

    def check_same(self, figure, other, what):
        if figure != other:
            folder = Path(os.environ.get("HEADLIGHT_TEST_PICTURES", self.work))
            (folder / "session-a.png").write_bytes(figure)
            (folder / "session-b.png").write_bytes(other)
        assert figure == other, what

    def save_session(self, path):
        self.program.key("ctrl+s")
        self.program.save_in_chooser("Save Session", path)
        self.program.wait_gone("Save Session")

    # A tab, in which something may be compared

    def pictures(self, page):
        return [node for node in self.program.accessibility.walk(page) if node.role == "image"
                and ("layer " in node.name or node.name.startswith("Chart: "))]

    def use_page(self, index):
        """The tab, in the order of opening, that is spoken of from now on."""
        def ask():
            pages = [node for node in self.program.accessibility.walk(self.program.main_frame()) if node.name == "HlDocumentPage"]
            return pages[index] if len(pages) > index and self.pictures(pages[index]) else None
        self.program.page = wait_for(f"tab {index} with a picture", ask)

    def images(self, *words):
        """The pictures of the tab whose names hold all of the words."""
        return [node for node in self.pictures(self.program.page) if all(word in node.name for word in words)]

    def wait_image(self, *words):
        return wait_for(lambda: f"a picture of {words}; there are {self.get_names()}", lambda: self.images(*words))[0]

    def wait_no_image(self, *words):
        wait_for(lambda: f"no picture of {words}; there are {self.get_names()}", lambda: self.images() and not self.images(*words))

    def get_names(self):
        return sorted(node.name for node in self.images())

    def wait_names(self, names):
        wait_for(lambda: f"pictures called {names}; there are {self.get_names()}", lambda: self.get_names() == names)

    def compare(self, *keys):
        """Chooses with what in the dialog, by the keyboard."""
        self.program.key("ctrl+d")
        self.program.wait_dialog("Compare With")
        self.program.key(*keys)
        self.program.wait_gone("Compare With")

    def close_tab(self, title):
        """And goes back to the one of that title."""
        program = self.program
        closed = program.title()
        program.key("ctrl+w")
        wait_for("the tab to close", lambda: closed != program.title())
        for _ in range(5):
            if title == program.title():
                return
            before = program.title()
            program.key("ctrl+Page_Up")
            wait_for("another tab", lambda: program.title() != before)
        assert title == program.title(), program.title()

    def check_state(self, name, index, *leave):
        """What is seen is copied, drawn by the command, saved, opened in a tab of its own and drawn by headlight-cli, each time the same.

        The keys to leave bring the keyboard from where it begins in a tab to the picture. Returns what the session file says.
        """
        program, names = self.program, self.get_names()
        title, page = program.title(), program.page
        png = self.copy_figure()
        svg = wait_for("shapes on the clipboard", lambda: program.read_clipboard("image/svg+xml"))
        command = self.copy_command()
        self.check_same(png, self.run(command), command)
        path = self.work / f"{name}.headlight"
        self.save_session(path)
        program.open_again(path)
        program.wait_title(path.name)
        self.use_page(index)
        self.wait_names(names)
        program.key(*leave)
        self.check_same(png, self.copy_figure(), f"{name}: the picture is another one")
        self.check_same(svg, wait_for("shapes on the clipboard", lambda: program.read_clipboard("image/svg+xml")),
                        f"{name}: the shapes are others")
        target = self.work / f"{name}.png"
        size = [word for word in shlex.split(command) if word.startswith(("--width", "--height", "--scale", "--as-seen"))]
        subprocess.run([self.cli, "render", path, *size, "-o", target], check=True, timeout=120)
        self.check_same(png, target.read_bytes(), f"{name}: headlight-cli draws another picture")
        self.close_tab(title)
        program.page = page
        self.wait_names(names)
        return json.loads(path.read_text())
