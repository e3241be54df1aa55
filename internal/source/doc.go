// Package source reads YAML and remembers where everything stood.
//
// A File is a text with a name; Parse turns it into Nodes, each with the
// position a person can open in an editor. A patch is a text inside a values
// file: Embed makes a File of such a scalar whose positions are those of the
// outer file, whatever style the scalar was written in (R13).
//
// Reading is bounded: bytes, nodes, depth and alias expansions have limits,
// and duplicate keys are faults rather than a silent last-one-wins.
package source
