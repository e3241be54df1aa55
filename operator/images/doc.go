// Package images keeps SandboxImages: it reads each from its registry and judges
// it (R52), keeps warm ones pulled by a DaemonSet, and keeps kora-base and the
// bundled images in every tenant's namespace (R53).
//
//	images.New(settings, clock)         the reconciler of SandboxImages
//	images.NewBundled(settings)         the keeper of kora-base and the bundled images
//
// [Judge] is the verdict on what a registry said; package registry reads.
package images
