package status

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// maxReason is what the schema takes of an inventory's reason.
const maxReason = 1024

// Item is one row of a tenant's inventory: the object, its state by the verdict, and
// where that is not Ready the reason of the closed list and the words, "Failed: …".
func Item(kind, name string, v Verdict) v1alpha1.InventoryItem {
	item := v1alpha1.InventoryItem{Kind: kind, Name: name, State: state(v)}
	if !v.True() {
		item.Reason = short(v.Reason+": "+strings.TrimSpace(v.Message), maxReason)
	}
	return item
}

func state(v Verdict) v1alpha1.InventoryState {
	switch {
	case v.True():
		return v1alpha1.InventoryReady
	case v.Reason == v1alpha1.ReasonConflict:
		return v1alpha1.InventoryConflict
	case v.Reason == v1alpha1.ReasonProgressing || v.Reason == v1alpha1.ReasonDeleting:
		return v1alpha1.InventoryPending
	}
	return v1alpha1.InventoryFailed
}

// short cuts a text to as many bytes, and keeps it UTF-8.
func short(text string, most int) string {
	text = strings.ToValidUTF8(text, "�")
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most-3], "") + "…"
}

// inventory: a row that is right says nothing more, any other why, by a reason of
// the list: of the tenant's own, or of an image's.
func (l *linter) inventory(items []v1alpha1.InventoryItem) {
	reasons := append(Reasons("KoraTenant"), Reasons("SandboxImage")...)
	for _, item := range items {
		name := fmt.Sprintf("%s %s", item.Kind, item.Name)
		reason, words, _ := strings.Cut(item.Reason, ": ")
		switch {
		case item.State == v1alpha1.InventoryReady && item.Reason != "":
			l.refuse("%s is Ready and says %q", name, item.Reason)
		case item.State == v1alpha1.InventoryReady:
		case !slices.Contains(reasons, reason) || reason == v1alpha1.ReasonSucceeded || words == "":
			l.refuse("%s is %s for %q, which begins with no reason of the list", name, item.State, item.Reason)
		case state(Verdict{Reason: reason}) != item.State:
			l.refuse("%s is %s for the reason %s", name, item.State, reason)
		}
	}
}
