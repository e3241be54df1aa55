// Package proof tells a namespace that the operator made from one that only looks
// like it (R50). Labels and annotations are anybody's to write who may make a
// namespace; a keyed mark is not.
//
//	key, err := proof.Key(ctx, client, "kora-system")
//	namespace.Annotations[v1alpha1.AnnotationMark] = proof.Mark(key, namespace)
//
// A mark is of one namespace, by its name and UID: on another one it proves nothing.
package proof
