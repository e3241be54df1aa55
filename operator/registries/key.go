package registries

import "github.com/runkora/kora/operator/tenants/proof"

// KeySecret holds the key of the hashes of tenants' Secrets: see proof.Key.
const KeySecret = proof.KeySecret
