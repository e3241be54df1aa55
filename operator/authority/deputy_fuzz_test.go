package authority_test

import (
	"encoding/pem"
	"testing"
	"time"

	"github.com/runkora/kora/operator/authority"
)

// What a Secret holds is somebody else's to change: nothing of it stops the operator.
func FuzzParseDeputy(f *testing.F) {
	state := stepped(f, authority.Default("a"), authority.State{}, start)
	rule := authority.Egress("a", "example.com")
	d := deputy(f, rule, state, authority.Deputy{}, start)
	d = deputy(f, rule, state, d, start.Add(21*24*time.Hour))
	data, err := d.Data(state)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data["tls.crt"], data["tls.key"], data["previous.crt"])
	f.Add([]byte(nil), []byte("-----BEGIN"), []byte("\x00"))
	f.Add(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: state.Current.Certificate.Raw}), data["tls.key"], []byte(nil))
	f.Fuzz(func(t *testing.T, certificate, key, previous []byte) {
		d, err := authority.ParseDeputy(map[string][]byte{"tls.crt": certificate, "tls.key": key, "previous.crt": previous})
		if err != nil {
			return
		}
		next, _, err := rule.Step(state, d, start)
		if err != nil {
			t.Fatal(err)
		}
		if next.Current.Certificate.CheckSignatureFrom(state.Current.Certificate) != nil {
			t.Fatal("it is not the authority's")
		}
	})
}
