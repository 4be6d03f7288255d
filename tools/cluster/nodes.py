"""The processes of a cluster on loopback, one for each node."""

import pathlib
import re
import signal
import subprocess


class Failure(Exception):
    """What the cluster did wrong; the run ends."""


def address(node):
    """Each node has a loopback address of its own, and the same ports."""
    return f"127.0.0.{node + 1}"


class Nodes:
    """Started and killed by number; their output is in FOLDER/nodeN.log."""

    def __init__(self, program, folder, cap, env, count):
        self.program, self.count = program, count
        self.folder = pathlib.Path(folder)
        self._cap, self._env = cap, env
        self._processes = [None] * count

    def home(self, node):
        return self.folder / f"node{node}"

    def run(self, *command):
        """A command that ends."""
        done = subprocess.run(command, env=self._env, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"{' '.join(command)}: {done.stderr[-2000:]}")

    def launch(self, node, *command):
        with open(self.folder / f"node{node}.log", "ab") as log:
            self._processes[node] = self._cap.start(
                list(command), env=self._env, stdout=log,
                stderr=subprocess.STDOUT)

    def check_runs(self, node):
        if self._processes[node].poll() is not None:
            raise Failure(f"node {node} has ended: {self.log(node)}")

    def log(self, node):
        return (self.folder / f"node{node}.log").read_text(
            errors="replace")[-2000:]

    def kill(self, node):
        """kill -9."""
        self._processes[node].send_signal(signal.SIGKILL)
        self._processes[node].wait()

    def stop(self):
        for process in self._processes:
            if process is not None and process.poll() is None:
                process.terminate()
        for process in self._processes:
            if process is None:
                continue
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def stalls(self):
        """Lines in which the databases say that writes are slowed or stopped."""
        return sum(len(re.findall(r"(?:Stalling|Stopping) writes because",
                                  log.read_text(errors="replace")))
                   for log in self.folder.rglob("LOG*"))
