package facts

import "fmt"

// Budget is the most values that a file of facts may hold, labels and taints
// included: ten thousand nodes with a hundred labels each are half of it. A file
// of empty braces alone would be forty times its size in memory.
const Budget = 2 << 20

// object is how many values a pair of braces counts as: a map takes as much
// memory as many a text, and ten thousand nodes with five taints have few.
const object = 8

// budget counts the values of JSON that goes through it, by what stands between
// them. It does not judge the form.
type budget struct {
	values  int
	bytes   int
	text    bool // inside a string
	escaped bool // behind a backslash in one
}

// Write is of io.Writer: it refuses what passes Limit or Budget.
func (b *budget) Write(text []byte) (int, error) {
	b.bytes += len(text)
	for _, c := range text {
		switch {
		case b.escaped:
			b.escaped = false
		case b.text && c == '\\':
			b.escaped = true
		case c == '"':
			b.text = !b.text
		case !b.text && c == '{':
			b.values += object
		case !b.text && (c == ',' || c == '['):
			b.values++
		}
	}
	switch {
	case b.bytes > Limit:
		return 0, tooLarge(fmt.Sprintf("it holds more than %d MiB", Limit>>20))
	case b.values > Budget:
		return 0, tooLarge(fmt.Sprintf("it holds more than %d values, where an object counts as %d", Budget, object))
	}
	return len(text), nil
}

// tooLarge is a file that passes one of the two.
type tooLarge string

// Error is of error.
func (t tooLarge) Error() string { return string(t) }
