// Package lint reads an app-of-apps that anybody wrote and tells every trap that
// it walks into: what Argo CD passes over in silence, deletes, or fights about
// with an operator (R40, R41).
//
// What it reads is not trusted: it follows no links, reads plain files alone,
// and bounds how many and how long they may be.
package lint
