// Package settings reads what the chart tells the operator: the config modules
// that its Deployment mounts at /etc/kora/config (R23).
package settings
