// Package admit foretells what an API server refuses in the objects of a chart
// (R19), besides what the check of patches knows of pods, claims and scalers: names
// by kind, selectors, Services, networks, roles, Jobs and their like. It knows what
// charts get wrong, not every rule of the server, and is never stricter: a test
// compares both.
package admit
