package preflight

import "github.com/runkora/kora/operator/preflight/facts"

// writes judges whether Redis takes what kora's services write.
func (v *verdict) writes(got facts.Redis, object string) {
	switch {
	case got.ReadOnly:
		v.fail(Finding{Message: "Redis takes no writes", Object: object, Field: "config.redis.host", Found: "a replica, read-only", Expected: "a server that takes writes", Fix: v.writable("(READONLY)")})
	case got.NoWrite != "":
		v.fail(Finding{Message: "Redis takes no writes", Object: object, Found: got.NoWrite, Expected: "a key of any name set and deleted", Fix: v.writable(got.NoWrite)})
	case got.NoChannel != "":
		v.warn(Finding{Message: "Redis takes no message on a channel", Object: object, Found: got.NoChannel, Expected: "a message on a channel of any name", Fix: v.welcome(got.NoChannel)})
	}
	if got.Cluster && !got.ReadOnly {
		v.warn(Finding{Message: "Redis is one node of a cluster: kora is given one host, and other nodes have keys of theirs", Object: object, Field: "config.redis.host", Found: v.Redis.Host, Expected: "a Redis that holds every key",
			Fix: v.redisCLI("--askpass", "cluster", "slots") + " # with one node for 0 to 16383 there is nothing to do"})
	}
}

// untilRestart is said of what a running Redis is told, and its files are not.
const untilRestart = " # until it starts again: its configuration has to say so too, as config rewrite or acl save writes it"

// writable is the way out of each refusal of a write.
func (v *verdict) writable(refused string) string {
	ask := func(words ...string) string { return v.redisCLI(append([]string{"--askpass"}, words...)...) }
	switch codeIn(refused) {
	case "READONLY":
		return ask("info", "replication") + " # master_host is what config.redis.host has to name"
	case "OOM":
		return ask("config", "get", "maxmemory*") + replaces(ask("config", "set", "maxmemory")+" "+ownWord("MAXMEMORY")+untilRestart)
	case "NOREPLICAS":
		return ask("config", "get", "min-replicas-to-write") + replaces(ask("config", "set", "min-replicas-to-write", "0")+untilRestart)
	case "MISCONF":
		return ask("config", "get", "dir") + remark("a folder that Redis may write to, on a disk that has room; then: "+ask("bgsave"))
	case "CLUSTERDOWN":
		return ask("cluster", "info") + replaces(ask("--cluster", "fix", v.Redis.address()))
	case "ERR":
		return ask("command", "info", "set", "del", "publish") + remark("what is empty there was renamed or taken away by rename-command, in Redis' configuration")
	}
	return v.welcome(refused)
}
