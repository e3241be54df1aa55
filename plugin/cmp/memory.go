package cmp

import (
	"fmt"
	"runtime/debug"
	"runtime/metrics"

	"github.com/runkora/kora/internal/faults"
)

// The memory of one call, in bytes (R43). MostLive is what may be in use, of the
// files, the values, the templates and the faults together. MostHeap is what the
// process takes for it: above that it collects, rather than grow. The numbers of the
// sidecar follow from it, and a test holds them together.
const (
	MostLive = 512 << 20
	MostHeap = 640 << 20
)

// KeepToMemory has the process collect its garbage before it holds more than
// MostHeap. Where GOMEMLIMIT says less, that stays.
func KeepToMemory() {
	if debug.SetMemoryLimit(-1) > MostHeap {
		debug.SetMemoryLimit(MostHeap)
	}
}

// live is what was in use when the garbage was last collected, in bytes.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// tooMuch is the fault of a call that would take the memory of others.
func (g *generation) tooMuch() faults.Fault {
	f := faults.New(faults.PluginEndless, fmt.Sprintf("the application takes more than %d MiB of memory: kora was %s", MostLive>>20, g.doing.said()))
	f.Fix = "make its files smaller: a release of kora needs a tenth of that"
	return f
}
