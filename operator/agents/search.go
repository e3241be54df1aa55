package agents

import "slices"

// searchBudget bounds a search in words of bitsets touched: some hundredths of a
// second. Placements that people write need a few hundred words.
const searchBudget = 1 << 22

// search looks for a node that one placement admits and another does not.
type search struct {
	u      *universe
	budget int
}

// domains are, by the keys' order, the values that a node may still have. Bitsets
// in it are never written to, only replaced.
type domains []bitset

// clause is one term of the placement that must not hold: the node must leave
// the allowed values of one of its keys.
type clause []allowed

type allowed struct {
	key    int
	values bitset
}

// spend takes words from the budget and reports whether any is left.
func (s *search) spend(words int) bool {
	s.budget -= words
	return s.budget > 0
}

// conjunction gathers a term's requirements by key, in the keys' order; false
// when the budget ran out.
func (s *search) conjunction(t term) (clause, bool) {
	var c clause
	place := map[int]int{}
	for _, r := range t {
		candidates := s.u.keys[r.key]
		if !s.spend(candidates.cost(r)) {
			return nil, false
		}
		values := candidates.admitted(r)
		if i, known := place[candidates.index]; known {
			c[i].values = c[i].values.and(values)
			continue
		}
		place[candidates.index] = len(c)
		c = append(c, allowed{key: candidates.index, values: values})
	}
	return c, true
}

// conjunctions does so for every term.
func (s *search) conjunctions(p placement) ([]clause, bool) {
	clauses := make([]clause, 0, len(p))
	for _, t := range p {
		c, ok := s.conjunction(t)
		if !ok {
			return nil, false
		}
		clauses = append(clauses, c)
	}
	return clauses, true
}

// start is the nodes that meet a conjunction; nil when it contradicts itself.
func (s *search) start(c clause) domains {
	d := make(domains, len(s.u.order))
	for i, key := range s.u.order {
		d[i] = allBits(len(s.u.keys[key].values))
		s.spend(len(d[i]))
	}
	for _, a := range c {
		if d[a.key] = d[a.key].and(a.values); d[a.key].first() < 0 {
			return nil
		}
	}
	return d
}

// solve narrows the domains until every node in them breaks every clause; nil
// when no node does, or the budget ran out.
func (s *search) solve(d domains, clauses []clause) domains {
	for s.spend(len(d)) {
		open, exits := s.tightest(d, clauses)
		switch exits {
		case allBroken:
			return d
		case 0:
			return nil
		}
		exit := clauses[open].exit(d)
		leaving := d.with(exit.key, d[exit.key].minus(exit.values))
		if exits == 1 {
			d = leaving
			continue
		}
		if found := s.solve(leaving, clauses); found != nil {
			return found
		}
		// No node leaves by this key: the rest of the search may say so.
		d = d.with(exit.key, d[exit.key].and(exit.values))
	}
	return nil
}

// allBroken is what tightest counts when it finds no clause to break.
const allBroken = -1

// tightest is the clause, of those not yet broken, with the fewest keys to leave
// it by, and their number. A clause without keys has none: it admits every node.
func (s *search) tightest(d domains, clauses []clause) (open, exits int) {
	exits = allBroken
	for i, c := range clauses {
		n, broken := s.exits(d, c)
		if broken || exits != allBroken && n >= exits {
			continue
		}
		if open, exits = i, n; n == 0 {
			break
		}
	}
	return open, exits
}

// exits counts the keys by which nodes can leave the clause's allowed values;
// broken when all nodes already have.
func (s *search) exits(d domains, c clause) (n int, broken bool) {
	for _, a := range c {
		s.spend(2 * len(a.values))
		if d[a.key].disjoint(a.values) {
			return 0, true
		}
		if !d[a.key].inside(a.values) {
			n++
		}
	}
	return n, false
}

// exit is the first key by which some node can leave.
func (c clause) exit(d domains) allowed {
	return c[slices.IndexFunc(c, func(a allowed) bool { return !d[a.key].inside(a.values) })]
}

func (d domains) with(key int, values bitset) domains {
	d = slices.Clone(d)
	d[key] = values
	return d
}
