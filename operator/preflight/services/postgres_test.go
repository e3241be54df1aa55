package services

import (
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/operator/preflight/loopback"
)

const planted = "planted-secret-value"

// database speaks just as much of PostgreSQL's protocol as the probe asks for.
type database struct {
	version  string // server_version_num
	create   string // t or f
	noSchema string // t: there is no schema public; "" is f
	closed   string // transaction_read_only, t or f; "" is f
	replica  string // the same of pg_is_in_recovery
	noUsage  string // of the right to use schema public
	noPath   string // of the search_path
	before   string // public stands behind another schema on it
	barred   string // to the role, that schema
	pair     *tls.Certificate
	refuse   *pgproto3.ErrorResponse
}

func (d database) handle(conn net.Conn) {
	backend := pgproto3.NewBackend(conn, conn)
	first, err := backend.ReceiveStartupMessage()
	if err != nil {
		return
	}
	if _, ok := first.(*pgproto3.SSLRequest); ok {
		if d.pair == nil {
			_, _ = conn.Write([]byte("N"))
			return
		}
		_, _ = conn.Write([]byte("S"))
		secure := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{*d.pair}})
		backend = pgproto3.NewBackend(secure, secure)
		if _, err := backend.ReceiveStartupMessage(); err != nil {
			return
		}
	}
	d.session(backend)
}

func (d database) session(backend *pgproto3.Backend) {
	backend.Send(&pgproto3.AuthenticationCleartextPassword{})
	_ = backend.Flush()
	if _, err := backend.Receive(); err != nil {
		return
	}
	if d.refuse != nil {
		backend.Send(d.refuse)
		_ = backend.Flush()
		return
	}
	backend.Send(&pgproto3.AuthenticationOk{})
	backend.Send(&pgproto3.ParameterStatus{Name: "standard_conforming_strings", Value: "on"})
	backend.Send(&pgproto3.ParameterStatus{Name: "client_encoding", Value: "UTF8"})
	backend.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	_ = backend.Flush()
	for {
		m, err := backend.Receive()
		if err != nil {
			return
		}
		if _, ok := m.(*pgproto3.Query); ok {
			d.row(backend)
		}
	}
}

func (d database) row(backend *pgproto3.Backend) {
	text, boolean := uint32(25), uint32(16)
	backend.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{
		{Name: []byte("current_setting"), DataTypeOID: text, DataTypeSize: -1, TypeModifier: -1},
		{Name: []byte("?column?"), DataTypeOID: boolean, DataTypeSize: 1, TypeModifier: -1},
		{Name: []byte("coalesce"), DataTypeOID: boolean, DataTypeSize: 1, TypeModifier: -1},
		{Name: []byte("current_setting"), DataTypeOID: boolean, DataTypeSize: 1, TypeModifier: -1},
		{Name: []byte("pg_is_in_recovery"), DataTypeOID: boolean, DataTypeSize: 1, TypeModifier: -1},
		{Name: []byte("?column?"), DataTypeOID: boolean, DataTypeSize: 1, TypeModifier: -1},
		{Name: []byte("?column?"), DataTypeOID: boolean, DataTypeSize: 1, TypeModifier: -1},
		{Name: []byte("coalesce"), DataTypeOID: boolean, DataTypeSize: 1, TypeModifier: -1},
		{Name: []byte("?column?"), DataTypeOID: boolean, DataTypeSize: 1, TypeModifier: -1},
	}})
	backend.Send(&pgproto3.DataRow{Values: [][]byte{[]byte(d.version), []byte(cmp.Or(d.noSchema, "f")), []byte(d.create), []byte(cmp.Or(d.closed, "f")), []byte(cmp.Or(d.replica, "f")), []byte(cmp.Or(d.noUsage, "f")), []byte(cmp.Or(d.noPath, "f")), []byte(cmp.Or(d.before, "f")), []byte(cmp.Or(d.barred, "f"))}})
	backend.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
	backend.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	_ = backend.Flush()
}

func asked(t *testing.T, port int, mode string) facts.Part[facts.Database] {
	t.Helper()
	got := Postgres(t.Context(), preflight.Endpoint{Host: "127.0.0.1", Port: port, Database: "kora", User: "kora", TLS: mode}, planted)
	if strings.Contains(got.Missing+got.Value.Refused, planted) {
		t.Errorf("the password is told: %+v", got)
	}
	return got
}

