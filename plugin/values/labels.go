package values

import (
	"fmt"
	"strings"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/internal/spelling"
	"github.com/runkora/kora/operator/agents"
)

// metadata is what the entries of a map become on an object.
type metadata int

const (
	label metadata = iota
	annotation
)

func (m metadata) String() string { return [...]string{"label", "annotation"}[m] }

// one is it with its article.
func (m metadata) one() string { return [...]string{"a label", "an annotation"}[m] }

// workload checks one block of agents.workloads (R4, R5, R11).
func (c *checker) workload(v value, block string) {
	c.keys(v.child("nodeSelector"), label)
	c.scheduling(v)
	for kind, key := range [...]string{"podLabels", "podAnnotations"} {
		if block != "sessionManager" {
			c.cloudless(v.child(key), metadata(kind), block)
		}
		c.owned(v.child(key), metadata(kind))
		c.networks(v.child(key))
		c.keys(v.child(key), metadata(kind))
	}
	c.read(v.child("podAnnotations"))
	class := v.child("priorityClassName")
	c.name(class, "a priority class", validation.IsDNS1123Subdomain)
	if agents.SystemClass(class.text()) {
		c.wrong(class, "the class is the cluster's own, and the operator admits no pod of an agent with it", "a class of the team's, or none")
	}
}

// networks refuses what the operator's webhook refuses in a pod of an agent (R50).
func (c *checker) networks(v value) {
	for _, entry := range v.entries() {
		if agents.Network(entry.Key.Value) {
			c.refuse(ownedKey(v, entry, annotation, "it chooses networks and addresses, which no policy of the tenant and no sidecar sees"))
		}
	}
}

// owned refuses the keys that kora owns, naming each (R11).
func (c *checker) owned(v value, kind metadata) {
	for _, entry := range v.entries() {
		reason, owned := agents.Owned(entry.Key.Value)
		if !owned {
			continue
		}
		c.refuse(ownedKey(v, entry, kind, reason))
	}
}

// serviceAccount checks the annotations of the agents' ServiceAccount, which also
// kora writes (R5, R11).
func (c *checker) serviceAccount(v value) {
	c.keys(v, annotation)
	for _, entry := range v.entries() {
		if reason, owned := agents.Owned(entry.Key.Value); owned {
			f := ownedKey(v, entry, annotation, reason)
			f.Message = fmt.Sprintf("the annotation %q of the ServiceAccount is kora's", entry.Key.Value)
			c.refuse(f)
		}
	}
}

func ownedKey(v value, entry source.Field, kind metadata, reason string) faults.Fault {
	f := entry.Key.Pos.Fault(faults.OwnedLabel, fmt.Sprintf("the pod %s %q is kora's", kind, entry.Key.Value))
	f.Field, f.Found = string(v.path.Child(entry.Key.Value)), entry.Key.Value
	f.Expected = "a key of your own: " + reason
	f.Fix = "remove it, or use a key under a domain of your own"
	return f
}

// keys checks the keys of labels, annotations and node selectors, and the values
// of labels, as the API server does.
func (c *checker) keys(v value, kind metadata) {
	total := 0
	for _, entry := range v.entries() {
		key := entry.Key.Value
		total += len(key) + len(entry.Value.Value)
		name := key
		if kind == annotation {
			name = strings.ToLower(key) // annotations may be spelt in capitals
		}
		if reasons := validation.IsQualifiedName(name); len(reasons) > 0 {
			c.refuse(badLabel(v, entry, entry.Key, fmt.Sprintf("%q cannot be the key of %s", short(key), kind.one()), reasons))
		}
		if reasons := validation.IsValidLabelValue(value{node: entry.Value}.text()); kind == label && len(reasons) > 0 {
			c.refuse(badLabel(v, entry, entry.Value, "not the value of a label", reasons))
		}
	}
	if kind == annotation && total > apivalidation.TotalAnnotationSizeLimitB {
		f := v.fault(faults.BadLabel, "the annotations are too long")
		f.Found = fmt.Sprintf("%d bytes", total)
		f.Expected = fmt.Sprintf("at most %d bytes, keys and values together", apivalidation.TotalAnnotationSizeLimitB)
		c.refuse(f)
	}
}

func badLabel(v value, entry source.Field, at *source.Node, message string, reasons []string) faults.Fault {
	f := at.Pos.Fault(faults.BadLabel, message)
	f.Field, f.Found = string(v.path.Child(entry.Key.Value)), short(at.Value)
	f.Expected = spelling.Wanted(reasons)
	return f
}
