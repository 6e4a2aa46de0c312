// SPDX-License-Identifier: GPL-2.0
//
// What QEMU's tables lack for the kernel's ACPI idle driver: processors that
// have an idle state. C1 is entered by HLT, which an emulated one has.
DefinitionBlock ("", "SSDT", 2, "PSIDLE", "C1", 1)
{
	External (\_SB.CPUS.C000, ProcessorObj)
	External (\_SB.CPUS.C001, ProcessorObj)

	Name (C1, Package () {
		1,
		Package () {
			ResourceTemplate () {
				Register (FFixedHW, 0, 0, 0)
			},
			1,	// C1
			1,	// us until it is left
			1000	// mW
		}
	})

	Scope (\_SB.CPUS.C000)
	{
		Method (_CST) { Return (C1) }
	}

	Scope (\_SB.CPUS.C001)
	{
		Method (_CST) { Return (C1) }
	}
}
