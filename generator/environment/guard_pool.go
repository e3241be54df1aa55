package environment

import "fmt"

// label checks one of a map, which is in $key and $v.
func (g *guard) label(at string) {
	key, value := spec{form: labelKey, required: true}, spec{form: labelValue}
	g.each(`ne (kindOf $v) "string"`, `(print `+quoted(at+".")+` $key " must be a text")`)
	g.each(`and (eq (kindOf $v) "string") (not (`+value.holds()+`))`, `(print `+quoted(at+".")+` $key `+quoted(" must be "+value.wanted())+`)`)
	g.line("$v := $key")
	g.wrong("not ("+key.holds()+")", at+" must have as each key "+key.wanted())
}

// toleration checks what the fields of $item demand of each other, as the API
// server does. Those of another kind are told already.
func (g *guard) toleration(at string) {
	key, value := spec{form: labelKey}, spec{form: labelValue}
	says := func(what string) string { return fmt.Sprintf("(printf %s $i)", quoted(at+"[%d]"+what)) }
	g.line(`$exists := eq (print (index $item "operator")) "Exists"`)
	g.line(`$v := index $item "key"`)
	g.each(`and (eq (kindOf $v) "string") (not (`+key.holds()+`))`, says(".key must be "+key.wanted()))
	g.each(`and (not $exists) (or (eq (kindOf $v) "invalid") (eq (print $v) ""))`, says(" must have "+keyless.expected))
	g.line(`$v := index $item "value"`)
	g.each(`and (eq (kindOf $v) "string") $exists (ne (print $v) "")`, says(".value must be "+needless.expected))
	g.each(`and (eq (kindOf $v) "string") (not $exists) (not (`+value.holds()+`))`, says(".value must be "+value.wanted()))
	g.line(`$v := index $item "tolerationSeconds"`)
	g.each(`and (ne (kindOf $v) "invalid") (ne (print (index $item "effect")) "NoExecute")`, says(".tolerationSeconds must be "+endless.expected))
}
