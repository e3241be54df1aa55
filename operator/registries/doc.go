// Package registries gathers Connections, OAuthClients, MCPServers and
// ModelProviders of all tenants into the registries that the services read (R51):
// ConfigMaps kora-registry-<kind>-<n> in the system namespace, each with a [Shard]
// as JSON under [DataKey].
//
// One pass does everything: it judges each resource, resolves the Secrets that it
// names in its own namespace, writes the shards and a ServiceEntry for each model
// provider, and tells on each status what it found. What wakes it is gathered for
// a moment first, so that ten thousand changes are a pass and not ten thousand.
// A wrong resource is left out and told of, and stops nothing.
//
// No value of a Secret is ever kept, written or logged: a keyed hash shows that
// one has changed.
package registries
