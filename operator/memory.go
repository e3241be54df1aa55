package main

import (
	"runtime/debug"
	"strconv"
)

// memoryVariable holds what the container may have, in bytes, as the kubelet knows it;
// without a limit that is what the node has.
const memoryVariable = "KORA_MEMORY_LIMIT"

// limitMemory has the collector work harder before the kernel ends the process: from
// nine tenths of the limit on, as the kernel counts more than Go does. It gives the
// bytes, 0 for none: where the variable has no number, or somebody has set Go's own.
func limitMemory(variable func(string) string) int64 {
	limit, err := strconv.ParseInt(variable(memoryVariable), 10, 64)
	if err != nil || limit <= 0 || variable("GOMEMLIMIT") != "" {
		return 0
	}
	limit = limit / 10 * 9
	debug.SetMemoryLimit(limit)
	return limit
}
