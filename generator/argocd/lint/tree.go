package lint

import (
	"slices"
	"strings"
	"text/template/parse"
)

// list walks the nodes of a template in their order.
func (w *finder) list(l *parse.ListNode) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			w.pipe(n.Pipe)
		case *parse.IfNode:
			w.branch(&n.BranchNode)
		case *parse.WithNode:
			w.branch(&n.BranchNode)
		case *parse.RangeNode:
			w.branch(&n.BranchNode)
		case *parse.TemplateNode:
			w.pipe(n.Pipe)
		}
	}
}

func (w *finder) branch(b *parse.BranchNode) {
	w.pipe(b.Pipe)
	w.list(b.List)
	w.list(b.ElseList)
}

func (w *finder) pipe(p *parse.PipeNode) {
	if p == nil {
		return
	}
	for _, c := range p.Cmds {
		for i, arg := range c.Args {
			w.arg(arg, c, i, p)
		}
	}
}

func (w *finder) arg(n parse.Node, c *parse.CommandNode, i int, p *parse.PipeNode) {
	switch n := n.(type) {
	case *parse.IdentifierNode:
		w.call(n, p)
	case *parse.FieldNode:
		w.path(n.Ident, n.Pos)
	case *parse.VariableNode:
		w.path(n.Ident, n.Pos)
	case *parse.ChainNode:
		w.arg(n.Node, c, i, p)
		w.path(n.Field, n.Pos)
	case *parse.PipeNode:
		w.pipe(n)
	case *parse.StringNode: // get .Release "IsInstall"
		if f, ok := c.Args[0].(*parse.IdentifierNode); ok && i > 0 && slices.Contains([]string{"get", "index", "dig", "hasKey", "pluck"}, f.Ident) {
			w.path([]string{n.Text}, n.Pos)
		}
	}
}

func (w *finder) call(n *parse.IdentifierNode, p *parse.PipeNode) {
	switch name := n.Ident; {
	case name == "lookup":
		w.word(n.Pos, name, "lookup finds nothing: Argo CD renders without a cluster")
	case changing(name):
		w.word(n.Pos, name, "the result is another with every render, so the Application is never in sync")
	case dated(name) && !strings.Contains(p.String(), "oDate") && !strings.Contains(p.String(), "now"):
		w.word(n.Pos, name, "whatever is no date is taken for the time of the render, so the Application is never in sync")
	}
}

// path is that of a field: whether a release is installed or upgraded is asked
// of .Release, which a variable or a with may stand for, and never of values.
func (w *finder) path(names []string, at parse.Pos) {
	last := names[len(names)-1]
	if last != "IsInstall" && last != "IsUpgrade" || slices.Contains(names, "Values") {
		return
	}
	word := last
	if len(names) > 1 && names[len(names)-2] == "Release" {
		word = "Release." + last
	}
	w.word(at, word, "Argo CD renders every sync as a first install")
}
