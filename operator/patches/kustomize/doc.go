// Package kustomize lets kustomize's own filters change an object, one edit at
// a time: a document of a strategic merge patch, or one JSON6902 operation.
//
// Nothing here merges: the filters do. What this package adds is that they
// see only the part of the object that the edit names. kustomize walks all of
// what it is given and prints and reads it again for JSON6902, which takes
// milliseconds for a StatefulSet and microseconds for the part. The rest of
// the object is put back untouched and shared, never copied, so comparing the
// object before and after is cheap too. A test holds that both ways give the
// same result.
package kustomize
