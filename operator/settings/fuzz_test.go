package settings_test

import (
	"testing"
	"testing/fstest"
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/settings"
)

// R23: whatever a module holds, it is read or refused, and what is read is usable.
func FuzzLoad(f *testing.F) {
	base := modules("", "")
	f.Add(string(base["internal/operator.yaml"].Data), "otlpEndpoint: http://a:4317")
	f.Add("ports: [1]", "otlpEndpoint: http://a:99999999999999999999")
	f.Add("systemNamespace: a\nsyncPeriod: 1h30m", "otlpEndpoint: https://[::1]:1")
	f.Add("&a [*a]", "logLevel: {}")
	f.Fuzz(func(t *testing.T, operator, observability string) {
		all := modules("internal/operator.yaml", operator)
		all["internal/platform/observability.yaml"] = &fstest.MapFile{Data: []byte(observability)}
		s, found := settings.Load(all, settings.Folder)
		for _, f := range found {
			if f.File == "" || f.Message == "" || f.Code != faults.FileMissing && f.Line < 1 {
				t.Errorf("a fault without a place: %+v", f)
			}
		}
		if len(found) > 0 {
			return
		}
		if s.Sync() < time.Second || s.SystemNamespace == "" {
			t.Errorf("taken: %+v", s.Operator)
		}
		if port, err := s.CollectorPort(); err != nil || port < 0 || port > 65535 {
			t.Errorf("the collector's port is %d, %v", port, err)
		}
	})
}
