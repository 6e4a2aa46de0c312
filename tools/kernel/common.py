# SPDX-License-Identifier: GPL-2.0
"""What the kernel tools share: places, saying things, and ending."""

import contextlib
import errno
import fcntl
import io
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import unicodedata

TOP = pathlib.Path(__file__).resolve().parents[2]
HERE = TOP / 'tools' / 'kernel'

FAILED = 1
UNUSABLE = 2
INTERRUPTED = 130


class Stop(Exception):
    """Ends a tool with one line that says what is wrong and what to do."""

    def __init__(self, line, status=UNUSABLE):
        super().__init__(line)
        self.status = status


class Output(io.FileIO):
    """Standard output: what cannot be written there ends the tool."""

    def __init__(self):
        super().__init__(1, 'w', closefd=False)

    def write(self, data):
        try:
            return super().write(data)
        except OSError as error:
            raise unwritten(error.strerror) from None


def unwritten(why):
    return Stop(f'standard output: could not be written: {why}')


def say(line):
    tell(f'{tool_name()}: {line}')


def tell(text, end='\n'):
    """On standard error; where nobody listens, the exit status has to do."""
    with contextlib.suppress(OSError):
        print(text, end=end, file=sys.stderr, flush=True)


def tool_name():
    return pathlib.Path(sys.argv[0]).name


def run_tool(main):
    """Exit with main()'s status, or with one line when it cannot go on."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.default_int_handler)
    try:
        claim_standard_files()
        status = returned_by(main)
        sys.stdout.flush()
    except Stop as stop:
        say(on_one_line(stop))
        status = stop.status
    except KeyboardInterrupt:
        say('interrupted')
        status = INTERRUPTED
    except OSError as error:
        say(on_one_line(explanation(error)))
        status = UNUSABLE
    for stream in (sys.stdout, sys.stderr):
        leave(stream)
    sys.exit(status)


def claim_standard_files():
    """Have all three, so that no other file gets the number of one."""
    closed = sys.stdout is None
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(2, 'w', closefd=False, encoding='utf-8')
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(Output()), errors='backslashreplace',
        encoding='utf-8' if closed else sys.stdout.encoding,
        line_buffering=not closed and sys.stdout.line_buffering)
    if closed:
        raise unwritten('it is closed')


def returned_by(main):
    try:
        return main()
    except SystemExit as end:       # argparse's, after --help
        return end.code


def leave(stream):
    """What is left in a buffer and cannot be written must not come again."""
    try:
        stream.flush()
    except (OSError, Stop):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def on_one_line(words):
    """As a name in it may have control characters."""
    return ''.join('?' if unicodedata.category(c) == 'Cc' else c
                   for c in str(words))


def explanation(error):
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return no_space(error.filename or TOP / 'build')
    words = error.strerror or str(error)
    if error.filename:
        words += f': {error.filename}'
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        words += ': is it yours to use?'
    return words


def no_space(path, needed=None):
    wanted = f', {needed / 1e9:.1f} GB are needed' if needed else ''
    return (f'no space left for {path}{wanted}: make room there, or let '
            f'{TOP}/build be a link to a larger disk')


def require_space(directory, needed):
    if shutil.disk_usage(directory).free < needed:
        raise Stop(no_space(directory, needed))


def build_directory():
    made = subprocess.run([HERE / 'build-directory'], text=True,
                          stdout=subprocess.PIPE, check=False)
    if made.returncode:
        sys.exit(made.returncode)
    return pathlib.Path(made.stdout.rstrip('\n'))


def jobs_wanted(environment):
    """JOBS=, or one per CPU."""
    text = environment.get('JOBS') or str(len(os.sched_getaffinity(0)))
    if not re.fullmatch('0*[1-9][0-9]*', text, re.ASCII):
        raise Stop(f'JOBS={text} is not a positive number')
    return int(text)


@contextlib.contextmanager
def only_one(build):
    """Let one tool at a time work in this build directory."""
    with open(build / 'lock', 'w', encoding='ascii') as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say('waiting for another run in this checkout to end')
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def call(command, **options):
    """Exit status of another tool of ours.

    Unlike subprocess.run(), which kills: the other has children to end.
    """
    with subprocess.Popen(command, stdin=subprocess.DEVNULL,
                          **options) as process:
        try:
            status = process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    return status


@contextlib.contextmanager
def replacing(path):
    """A new name to write at; it becomes path when all went well."""
    new = path.with_name(path.name + '.new')
    try:
        yield new
        os.replace(new, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            new.unlink()


class Progress:
    """A line that shows that something long still moves.

    Redrawn on a terminal, repeated every ten seconds elsewhere, and absent
    when it is all over in three.
    """

    def __init__(self):
        self.on_terminal = sys.stderr.isatty()
        self.drawn = False
        self.restart()

    def restart(self):
        self.start = time.monotonic()
        self.next = self.start + 3

    def elapsed(self):
        return time.monotonic() - self.start

    def due(self):
        return time.monotonic() >= self.next

    def show(self, text):
        self.next = time.monotonic() + (0.5 if self.on_terminal else 10)
        line = f'{tool_name()}: {text}, {self.elapsed():.0f} s'
        if self.on_terminal:
            tell(f'\r\033[K{line}', end='')
            self.drawn = True
        else:
            tell(line)

    def clear(self):
        if self.drawn:
            tell('\r\033[K', end='')
            self.drawn = False
