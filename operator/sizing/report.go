package sizing

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/placement"
)

// Request is what to judge: nodes, the pods on them, and the sandbox.
type Request struct {
	Nodes  []corev1.Node
	Pods   []corev1.Pod
	Wanted Sandbox
	// DaemonSets are those that an install of the values brings: they count on the
	// nodes where they will run, as if they were there.
	DaemonSets []appsv1.DaemonSet
}

// Report is what fits where. Nodes that the placement does not admit are left
// out of it, and counted.
type Report struct {
	Beside    Amount   `json:"besideSize"`
	Least     Amount   `json:"whateverSize"` // what a node has room for, or for no sandbox
	InAll     Amount   `json:"inAll"`        // spec.resources of its pod, zero where that says nothing
	Overhead  Amount   `json:"overhead"`     // of each pod, by its RuntimeClass
	Class     string   `json:"runtimeClass,omitempty"`
	Nodes     []Node   `json:"nodes"`
	Pools     []Pool   `json:"pools"`
	Elsewhere int      `json:"nodesNotAdmitted"`
	Coming    []Coming `json:"daemonSetsToCome,omitempty"`
}

// Pool is nodes of one name.
type Pool struct {
	Name string `json:"name"`
	// Nodes counts all of them; Closed those on which nothing starts now.
	Nodes  int `json:"nodes"`
	Closed int `json:"closed"`
	// Every is a sandbox that fits each open node of the pool.
	Every Amount `json:"-"`
	// MaxSize is Every as values, rounded down to tenths; Offer in whole numbers.
	// Both are null where an open node has no room for a size that kora takes.
	MaxSize *Values `json:"maxSize"`
	// DefaultSize is the size of the values as far as it is within MaxSize, where it has
	// to come down with that: no size is above the largest. Offer is never below it.
	DefaultSize *Values `json:"defaultSize,omitempty"`
	Offer       *Values `json:"offer"`
}

// Judge works out what fits each node and each pool, sorted by pool and name.
func Judge(r Request) *Report {
	taken, many := daemons(r.Pods)
	coming := r.coming(taken, many)
	out := &Report{Beside: r.Wanted.Beside, Least: r.Wanted.Least, InAll: r.Wanted.InAll, Overhead: r.Wanted.Overhead, Class: r.Wanted.Class, Nodes: []Node{}, Pools: []Pool{}}
	for i := range r.Nodes {
		n := &r.Nodes[i]
		if !placement.Admits(&r.Wanted.Spec, n) {
			out.Elsewhere++
			continue
		}
		one := Node{Name: n.Name, Pool: poolOf(n.Labels), Allocatable: of(n.Status.Allocatable), DaemonSets: taken[n.Name], Closed: closed(&r.Wanted.Spec, n, many[n.Name])}
		one.Largest = Largest(one.Allocatable, one.DaemonSets, r.Wanted)
		out.Nodes = append(out.Nodes, one)
	}
	out.Coming = coming
	slices.SortFunc(out.Nodes, func(a, b Node) int { return cmp.Or(cmp.Compare(a.Pool, b.Pool), cmp.Compare(a.Name, b.Name)) })
	out.pools(r.Wanted.Default)
	return out
}

// pools sums up nodes that are sorted by their pool.
func (r *Report) pools(usual Amount) {
	for _, n := range r.Nodes {
		if len(r.Pools) == 0 || r.Pools[len(r.Pools)-1].Name != n.Pool {
			r.Pools = append(r.Pools, Pool{Name: n.Pool})
		}
		r.Pools[len(r.Pools)-1].add(n)
	}
	for i := range r.Pools {
		p := &r.Pools[i]
		if most := Round(p.Every); most.set() && p.Closed < p.Nodes {
			p.offers(most, usual)
		}
	}
}

// offers tells what to set: the largest size, what becomes of the default size beside
// it, and numbers that read well.
func (p *Pool) offers(most Values, usual Amount) {
	down := most.orBelow(usual)
	if !most.amount().Covers(usual) {
		p.DefaultSize = &down
	}
	offer := most.unless(Whole(p.Every), down)
	p.MaxSize, p.Offer = &most, &offer
}

func (p *Pool) add(n Node) {
	p.Nodes++
	switch {
	case n.Closed != "":
		p.Closed++
	case p.Nodes-p.Closed == 1:
		p.Every = n.Largest
	default:
		p.Every = smaller(p.Every, n.Largest)
	}
}

// Fits reports whether a sandbox of a size starts on some node.
func (r *Report) Fits(size Amount) bool {
	return slices.ContainsFunc(r.Nodes, func(n Node) bool { return n.Closed == "" && n.Largest.Covers(size) })
}
