#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests build-aux/check-layers on small trees: good ones pass, each kind of bad one is named."""

import json
import pathlib
import subprocess
import sys
import tempfile

GOOD = {
    "po/POTFILES.in": "# a comment\nsrc/core/base/a.c\nui/window.ui\n",
    "src/core/base/a.c": '#include "core/base/a.h"\n#include "config.h"\n_("x" PRIu64 "G_INT64_FORMAT)"); f ("%" G_INT64_FORMAT);\n',
    "src/core/base/a.h": "#include <gio/gio.h>\n",
    "src/core/document/d.h": '#include "core/base/a.h"\n',
    "src/core/source/s.h": '/* not _("x") nor\n#include "app/base/w.h"\n*/ #define S "/*"\n#include "core/document/d.h"\n',
    "src/draw/scene/s.c": '#include <cairo.h>\n#include <pango/pangocairo.h>\n#include "core/source/s.h"\nmy_ (1);\n',
    "src/cli/c.c": '#include "draw/scene/s.h"\n',
    "src/draw/scene/s.h": "",
    "src/app/base/w.h": '#include <adwaita.h>\n#include "headlight-resources.h"\n#include "draw/scene/s.h"\n',
    "ui/window.ui": '<property translatable="yes">x</property>',
    "ui/plain.ui": "<property>x</property>",
}

# What is changed in the good tree, and the sentence that must come of it.
BAD = {
    "upwards in core": (
        {"src/core/base/a.h": '\n#include "core/document/d.h"\n'},
        'src/core/base/a.h:2: includes "core/document/d.h": core/base comes before core/document',
    ),
    "document includes source": (
        {"src/core/document/d.h": '#include "core/source/s.h"\n'},
        "core/document comes before core/source",
    ),
    "core includes draw": (
        {"src/core/source/s.h": '#include "draw/scene/s.h"\n'},
        "core/source comes before draw/scene",
    ),
    "draw includes app": ({"src/draw/scene/s.h": '# include "app/base/w.h"\n'}, "draw/scene comes before app/base"),
    "app includes cli": (
        {"src/cli/c.h": "", "src/app/base/w.h": '#include "cli/c.h"\n'},
        "app and cli are two programs",
    ),
    "cli includes app": ({"src/cli/c.c": '#include "app/base/w.h"\n'}, "cli and app are two programs"),
    "upwards among rooms": (
        {"src/app/base/w.h": '#include "app/window/v.h"\n', "src/app/window/v.h": ""},
        "app/base comes before app/window",
    ),
    "cairo in core": (
        {"src/core/base/a.h": "#include <cairo.h>\n"},
        "<cairo.h>, which only draw, cli, app may use",
    ),
    "pango in core": ({"src/core/base/a.h": "#include <pango/pango.h>\n"}, "<pango/pango.h>"),
    "gtk in draw": ({"src/draw/scene/s.h": "#include <gtk/gtk.h>\n"}, "which only app may use"),
    "gdk in cli": ({"src/cli/c.c": "#include <gdk/gdk.h>\n"}, "which only app may use"),
    "adwaita in core": ({"src/core/base/a.h": "#include <adwaita.h>\n"}, "which only app may use"),
    "dots": ({"src/draw/scene/s.h": '#include "../core/base/a.h"\n'}, "includes are written from src/"),
    "own folder not named": ({"src/draw/scene/s.c": '#include "s.h"\n'}, "is not a file of src/"),
    "file that is not there": ({"src/draw/scene/s.h": '#include "draw/scene/x.h"\n'}, "is not a file of src/"),
    "unknown folder": ({"src/core/new/n.c": ""}, "src/core/new/n.c: its folder has no place"),
    "file beside the rooms": ({"src/draw/n.c": ""}, "src/draw/n.c: its folder has no place"),
    "file beside the folders": ({"src/n.c": ""}, "src/n.c: its folder has no place"),
    "string not listed": (
        {"src/cli/c.c": 'N_ ("x");'},
        "src/cli/c.c: has strings to translate but is not in po/POTFILES.in",
    ),
    "plural not listed": ({"src/cli/c.c": 'ngettext ("x", "y", 2);'}, "src/cli/c.c: has strings"),
    "template not listed": (
        {"ui/plain.ui": '<x translatable="yes">x</x>'},
        "ui/plain.ui: has strings",
    ),
    "listed, not there": (
        {"po/POTFILES.in": GOOD["po/POTFILES.in"] + "src/core/gone.c\n"},
        "src/core/gone.c does not exist",
    ),
    "listed, no strings": (
        {"po/POTFILES.in": GOOD["po/POTFILES.in"] + "src/cli/c.c\n"},
        "src/cli/c.c has no strings",
    ),
    "macro in a string": (
        {"src/core/base/a.c": '#include "config.h"\nf (_ ("%" G_GSIZE_FORMAT " (a)"), 1);\n'},
        "src/core/base/a.c:2: G_GSIZE_FORMAT within a string to translate",
    ),
    "macro in a plural": (
        {"src/core/base/a.c": 'ngettext ("%" G_GUINT64_FORMAT,\n"%d", g (n));\n'},
        "src/core/base/a.c:1: G_GUINT64_FORMAT within",
    ),
    "listed twice": (
        {"po/POTFILES.in": GOOD["po/POTFILES.in"] + "ui/window.ui\n"},
        "ui/window.ui is listed twice",
    ),
}

