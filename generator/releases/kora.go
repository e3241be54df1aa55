package releases

import _ "embed"

//go:embed values/kora.yaml
var koraValues string

// KoraValues is the values file of kora that a person starts with: it holds what
// no environment says.
func KoraValues() string { return koraValues }

//go:embed values/example.yaml
var example string

// ExampleEnvironment is the environment file that a person starts with.
func ExampleEnvironment() string { return example }
