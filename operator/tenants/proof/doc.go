// Package proof tells a namespace that the operator made from one that only looks
// like it (R50), and what it read of a SandboxImage from what somebody wrote into its
// status (R52). Labels, annotations and statuses are others' to write; a keyed mark is
// not.
//
//	key, err := proof.Key(ctx, client, "kora-system")
//	namespace.Annotations[v1alpha1.AnnotationMark] = proof.Mark(key, namespace)
//
// So are the Secret and the ConfigMap of a tenant's certificate authority, by In.
//
// A mark is of one object, by its name and UID: on another one it proves nothing.
package proof
