// Package checkup runs preflight in the operator (R55): when it begins to lead,
// and again each sync period, on the same facts and checks as the command and the
// chart's hook Job. What it finds stands in one ConfigMap of the system namespace,
// with a condition; a change is an event on the operator's Deployment and a log
// line; the state of each check is a metric. Nothing that it finds stops the
// operator or takes its readiness: the tenants that work go on.
package checkup
