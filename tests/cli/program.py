# SPDX-License-Identifier: MIT
"""Runs headlight-cli for the tests, by the program of serve-cli.c where there is one: without loading it anew each time."""

import atexit
import os
import selectors
import signal
import socket
import subprocess
import threading
import time

# Without it, as when a test is run by hand, each run is of the program itself.
SERVER = os.environ.get("HL_TEST_SERVE_CLI")
TIMEOUT = 120
# As in serve-cli.c.
MAX_ARGUMENTS, MAX_LENGTH = 1024, 1 << 16


class Server:
    """A process that runs the command line, one run after the other, each with what it was given itself: an environment, a file mode."""

    def __init__(self, env):
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen([SERVER, str(theirs.fileno())], env=env, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])

    def ask(self):
        number = self.socket.recv(4)
        if len(number) != 4:
            raise AssertionError("the program that runs headlight-cli has ended")
        return int.from_bytes(number, "little")

    def run(self, command, request):
        ends = [os.pipe(), os.pipe()]
        try:
            socket.send_fds(self.socket, [request], [write for _, write in ends])
        finally:
            for _, write in ends:
                os.close(write)
        child, said = self.ask(), [[], []]
        deadline = time.monotonic() + TIMEOUT
        with selectors.DefaultSelector() as waiting:
            for (read, _), parts in zip(ends, said, strict=True):
                waiting.register(read, selectors.EVENT_READ, parts)
            while waiting.get_map():
                ready = waiting.select(max(deadline - time.monotonic(), 0))
                if not ready:
                    os.kill(child, signal.SIGKILL)
                    raise subprocess.TimeoutExpired(command, TIMEOUT)
                for key, _ in ready:
                    part = os.read(key.fd, 1 << 16)
                    key.data.append(part)
                    if not part:
                        waiting.unregister(key.fd)
                        os.close(key.fd)
        status = os.waitstatus_to_exitcode(self.ask())
        # As subprocess reads text.
        out, err = (b"".join(parts).decode().replace("\r\n", "\n").replace("\r", "\n") for parts in said)
        return subprocess.CompletedProcess(command, status, out, err)

    def end(self):
        self.socket.close()
        self.process.wait()


lock = threading.Lock()
# Those that wait for work, by what they were given: as many as ever worked at once.
idle = {}


@atexit.register
def end():
    with lock:
        for servers in idle.values():
            for server in servers:
                server.end()
        idle.clear()


def get_umask():
    """os.umask() can only be asked by setting it, for all threads."""
    with open("/proc/self/status", encoding="utf-8") as status:
        return next(line for line in status if line.startswith("Umask:"))


def run(command, *, env, cwd=None, **options):
    """What subprocess.run() does with a command and nothing to read, and gives: what is written, as text."""
    words = [os.fsencode(word) for word in (cwd or os.getcwd(), *command)]
    request = b"".join(word + b"\0" for word in words)
    if SERVER is None or options or len(request) > MAX_LENGTH or len(words) >= MAX_ARGUMENTS:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=TIMEOUT, env=env, cwd=cwd,
                              **options)
    if any(b"\0" in word for word in words):
        raise ValueError("embedded null byte")
    key = get_umask(), frozenset(env.items())
    with lock:
        server = idle[key].pop() if idle.get(key) else None
    server = server or Server(env)
    result = server.run(command, request)
    # One that failed to answer is not asked again: it ends with the test, which its socket tells it.
    with lock:
        idle.setdefault(key, []).append(server)
    return result
