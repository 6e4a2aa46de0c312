# SPDX-License-Identifier: GPL-2.0
"""The plots of the experiments, by gnuplot."""

import subprocess

from common import Stop

COLOURS = {'menu': '#1f77b4', 'teo': '#d62728', 'ladder': '#7f7f7f'}
PANEL = 330, 210


def draw(results, sweep, ping_pong, patterns, measures, progress):
    """Yields each plot's path when it is there."""
    for pattern in patterns:
        path = results / f'sweep-{pattern.split()[-1]}.svg'
        rows = [row for row in sweep if row['pattern'] == pattern]
        yield plot(path, rows, f'Sleeps that {pattern} ends', 'length_us',
                   'length of a sleep, us', measures)
        if progress.due():
            progress.show('plotting')
    for cpus in sorted({row['cpus'] for row in ping_pong}):
        path = results / f'ping-pong-{cpus}.svg'
        rows = [row for row in ping_pong if row['cpus'] == cpus]
        yield plot(path, rows, f'A token goes round {cpus} CPUs', 'work_us',
                   'work at each stop, us', (
                       ('us a hand-over', lambda row: row['round_ns'] / row['cpus']
                        / 1000 - row['work_us']),
                       ('ceded %', ceded), ('too deep %', share('above')),
                       ('too shallow %', share('below'))))
        if progress.due():
            progress.show('plotting')


def entries(row):
    return sum(value for name, value in row.items()
               if name.startswith('entries_'))


def ceded(row):
    # Of a table without snooze, everything is.
    last = [value for name, value in row.items() if name.startswith('entries_')]
    return 100 * (entries(row) - last[0]) / entries(row)


def share(name):
    return lambda row: 100 * row[name] / entries(row)


def plot(path, rows, title, x, x_label, measures):
    """Columns are tables, lines of panels are measures."""
    tables = list(dict.fromkeys(row['table'] for row in rows))
    lines = list(dict.fromkeys((row['governor'], row['tree']) for row in rows))
    trees = list(dict.fromkeys(tree for _, tree in lines))
    data, panels = [], []
    for heading, measure in measures:
        for table in tables:
            curves = []
            for governor, tree in lines:
                block = f'$data{len(data)}'
                points = [f'{row[x]} {measure(row):.4f}' for row in rows
                          if (row['table'], row['governor'], row['tree'])
                          == (table, governor, tree)]
                data.append('\n'.join([f'{block} << EOD', *points, 'EOD']))
                name = governor if len(trees) == 1 else f'{governor} {tree}'
                curves.append(
                    f'{block} using 1:2 with lines linewidth 1.5 '
                    f'linecolor rgb "{COLOURS[governor]}" '
                    f'dashtype {1 + trees.index(tree)} title {quoted(name)}')
            first = heading == measures[0][0]
            panels.append('\n'.join([
                f'set title {quoted(table) if first else quoted("")}',
                f'set ylabel {quoted(heading if table == tables[0] else "")}',
                f'set xlabel {quoted(x_label if heading == measures[-1][0] else "")}',
                'set yrange [0:102]' if heading == 'ceded %' else 'set yrange [0:*]',
                # One key for all, below them.
                'set key at screen 0.5, screen 0.004 center bottom horizontal maxrows 1'
                if first and table == tables[0] else 'unset key',
                'plot ' + ', '.join(curves)]))
    width, height = PANEL
    tall = height * len(measures) + 80
    shortest, longest = min(row[x] for row in rows), max(row[x] for row in rows)
    gnuplot('\n'.join([
        f'set terminal svg size {width * len(tables)},'
        f'{tall} noenhanced font "sans,11" background "white"',
        f'set output {quoted(str(path))}', *data,
        'set logscale x', f'set xrange [{shortest}:{longest}]',
        'set xtics (1, 2, 5, 10, 20, 50, 100, 200, 500, "1k" 1000, "2k" 2000)',
        'set grid', 'unset mxtics',
        f'set multiplot layout {len(measures)},{len(tables)} '
        f'title {quoted(title)} margins screen {64 / width / len(tables):.4f},'
        f'0.98,{80 / tall:.4f},{1 - 55 / tall:.4f} '
        f'spacing screen {50 / width / len(tables):.4f},{36 / tall:.4f}',
        *panels, 'unset multiplot']))
    return path


def quoted(text):
    """As gnuplot takes it, with no markup in it."""
    return "'" + text.replace("'", "''") + "'"


def gnuplot(script):
    done = subprocess.run(['gnuplot', '-d', '-'], input=script, text=True, capture_output=True,
                          check=False)
    if done.returncode:
        raise Stop('gnuplot: ' + (done.stderr.strip().splitlines() or
                                  [f'status {done.returncode}'])[-1].strip())
