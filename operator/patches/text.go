package patches

import (
	"encoding/json"
	"fmt"

	"github.com/runkora/kora/internal/fields"
)

// Text prints a field's value in one line, for tables and messages.
func Text(v any) string {
	if v == fields.Absent {
		return "(none)"
	}
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
