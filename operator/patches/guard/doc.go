// Package guard decides what a manifest patch may not do (R14). It compares
// the object that kora built with the object that the patches left, both as
// typed objects, and never looks at a patch: whatever way a field was reached
// (a merge, $patch: replace, a JSON6902 move of its parent), the result tells.
//
// Three rules decide. Where kora owns a field it must be equal before and
// after. Where the text of the product names an exception (fsGroup) that
// alone may differ. For all the rest of a pod, Pod Security admission at
// "restricted" judges, and each container that a patch adds must pass alone.
//
// Sound is no rule of kora's: it foretells what the API server would refuse.
package guard
