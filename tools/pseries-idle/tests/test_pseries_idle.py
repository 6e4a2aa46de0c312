# SPDX-License-Identifier: GPL-2.0
"""The tool, built under ASan and UBSan, as its users call it."""

import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

import matrix

HERE = pathlib.Path(__file__).resolve().parents[1]
SANITIZE = '-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined'
POWER10 = HERE / 'captures' / 'power10-dedicated.txt'
HOW = {'CEDE': 'cedes, donating', 'Shared Cede': 'cedes', 'stop0lite': 'stops'}
# In the order of enum pseries_idle_guest_stop.
STOP_REASONS = ('not vouched for', 'refused, dedicated partition',
                'refused, ISA level below 3.0',
                'refused, POWER9 before DD2.3 can miss wake-ups',
                'vouched for')
ANSWER = '00160901000000000000180001020000000000003c000000'


def setUpModule():
    # pylint: disable=global-statement
    global SCRATCH, TOOL
    SCRATCH = tempfile.TemporaryDirectory(prefix='pseries-idle-')
    TOOL = pathlib.Path(SCRATCH.name, 'pseries-idle')
    subprocess.run(
        ['make', '--silent', '-C', HERE, f'O={SCRATCH.name}',
         f'CFLAGS={SANITIZE}', f'LDFLAGS={SANITIZE}'],
        check=True, env={name: value for name, value in os.environ.items()
                         if not name.startswith(('MAKE', 'MFLAGS'))})


def tearDownModule():
    SCRATCH.cleanup()


def run(*arguments, **how):
    return subprocess.run(
        [TOOL, *arguments], capture_output=True, check=False, timeout=300,
        env={**os.environ, 'ASAN_OPTIONS': 'detect_stack_use_after_return=1'},
        **how)


class ToolTest(unittest.TestCase):

    def output(self, status, *arguments):
        ran = run(*arguments)
        self.assertEqual((ran.returncode, ran.stderr), (status, b''),
                         arguments)
        return ran.stdout.decode('ascii')

    def json(self, status, *arguments):
        return json.loads(self.output(status, *arguments, '--json'))

    def assert_refused(self, words, *arguments, **how):
        ran = run(*arguments, **how)
        said = ran.stderr.decode()
        self.assertEqual(ran.returncode, 2, said)
        self.assertIn(words, said)
        self.assertEqual(said.count('\n'), 1, said)


class SituationsTest(ToolTest):
    """The rows of the policy suite, through the command line."""

    @classmethod
    def setUpClass(cls):
        program = pathlib.Path(SCRATCH.name, 'situations')
        top = HERE.parents[1]
        subprocess.run(
            ['gcc', '-std=gnu11', '-D_GNU_SOURCE', f'-I{HERE}/include',
             f'-I{HERE}', f'-I{top}/lib/pseries_idle/tests',
             f'-idirafter{top}/include', '-o', program,
             HERE / 'tests' / 'situations.c', HERE / 'json.c'], check=True)
        cls.rows = json.loads(subprocess.run(
            [program], capture_output=True, check=True).stdout)

    def test_explain(self):
        self.assertGreater(len(self.rows), 40)
        for row in self.rows:
            with self.subTest(row['name']):
                got = self.json(
                    0, 'explain', f'--pvr={row["pvr"]}',
                    f'--cpu-version={row["cpu_version"]}',
                    f'--lpar={row["lpar"]}',
                    '--xcede=' + (row['answer'] or 'none'),
                    *['--guest-stop'] * row['guest_stop'])
                self.assertEqual(got['asked'], row['asked'])
                self.assertEqual(got['driver'], row['driver'])
                if row['driver']:
                    self.assert_states(got, row)

    def assert_states(self, got, row):
        snooze = {'name': 'snooze', 'exit_latency_us': 0,
                  'target_residency_us': 0, 'polling': True, 'how': 'polls'}
        others = [{**state, 'polling': False, 'how': HOW[state['name']]}
                  for state in row['states']]
        self.assertEqual(got['states'], [snooze, *others])
        self.assertEqual(got['stop0lite'], STOP_REASONS[row['stop_reason']])
        self.assertEqual(got['snooze_timeout_ticks'],
                         row['snooze_timeout_ticks'])


