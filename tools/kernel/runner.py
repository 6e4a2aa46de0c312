# SPDX-License-Identifier: GPL-2.0
"""Run kunit.py: show that it moves, and leave nothing half done.

Kbuild believes an object whose .cmd file matches, even if the compiler was
killed while it wrote it.  A marker lies in the build directory while a build
may write there; if it is found later, what is newer than it is not trusted.
"""

import contextlib
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import time
import tty

from common import Progress, say

class ObjectDirectory:
    """Where one flavour of kernel is built."""

    def __init__(self, path, first_build):
        path.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.first_build = first_build
        self.marker = path / '.building'
        self.complete_count = path / '.objects'

    def forget_killed_build(self):
        if not self.marker.exists():
            return
        with contextlib.suppress(ValueError):
            self.kill_survivors(int(self.marker.read_text()))
        since = self.marker.stat().st_mtime_ns
        say('the last build was killed: removing what it left unfinished')
        for path in files(self.path):
            if path != self.marker and path.lstat().st_mtime_ns >= since:
                path.unlink()
        self.marker.unlink()

    def kill_survivors(self, session):
        """make goes on when only we were killed, and kunit.py may, too."""
        build = self.path.parents[2]
        while survivors := processes_in(session, build):
            for pid in survivors:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)

    def built(self, since=0):
        """How many objects there are that are newer than a time."""
        count = 0
        for path in files(self.path):
            # Objects come and go while the build runs.
            with contextlib.suppress(FileNotFoundError):
                if path.suffix == '.o' and path.stat().st_mtime >= since:
                    count += 1
        return count

    def expectation(self):
        """How many objects a build makes, in words."""
        if self.complete_count.exists():
            return f'of at most {self.complete_count.read_text()} '
        return f'of about {self.first_build} '

    def remember_complete(self):
        if not self.complete_count.exists():
            self.complete_count.write_text(str(self.built()))


def files(directory):
    for where, _, names in os.walk(directory):
        for name in names:
            yield pathlib.Path(where, name)


def processes_in(session, directory=None):
    """Living processes of a session (those that work in directory)."""
    found = []
    for process in pathlib.Path('/proc').glob('[0-9]*'):
        with contextlib.suppress(OSError):
            stat = (process / 'stat').read_text().rpartition(')')[2].split()
            if stat[0] == 'Z' or int(stat[3]) != session:
                continue
            where = pathlib.Path(os.readlink(process / 'cwd'))
            if directory in (None, where, *where.parents):
                found.append(int(process.name))
    return found


def run(command, environment, objects):
    """kunit.py's exit status, and the seconds its kernel took.

    It gets a session of its own, so that all of it can be ended: on SIGINT
    kunit.py writes a message and goes on.
    """
    objects.forget_killed_build()
    objects.marker.touch()
    ours, theirs = output_pair()
    child = subprocess.Popen(command, env=environment, start_new_session=True,
                             stdin=subprocess.DEVNULL,
                             stdout=theirs, stderr=theirs)
    # Written after the fact, but only what is newer than now was built by it.
    times = objects.marker.stat()
    objects.marker.write_text(str(child.pid))
    os.utime(objects.marker, ns=(times.st_atime_ns, times.st_mtime_ns))
    os.close(theirs)
    try:
        seconds = relay(ours, objects)
        status = child.wait()
    except BaseException:
        if end_session(child):
            objects.marker.unlink()
        raise
    objects.marker.unlink()
    return status, seconds


def output_pair():
    """A terminal for kunit.py if we have one, so that it keeps its colours."""
    if not sys.stdout.isatty():
        return os.pipe()
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    return ours, theirs


def relay(source, objects):
    """Pass on what kunit.py says, and show progress while it is silent."""
    progress = Progress()
    try:
        return relay_with(progress, source, objects)
    finally:
        progress.clear()
        os.close(source)


def relay_with(progress, source, objects):
    build_start = time.time()
    expectation = objects.expectation()
    kernel_start = None
    while True:
        if select.select([source], [], [], 0.25)[0]:
            try:
                said = os.read(source, 1 << 16)
            except OSError:         # how a terminal says that it is closed
                said = b''
            progress.clear()
            if not said:
                break
            if b'Starting KUnit Kernel' in said and not kernel_start:
                kernel_start = time.monotonic()
                progress.restart()
            sys.stdout.buffer.write(said)
            sys.stdout.buffer.flush()
        if progress.due():
            if kernel_start:
                progress.show('running')
            else:
                built = objects.built(build_start)
                progress.show(f'building, {built} {expectation}objects')
    return time.monotonic() - kernel_start if kernel_start else 0


def end_session(child, patience=10):
    """End kunit.py and all it started; True if make could clean up."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGTERM)
    deadline = time.monotonic() + patience
    while processes_in(child.pid):
        child.poll()
        if time.monotonic() > deadline:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            return False
        time.sleep(0.05)
    child.wait()
    return True
