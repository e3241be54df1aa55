// Package pulls copies the chart's pull Secrets to where pods of the platform run
// that are in no tenant's namespace: to the node agent of sandboxMount (R21, R31).
// Those of tenants are package tenants'.
package pulls
