package source

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/runkora/kora/internal/faults"
)

// Limits bound what one text may cost.
type Limits struct {
	Bytes   int // of the text
	Nodes   int // after aliases are expanded
	Depth   int // of nesting
	Aliases int // alias expansions
}

// DefaultLimits fit any values file or patch that a person writes.
var DefaultLimits = Limits{Bytes: 1 << 20, Nodes: 200_000, Depth: 100, Aliases: 500}

// Parse reads every document of f. A list that refuses comes without nodes
// that could be trusted; documents that hold nothing are left out.
func Parse(f *File, l Limits) ([]*Node, faults.List) {
	if f.size > l.Bytes {
		found := fmt.Sprintf("%d bytes", f.size)
		return nil, faults.List{limit(f.At(1, 1), "the text is too long", found, fmt.Sprintf("at most %d bytes", l.Bytes))}
	}
	r := &reader{file: f, limits: l, anchors: map[*yaml.Node]bool{}}
	var docs []*Node
	for dec := yaml.NewDecoder(strings.NewReader(f.text)); ; {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return docs, r.found
		}
		if err != nil {
			return nil, append(r.found, syntax(f, dec, err))
		}
		if n := r.node(&doc, 0); n != nil && !n.Null() {
			docs = append(docs, n)
		}
		if r.stopped {
			return nil, r.found
		}
	}
}

func limit(p Pos, message, found, expected string) faults.Fault {
	f := p.Fault(faults.YAMLLimit, message)
	f.Found, f.Expected = found, expected
	return f
}
