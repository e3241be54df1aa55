package patches

import (
	"math"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// anyPatch bounds blame to no patch: it means up to the last one.
const anyPatch = math.MaxInt

// blame returns the place in a patch that is closest to a field: the write of
// that very field, else of one in it, else of one that holds it, else the
// last write of all; of equal ones the last. Patches behind upTo are spared.
func (o *Object) blame(upTo int, at fields.Path) source.Pos {
	if w := o.writer(upTo, at); w != nil {
		return w.edit.locate(at)
	}
	return source.Pos{}
}

func (o *Object) writer(upTo int, at fields.Path) *Write {
	if i, ok := o.exactly(at); ok && o.Writes[i].patch <= upTo {
		return &o.Writes[i]
	}
	var best *Write
	score := -1
	for i := range o.Writes {
		w := &o.Writes[i]
		if w.patch > upTo {
			break
		}
		if s := nearness(w, at); s >= score {
			best, score = w, s
		}
	}
	return best
}

// exactly finds the last write of that very field. It indexes the writes once
// they are all there: thousands of faults may ask.
func (o *Object) exactly(at fields.Path) (int, bool) {
	if o.index == nil || o.indexed != len(o.Writes) {
		o.index, o.indexed = make(map[fields.Path]int, len(o.Writes)), len(o.Writes)
		for i, w := range o.Writes {
			o.index[w.Path] = i
		}
	}
	i, ok := o.index[at]
	return i, ok
}

// nearness grows with how much of the field's path the write is about.
func nearness(w *Write, at fields.Path) int {
	const exact, inside, around = math.MaxInt, math.MaxInt - 1, math.MaxInt - 2
	switch {
	case w.Path == at:
		return exact
	case w.Path.Within(at):
		return inside
	case at.Within(w.Path):
		return around
	}
	n := 0
	for n < len(w.Path) && n < len(at) && w.Path[n] == at[n] {
		n++
	}
	return n
}
