# SPDX-License-Identifier: MIT
"""A page in a headless browser: what its script made of it, asked by a script that the test adds."""

import functools
import json
import os
import re
import shutil
import subprocess
import tempfile

# What goes wrong from the first byte on is noted.
BEFORE = """<script>
window.hlTest = { errors: [], checks: [] };
addEventListener ("error", event => hlTest.errors.push (String (event.message || event.target.src || event.target.href)), true);
addEventListener ("unhandledrejection", event => hlTest.errors.push (String (event.reason)));
document.addEventListener ("securitypolicyviolation", event => hlTest.errors.push ("policy: " + event.blockedURI));
console.error = (...what) => hlTest.errors.push (what.join (" "));
</script>
"""

# The answers stand at the end of the page that the browser prints.
AFTER = """<script>
const $ = (selector, from = document) => from.querySelector (selector);
const $$ = (selector, from = document) => [...from.querySelectorAll (selector)];
const point = (node, kind, where = {}) => node.dispatchEvent (new PointerEvent (kind, { bubbles: kind === "pointermove", ...where }));
const press = (node, key, more = {}) => node.dispatchEvent (new KeyboardEvent ("keydown", { key, bubbles: true, cancelable: true, ...more }));
const spoken = () => $ (".hl-live").textContent;
let hlAnswer;
try {
  hlAnswer = (() => { %s })();
} catch (error) {
  hlTest.errors.push (String (error.stack));
}
const hlResult = document.createElement ("script");
hlResult.type = "application/json";
hlResult.id = "hl-result";
hlResult.textContent = JSON.stringify ({ answer: hlAnswer, errors: hlTest.errors,
  requests: performance.getEntriesByType ("resource").map (entry => entry.name) }).replace (/</g, "\\\\u003c");
document.body.append (hlResult);
</script>
"""


@functools.lru_cache(maxsize=None)
def find():
    """Returns the browser, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def run(url, *options, dark=False, size=(1280, 860), timeout=120):
    """Runs the browser on a page; no network can be reached. Returns what it prints."""
    with tempfile.TemporaryDirectory(prefix="headlight-browser-") as profile:
        environment = dict(os.environ, HOME=profile, XDG_CONFIG_HOME=profile, XDG_CACHE_HOME=profile)
        command = [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-extensions", "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
                   f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}",
                   f"--blink-settings=preferredColorScheme={0 if dark else 1}", *options, url]
        return subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=timeout, check=True).stdout.decode("utf-8")


def ask(page, script, **options):
    """Opens a copy of the page as a file and returns what the body of the function says in it.

    Fails when anything on the page went wrong, or asked for something that is not in it."""
    text = page.read_text(encoding="utf-8")
    copy = page.with_suffix(".asked.html")
    head = text.index("<meta charset")
    body = text.rindex("</body>")
    copy.write_text(text[:head] + BEFORE + text[head:body] + AFTER % script + text[body:], encoding="utf-8")
    try:
        printed = run(copy.as_uri(), "--dump-dom", **options)
    finally:
        copy.unlink()
    found = re.search(r'<script type="application/json" id="hl-result">(.*?)</script>', printed, re.S)
    assert found, printed[-2000:]
    result = json.loads(found[1])
    assert result["errors"] == [], result["errors"]
    assert result["requests"] == [], result["requests"]
    return result["answer"]