class DecodeTest(ToolTest):

    def test_answers_of_the_lab(self):
        """Each malformed one is refused for the reason its boot logs."""
        seen = 0
        for answer in matrix.ANSWERS:
            if len(answer.given) != 1 or answer.given[0][0]:
                continue
            seen += 1
            with self.subTest(answer.name):
                verdict = answer.log[0].removeprefix(matrix.SETTINGS)
                refused = verdict.startswith('refused: ')
                got = self.json(int(refused), 'decode',
                                answer.given[0][1].hex())
                self.assertEqual(got['taken'], not refused)
                self.assertEqual(
                    (got['exit_latency_us'], got['target_residency_us']),
                    answer.cede)
                # The kernel clamps what is beyond its buffer.
                if refused and answer.name != 'length 65535':
                    self.assertEqual(got['verdict'],
                                     verdict.removeprefix('refused: '))
        self.assertGreater(seen, 25)

    def test_seeds_of_the_fuzzer_are_the_answers_of_the_lab(self):
        seeds = {path.read_bytes() for path in (HERE / 'answers').iterdir()}
        self.assertEqual(seeds, {answer.given[0][1]
                                 for answer in matrix.ANSWERS
                                 if [status for status, _ in answer.given]
                                 == [matrix.SUCCESS]})

    def test_from_a_file_and_from_standard_input(self):
        path = pathlib.Path(SCRATCH.name, 'an answer.bin')
        path.write_bytes(bytes.fromhex(ANSWER))
        expected = self.output(0, 'decode', ANSWER)
        self.assertIn('6144 ticks, 12 us', expected)
        self.assertEqual(self.output(0, 'decode', path), expected)
        ran = run('decode', '-', input=bytes.fromhex(ANSWER))
        self.assertEqual(ran.stdout.decode(), expected)

    def test_timebase(self):
        got = self.json(0, 'decode', ANSWER, '--tb-freq', '1000000')
        self.assertEqual(got['records'][0]['latency_us'], 6144)

    def test_empty(self):
        self.assertIn('too short', self.output(1, 'decode', '/dev/null'))


