# SPDX-License-Identifier: GPL-2.0
#
# The front door.  Everything generated goes to build/.

PYTHON ?= /usr/bin/python3

# Whatever is in these reaches the tools through the environment as it was
# typed: neither make nor a shell looks at the $ and the quotes in it.
USER_VARIABLES := KDIR JOBS KUNIT_ARGS LLVM SAN ONLY FULL DRIVER DEBUG \
	BASE SECONDS RUNS GOV_TREE TABLES HZ PREFIX DESTDIR ARCH SAMPLES
$(foreach name,$(USER_VARIABLES),$(eval override $(name) := $$(value $(name))))
export PYTHON $(USER_VARIABLES)

tools := tools/kernel
needs = $(tools)/requirements
pseries = --machine pseries-be --machine pseries-le

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z-]*\):.* ## /  make \1\t/p' $(firstword $(MAKEFILE_LIST))
	@echo
	@echo '  KDIR=/path/to/linux  your own tree, only read (default: Debian linux-source-6.12)'
	@echo "  ONLY='POWER10*dedicated*'  FULL=1  DRIVER=linux  DEBUG=1 (lpar)"
	@echo '  GOV_TREE=/other/linux  TABLES="shared mine=snooze,2/20"  HZ=1000 (governors)'
	@echo '  ARCH=x86_64  SAMPLES=N (latency)'
	@echo '  JOBS=N  LLVM=1  SAN=1 (KASAN and UBSAN)  KUNIT_ARGS="suite*.case* --timeout=60"'

.PHONY: kunit
kunit: ## build, run all suites on user mode Linux, and judge
	@$(needs) kunit && exec "$$PYTHON" $(tools)/kunit

.PHONY: kunit-pseries
kunit-pseries: ## the same on emulated pseries machines, the driver's suite included
	@$(needs) kunit cross pseries && exec "$$PYTHON" $(tools)/kunit $(pseries)

.PHONY: lpar
lpar: ## boot partitions under QEMU, and compare them with the expected table
	@$(needs) kunit cross pseries lpar && exec "$$PYTHON" tools/lpar/lpar

.PHONY: latency
latency: ## measure wake-ups on an emulated partition, or with ARCH=x86_64, and compare
	@$(needs) kunit latency $(if $(filter x86_64,$(value ARCH)),x86,cross pseries) && \
		exec "$$PYTHON" tools/latency/latency

.PHONY: check
check: ## all verification but mutants and most of lpar, with one verdict
	@$(needs) kunit clang coverage cross lint pseries lpar latency && \
		exec "$$PYTHON" $(tools)/check

.PHONY: coverage
coverage: ## what the suites reach of lib/pseries_idle: all, or red
	@$(needs) kunit clang coverage && exec "$$PYTHON" $(tools)/coverage

.PHONY: mutants
mutants: ## break the core, a line at a time, and see the suites notice
	@$(needs) kunit && exec "$$PYTHON" $(tools)/mutants

.PHONY: mutants-pseries
mutants-pseries: ## the same with the driver, on an emulated pseries machine
	@$(needs) kunit cross pseries && exec "$$PYTHON" $(tools)/mutants --machine pseries-le

.PHONY: mutants-lpar
mutants-lpar: ## the same with what only a boot of a partition can show
	@$(needs) kunit cross pseries lpar && exec "$$PYTHON" $(tools)/mutants --machine lpar

.PHONY: lint
lint: ## checkpatch, kernel-doc, sparse and W=1: silent, or red
	@$(needs) kunit clang cross lint && exec "$$PYTHON" $(tools)/lint

.PHONY: bench
bench: ## how long a verdict takes, beside the tree's own KUnit run
	@$(needs) kunit && exec "$$PYTHON" $(tools)/bench

.PHONY: bench-driver
bench-driver: ## instructions and bytes of the driver, beside the tree's own
	@$(needs) kunit cross pseries lpar && exec "$$PYTHON" tools/lpar/bench-driver

.PHONY: tree
tree: ## only make or update the private kernel tree, and print its path
	@$(needs) kunit && exec "$$PYTHON" $(tools)/tree

.PHONY: cases
cases: ## rewrite lib/pseries_idle/tests/cases.list from a full run
	@$(needs) kunit && exec "$$PYTHON" $(tools)/kunit --write-cases

.PHONY: cases-pseries
cases-pseries: ## rewrite drivers/cpuidle/tests/cases.list, for what is only there
	@$(needs) kunit cross pseries && exec "$$PYTHON" $(tools)/kunit --write-cases --machine pseries-le

.PHONY: policy
policy: ## rewrite tools/pseries-idle/policy.txt, the whole decision table
	@$(needs) host && exec "$$PYTHON" tools/pseries-idle/policy write

.PHONY: policy-diff
policy-diff: ## what changed in the policy since BASE=<git ref>, or from BASE=linux-6.12
	@$(needs) kunit && exec "$$PYTHON" tools/pseries-idle/policy diff

.PHONY: governors
governors: ## what menu, teo and ladder make of the tables: sweeps, plots; GOV_TREE=, TABLES=
	@$(needs) kunit governors && exec "$$PYTHON" tools/governors/experiments run

.PHONY: pseries-idle
pseries-idle: ## the command-line tool, in build/pseries-idle/
	@$(needs) host && $(tools)/build-directory >/dev/null && \
		$(MAKE) --silent --no-print-directory -C tools/pseries-idle \
			O=../../build/pseries-idle CROSS_COMPILE= && \
		echo build/pseries-idle/pseries-idle

.PHONY: install
install: pseries-idle ## the tool, to PREFIX=/usr/local, below DESTDIR=
	@tools/pseries-idle/install build/pseries-idle/pseries-idle

.PHONY: fuzz
fuzz: ## bad answers and captures for the tool, SECONDS=60 or RUNS=10000000 each
	@$(needs) host fuzz && exec "$$PYTHON" tools/pseries-idle/fuzz

.PHONY: clean
clean: ## remove build/
	@$(tools)/build-directory --remove
