package preflight

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"slices"
	"time"

	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/plugin/values"
)

// chartValues are the values that preflight looks at, under their own names.
type chartValues struct {
	Global struct {
		TrustDomain      string  `json:"trustDomain"`
		SystemNamespace  string  `json:"systemNamespace"`
		ImagePullSecrets []named `json:"imagePullSecrets"`
		PostgresSSLMode  string  `json:"postgresSSLMode"`
	} `json:"global"`
	FrontendHost string `json:"frontendHost"`
	Config       struct {
		DB struct {
			Host string `json:"host"`
			Port int    `json:"port"`
			Name string `json:"name"`
			User string `json:"user"`
		} `json:"db"`
		Redis struct {
			Host string `json:"host"`
			Port int    `json:"port"`
			TLS  struct {
				Enabled  bool   `json:"enabled"`
				CASecret string `json:"caSecret"`
			} `json:"tls"`
		} `json:"redis"`
		PlatformSecretName string `json:"platformSecretName"`
	} `json:"config"`
	Frontend struct {
		ExistingSecret string `json:"existingSecret"`
	} `json:"frontend"`
	Istio struct {
		Revision string `json:"revision"`
	} `json:"istio"`
	Spire struct {
		ClassName string `json:"className"`
	} `json:"spire"`
	Gateway struct {
		Create bool `json:"create"`
		TLS    struct {
			Enabled        bool   `json:"enabled"`
			CredentialName string `json:"credentialName"`
		} `json:"tls"`
	} `json:"gateway"`
	Agents struct {
		Workspace struct {
			StorageClassName string `json:"storageClassName"`
		} `json:"workspace"`
	} `json:"agents"`
	SandboxMount struct {
		Enabled         bool `json:"enabled"`
		CreateNamespace bool `json:"createNamespace"`
	} `json:"sandboxMount"`
}

// mountNamespace is where the node agent runs (R31).
const mountNamespace = "kora-sandbox-mount"

// Settings reads the values that a release of the chart in this binary would
// have in a namespace. The values must be good: whoever calls has rendered them.
func Settings(in values.Input, namespace string, now func() time.Time) (preflight.Settings, faults.List) {
	tree, found := values.Load(in)
	if found.Refused() {
		return preflight.Settings{}, found
	}
	v, err := read(tree)
	if err != nil {
		return preflight.Settings{}, faults.List{faults.New(faults.WrongType, err.Error())}
	}
	if v.Global.SystemNamespace != "" {
		namespace = v.Global.SystemNamespace
	}
	over, err := read(tree.Overridden())
	if err != nil {
		return preflight.Settings{}, faults.List{faults.New(faults.WrongType, err.Error())}
	}
	return v.settings(over, namespace, now), nil
}

// read lays the values over the chart's own.
func read(tree *values.Tree) (*chartValues, error) {
	files, err := charts.Open(charts.Kora)
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(files, "values.yaml")
	if err != nil {
		return nil, err
	}
	standard, _ := values.Load(values.Input{Files: []string{"-"}, Stdin: bytes.NewReader(text)})
	plain, err := json.Marshal(tree.Over(standard).Plain())
	if err != nil {
		return nil, err
	}
	v := &chartValues{}
	return v, json.Unmarshal(plain, v)
}

// settings are those of the values, and of agents what configOverrides made of
// them (R23): their class, and the Secrets that they pull with besides the others'.
func (v *chartValues) settings(over *chartValues, namespace string, now func() time.Time) preflight.Settings {
	s := preflight.Settings{
		Namespace: namespace, TrustDomain: v.Global.TrustDomain, FrontendHost: v.FrontendHost,
		Revision: v.Istio.Revision, SpireClass: v.Spire.ClassName, StorageClass: over.Agents.Workspace.StorageClassName,
		Database:       preflight.Endpoint{Host: v.Config.DB.Host, Port: v.Config.DB.Port, Database: v.Config.DB.Name, User: v.Config.DB.User, TLS: v.Global.PostgresSSLMode},
		Redis:          preflight.Endpoint{Host: v.Config.Redis.Host, Port: v.Config.Redis.Port, TLS: "disable"},
		PlatformSecret: v.Config.PlatformSecretName, FrontendSecret: v.Frontend.ExistingSecret,
		SandboxMount: preflight.Mount{Enabled: v.SandboxMount.Enabled, Namespace: mountNamespace, CreateNamespace: v.SandboxMount.CreateNamespace},
		Now:          now,
	}
	if v.Config.Redis.TLS.Enabled {
		s.Redis.TLS, s.RedisCA = "require", v.Config.Redis.TLS.CASecret
	}
	if v.Gateway.Create && v.Gateway.TLS.Enabled {
		s.Certificate = v.Gateway.TLS.CredentialName
	}
	for _, p := range slices.Concat(v.Global.ImagePullSecrets, over.Global.ImagePullSecrets) {
		if !slices.Contains(s.PullSecrets, string(p)) {
			s.PullSecrets = append(s.PullSecrets, string(p))
		}
	}
	return s
}

// named is an entry that is a name, or a map that holds one.
type named string

// UnmarshalJSON takes both forms that the chart takes.
func (n *named) UnmarshalJSON(text []byte) error {
	var m struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(text, &m); err == nil {
		*n = named(m.Name)
		return nil
	}
	return json.Unmarshal(text, (*string)(n))
}
