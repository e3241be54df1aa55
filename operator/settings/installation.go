package settings

// Installation is what preflight looks at and nothing else of the operator needs
// (R55). Names of Secrets are in the system namespace; empty: there is none.
type Installation struct {
	FrontendHost            string              `json:"frontendHost"`
	StorageClassName        string              `json:"storageClassName"` // empty: the cluster's default
	Secrets                 InstallationSecrets `json:"secrets"`
	Database                Database            `json:"database"`
	Redis                   Redis               `json:"redis"`
	SessionManagerPlacement Placement           `json:"sessionManagerPlacement"`
}

// InstallationSecrets are names.
type InstallationSecrets struct {
	Platform string `json:"platform"`
	Frontend string `json:"frontend"`
	RedisCA  string `json:"redisCA"` // empty: a public authority, or no TLS
	Gateway  string `json:"gateway"` // empty: kora makes no gateway with TLS
}

// Database is where PostgreSQL answers, and as whom kora connects.
type Database struct {
	Host    string `json:"host"`
	Port    int    `json:"port"`
	Name    string `json:"name"`
	User    string `json:"user"`
	SSLMode string `json:"sslMode"`
}

// Redis is where it answers, and whether over TLS.
type Redis struct {
	Host string `json:"host"`
	Port int    `json:"port"`
	TLS  bool   `json:"tls"`
}
