package agents

import "math/bits"

// bitset is a set of a key's candidate values, by their index.
type bitset []uint64

func newBits(size int) bitset { return make(bitset, (size+63)/64) }

// allBits holds every index below size.
func allBits(size int) bitset {
	all := newBits(size)
	for i := range size {
		all.add(i)
	}
	return all
}

func (b bitset) add(i int) { b[i/64] |= 1 << (i % 64) }

func (b bitset) and(o bitset) bitset {
	result := make(bitset, len(b))
	for i := range b {
		result[i] = b[i] & o[i]
	}
	return result
}

func (b bitset) minus(o bitset) bitset {
	result := make(bitset, len(b))
	for i := range b {
		result[i] = b[i] &^ o[i]
	}
	return result
}

// disjoint reports whether no index is in both.
func (b bitset) disjoint(o bitset) bool {
	for i := range b {
		if b[i]&o[i] != 0 {
			return false
		}
	}
	return true
}

// inside reports whether every index of b is in o.
func (b bitset) inside(o bitset) bool {
	for i := range b {
		if b[i]&^o[i] != 0 {
			return false
		}
	}
	return true
}

// first is the lowest index, -1 when there is none.
func (b bitset) first() int {
	for i, word := range b {
		if word != 0 {
			return i*64 + bits.TrailingZeros64(word)
		}
	}
	return -1
}
