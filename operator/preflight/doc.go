// Package preflight judges whether kora can be installed and run on a cluster
// (R55). Facts and the user's settings in, one outcome for each check out: it
// reads no cluster and prints nothing, so that the command, the hook Job, the
// operator and a collected file are judged by the same code.
package preflight