# Files that were compiled: a has what all need, one of two programs has the second main().
BUILT = {
    "po/POTFILES.in": "",
    "src/core/base/a.c": "int hl_a (void) { return 1; }\n",
    "src/core/base/b.c": "int hl_a (void);\nint hl_b (void) { return hl_a (); }\n",
    "src/core/document/c.c": "int hl_b (void);\nconst int (*hl_c) (void) = (void *) hl_b;\nint hl_d (void) { return hl_b (); }\n",
    "src/cli/main.c": "int hl_d (void);\nint main (void) { return hl_d (); }\n",
    "src/app/main.c": "int hl_a (void);\nint main (void) { return hl_a (); }\n",
    "tests/t.c": "int hl_d (void);\nint hl_e (void) { return hl_d (); }\n",
}

# What is changed in it, and what must be said, nothing more.
CIRCLES = {
    "two files": (
        {"src/core/base/a.c": "int hl_b (void);\nint hl_a (void) { return hl_b (); }\n"},
        "src/core/base/a.c, src/core/base/b.c: these need one another\n"
        "  src/core/base/a.c takes hl_b of src/core/base/b.c\n"
        "  src/core/base/b.c takes hl_a of src/core/base/a.c\n",
    ),
    "three files, by a table": (
        {"src/core/base/a.c": "extern int (*hl_c) (void);\nint hl_a (void) { return hl_c (); }\n"},
        "src/core/base/a.c, src/core/base/b.c, src/core/document/c.c: these need one another\n"
        "  src/core/base/a.c takes hl_c of src/core/document/c.c\n"
        "  src/core/base/b.c takes hl_a of src/core/base/a.c\n"
        "  src/core/document/c.c takes hl_b of src/core/base/b.c\n",
    ),
    "none with a test": ({"src/core/base/a.c": "int hl_e (void);\nint hl_a (void) { return hl_e (); }\n"}, ""),
    "none by what is static": (
        {"src/core/base/a.c": "static int hl_b (void) { return 2; }\nint hl_a (void) { return hl_b (); }\n"}, ""),
}


def compile_all(compiler, folder):
    """Leaves the objects of all C files, and how they came to be, in a build folder, which it returns."""
    build = pathlib.Path(folder, "build")
    build.mkdir()
    commands = []
    for number, path in enumerate(sorted(pathlib.Path(folder).rglob("*.c"))):
        subprocess.run([*compiler, "-c", path, "-o", f"{number}.o"], cwd=build, check=True)
        commands.append({"directory": str(build), "file": f"../{path.relative_to(folder)}", "output": f"{number}.o"})
    (build / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
    return build


def check(script, files, *options, compiler=None):
    """Writes the files to a folder of their own and returns the script's status and output."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if compiler is not None:
            options = [f"--build={compile_all(compiler, folder)}"]
        done = subprocess.run(
            [sys.executable, script, "--root", folder, *options],
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
    return done.returncode, done.stdout


def main():
    script, *compiler = sys.argv[1:]
    results = []

    status, output = check(script, GOOD)
    results.append(("a good tree passes", status == 0 and output == "", output))
    for name, (changes, sentence) in BAD.items():
        status, output = check(script, GOOD | changes)
        results.append((name, status == 1 and sentence in output, output))

    status, output = check(script, BUILT, compiler=compiler)
    results.append(("no circles", status == 0 and output == "", output))
    for name, (changes, sentences) in CIRCLES.items():
        status, output = check(script, BUILT | changes, compiler=compiler)
        results.append((f"circles: {name}", status == (sentences != "") and output == sentences, output))

    unlisted = {"po/POTFILES.in": "ui/gone.ui\n", "src/cli/c.c": 'N_ ("x");'}
    status, output = check(script, GOOD | unlisted, "--update-potfiles")
    results.append(("POTFILES.in is made complete", status == 0 and output == "", output))

    print(f"1..{len(results)}")
    for number, (name, passed, output) in enumerate(results, 1):
        print(f"{'ok' if passed else 'not ok'} {number} - {name}")
        if not passed:
            print(*(f"# {line}" for line in output.splitlines()), sep="\n")
    return 0 if all(passed for _, passed, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
