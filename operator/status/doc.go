// Package status is the one way in which the operator speaks on a resource's
// status: conditions with reasons from a closed list, one that sums up the
// others, observedGeneration, and no write when nothing changed (R50 to R52).
package status
