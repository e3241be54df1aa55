package facts

import (
	"reflect"
	"strings"
	"sync"
)

// shape is what an object of a type may hold.
type shape struct {
	part    bool // it is a Part
	any     bool // of keys that nobody knows each holds what every other does
	every   member
	members map[string]member
	always  []string // the keys that are always written
}

// member is what a key holds.
type member struct {
	of   reflect.Type
	null bool   // null stands for what is not there
	open bool   // it does where that is in no part: it stands for what is not known
	bit  uint64 // of a key that is always written, or stands for one
}

func (s *shape) member(key []byte) (member, bool) {
	if s.any {
		return s.every, true
	}
	m, known := s.members[string(key)]
	if !known {
		m = member{of: anything, null: true}
	}
	return m, known
}

// shapes holds those of the types that were looked into.
var shapes sync.Map

func shapeOf(t reflect.Type) *shape {
	if s, has := shapes.Load(t); has {
		return s.(*shape)
	}
	s := &shape{}
	switch {
	case own(t) || t.Kind() != reflect.Struct && t.Kind() != reflect.Map:
		s.any, s.every = true, member{of: anything, null: true}
	case t.Kind() == reflect.Map:
		s.any, s.every = true, member{of: length(t.Elem()), null: element(t.Elem())}
	default:
		s.part, s.members = isPart(t), map[string]member{}
		for _, f := range reflect.VisibleFields(t) {
			s.add(f)
		}
	}
	shapes.Store(t, s)
	return s
}

// depth is how many parts are open where it is in none, itself counted.
func (s *shape) depth() int {
	if s.part {
		return 1
	}
	return 0
}

// add adds a field. Of a part it is the value, or why there is none, that is always written.
func (s *shape) add(f reflect.StructField) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if !f.IsExported() || name == "" || name == "-" {
		return
	}
	omitted := strings.Contains(options, "omit")
	m := member{of: length(f.Type), null: element(f.Type) && !omitted, open: nullable(f.Type)}
	if !omitted || s.part && name == "missing" {
		m.bit = 1 << len(s.members)
	}
	if s.members[name] = m; !omitted {
		s.always = append(s.always, name)
	}
}

// length is what a type is written as: a secret's value, which reads itself, is a length.
func length(t reflect.Type) reflect.Type {
	if t == reflect.TypeFor[Value]() {
		return reflect.TypeFor[int]()
	}
	return t
}
