// Package proof tells a namespace that the operator made from one that only looks
// like it (R50), and what it read of a SandboxImage from what somebody wrote into its
// status (R52). Labels, annotations and statuses are others' to write; a keyed mark is
// not.
//
//	key, err := proof.Key(ctx, client, "kora-system")
//	namespace.Annotations[v1alpha1.AnnotationMark] = proof.Mark(key, namespace)
//
// A mark is of one object, by its name and UID: on another one it proves nothing.
package proof
