// Package bench compares kora with kustomize. It is a module of its own, so
// that kustomize's command never enters kora's.
package bench
