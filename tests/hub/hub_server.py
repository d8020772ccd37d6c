# SPDX-License-Identifier: MIT
"""A hub of models on this computer, as the real one answers, with what can go wrong on demand.

    hub = Hub()
    hub.add("org/name", {"config.json": b"{}", "model.safetensors": b"…"}, large={"model.safetensors"})
    os.environ["HF_ENDPOINT"] = hub.address
    hub.faults["cut"] = 1000          # see Hub

Small files are sent by the hub itself; large ones by another host, which is another port here, that the hub leads to.
"""

import email.utils
import hashlib
import http.server
import json
import re
import ssl
import threading
import time
import urllib.parse

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PAGE = 4


def git_hash(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


class Model:
    def __init__(self, files, large, revisions):
        self.files, self.large, self.revisions = files, large, revisions

    def hash(self, path):
        content = self.files[path]
        return hashlib.sha256(content).hexdigest() if path in self.large else git_hash(content)


class Hub:
    """faults, by name:
    cut          bytes of a large file after which the connection ends, each time;  cuts: how often that is done
    cut_lists    how many lists end in their middle
    slow         bytes of a large file that are sent at a time, with a tenth of a second between
    status       statuses of the next answers, one each, then all is well;  retry: the header Retry-After beside them
    wrong        whether large files have another byte than they should
    longer       whether the other host has a byte more than the hub says
    no_range     whether it sends files from their beginning, whatever is asked for
    token        what must be told to be let in; without it there is 401
    gated        whether files need a token of somebody who has agreed
    endless      whether each answer leads back to itself
    open         an address that is led to for files in place of the other host
    tree, refs   bytes that are answered in place of a list
    next         an address that each page of a list says is the next
    """

    def __init__(self):
        self.models = {}
        self.faults = {}
        self.seen = []  # (host, method, path, headers)
        self.lock = threading.Lock()
        self.hub = self._start(Handler)
        self.store = self._start(Store)
        self.address = f"http://127.0.0.1:{self.hub.server_port}"
        self.store_address = f"http://127.0.0.1:{self.store.server_port}"

    def protect(self, certificate, key):
        """From now on it speaks TLS."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.hub.socket = context.wrap_socket(self.hub.socket, server_side=True)
        self.address = self.address.replace("http:", "https:")

    def _start(self, handler):
        server = Server(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        server.hub = self
        # It looks that often whether it is to end, which whoever closes it waits for.
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return server

    def close(self):
        for server in (self.hub, self.store):
            server.shutdown()
            server.server_close()

    def add(self, name, files, large=(), revisions=None):
        self.models[name] = Model(files, set(large), revisions or {"main": COMMIT})
        return self.models[name]

    def requests(self, part, host=None):
        """The headers of those asked for whose path has this in it."""
        with self.lock:
            return [headers for where, _, path, headers in self.seen if part in path and host in (None, where)]


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """Who goes away in the middle of an answer is not worth a word."""


class Base(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    host = None

    def log_message(self, *arguments):
        pass

    @property
    def hub(self):
        return self.server.hub

    @property
    def faults(self):
        return self.server.hub.faults

    def note(self):
        with self.hub.lock:
            self.hub.seen.append((self.host, self.command, self.path, dict(self.headers)))

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if body and status == 200 and self.faults.get("cut_lists", 0) > 0:
            self.faults["cut_lists"] -= 1
            self.wfile.write(body[:len(body) // 2])
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(2)
        elif self.command != "HEAD":
            self.wfile.write(body)

    def send_file(self, content, **headers):
        start, status = 0, 200
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if asked and not self.faults.get("no_range"):
            start, status = int(asked[1]), 206
            if start >= len(content):
                return self.answer(416)
            headers["Content_Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        body = content[start:]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "HEAD":
            return None
        if "cut" in self.faults and self.host == "store" and len(body) > self.faults["cut"] and self.faults.get("cuts", 1000) > 0:
            self.faults["cuts"] = self.faults.get("cuts", 1000) - 1
            self.wfile.write(body[:self.faults["cut"]])
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(2)
            return None
        step = self.faults.get("slow", len(body)) if self.host == "store" else len(body)
        for at in range(0, len(body), max(step, 1)):
            self.wfile.write(body[at:at + step])
            self.wfile.flush()
            if step < len(body):
                time.sleep(0.1)
        return None

    def do_HEAD(self):
        self.do_GET()


class Handler(Base):
    host = "hub"

    def do_GET(self):
        self.note()
        try:
            self.route()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def route(self):
        faults = self.faults
        path = urllib.parse.unquote(self.path)
        if faults.get("status"):
            status = faults["status"].pop(0)
            return self.answer(status, b"busy", **({"Retry_After": faults["retry"]} if "retry" in faults else {}))
        if faults.get("endless"):
            return self.answer(302, Location=self.path)
        allowed = "token" not in faults or self.headers.get("Authorization") == "Bearer " + faults["token"]
        found = re.fullmatch(r"/api/models/(.+?)(?:/(refs)|/tree/([^/?]+)(?:\?(.*))?|/revision/([^/?]+)(?:\?.*)?)?", path)
        if found:
            return self.answer_api(found, allowed)
        found = re.fullmatch(r"/(.+?)/resolve/([^/]+)/(.+)", path)
        if found:
            return self.answer_file(found, allowed)
        found = re.fullmatch(r"/api/resolve-cache/models/(.+?)/([0-9a-f]{40})/(.+)", path)
        if found and allowed and found[3] in self.hub.models[found[1]].files:
            model = self.hub.models[found[1]]
            return self.send_file(model.files[found[3]], X_Repo_Commit=found[2], ETag=f'W/"{model.hash(found[3])}"')
        return self.answer(404)

    def refuse(self):
        return self.answer(401, b'{"error":"Invalid username or password."}', X_Error_Code="RepoNotFound")

    def answer_api(self, found, allowed):
        name, refs, tree, query, revision = found.groups()
        model = self.hub.models.get(name)
        if model is None or not allowed:
            return self.refuse()
        if refs:
            body = self.faults.get("refs") or json.dumps({"tags": [], "converts": [], "branches": [
                {"name": branch, "ref": f"refs/heads/{branch}", "targetCommit": commit}
                for branch, commit in model.revisions.items()]}).encode()
            return self.answer(200, body, Content_Type="application/json")
        if tree is None:
            commit = model.revisions.get(revision or "main", revision)
            return self.answer(200, json.dumps({"id": name, "sha": commit, "siblings": []}).encode(),
                               Content_Type="application/json")
        if tree not in model.revisions.values():
            return self.answer(404, b"", X_Error_Code="RevisionNotFound")
        if "tree" in self.faults:
            return self.answer(200, self.faults["tree"], Content_Type="application/json")
        entries = [{"type": "directory", "oid": COMMIT, "size": 0, "path": "sub"}]
        for path in model.files:
            entry = {"type": "file", "oid": git_hash(b"pointer" + path.encode()), "size": len(model.files[path]), "path": path}
            if path in model.large:
                entry |= {"lfs": {"oid": model.hash(path), "size": len(model.files[path]), "pointerSize": 134},
                          "xetHash": "0" * 64}
            else:
                entry["oid"] = model.hash(path)
            entries.append(entry)
        at = int(urllib.parse.parse_qs(query or "").get("cursor", ["0"])[0])
        headers = {}
        if at + PAGE < len(entries):
            following = self.faults.get("next") or f"{self.hub.address}/api/models/{name}/tree/{tree}?recursive=true&cursor={at + PAGE}"
            headers["Link"] = f'<{following}>; rel="next"'
        return self.answer(200, json.dumps(entries[at:at + PAGE]).encode(), Content_Type="application/json", **headers)

    def answer_file(self, found, allowed):
        name, revision, path = found.groups()
        model = self.hub.models.get(name)
        if model is None or not allowed:
            return self.refuse()
        if self.faults.get("gated"):
            return self.answer(403 if "Authorization" in self.headers else 401, b"gated", X_Error_Code="GatedRepo")
        if path not in model.files:
            return self.answer(404, b"", X_Error_Code="EntryNotFound")
        commit = model.revisions.get(revision, revision)
        if path not in model.large:
            # From one address of its own to another.
            place = urllib.parse.quote(f"/api/resolve-cache/models/{name}/{commit}/{path}")
            return self.answer(307, X_Repo_Commit=commit, X_Linked_Etag=f'"{model.hash(path)}"',
                               X_Linked_Size=str(len(model.files[path])), Location=place)
        place = self.faults.get("open") or f"{self.hub.store_address}/{model.hash(path)}"
        return self.answer(302, X_Repo_Commit=commit, X_Linked_Etag=f'"{model.hash(path)}"',
                           X_Linked_Size=str(len(model.files[path])), Location=place)


class Store(Base):
    """Where the bytes of large files are."""

    host = "store"

    def do_GET(self):
        self.note()
        # As the real ones do: a token of somebody else's is refused.
        if "Authorization" in self.headers:
            return self.answer(400, b"Only one auth mechanism allowed")
        for model in self.hub.models.values():
            for path in model.large:
                if self.path == "/" + model.hash(path):
                    content = model.files[path]
                    if self.faults.get("wrong"):
                        content = content[:-1] + bytes([content[-1] ^ 1])
                    if self.faults.get("longer"):
                        content += b"!"
                    try:
                        return self.send_file(content, ETag='"a-hash-of-its-own"',
                                              Last_Modified=email.utils.formatdate(0, usegmt=True))
                    except (BrokenPipeError, ConnectionResetError):
                        return None
        return self.answer(404)


class Proxy:
    """Lets nobody through: has an answer for each wish, the last one for all that follow, and keeps what it was asked. It may close
    the connection then.
    """

    def __init__(self, *answers, closes=False):
        self.seen = []

        class Refusal(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_CONNECT(handler):
                self.seen.append((handler.path, dict(handler.headers)))
                handler.wfile.write(answers[min(len(self.seen), len(answers)) - 1].encode())
                handler.close_connection = closes

            do_GET = do_CONNECT

            def log_message(handler, *arguments):
                pass

        self.server = Server(("127.0.0.1", 0), Refusal)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.port = self.server.server_address[1]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