class CaptureTest(ToolTest):

    def test_captures(self):
        captures = sorted((HERE / 'captures').iterdir())
        self.assertGreaterEqual(len(captures), 5)
        for path in captures:
            with self.subTest(path.name):
                self.assertIn('rule', self.output(0, 'explain', path))
                self.assertTrue(self.json(0, 'check', path)['agrees'])

    def edited(self, old, new):
        text = POWER10.read_text(encoding='ascii')
        self.assertEqual(text.count(old), 1)
        path = pathlib.Path(SCRATCH.name, 'capture')
        path.write_text(text.replace(old, new), encoding='latin-1')
        return path

    def test_differs(self):
        for old, new in (('CEDE 12 120', 'CEDE 10 100'),
                         ('CEDE 12 120', 'Cede 12 120'),
                         ('state: snooze 0 0\n', ''),
                         ('driver: pseries_idle', 'driver: none'),
                         ('lpar: dedicated', 'lpar: shared'),
                         ('lpar: dedicated', 'lpar: no SPLPAR')):
            with self.subTest(new):
                path = self.edited(old, new)
                self.assertFalse(self.json(1, 'check', path)['agrees'])
                self.assertIn('DIFFERS', self.output(1, 'check', path))

    def test_no_splpar_has_no_driver(self):
        path = self.edited('lpar: dedicated', 'lpar: no SPLPAR')
        text = path.read_text(encoding='ascii')
        path.write_text(text[:text.index('driver:')] + 'driver: none\n',
                        encoding='ascii')
        self.assertTrue(self.json(0, 'check', path)['agrees'])

    def test_refused(self):
        for old, new, words in (
                ('pvr: ', 'pvr ', 'capture:4: expected "key: value"'),
                ('pvr: ', 'prv: ', 'capture:4: unknown key "prv"'),
                ('0x00800200', '0x100000000', 'capture:4: PVR 0x100000000 is'),
                ('0x00800200', '-1', 'capture:4: PVR "-1" is not a number'),
                ('0x00800200', '0x', 'is not a number'),
                ('0x00800200', '12x', 'goes on after the number'),
                ('0x00800200', ' 1', 'is not a number'),
                ('0x0f000006', '0x0fffffff', 'cpu-version 0x0fffffff'),
                ('dedicated\ntb', 'both\ntb', 'no kind of partition'),
                ('512000000', '999999', 'a timebase of 999999 Hz'),
                ('512000000', '99999999999999999999', 'is above'),
                ('tb-freq: 512000000\n', '', 'tb-freq is missing'),
                ('tb-freq: 5', 'pvr: 1\ntb-freq: 5', 'pvr stands here twice'),
                ('xcede: 0', 'xcede: ', 'bytes in hexadecimal'),
                ('xcede: 0', 'xcede: x', 'bytes in hexadecimal'),
                ('xcede: 00', 'xcede: ' + '00' * 4003, 'longer than 4002'),
                ('xcede: 0', 'guest-stop: 1\nxcede: 0',
                 'guest-stop is "yes" or "no", not "1"'),
                ('xcede: 0', 'guest-stop: no\nguest-stop: no\nxcede: 0',
                 'guest-stop stands here twice'),
                ('CEDE 12 120', 'CEDE 12', 'a state is a name'),
                ('CEDE 12 120', ' 12 120', 'name of a state'),
                ('CEDE 12 120', 'C' * 16 + ' 1 2', 'name of a state'),
                ('CEDE 12 120', 'CEDE 12 4294967296', 'is above 4294967295'),
                ('state: CEDE 12 120', 'state: a 1 2\n' * 11, 'more than 10'),
                ('pseries_idle', 'd' * 32, 'name of a driver'),
                ('CEDE 12 120', 'CEDE +12 120', 'is not a number'),
                ('CEDE 12 120', 'CEDE 12  120', 'is not a number'),
                ('dedicated\ntb', 'dedicated\rtb', 'byte 0x0d at offset'),
                ('dedicated\ntb', 'ded\x00icated\ntb', 'byte 0x00 at offset'),
                ('dedicated\ntb', 'd\xe9di\ntb', 'byte 0xe9 at offset')):
            with self.subTest(new):
                self.assert_refused(words, 'explain', self.edited(old, new))

    def test_lines_may_end_as_elsewhere(self):
        path = pathlib.Path(SCRATCH.name, 'capture')
        path.write_bytes(POWER10.read_bytes().replace(b'\n', b'\r\n'))
        for command in ('check', 'explain'):
            self.assertEqual(self.output(0, command, path),
                             self.output(0, command, POWER10))
        self.assert_refused(
            'capture:4: PVR "-1"', 'check',
            self.edited('0x00800200\n', '-1\r\n'))

    def test_other_inputs(self):
        noise = pathlib.Path(SCRATCH.name, 'noise')
        noise.write_bytes(bytes(range(256)) * 40)
        huge = pathlib.Path(SCRATCH.name, 'huge')
        huge.write_text('#' * 65537, encoding='ascii')
        for path, words in ((noise, 'not a capture'), (huge, 'longer than'),
                            ('/dev/null', 'pvr is missing'),
                            (SCRATCH.name, 'Is a directory'),
                            ('/nowhere', 'No such file')):
            with self.subTest(path):
                self.assert_refused(words, 'explain', path)
                self.assert_refused(words, 'check', path)
        for path, words in ((noise, 'longer than 4002'),
                            (SCRATCH.name, 'Is a directory'),
                            ('/nowhere', 'No such file')):
            with self.subTest(path):
                self.assert_refused(words, 'decode', path)

    def test_without_cpuidle(self):
        text = POWER10.read_text(encoding='ascii')
        path = pathlib.Path(SCRATCH.name, 'capture')
        path.write_text(text[:text.index('driver:')], encoding='ascii')
        self.assertIn('CEDE', self.output(0, 'explain', path))
        self.assert_refused('nothing to check', 'check', path)


