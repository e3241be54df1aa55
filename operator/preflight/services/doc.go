// Package services really connects to the database and the cache that the
// values name, as kora's services would, and says what they answered (R55). It
// writes nothing to the database, and leaves nothing in the cache.
package services
