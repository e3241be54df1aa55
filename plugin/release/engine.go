package release

import (
	"context"
	"fmt"
	"runtime/metrics"
	"time"

	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"

	"github.com/runkora/kora/internal/faults"
)

// rendered is what the engine came to: the text of each template, or why not.
type rendered struct {
	texts map[string]string
	err   error
	found faults.List
}

// engine runs Helm's engine: without a cluster, so that lookup finds nothing, and
// without name resolution. The engine itself knows no end and no limit. When it
// oversteps one, its goroutine is left to itself, and the process has to end soon.
func (p *pass) engine(ctx context.Context, all chartutil.Values) rendered {
	ctx, cancel := context.WithTimeout(ctx, p.request.Limits.Time)
	defer cancel()
	done := make(chan rendered, 1)
	go func() {
		texts, err := engine.Engine{}.Render(p.chart, all)
		done <- rendered{texts: texts, err: err}
	}()
	got, err := wait(ctx, done, p.request.Limits.Memory)
	switch {
	case err != nil:
		got.found = faults.List{ofChart(faults.New(faults.RenderLimit, err.Error()), p.request.Chart)}
	case got.err != nil:
		got.found = p.stumbled(got.err)
	default:
		got.found = p.size(got.texts)
	}
	if got.found.Refused() {
		got.texts = nil
	}
	return got
}

// wait waits for the engine, as long as it keeps to the limits.
func wait(ctx context.Context, done <-chan rendered, memory uint64) (rendered, error) {
	before := held()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case got := <-done:
			return got, nil
		case <-ctx.Done():
			return rendered{}, fmt.Errorf("the chart's templates did not end: %w", context.Cause(ctx))
		case <-look.C:
			if now := held(); now > before && now-before > memory {
				return rendered{}, fmt.Errorf("the chart's templates took more than %d MiB of memory", memory>>20)
			}
		}
	}
}

// held is the memory in use, in bytes: objects and stacks.
func held() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64() + sample[1].Value.Uint64()
}

func (p *pass) size(texts map[string]string) faults.List {
	var all int64
	for _, text := range texts {
		all += int64(len(text))
	}
	if all <= p.request.Limits.Output {
		return nil
	}
	f := ofChart(faults.New(faults.RenderLimit, "the chart's templates wrote too much"), p.request.Chart)
	f.Found = fmt.Sprintf("%d bytes", all)
	f.Expected = fmt.Sprintf("at most %d bytes", p.request.Limits.Output)
	return faults.List{f}
}
