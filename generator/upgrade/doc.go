// Package upgrade plans the way from one release of kora to another, and refuses
// what breaks the rules of upgrades (R56): kora-crds goes before kora, the trust
// domain and the claims of agents stay, and the only way back is to the revision
// before.
//
// It decides and prints nothing; what runs in a cluster is handed to it.
package upgrade
