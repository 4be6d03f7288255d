"""A write-bandwidth cap on the real disk: a control group (version 1, blkio).

What is written with direct I/O is charged to the group, so a cap holds for
the tables of any engine alike. Needs root and the blkio controller; says why
where it cannot be had.
"""

import os
import pathlib
import re
import subprocess
import time

CONTROLLER = pathlib.Path("/sys/fs/cgroup/blkio")
CHARGED_SHARE = 0.95        # Of the table bytes; a run with less is void.


def device_of(directory):
    """"MAJ:MIN" of the whole disk that holds `directory`, or None."""
    number = os.stat(directory).st_dev
    block = pathlib.Path("/sys/dev/block") / (
        f"{os.major(number)}:{os.minor(number)}")
    if not block.exists():
        return None
    if (block / "partition").exists():
        block = block.resolve().parent
    return (block / "dev").read_text().strip()


def unavailable(directory):
    """Why no cap can be had for `directory`, "" if it can."""
    if os.geteuid() != 0:
        return "not root"
    if not (CONTROLLER / "blkio.throttle.write_bps_device").exists():
        return "no version 1 blkio control groups"
    if device_of(directory) is None:
        return f"{directory} is not on a block device"
    return ""


class Cap:
    """A group of its own for one run; removed when the run is over."""

    def __init__(self, directory, bytes_per_second, **more):
        """`more`: other limits by their names, such as read_iops=3000."""
        self.bytes_per_second = int(bytes_per_second)
        self._limits = {"write_bps": self.bytes_per_second, **more}
        self._device = device_of(directory)
        stamp = f"{os.getpid()}-{time.monotonic_ns()}"
        self._group = CONTROLLER / f"riverstone-{stamp}"

    def __enter__(self):
        self._group.mkdir()
        for name, value in self._limits.items():
            (self._group / f"blkio.throttle.{name}_device").write_text(
                f"{self._device} {int(value)}")
        return self

    def __exit__(self, *unused):
        for _ in range(20):  # A process that just ended may still count.
            try:
                self._group.rmdir()
                return
            except OSError:
                time.sleep(0.1)

    def start(self, command, **more):
        """subprocess.Popen in the group from its first instruction on."""
        shell = f'echo $$ > "{self._group}/cgroup.procs" && exec "$@"'
        return subprocess.Popen(["/bin/sh", "-c", shell, "sh", *command],
                                **more)

    def charged(self):
        """Bytes written that were charged to the group."""
        return self.count("io_service_bytes", "Write")

    def count(self, name, kind):
        """Of io_service_bytes or io_serviced: what was a Read or a Write."""
        text = (self._group / f"blkio.throttle.{name}").read_text()
        return sum(int(n) for n in re.findall(rf"^\S+ {kind} (\d+)$", text,
                                              re.M))


class NoCap:
    """The same without a group."""

    bytes_per_second = 0

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        pass

    @staticmethod
    def start(command, **more):
        return subprocess.Popen(command, **more)

    @staticmethod
    def charged():
        return None
