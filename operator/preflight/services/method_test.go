package services

import (
	"encoding/binary"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/loopback"
)

// wants is a PostgreSQL that asks for a login in one way.
func wants(code uint32, behind string) func(net.Conn) {
	return func(conn net.Conn) {
		if _, err := pgproto3.NewBackend(conn, conn).ReceiveStartupMessage(); err != nil {
			return
		}
		ask := binary.BigEndian.AppendUint32([]byte("R"), uint32(8+len(behind)))
		_, _ = conn.Write(append(binary.BigEndian.AppendUint32(ask, code), behind...))
		_, _ = pgproto3.NewBackend(conn, conn).Receive()
	}
}

// R55: every way of a login that kora does not have is told by its name, and none
// that it has is.
func TestPostgresWantsAnotherLogin(t *testing.T) {
	for _, c := range []struct {
		code         uint32
		behind, want string
	}{
		{1, "", "krb4"}, {2, "", "krb5"}, {4, "xx", "crypt"}, {6, "", "scm"}, {7, "", "gss"}, {9, "", "sspi"}, {13, "", "number 13"}, {99, "planted", "number 99"},
		{10, "OAUTHBEARER\x00\x00", "oauth"}, {10, "planted\x00\x00", "another one of SASL"}, {10, "XSCRAM-SHA-256\x00\x00", "another one of SASL"}, {10, "\x00", "another one of SASL"},
	} {
		got := asked(t, loopback.Serve(t, wants(c.code, c.behind)), "disable")
		if got.Missing != "" || got.Value.Foreign || got.Value.Refused != preflight.OtherMethod+c.want {
			t.Errorf("%d %q: %+v", c.code, c.behind, got)
		}
	}
	for code, behind := range map[uint32]string{3: "", 5: "salt", 10: "SCRAM-SHA-256-PLUS\x00SCRAM-SHA-256\x00\x00"} {
		if got := asked(t, loopback.Serve(t, wants(code, behind)), "disable"); strings.Contains(got.Value.Refused, preflight.OtherMethod) {
			t.Errorf("%d: %+v", code, got)
		}
	}
}

// R55: a sentence of PostgreSQL tells of a state that stays only where the whole of it
// is one that it has, with the names of the settings.
func TestWhatStaysIsTold(t *testing.T) {
	for said, want := range map[string]string{
		`too many connections for role "kora"`: preflight.RoleFull, `too many connections for database "kora"`: preflight.DatabaseFull,
		`database "kora" is not currently accepting connections`: preflight.Closed, `cannot connect to invalid database "kora"`: preflight.Invalid,
		`the database system is not accepting connections`: preflight.Standby, `connection requires a valid client certificate`: preflight.WantsCertificate,
		`too many connections for role "planted"`: "", `sorry, too many clients already`: "", `the database system is starting up`: "",
	} {
		if got := lasting(said, at(1)); got != want {
			t.Errorf("%q of %q", got, said)
		}
		refuse := &pgproto3.ErrorResponse{Severity: "FATAL", Code: "53300", Message: said}
		got := asked(t, loopback.Serve(t, database{refuse: refuse}.handle), "disable")
		if (got.Value.Refused == want+" (53300)") != (want != "") || (got.Missing == "") != (want != "") {
			t.Errorf("%q: %+v", said, got)
		}
	}
}

// R55: a certificate that nobody trusts is told as that by every mode that verifies
// it.
func TestEveryModeTellsWhomItDoesNotTrust(t *testing.T) {
	_, pair := authority(t)
	for _, mode := range []string{"verify-ca", "verify-full"} {
		if got := asked(t, loopback.Serve(t, database{pair: &pair}.handle), mode); got.Value.Foreign || !strings.HasPrefix(got.Value.Refused, preflight.Untrusted+": ") {
			t.Errorf("%s: %+v", mode, got)
		}
	}
}
