// Package upkeep keeps objects as the operator wants them: by server-side apply
// under one field owner, without a write when they are so, and by replacement
// when somebody has added what the operator does not own (R50).
package upkeep
