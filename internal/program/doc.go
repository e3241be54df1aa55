// Package program ends the programs of others that kora runs, for credentials:
// they belong to whoever wrote a configuration, and may hang, or start more.
package program
