package facts

// Asked is what a look was for. What a service or the API server answered holds
// for this alone, so whoever judges a file compares it with the values at hand.
type Asked struct {
	Namespaces []string `json:"namespaces"` // that were looked for, sorted
	Database   string   `json:"database"`   // role, address, name and sslmode of PostgreSQL, and the Secret of the password
	Redis      string   `json:"redis"`      // address, TLS and the Secrets of its authority and of the password
	Mount      string   `json:"mount"`      // the namespace for privileged pods; empty: none was tried
	Release    string   `json:"release"`    // digest of the objects that were tried; empty: none were
}
