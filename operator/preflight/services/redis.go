package services

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// Redis connects with the services' password, over TLS unless that is off, and
// trusts the given authority alone where there is one.
func Redis(ctx context.Context, at preflight.Endpoint, password, authority string) facts.Part[facts.Redis] {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	options := &redis.Options{
		Addr: net.JoinHostPort(at.Host, strconv.Itoa(at.Port)), Password: password, DialTimeout: patience, ReadTimeout: patience,
		MaxRetries: -1, DialerRetries: 1, PoolSize: 1, DisableIdentity: true, Protocol: 2, ContextTimeoutEnabled: true,
	}
	if at.TLS != "disable" {
		options.TLSConfig = &tls.Config{ServerName: at.Host, MinVersion: tls.VersionTLS12}
		if authority != "" {
			pool := x509.NewCertPool()
			pool.AppendCertsFromPEM([]byte(authority))
			options.TLSConfig.RootCAs = pool
		}
	}
	hush()
	client := redis.NewClient(options)
	defer client.Close()
	info, err := client.Info(ctx, "server").Result()
	if err != nil {
		return refusedRedis(err, options.TLSConfig != nil)
	}
	role, err := client.Info(ctx, "replication").Result()
	if err != nil {
		return refusedRedis(err, options.TLSConfig != nil)
	}
	out := facts.Redis{Version: infoOf(info, "redis_version"), TLS: options.TLSConfig != nil}
	out.ReadOnly = infoOf(role, "role") == "slave" && infoOf(role, "slave_read_only") != "0"
	return facts.Known(out)
}

// hush keeps the library from writing to standard error by itself: what went
// wrong is in the answer.
var hush = sync.OnceFunc(func() { redis.SetLogger(silent{}) })

type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

// infoOf is one field of what INFO prints, empty where it is not there.
func infoOf(info, name string) string {
	for line := range strings.Lines(info) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), name+":"); ok {
			return v
		}
	}
	return ""
}

func refusedRedis(err error, encrypted bool) facts.Part[facts.Redis] {
	refused := func(why string) facts.Part[facts.Redis] { return facts.Known(facts.Redis{Refused: why}) }
	var said redis.Error
	var header tls.RecordHeaderError
	switch {
	case errors.As(err, &said):
		return refused(said.Error())
	case errors.As(err, &header):
		return refused("the server does not speak TLS")
	case isCertificate(err):
		return refused("its certificate is not trusted: " + last(err))
	case errors.Is(err, io.EOF) && encrypted:
		return refused("the server closed the connection, as one does that speaks no TLS")
	case errors.Is(err, io.EOF):
		return refused("the server closed the connection, as one does that speaks TLS alone")
	}
	return facts.Unknown[facts.Redis](silence(err))
}
