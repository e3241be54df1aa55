package checkup_test

import (
	"strings"
	"testing"

	"k8s.io/utils/clock"

	"github.com/runkora/kora/operator/checkup"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/loopback"
)

// R55: services that repeat the password that they were given put it neither into
// the ConfigMap nor into an event; what they mean stands in both.
func TestNoPasswordIsInAnEventOrTheConfigMap(t *testing.T) {
	w := platform(t)
	refusal := "SFATAL\x00C28P01\x00Mno such pass " + planted + " data\x00\x00"
	w.Settings.Installation.Database.Port = loopback.Echo(t, "E\x00\x00\x00"+string(rune(4+len(refusal)))+refusal)
	w.Settings.Installation.Redis.Port = loopback.Echo(t, "-ERR unknown command 'auth', with args beginning with: '"+planted+"'\r\n")
	w.Settings.Installation.Redis.TLS, w.Settings.Installation.Database.SSLMode = false, "disable"
	w.Start(t, checkup.New(w.Settings, clock.RealClock{}, nil))
	for id, words := range map[string]string{"postgres": "the password is refused", "redis": "it does not know a command that kora gives"} {
		becomes(t, w, id, preflight.Failed) // looks for the password in the ConfigMap too
		operatortest.Eventually(t, func() error { return once(said(t, w, "PreflightFailed", id)) })
		if note := said(t, w, "PreflightFailed", id)[0].Note; strings.Contains(note, planted) || !strings.Contains(note, words) {
			t.Errorf("%s: %s", id, note)
		}
	}
}
