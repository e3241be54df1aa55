package facts

// Database is what PostgreSQL answered.
type Database struct {
	Version int `json:"version"` // the major one, such as 15
	// Create is whether the role may create in schema public.
	Create bool `json:"create"`
	TLS    bool `json:"tls"`
	// NoUsage is that the role may not use what stands in schema public, and NoPath
	// that its search_path does not lead there.
	NoUsage bool `json:"noUsage,omitempty"`
	NoPath  bool `json:"noPath,omitempty"`
	// Elsewhere is that another schema stands before public on that path: what is made
	// without a schema's name goes there. Barred is that the role may not create in it.
	Elsewhere bool `json:"elsewhere,omitempty"`
	Barred    bool `json:"barred,omitempty"`
	// NoSchema is that the database has no schema public at all.
	NoSchema bool `json:"noSchema,omitempty"`
	// ReadOnly is that nothing can be written: Replica says why, else the role's
	// transactions begin read-only.
	ReadOnly bool `json:"readOnly,omitempty"`
	Replica  bool `json:"replica,omitempty"`
	// Refused is why it let nobody in, in words of kora's and its code.
	Refused string `json:"refused,omitempty"`
	// Foreign is that what answers there is something else.
	Foreign bool `json:"foreign,omitempty"`
}

// Redis is what Redis answered.
type Redis struct {
	Version string `json:"version"`
	TLS     bool   `json:"tls"`
	// ReadOnly is a replica that takes no writes.
	ReadOnly bool `json:"readOnly,omitempty"`
	// Cluster is that it is one node of a cluster.
	Cluster bool `json:"cluster,omitempty"`
	// NoWrite is why it took no write, and NoChannel why no message on a channel, in
	// words of kora's and its code.
	NoWrite   string `json:"noWrite,omitempty"`
	NoChannel string `json:"noChannel,omitempty"`
	// Refused is why it let nobody in.
	Refused string `json:"refused,omitempty"`
	// Foreign is that what answers there is something else.
	Foreign bool `json:"foreign,omitempty"`
}
