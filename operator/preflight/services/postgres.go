package services

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// patience is how long one service may take for everything.
const patience = 10 * time.Second

// Postgres connects as the services' role and asks for the version and for the
// right to create in schema public. A password is never part of the answer.
func Postgres(ctx context.Context, at preflight.Endpoint, password string) facts.Part[facts.Database] {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	config, err := pgx.ParseConfig(address(at))
	if err != nil {
		return facts.Unknown[facts.Database]("config.db and global.postgresSSLMode do not make a connection that PostgreSQL knows")
	}
	config.Password = password
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return refusedDatabase(err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	out := facts.Database{}
	_, out.TLS = conn.PgConn().Conn().(*tls.Conn)
	var number string
	if err := conn.QueryRow(ctx, question).Scan(&number, &out.Create, &out.ReadOnly, &out.Replica); err != nil {
		return refusedDatabase(err)
	}
	out.Version = major(number)
	return facts.Known(out)
}

// question is everything that is asked, in one row. A replica's transactions are
// read-only too.
const question = "SELECT current_setting('server_version_num'), has_schema_privilege(current_user, 'public', 'CREATE'), " +
	"current_setting('transaction_read_only')::boolean, pg_is_in_recovery()"

// address leaves nothing to the environment: pgx would read PGHOST, PGSERVICE
// and a password file for what is not given.
func address(at preflight.Endpoint) string {
	u := url.URL{Scheme: "postgres", User: url.User(at.User), Host: net.JoinHostPort(at.Host, strconv.Itoa(at.Port)), Path: "/" + at.Database}
	u.RawQuery = url.Values{"sslmode": {at.TLS}, "passfile": {"/nonexistent"}, "sslrootcert": {""}, "sslcert": {""}, "sslkey": {""}, "application_name": {"kora-preflight"}, "default_query_exec_mode": {"simple_protocol"}}.Encode()
	return u.String()
}

// major reads 15 of 150004.
func major(number string) int {
	n, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return n / 10000
}

// refusedDatabase tells an answer from silence.
func refusedDatabase(err error) facts.Part[facts.Database] {
	var said *pgconn.PgError
	switch {
	case errors.As(err, &said):
		return facts.Known(facts.Database{Refused: said.Message + " (" + said.Code + ")"})
	case strings.Contains(err.Error(), "server refused TLS"):
		return facts.Known(facts.Database{Refused: "the server does not speak TLS"})
	case isCertificate(err):
		return facts.Known(facts.Database{Refused: "its certificate is not trusted: " + last(err)})
	}
	return facts.Unknown[facts.Database](silence(err))
}
