package kube

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	api "k8s.io/client-go/tools/clientcmd/api"
)

// Given is what stands over a kubeconfig: Helm takes its flags --kube-… off the
// line of a plugin, which never sees them, and hands them over in variables. The
// token is a secret and stands in no text.
type Given struct {
	Context         string
	Server          string // a URL, or a host and a port
	Token           string
	User            string // to act as
	Groups          []string
	CAFile          string
	TLSServerName   string
	InsecureSkipTLS bool
}

// OfHelm reads Helm 3's and Helm 4's variables, which mean the cluster of this run
// only where Helm started it (R2). A list of groups has commas between them.
func OfHelm(getenv func(string) string) Given {
	if getenv("HELM_PLUGIN_DIR") == "" {
		return Given{}
	}
	insecure, err := strconv.ParseBool(getenv("HELM_KUBEINSECURE_SKIP_TLS_VERIFY"))
	return Given{
		Context: getenv("HELM_KUBECONTEXT"), Server: getenv("HELM_KUBEAPISERVER"), Token: getenv("HELM_KUBETOKEN"),
		User: getenv("HELM_KUBEASUSER"), CAFile: getenv("HELM_KUBECAFILE"), TLSServerName: getenv("HELM_KUBETLS_SERVER_NAME"),
		Groups:          slices.DeleteFunc(strings.Split(getenv("HELM_KUBEASGROUPS"), ","), func(s string) bool { return s == "" }),
		InsecureSkipTLS: insecure && err == nil,
	}
}

// over is what clientcmd lays over a kubeconfig.
func (g Given) over(context string) *clientcmd.ConfigOverrides {
	return &clientcmd.ConfigOverrides{
		CurrentContext: context,
		AuthInfo:       api.AuthInfo{Token: g.Token, Impersonate: g.User, ImpersonateGroups: g.Groups},
		ClusterInfo:    api.Cluster{Server: g.Server, CertificateAuthority: g.CAFile, TLSServerName: g.TLSServerName, InsecureSkipTLSVerify: g.InsecureSkipTLS},
	}
}

// on lays over a configuration what clientcmd leaves out inside a pod. Who gives a
// token means no program that would log in otherwise.
func (g Given) on(config *rest.Config) {
	if g.Token != "" {
		config.ExecProvider, config.AuthProvider = nil, nil
		config.BearerToken, config.BearerTokenFile = g.Token, ""
	}
	if g.User != "" {
		config.Impersonate.UserName, config.Impersonate.Groups = g.User, g.Groups
	}
	if g.TLSServerName != "" {
		config.ServerName = g.TLSServerName
	}
	if g.InsecureSkipTLS {
		config.Insecure, config.CAFile, config.CAData = true, "", nil
	}
}

// Flags are kubectl's own for what is given, as far as they are no secret.
func (g Given) Flags() []string {
	var out []string
	flag := func(name string, values ...string) {
		for _, v := range values {
			if v != "" {
				out = append(out, name, v)
			}
		}
	}
	flag("--server", Server(g.Server))
	flag("--as", g.User)
	flag("--as-group", g.Groups...)
	flag("--certificate-authority", g.CAFile)
	flag("--tls-server-name", g.TLSServerName)
	if g.InsecureSkipTLS {
		out = append(out, "--insecure-skip-tls-verify=true")
	}
	return out
}
