// Package registry reads an image's digest, platforms and configs from a
// container registry, within bounds (R52): which hosts, ports and addresses may
// be reached, how many bytes, requests and seconds one read may take, and to whom
// credentials go. It writes nothing and judges nothing.
//
// The reference and everything that a registry answers come from people and
// machines that are not trusted. A [Failure] therefore never holds a text of theirs
// but the image's own host: no body, no header, no URL.
package registry
