// Package gather reads from a live cluster, and from the database and cache
// that the values name, what preflight judges (R55). It decides nothing: what
// it may not or cannot read is a part that says so.
package gather
