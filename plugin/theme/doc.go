// Package theme reads theme.yaml, the white-labelling theme of an
// installation: the product name, the colours and the URLs of the logo, the
// favicon and the fonts that people see in place of kora's (R32).
//
// One table (see document) says which keys there are and which form each has.
// Parse walks it to judge a document, Schema walks it to write
// theme.schema.json, and Preview draws what it holds. Nothing is ever fetched:
// only the form of a URL is looked at (R33).
//
// A theme is written by people who are not trusted. What Parse accepts cannot
// leave the place of a page it is put into, and no fault repeats credentials
// that stood in a URL.
package theme
