// Package tenants makes a KoraTenant live: its namespace, network policies,
// rights, pull secrets, certificate authority and policy configuration (R50).
package tenants
