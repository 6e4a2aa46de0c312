# SPDX-License-Identifier: GPL-2.0
"""A kernel tree with governors whose choices can be told by hand."""

# Always the state of this number.
GOVERNOR = """
#include <linux/cpuidle.h>
static int choose(struct cpuidle_driver *drv, struct cpuidle_device *dev, bool *stop)
{{
	*stop = true;
	{extra};
	return {state} < drv->state_count ? {state} : 0;
}}
static struct cpuidle_governor made_up = {{ .name = "made up", .select = choose }};
static int __init begin(void)
{{
	return cpuidle_register_governor(&made_up);
}}
postcore_initcall(begin);
"""


def make_tree(top, extra=''):
    """menu takes the first state, teo and ladder the second."""
    governors = top / 'drivers/cpuidle/governors'
    governors.mkdir(parents=True)
    for name, state in (('menu', 0), ('teo', 1), ('ladder', 1)):
        (governors / f'{name}.c').write_text(
            GOVERNOR.format(state=state, extra=extra if name == 'teo' else ''))
    (top / 'Makefile').write_text('VERSION = 7\nPATCHLEVEL = 2\nSUBLEVEL = 0\n')
    return top
