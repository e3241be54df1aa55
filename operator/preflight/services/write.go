package services

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/runkora/kora/operator/preflight/facts"
)

const (
	// own is the beginning of the names that this look writes to, behind which
	// nobody else has one.
	own = "kora-preflight:"
	// lasts is how long a key stays that could not be taken away again.
	lasts = 10 * time.Second
	// nodes is how many names are tried at a node of a cluster, each of which may
	// belong to another.
	nodes = 32
)

// put sets a key that nobody has and takes it away again, as a session's is: no
// setting tells of all that may be in the way of it.
func put(ctx context.Context, client *redis.Client, out *facts.Redis) error {
	for range nodes {
		key := own + rand.Text()
		err := client.Do(ctx, "SET", key, "", "EX", int(lasts.Seconds()), "NX").Err()
		if err == nil {
			err = client.Do(ctx, "DEL", key).Err()
		}
		if !elsewhere(err) {
			return told(err, &out.NoWrite)
		}
	}
	return nil
}

// publish says something on a channel that nobody listens on.
func publish(ctx context.Context, client *redis.Client, out *facts.Redis) error {
	if out.NoWrite != "" || out.ReadOnly {
		return nil
	}
	return told(client.Do(ctx, "PUBLISH", own+rand.Text(), "").Err(), &out.NoChannel)
}

// told keeps why Redis refused something that kora needs, and gives back what is no
// refusal that stays.
func told(err error, into *string) error {
	var said redis.Error
	if !errors.As(err, &said) || errors.Is(err, redis.Nil) {
		return err
	}
	means := replyOf(said.Error())
	if means.now {
		return err
	}
	*into = means.words
	return nil
}

// elsewhere reports whether a node of a cluster sends on to another one.
func elsewhere(err error) bool {
	var said redis.Error
	return errors.As(err, &said) && (strings.HasPrefix(said.Error(), "MOVED ") || strings.HasPrefix(said.Error(), "ASK "))
}

// isDenied reports whether the user's rules refuse a command.
func isDenied(err error) bool {
	var said redis.Error
	return errors.As(err, &said) && strings.HasPrefix(said.Error(), "NOPERM ")
}
