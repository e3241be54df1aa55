package v1alpha1_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
)

// kubectl runs the one that was built with the cluster, and gives what it prints.
func kubectl(t *testing.T, args ...string) string {
	t.Helper()
	cluster := testcluster.Shared(t)
	cmd := exec.CommandContext(t.Context(), filepath.Join(cluster.Binaries(), "kubectl"),
		append([]string{"--kubeconfig", cluster.Kubeconfig(), "--cache-dir", t.TempDir()}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// R19: what people see first. The short name finds each kind.
func TestPrinterColumns(t *testing.T) {
	for _, c := range []struct{ resource, short, header, wide string }{
		{v1alpha1.KoraTenants, "kt", "NAME READY REASON NAMESPACE SUSPENDED AGE", "NAME READY REASON NAMESPACE SUSPENDED ISSUER CA-ENDS AGE"},
		{v1alpha1.Connections, "conn", "NAME READY REASON AUTH HOSTS AGE", ""},
		{v1alpha1.OAuthClients, "oac", "NAME READY REASON PUBLIC GRANTS AGE", ""},
		{v1alpha1.MCPServers, "mcp", "NAME READY REASON TRANSPORT URL SERVICE AGE", ""},
		{v1alpha1.ModelProviders, "mp", "NAME READY REASON TYPE ENDPOINT AGE", "NAME READY REASON TYPE ENDPOINT MODELS AGE"},
		{v1alpha1.SandboxImages, "sbi", "NAME VALID REASON IMAGE WARM CHECKED AGE", "NAME VALID REASON IMAGE WARM DIGEST CHECKED AGE"},
	} {
		t.Run(c.resource, func(t *testing.T) {
			o := made(t, place(t, c.resource), object(t, examples[c.resource]))
			get := []string{"get", c.short, o.GetName(), "--namespace", o.GetNamespace()}
			check := func(header, table string) {
				first, row, _ := strings.Cut(table, "\n")
				if got := strings.Join(strings.Fields(first), " "); got != header {
					t.Errorf("got  %s\nwant %s", got, header)
				}
				if !strings.HasPrefix(row, o.GetName()+" ") {
					t.Errorf("row %q", row)
				}
			}
			check(c.header, kubectl(t, get...))
			if c.wide == "" {
				c.wide = c.header
			}
			check(c.wide, kubectl(t, append(get, "-o", "wide")...))
		})
	}
}

// R19: `kubectl get kora` lists all kinds, as the chart's notes say.
func TestCategoryListsEveryKind(t *testing.T) {
	client := served(t)
	namespace := testcluster.Shared(t).Namespace(t, testcluster.Restricted)
	for resource, example := range examples {
		if resource == v1alpha1.KoraTenants {
			made(t, in(client, resource, ""), object(t, example))
		} else {
			made(t, in(client, resource, namespace), object(t, example))
		}
	}
	out := kubectl(t, "get", "kora", "--all-namespaces")
	for _, name := range []string{"koratenant.runkora.io/data", "connection.runkora.io/github", "oauthclient.runkora.io/dashboard",
		"mcpserver.runkora.io/jira", "modelprovider.runkora.io/anthropic", "sandboximage.runkora.io/custom-team-go"} {
		if !strings.Contains(out, name) {
			t.Errorf("no %s in\n%s", name, out)
		}
	}
}

// R19, deploying-kora: warm and pullSecretRef are explained where people ask.
func TestExplainTellsWhatAFieldIs(t *testing.T) {
	served(t)
	for field, want := range map[string]string{
		"koratenant.spec.deletionPolicy": "Retain keeps it with everything in it",
		"sandboximage.spec.warm":         "keeps the image pulled on every node that runs sandboxes",
		"modelprovider.spec.models":      "each once. 1 to 100",
	} {
		out := strings.Join(strings.Fields(kubectl(t, "explain", field)), " ")
		if !strings.Contains(out, want) {
			t.Errorf("%s: no %q in %s", field, want, out)
		}
	}
}
