package main

// moreprograms is empty: kwok links with the modules of Kubernetes 1.36 only,
// and the one built there serves this version too.
func moreprograms() map[string]func() { return nil }