// R55: the version that a server says, whichever it is, and what it grants.
func TestPostgresTellsItsVersion(t *testing.T) {
	_, pair := authority(t)
	for number, major := range map[string]int{"130014": 13, "140000": 14, "150004": 15, "170002": 17, "180000": 18, "190000": 19, "junk": 0} {
		port := loopback.Serve(t, database{version: number, create: "t", pair: &pair}.handle)
		if got := asked(t, port, "require"); got.Missing != "" || got.Value != (facts.Database{Version: major, Create: true, TLS: true}) {
			t.Errorf("%s: %+v", number, got)
		}
	}
	port := loopback.Serve(t, database{version: "150004", create: "f"}.handle)
	if got := asked(t, port, "disable"); got.Value != (facts.Database{Version: 15}) {
		t.Errorf("%+v", got)
	}
}

// R55: a server that takes no writes says so, be it a replica or not.
func TestPostgresTellsThatNothingCanBeWritten(t *testing.T) {
	for _, replica := range []string{"t", "f"} {
		port := loopback.Serve(t, database{version: "150004", create: "t", closed: "t", replica: replica}.handle)
		if got := asked(t, port, "disable"); got.Value != (facts.Database{Version: 15, Create: true, ReadOnly: true, Replica: replica == "t"}) {
			t.Errorf("%+v", got)
		}
	}
}

// R55: what a server refuses is an answer; silence is none.
func TestPostgresRefuses(t *testing.T) {
	_, pair := authority(t)
	wrongPassword := &pgproto3.ErrorResponse{Severity: "FATAL", Code: "28P01", Message: `password authentication failed for user "kora"`}
	for _, c := range []struct {
		name, mode, want string
		server           database
	}{
		{"a wrong password", "disable", "28P01", database{refuse: wrongPassword}},
		{"no TLS", "require", "does not speak TLS", database{}},
		{"an authority that nobody trusts", "verify-full", "certificate is not trusted", database{pair: &pair}},
	} {
		if got := asked(t, loopback.Serve(t, c.server.handle), c.mode); got.Missing != "" || !strings.Contains(got.Value.Refused, c.want) {
			t.Errorf("%s: %+v, want %q", c.name, got, c.want)
		}
	}
}

// R55: a server that hangs, one that is not there and a name that does not
// resolve could not be asked, in bounded time.
func TestPostgresIsSilent(t *testing.T) {
	hangs := loopback.Serve(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	got := Postgres(ctx, preflight.Endpoint{Host: "127.0.0.1", Port: hangs, Database: "kora", User: "kora", TLS: "disable"}, planted)
	if !strings.Contains(got.Missing, "in time") {
		t.Errorf("%+v", got)
	}
	if got := asked(t, 1, "disable"); !strings.Contains(got.Missing, "cannot be reached") {
		t.Errorf("%+v", got)
	}
	if got := Postgres(t.Context(), preflight.Endpoint{Host: "postgres.invalid", Port: 5432, Database: "kora", User: "kora", TLS: "disable"}, planted); !strings.Contains(got.Missing, "does not resolve") {
		t.Errorf("%+v", got)
	}
	if got := Postgres(t.Context(), preflight.Endpoint{Host: "127.0.0.1", Port: 1, Database: "kora", User: "kora", TLS: "sometimes"}, planted); got.Missing == "" {
		t.Errorf("%+v", got)
	}
}

// R55: what a role lacks besides CREATE is told as it is, one from the other.
func TestWhatARoleLacks(t *testing.T) {
	for _, c := range []struct{ usage, path, before, barred string }{{"t", "t", "t", "f"}, {"f", "t", "f", "t"}, {"f", "f", "f", "f"}, {"f", "f", "t", "f"}, {"f", "f", "t", "t"}} {
		port := loopback.Serve(t, database{version: "150004", create: "t", noUsage: c.usage, noPath: c.path, before: c.before, barred: c.barred}.handle)
		if got := asked(t, port, "disable"); got.Value != (facts.Database{Version: 15, Create: true, NoUsage: c.usage == "t", NoPath: c.path == "t", Elsewhere: c.before == "t", Barred: c.barred == "t"}) {
			t.Errorf("%+v of %+v", got, c)
		}
	}
}

// R55: of what PostgreSQL says of a role is told only that it is so, for the role that
// was asked for.
func TestWhatIsSaidOfARole(t *testing.T) {
	at := preflight.Endpoint{User: "kora"}
	for said, want := range map[string]string{
		`role "kora" is not permitted to log in`: preflight.NoLogin, `role "kora" does not exist`: preflight.NoRole,
		`role "` + planted + `" does not exist`: "", `role "kora" does not exist ` + planted: "",
	} {
		if got := ofRole(said, at); got != want {
			t.Errorf("%q of %q", got, said)
		}
	}
}
