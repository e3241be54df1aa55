package services

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/redis/go-redis/v9"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// Redis connects with the services' password, over TLS unless that is off, and
// trusts the given authority alone where there is one.
//
// No password is ever part of the answer, as of Postgres.
func Redis(ctx context.Context, at preflight.Endpoint, password, authority string, others ...string) facts.Part[facts.Redis] {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	options := &redis.Options{
		Addr: net.JoinHostPort(at.Host, strconv.Itoa(at.Port)), Password: password, DialTimeout: patience, ReadTimeout: patience,
		MaxRetries: -1, DialerRetries: 1, PoolSize: 1, DisableIdentity: true, Protocol: 2, ContextTimeoutEnabled: true,
	}
	asked := redisCall{at: at, secrets: append(secrets{password}, others...), tls: trust(at, authority)}
	if asked.tls != nil {
		asked.tls.GetClientCertificate = none(&asked.cert)
	}
	options.Dialer = asked.dial
	hush()
	client := redis.NewClient(options)
	defer client.Close()
	out := facts.Redis{TLS: asked.tls != nil}
	for _, ask := range []func(context.Context, *redis.Client, *facts.Redis) error{asked.about, put, publish} {
		if err := ask(ctx, client, &out); err != nil {
			return asked.refused(err)
		}
	}
	return facts.Known(out)
}

// about is what Redis says of itself. A user who may not ask for it may still be
// all that kora needs.
func (c *redisCall) about(ctx context.Context, client *redis.Client, out *facts.Redis) error {
	server, err := client.Info(ctx, "server").Result()
	if isDenied(err) {
		return nil
	}
	if err != nil {
		return err
	}
	role, err := client.Info(ctx, "replication").Result()
	if err != nil {
		return err
	}
	out.Version, out.Cluster = c.version(infoOf(server, "redis_version")), infoOf(server, "redis_mode") == "cluster"
	out.ReadOnly = infoOf(role, "role") == "slave" && infoOf(role, "slave_read_only") != "0"
	return nil
}

// hush keeps the library from writing to standard error by itself: what went
// wrong is in the answer.
var hush = sync.OnceFunc(func() { redis.SetLogger(mute{}) })

type mute struct{}

func (mute) Printf(context.Context, string, ...any) {}

// infoOf is one field of what INFO prints, empty where it is not there.
func infoOf(info, name string) string {
	for line := range strings.Lines(info) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), name+":"); ok {
			return v
		}
	}
	return ""
}

// redisCall is one connection, and what must not be told of it.
type redisCall struct {
	secrets
	at   preflight.Endpoint
	tls  *tls.Config // nil is plaintext
	cert atomic.Bool // it asked for a certificate of the client
}

// trust is how to know the server, nil where it serves plaintext.
func trust(at preflight.Endpoint, authority string) *tls.Config {
	if at.TLS == "disable" {
		return nil
	}
	out := &tls.Config{ServerName: at.Host, MinVersion: tls.VersionTLS12}
	if authority != "" {
		out.RootCAs = x509.NewCertPool()
		out.RootCAs.AppendCertsFromPEM([]byte(authority))
	}
	return out
}

// dial limits what the server may say, outside of TLS and inside.
func (c *redisCall) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if c.tls == nil {
		return &announced{Conn: conn}, nil
	}
	secure := tls.Client(conn, c.tls)
	if err := shakeHands(ctx, secure, network, address); err != nil {
		conn.Close()
		return nil, err
	}
	return &announced{Conn: secure}, nil
}

// refused tells an answer from silence, and what is so at present only counts as
// silence.
func (c *redisCall) refused(err error) facts.Part[facts.Redis] {
	refused := func(why string) facts.Part[facts.Redis] { return facts.Known(facts.Redis{Refused: why}) }
	var said redis.Error
	var header tls.RecordHeaderError
	switch {
	case errors.As(err, &said) && !errors.Is(err, redis.Nil):
		means := replyOf(said.Error())
		if means.now {
			return facts.Unknown[facts.Redis](means.words)
		}
		return refused(means.words)
	case errors.As(err, &header), errors.Is(err, errPlain):
		return refused(preflight.NoTLS)
	case isCertificate(err):
		return refused(untrusted(err, c.at.Host))
	case c.cert.Load() && (alerted(err) || closed(err)):
		return refused(preflight.WantsCertificate)
	case closed(err) && c.tls != nil:
		return refused(preflight.ClosesTLS)
	case closed(err):
		return refused(preflight.ClosesPlain)
	case silent(err):
		return facts.Unknown[facts.Redis](silence(err, c.at.Host))
	}
	return facts.Known(facts.Redis{Refused: "what answers there does not speak Redis' protocol", Foreign: true})
}
