package gather

import (
	"context"
	"sync"

	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/operator/preflight/services"
)

// services asks the database and the cache with the passwords of the Secret.
// Neither password is told by either of them.
func (r *reader) services(ctx context.Context, secrets map[string]facts.Part[*facts.Secret]) (facts.Part[facts.Database], facts.Part[facts.Redis]) {
	s := r.Settings
	value := func(secret, key string) string {
		if p := secrets[s.Namespace+"/"+secret]; p.Value != nil {
			return string(p.Value.Values[key].Bytes)
		}
		return ""
	}
	db, redis := value(s.PlatformSecret, "DB_PASSWORD"), value(s.PlatformSecret, "REDIS_PASSWORD")
	none := "it was not asked"
	first, second := facts.NotAsked[facts.Database](none), facts.NotAsked[facts.Redis](none)
	var group sync.WaitGroup
	if r.Services && r.wants(database) {
		group.Go(func() { first = services.Postgres(ctx, s.Database, db) })
	}
	if r.Services && r.wants(cache) {
		group.Go(func() { second = services.Redis(ctx, s.Redis, redis, value(s.RedisCA, "ca.crt"), db) })
	}
	group.Wait()
	return first, second
}
