package rules

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// Validate gives every fault of one object of any kind, in the order of its
// fields. It is pure, and never looks at a status.
func Validate(o v1alpha1.Object) field.ErrorList {
	switch o := o.(type) {
	case *v1alpha1.KoraTenant:
		return KoraTenant(o)
	case *v1alpha1.Connection:
		return Connection(o)
	case *v1alpha1.OAuthClient:
		return OAuthClient(o)
	case *v1alpha1.MCPServer:
		return MCPServer(o)
	case *v1alpha1.ModelProvider:
		return ModelProvider(o)
	case *v1alpha1.SandboxImage:
		return SandboxImage(o)
	}
	return field.ErrorList{field.InternalError(nil, fmt.Errorf("%T is no kind of kora's", o))}
}

// Warnings are what is allowed and seldom meant, in the same order. The webhook
// shows them to whoever wrote the object.
func Warnings(o v1alpha1.Object) []string {
	switch o := o.(type) {
	case *v1alpha1.Connection:
		return connectionWarnings(o)
	case *v1alpha1.OAuthClient:
		return clientWarnings(o)
	case *v1alpha1.ModelProvider:
		return providerWarnings(o)
	}
	return nil
}

// Message says all faults in one text, as a denial or a condition shows them:
// at most 20 of them, and at most about 8 KiB, however hostile the object.
func Message(faults field.ErrorList) string {
	const most = 20
	var lines []string
	for i, f := range faults {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(faults)-most))
			break
		}
		lines = append(lines, cut(sentence(f), 480))
	}
	return strings.Join(lines, "; ")
}

// sentence is the field, its value, and what is wrong with it.
func sentence(f *field.Error) string {
	if f.BadValue == nil || f.BadValue == "" {
		return f.Field + " " + f.Detail
	}
	return fmt.Sprintf("%s %q %s", f.Field, fmt.Sprint(f.BadValue), f.Detail)
}

// cut ends a text after some runes.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// invalid is a fault whose value is short enough to be shown to anybody.
func invalid(at *field.Path, value, format string, args ...any) *field.Error {
	return field.Invalid(at, cut(value, 128), fmt.Sprintf(format, args...))
}
