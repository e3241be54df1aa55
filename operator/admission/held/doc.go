// Package held counts what the operator's caches hold of each tenant's resources, by
// kind, and says when one more is too much (R54): the caches hold all that is in the
// cluster, so that one tenant could have the operator killed for memory.
//
// The counts follow the events of the informers, so that a request costs the same
// however much is there. What was admitted and is not in the cache yet counts too.
package held
