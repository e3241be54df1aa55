// Package sample makes random values that a chart takes, from its own schema: the
// same from the same seed (R20). It is for tests, which render and install them.
package sample
