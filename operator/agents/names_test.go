package agents_test

import (
	"strings"
	"testing"

	"github.com/runkora/kora/operator/agents"
)

// R2: what names objects and labels is checked before they are built.
func TestNamesAreValidatedR2(t *testing.T) {
	long := strings.Repeat("a", 47)
	for _, c := range []struct {
		name     string
		validate func(string) error
		value    string
		fault    string // part of the message; empty when valid
	}{
		{"a slug", agents.ValidateName, "coder-2", ""},
		{"the longest slug", agents.ValidateName, long[:46], ""},
		{"a slug too long", agents.ValidateName, long, "at most 46"},
		{"no slug", agents.ValidateName, "", "agent slug is empty"},
		{"capitals", agents.ValidateName, "Coder", `agent slug "Coder"`},
		{"a dot", agents.ValidateName, "a.b", `agent slug "a.b"`},
		{"a path", agents.ValidateName, "../etc", `agent slug "../etc"`},
		{"a newline", agents.ValidateName, "a\nb", `agent slug "a\nb"`},
		{"a preview's id", agents.ValidateTypeID, agents.DefaultTypeID(long[:46]), ""},
		{"a database's id", agents.ValidateTypeID, "at_01J9ZK3V7C.x", ""},
		{"no id", agents.ValidateTypeID, "", "agent type id is empty"},
		{"an id too long", agents.ValidateTypeID, strings.Repeat("a", 64), "63"},
		{"an id that is no label value", agents.ValidateTypeID, "a/b", `agent type id "a/b"`},
		{"a namespace", agents.ValidateNamespace, "tenant-example", ""},
		{"a namespace too long", agents.ValidateNamespace, strings.Repeat("a", 64), "63"},
		{"a namespace with a dot", agents.ValidateNamespace, "a.b", `namespace "a.b"`},
	} {
		err := c.validate(c.value)
		if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v, want %q", c.name, err, c.fault)
		}
	}
}

// R2: a namespace that is no tenant's is its own tenant name in a preview.
func TestTenantIsTheNamespaceWithoutPrefixR3(t *testing.T) {
	s := plain()
	s.Namespace = "tenant-example"
	if got := agents.Build(s).Service.Labels[agents.LabelTenant]; got != "tenant-example" {
		t.Errorf("tenant %q", got)
	}
}
