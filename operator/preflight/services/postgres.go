package services

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// patience is how long one service may take for everything.
const patience = 10 * time.Second

// Postgres connects as the services' role and asks for the version and for the
// rights to create in schema public and to use it. No password is ever part of the answer, since
// nothing that the server says is, but the codes and numbers that have a form.
func Postgres(ctx context.Context, at preflight.Endpoint, password string) facts.Part[facts.Database] {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	config, err := pgx.ParseConfig(address(at))
	if err != nil {
		return facts.Unknown[facts.Database]("config.db and global.postgresSSLMode do not make a connection that PostgreSQL knows")
	}
	config.Password = password
	asked := &databaseCall{at: at}
	asked.bound(&config.Config)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return asked.refused(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	out := facts.Database{}
	_, out.TLS = conn.PgConn().Conn().(*tls.Conn)
	var number string
	if err := conn.QueryRow(ctx, question).Scan(&number, &out.NoSchema, &out.Create, &out.ReadOnly, &out.Replica, &out.NoUsage, &out.NoPath, &out.Elsewhere, &out.Barred); err != nil {
		return asked.refused(err)
	}
	out.Version = major(number)
	return facts.Known(out)
}

// question is everything that is asked, in one row. A replica's transactions are
// read-only too. Where no schema is named, PostgreSQL makes a table in current_schema():
// the first of the path that is there and that the role may use.
const question = "SELECT current_setting('server_version_num'), to_regnamespace('public') IS NULL, " +
	"coalesce(has_schema_privilege(current_user, to_regnamespace('public')::oid, 'CREATE'), false), " +
	"current_setting('transaction_read_only')::boolean, pg_is_in_recovery(), " +
	"NOT coalesce(has_schema_privilege(current_user, to_regnamespace('public')::oid, 'USAGE'), true), " +
	"NOT ('public' = ANY (current_schemas(false))), " +
	"coalesce(current_schema() <> 'public', false), NOT coalesce(has_schema_privilege(current_user, current_schema()::text, 'CREATE'), true)"

// address leaves nothing to the environment: pgx would read PGHOST, PGSERVICE
// and a password file for what is not given.
func address(at preflight.Endpoint) string {
	u := url.URL{Scheme: "postgres", User: url.User(at.User), Host: net.JoinHostPort(at.Host, strconv.Itoa(at.Port)), Path: "/" + at.Database}
	u.RawQuery = url.Values{"sslmode": {at.TLS}, "passfile": {"/nonexistent"}, "sslrootcert": {""}, "sslcert": {""}, "sslkey": {""}, "application_name": {"kora-preflight"}, "default_query_exec_mode": {"simple_protocol"}}.Encode()
	return u.String()
}

// major reads 15 of 150004; what is no version is 0.
func major(number string) int {
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n >= 1_000_000 {
		return 0
	}
	return n / 10000
}

// databaseCall is one connection.
type databaseCall struct {
	at   preflight.Endpoint
	last *limited    // the connection that was made last
	said *greeted    // what was said on it, inside of TLS
	cert atomic.Bool // it asked for a certificate of the client
}

// bound limits what the server may say: a message's length is announced, and
// the library would make room for it.
func (c *databaseCall) bound(config *pgconn.Config) {
	if config.TLSConfig != nil {
		config.TLSConfig.GetClientCertificate = none(&c.cert)
	}
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		c.last = conn
		return conn, nil
	}
	config.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		c.said = &greeted{Reader: r}
		out := pgproto3.NewFrontend(c.said, w)
		out.SetMaxBodyLen(messageLimit)
		return out
	}
}

// refused tells an answer from silence, and what is so at present only counts as
// silence.
func (c *databaseCall) refused(err error) facts.Part[facts.Database] {
	refused := func(why string) facts.Part[facts.Database] { return facts.Known(facts.Database{Refused: why}) }
	var said *pgconn.PgError
	switch {
	case errors.As(err, &said):
		means := stateOf(said.Code)
		if stays := lasting(said.Message, c.at); stays != "" {
			return refused(means.code(stays))
		}
		if means.now {
			return facts.Unknown[facts.Database](means.words)
		}
		return refused(means.words + noEntry(said.Message, c.at) + ofRole(said.Message, c.at))
	case c.said.method() != "":
		return refused(preflight.OtherMethod + c.said.method())
	case strings.Contains(err.Error(), "server refused TLS") && c.last.first == 'N':
		return refused(preflight.NoTLS)
	case c.cert.Load() && alerted(err):
		return refused(preflight.WantsCertificate)
	case isCertificate(err):
		return refused(untrusted(err, c.at.Host))
	case silent(err):
		return facts.Unknown[facts.Database](silence(err, c.at.Host))
	}
	return facts.Known(facts.Database{Refused: "what answers there does not speak PostgreSQL's protocol", Foreign: true})
}