class MachineTest(ToolTest):
    """A partition's files, below a directory."""

    def setUp(self):
        # No name of a directory means anything but itself.
        scratch = tempfile.TemporaryDirectory(prefix='a [part]*it?on ')
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.write('proc/cpuinfo', 'processor\t: 0\n'
                   'revision\t: 2.0 (pvr 0080 0200)\n')
        cpu = 'proc/device-tree/cpus/PowerPC,POWER10@0'
        self.write(f'{cpu}/cpu-version', '\x0f\0\0\x06')
        self.write(f'{cpu}/timebase-frequency', '\x1e\x84\x80\0')
        self.write('proc/device-tree/rtas/ibm,hypertas-functions',
                   'hcall-pft\0hcall-splpar\0')
        self.write('proc/ppc64/lparcfg', 'lparcfg 1.9\n'
                   'shared_processor_mode=1\n')
        cpuidle = 'sys/devices/system/cpu'
        self.write(f'{cpuidle}/cpuidle/current_driver', 'pseries_idle\n')
        for number, (name, time, stay) in enumerate(
                (('snooze', 0, 0), ('Shared Cede', 10, 100))):
            state = f'{cpuidle}/cpu0/cpuidle/state{number}'
            self.write(f'{state}/name', f'{name}\n')
            self.write(f'{state}/latency', f'{time}\n')
            self.write(f'{state}/residency', f'{stay}\n')

    def capture(self, status, *arguments):
        return self.output(status, 'capture', f'--root={self.root}',
                           *arguments)

    def assert_no_capture(self, words, **how):
        self.assert_refused(words, 'capture', f'--root={self.root}', **how)

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='latin-1')

    def test_capture(self):
        path = self.root / 'capture'
        self.output(0, 'capture', f'--root={self.root}', path)
        self.assertEqual(path.read_text(encoding='ascii'), """\
# pseries-idle capture
pvr: 0x00800200
cpu-version: 0x0f000006
lpar: shared
tb-freq: 512000000
xcede: unknown
guest-stop: no
driver: pseries_idle
state: snooze 0 0
state: Shared Cede 10 100
""")
        self.assertEqual(self.output(0, 'check', path),
                         self.output(0, 'check', f'--root={self.root}'))

    def test_guest_stop(self):
        """With stop vouched for, and without the state, then with it."""
        self.write('sys/module/pseries_idle/parameters/guest_stop', 'Y\n')
        path = self.root / 'capture'
        self.output(0, 'capture', f'--root={self.root}', path)
        self.assertIn('guest-stop: yes\n', path.read_text(encoding='ascii'))
        self.assertTrue(self.json(0, 'capture', f'--root={self.root}')
                        ['guest_stop'])
        self.assertIn('stop: vouched for', self.output(0, 'explain', path))
        self.assertIn('stop0lite 2/20 us', self.output(1, 'check', path))
        path.write_text(path.read_text(encoding='ascii').replace(
            'state: Shared', 'state: stop0lite 2 20\nstate: Shared'),
                        encoding='ascii')
        self.assertTrue(self.json(0, 'check', path)['agrees'])
        self.write('sys/module/pseries_idle/parameters/guest_stop', 'N\n')
        self.assertTrue(self.json(0, 'check', f'--root={self.root}')['agrees'])
        self.write('sys/module/pseries_idle/parameters/guest_stop', '1\n')
        self.assert_refused('"1" is neither Y nor N', 'capture',
                            f'--root={self.root}')

    def test_json(self):
        got = self.json(0, 'capture', f'--root={self.root}')
        self.assertEqual((got['pvr'], got['lpar'], got['xcede']),
                         (0x800200, 'shared', 'unknown'))
        self.assertEqual(got['kernel']['states'][1]['name'], 'Shared Cede')
        self.assert_refused('--json goes to standard output', 'capture',
                            f'--root={self.root}', '--json', 'capture')

    def test_firmware_that_could_not_be_asked(self):
        """On a shared partition nothing depends on it."""
        self.assertTrue(self.json(0, 'check', f'--root={self.root}')['agrees'])
        self.write('proc/ppc64/lparcfg', 'shared_processor_mode=0\n')
        for device in (False, True):
            if device:          # on which the ioctl fails
                self.write('dev/papr-sysparm', '')
            for command in ('check', 'explain'):
                path = self.root / 'capture'
                self.output(0, 'capture', f'--root={self.root}', path)
                self.assert_refused('what firmware says is not known',
                                    command, path)
            self.assert_refused('what firmware says is not known', 'check',
                                f'--root={self.root}')

    def test_kinds(self):
        for path, text, lpar in (
                ('proc/ppc64/lparcfg', 'shared_processor_mode=0\n',
                 'dedicated'),
                ('proc/device-tree/rtas/ibm,hypertas-functions',
                 'hcall-splpar-not\0', 'no SPLPAR')):
            self.write(path, text)
            self.assertIn(f'lpar: {lpar}\n', self.output(
                0, 'capture', f'--root={self.root}'))

    def test_not_a_partition(self):
        for path in ('proc/cpuinfo', 'proc/ppc64/lparcfg',
                     'proc/device-tree/rtas/ibm,hypertas-functions',
                     'proc/device-tree/cpus/PowerPC,POWER10@0/cpu-version'):
            kept = (self.root / path).read_bytes()
            (self.root / path).unlink()
            self.assert_refused('is this a pseries partition?', 'capture',
                                f'--root={self.root}')
            (self.root / path).write_bytes(kept)

    def test_pvr(self):
        for text in ('model name : another\n',
                     'machine : (pvr 0080 0200)\nrevision : 2.0\n',
                     *(f'revision : 2.0 {pvr}\n' for pvr in (
                         '(pvr -1 -2)', '(pvr +080 0200)', '(pvr  080 0200)',
                         '(pvr 0080  200)', '(pvr 0x80 0200)', '(pvr 80 200)',
                         '(pvr 10080 0200)', '(pvr 0080 02000)', '(pvr ',
                         '(pvr 0080 0200', '(pvr 0080\n0200)'))):
            with self.subTest(text):
                self.write('proc/cpuinfo', text)
                self.assert_no_capture('shows no PVR')
        self.write('proc/cpuinfo', 'machine : (pvr 1 2)\n'
                   'revision : (pvr ABCD ef01)\nrevision : (pvr 0 0)\n')
        self.assertIn('pvr: 0xabcdef01\n', self.capture(0))

    def test_lparcfg(self):
        for text, words in (
                ('', 'has no shared_processor_mode='),
                ('not_shared_processor_mode=1\n', 'has no shared'),
                ('shared_processor_mode', 'has no shared'),
                *((f'shared_processor_mode={value}\n', 'neither 0 nor 1')
                  for value in ('', ' 1', '-1', '2', '01', '1 ', '\x1b[2J'))):
            with self.subTest(text):
                self.write('proc/ppc64/lparcfg', text)
                self.assert_no_capture(words)

    def test_device_tree(self):
        self.write('proc/device-tree/cpus/.hidden/cpu-version', 'abcd')
        self.write('proc/device-tree/cpus/a-cache@1/reg', 'abcd')
        self.write('proc/device-tree/cpus/Q@8/cpu-version', 'abcd')
        self.assertIn('cpu-version: 0x0f000006\n', self.capture(0))
        cpu = 'proc/device-tree/cpus/PowerPC,POWER10@0'
        for name, cell, words in (
                ('timebase-frequency', '\x1e\x84\x80', 'no cell of 4 bytes'),
                ('timebase-frequency', '\0' * 8, 'no cell of 4 bytes'),
                ('timebase-frequency', '\0' * 4, 'a timebase of 0 Hz'),
                ('cpu-version', '\x0f\xff\xff\xff', 'neither a logical PVR')):
            with self.subTest(cell):
                kept = (self.root / cpu / name).read_bytes()
                self.write(f'{cpu}/{name}', cell)
                self.assert_no_capture(words)
                (self.root / cpu / name).write_bytes(kept)

    def test_states(self):
        """What no capture could hold is in none; all else comes back."""
        state = 'sys/devices/system/cpu/cpu0/cpuidle/state1'
        for name, text, words in (
                ('name', '\n', 'has 1 to 15 letters'),
                ('name', '', 'has 1 to 15 letters'),
                ('name', 'C' * 16 + '\n', 'has 1 to 15 letters'),
                ('name', 'CE\rDE\n', 'unprintable byte, 0x0d'),
                ('name', 'CE\x1bDE\n', 'unprintable byte, 0x1b'),
                ('name', 'C\xe9d\xe9\n', 'unprintable byte, 0xe9'),
                ('name', 'CEDE\n12\n', 'more than a line'),
                ('name', 'CE\0DE\n', 'more than a line'),
                ('name', 'C' * 300 + '\n', 'more than a line'),
                ('latency', '\n', 'is not a number'),
                ('latency', '-1\n', 'is not a number'),
                ('latency', ' 1\n', 'is not a number'),
                ('latency', '4294967296\n', 'is above 4294967295'),
                ('residency', '18446744073709551616\n', 'is above')):
            with self.subTest(text):
                kept = (self.root / state / name).read_bytes()
                self.write(f'{state}/{name}', text)
                self.assert_no_capture(words)
                self.assert_no_capture(f'{state}/{name}')
                (self.root / state / name).write_bytes(kept)
        for name in (' CEDE', 'CEDE ', 'CE: DE', '#1 2 3', 'none', 'C' * 15):
            with self.subTest(name):
                self.write(f'{state}/name', f'{name}\n')
                path = self.root / 'capture'
                self.capture(0, path)
                self.assertEqual(self.json(1, 'check', path)['kernel'],
                                 self.json(0, 'capture',
                                           f'--root={self.root}')['kernel'])
                self.output(0, 'explain', path)
        for number in range(2, 11):
            for name, text in (('name', 'C'), ('latency', '1'),
                               ('residency', '1')):
                self.write(f'{state[:-1]}{number}/{name}', text)
        self.assert_no_capture('more than 10 states')

    def test_driver(self):
        driver = 'sys/devices/system/cpu/cpuidle/current_driver'
        for text, words in (('\n', 'has 1 to 31'), ('d' * 32, 'has 1 to 31'),
                            ('a\tb\n', 'unprintable byte, 0x09')):
            self.write(driver, text)
            self.assert_no_capture(words)

    def test_pipes_that_nobody_writes_to(self):
        for path, words in (
                ('proc/cpuinfo', 'shows no PVR'),
                ('proc/device-tree/cpus/PowerPC,POWER10@0/cpu-version',
                 'no CPU in there'),
                ('sys/devices/system/cpu/cpuidle/current_driver',
                 'has 1 to 31')):
            kept = (self.root / path).read_bytes()
            (self.root / path).unlink()
            os.mkfifo(self.root / path)
            self.assert_no_capture(words)
            (self.root / path).unlink()
            (self.root / path).write_bytes(kept)

    def test_to_standard_output(self):
        expected = self.capture(0)
        scratch = self.root / 'elsewhere'
        scratch.mkdir()
        ran = run('capture', f'--root={self.root}', '-', cwd=scratch)
        self.assertEqual(ran.stdout.decode(), expected)
        self.assertEqual(list(scratch.iterdir()), [])
        self.json(0, 'capture', f'--root={self.root}', '-')
        ran = run('check', '-', input=expected.encode())
        self.assertEqual(ran.returncode, 0)

    def test_to_a_file(self):
        """Whole or not at all; what was there may be read by whom it was."""
        expected = self.capture(0)
        scratch = self.root / 'captures'
        scratch.mkdir()
        old = scratch / 'old'
        old.write_text('the only one')
        old.chmod(0o604)
        link = scratch / 'link'
        link.symlink_to('old')
        self.capture(0, link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(old.read_text(), expected)
        self.assertEqual(old.stat().st_mode & 0o7777, 0o604)
        new = scratch / ('n' * 255)
        ran = run('capture', f'--root={self.root}', new, umask=0o027)
        self.assertEqual(ran.returncode, 0)
        self.assertEqual(new.read_text(), expected)
        self.assertEqual(new.stat().st_mode & 0o7777, 0o640)
        self.assertEqual({path.name for path in scratch.iterdir()},
                         {'old', 'link', new.name})

    def test_what_a_full_disk_leaves(self):
        scratch = self.root / 'captures'
        scratch.mkdir()
        old = scratch / 'old'
        old.write_text('the only one')
        for room in (0, 10):
            self.assert_refused(
                'old: File too large', 'capture', f'--root={self.root}', old,
                preexec_fn=lambda room=room: resource.setrlimit(
                    resource.RLIMIT_FSIZE, (room, room)))
            self.assertEqual(old.read_text(), 'the only one')
            self.assertEqual(list(scratch.iterdir()), [old])

    def test_to_what_is_no_file(self):
        """It stays what it is: no device is tried, as root would lose it."""
        scratch = self.root / 'captures'
        scratch.mkdir()
        root = f'--root={self.root}'
        self.assert_refused('Is a directory', 'capture', root, scratch)
        self.assert_refused('No such file', 'capture', root,
                            self.root / 'nowhere/capture')
        self.assert_refused('Not a directory', 'capture', root,
                            self.root / 'proc/cpuinfo/capture')
        pipe = scratch / 'pipe'
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.capture(0, pipe)
        self.assertEqual(os.read(reader, 65536).decode(), self.capture(0))
        self.assertTrue(pipe.is_fifo())

    def test_nothing_is_written_when_something_is_missing(self):
        (self.root / 'proc/cpuinfo').unlink()
        self.assert_refused('cpuinfo', 'capture', f'--root={self.root}',
                            self.root / 'capture')
        self.assertFalse((self.root / 'capture').exists())


class CommandLineTest(ToolTest):

    def test_help(self):
        self.assertIn('decode', self.output(0, '--help'))
        for command in ('explain', 'decode', 'capture', 'check', 'latency',
                        'table'):
            self.assertIn('Usage: pseries-idle ' + command,
                          self.output(0, command, '--help'))

    def test_refused(self):
        for words, *arguments in (
                ('no command "fly"', 'fly'),
                ('--pvr and --lpar are needed', 'explain'),
                ('leave out the options', 'explain', '--pvr=1', POWER10),
                ('leave out the options', 'explain', '--guest-stop', POWER10),
                ('one argument too many', 'explain', POWER10, POWER10),
                ('one argument too many', 'table', 'x'),
                ('decode needs', 'decode'),
                ('no kind of partition', 'explain', '--pvr=1', '--lpar=x'),
                ('--tb-freq: a timebase', 'decode', ANSWER, '--tb-freq=1'),
                ('longer than 4002', 'decode', '00' * 4003),
                ('empty word', 'decode', ''),
                ('empty word', 'explain', ''),
                ('empty word', 'capture', ''),
                ('is not a number', 'explain', '--pvr=POWER10',
                 '--lpar=shared'),
                ('is not a number', 'explain', '--pvr=-1', '--lpar=shared'),
                ('is not a number', 'explain', '--pvr= 1', '--lpar=shared'),
                ('is above 4294967295', 'explain', '--lpar=shared',
                 '--pvr=0x' + 'f' * 30),
                ('no command "a?b?[2J"', 'a\nb\x1b[2J'),
                ('x?y: No such file', 'explain', 'x\ny'),
                ('empty word', 'explain', '--pvr=1', '--lpar=shared',
                 '--xcede='),
                ('without 0x', 'decode', '0x00160901'),
                ('odd number', 'decode', '0016090'),
                ('given twice', 'explain', '--pvr=1', '--pvr=2'),
                ('not both', 'check', '--root=/', POWER10)):
            self.assert_refused(words, *arguments)
        for words, *arguments in (
                ('unrecognized option', 'decode', '--lpar=shared', ANSWER),
                ('requires an argument', 'explain', '--pvr'),
                ("doesn't allow an argument", 'table', '--json=1'),
                ('invalid option', 'capture', '-x'),
                ('is ambiguous', 'explain', '--p')):
            self.assert_refused(words, *arguments)
        self.assertEqual(run().returncode, 2)

    def test_output_that_cannot_be_written(self):
        for arguments in (['--help'], ['table'], ['table', '--json'],
                          ['explain', POWER10], ['decode', '--help'],
                          ['check', POWER10], ['decode', ANSWER]):
            with self.subTest(arguments):
                self.assert_unwritten('No space left', 'exec >/dev/full',
                                      arguments)
                self.assert_unwritten('Bad file descriptor', 'exec >&-',
                                      arguments)
                self.assert_unwritten('Broken pipe', 'exec >&3', arguments)

    def assert_unwritten(self, words, redirect, arguments):
        reading, writing = os.pipe()
        os.close(reading)
        ran = subprocess.run(
            ['sh', '-c', f'exec 3>&{writing}; {redirect}; exec "$@"', 'sh',
             TOOL, *arguments], pass_fds=[writing], check=False,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(writing)
        said = ran.stderr.decode()
        self.assertEqual(ran.returncode, 2, said)
        self.assertIn(f'standard output: could not be written: {words}', said)
        self.assertEqual(said.count('\n'), 1, said)

    def test_table(self):
        rows = self.json(0, 'table')
        self.assertEqual(len(rows), 28 * 7 * 3 * 29 * 2)
        text = (HERE / 'policy.txt').read_text(encoding='ascii')
        self.assertEqual(self.output(0, 'table'), text)
