package release

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// each calls f for every number below n, on as many processors as there are.
func each(n int, f func(int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	all.Wait()
}
