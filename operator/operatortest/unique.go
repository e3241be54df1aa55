package operatortest

import (
	"fmt"
	"sync/atomic"
)

var named atomic.Int64

// Unique is a name that begins like another and that nothing in the cluster has: a test
// that runs again, with -count, finds what it left, such as a namespace on its way out.
func Unique(name string) string { return fmt.Sprintf("%s-%d", name, named.Add(1)) }
