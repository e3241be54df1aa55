package services

import (
	"strings"

	"github.com/runkora/kora/operator/preflight"
)

// lasting is what PostgreSQL says of a state that stays until somebody ends it,
// although its code is also that of something which passes: empty where it says
// something else. Nothing of it is told but that.
func lasting(message string, at preflight.Endpoint) string {
	switch message {
	case `too many connections for role "` + at.User + `"`:
		return preflight.RoleFull
	case `too many connections for database "` + at.Database + `"`:
		return preflight.DatabaseFull
	case `database "` + at.Database + `" is not currently accepting connections`:
		return preflight.Closed
	case `cannot connect to invalid database "` + at.Database + `"`:
		return preflight.Invalid
	case "the database system is not accepting connections":
		return preflight.Standby
	case "connection requires a valid client certificate", `certificate authentication failed for user "` + at.User + `"`:
		return preflight.WantsCertificate
	}
	return ""
}

// code is these words with the code of what was said behind them.
func (s saying) code(words string) string {
	if at := strings.LastIndex(s.words, " ("); at >= 0 {
		return words + s.words[at:]
	}
	return words
}
