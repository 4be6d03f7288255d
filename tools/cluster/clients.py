"""Threads that send to a cluster until they are told to stop."""

import random
import threading
import time


class Clients:
    """`with` runs them; each calls send_all(number, rng) once, which goes on
    while is_running()."""

    def __init__(self, count, seed):
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=self.send_all,
                             args=(number, random.Random(seed + number)))
            for number in range(count)]
        self.lock = threading.Lock()
        self.commits = []       # (seconds since the start, latency)
        self.unknown = 0        # Writes without an answer.
        self.begin = 0.0

    def __enter__(self):
        self.begin = time.monotonic()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *unused):
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def is_running(self):
        return not self._stop.is_set()

    def note_commit(self, began, ended):
        """REQUIRES: the lock."""
        self.commits.append((ended - self.begin, ended - began))

    def send_all(self, number, rng):
        raise NotImplementedError
