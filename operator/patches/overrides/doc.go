// Package overrides turns the KORA_MANIFEST__<Kind>__<name>__<path> variables
// of older installs into manifest patches (R17).
//
// FromEnviron and FromFile collect the variables with the place where each
// stands. Translate reads a variable's name as a field of one of kora's kinds
// and its value as what that field holds, writes one strategic merge patch for
// it, and proves the patch with the same code that kora-agents loads it with.
// What does not say for certain which field of which object it meant, or what
// kora would refuse, is left untranslated, with the reason.
//
// A value may be a secret. It is written into its patch and nowhere else: no
// fault holds it, or any part of it.
package overrides
