package theme

// entry is one key that a theme can hold: a leaf with a form, or a map of
// further entries.
type entry struct {
	key, about string
	form       form // of a leaf, nil of a map
	required   bool
	identity   bool    // one of the values that make up a brand (R34)
	filled     bool    // a map that says nothing when it is empty
	fields     []entry // of a map
}

// document is the table of a theme: what is known, and in which form. It is
// the only list of slots and tokens; a new one is one more row here.
func document() entry {
	return entry{about: "A white-labelling theme of kora.", fields: []entry{
		{key: "koraVersion", about: "The release of kora that the theme was written against, quoted. An instance takes a theme of its own major.", form: versionForm{}, required: true},
		{key: "productName", about: "The product's name in place of kora.", form: nameForm{}, identity: true},
		{key: "slots", about: "The assets and colours, by the place they are shown in.", fields: slots()},
	}}
}

func slots() []entry {
	svg, woff2 := urlForm{".svg"}, urlForm{".woff2"}
	return []entry{
		modes("logo", "The logo, on the login page and in the header.", svg, true),
		modes("favicon", "The icon of the browser's tab.", svg, true),
		{key: "font.sans", about: "The font of the interface. Its host must send Access-Control-Allow-Origin.", form: woff2},
		{key: "font.mono", about: "The font of code and logs. Its host must send Access-Control-Allow-Origin.", form: woff2},
		{key: "color", about: "The colours, by token.", filled: true, fields: colors()},
	}
}

func colors() []entry {
	var out []entry
	for _, t := range tokens() {
		out = append(out, modes(t.name, t.about, colorForm{}, false))
	}
	return out
}

// modes is an entry with a value for the dark and one for the light mode.
func modes(key, about string, f form, identity bool) entry {
	return entry{key: key, about: about, filled: true, fields: []entry{
		{key: "dark", about: "In the dark mode.", form: f, identity: identity},
		{key: "light", about: "In the light mode.", form: f, identity: identity},
	}}
}

// Setting is one value that a theme can set.
type Setting struct {
	// Path names it from the root of the document, "slots.font.sans".
	Path string
	// Identity is true of the values that make up a brand (R34).
	Identity bool
}

// Settings returns every value that a theme can set in place of a default of
// kora, in the order of the table.
func Settings() []Setting {
	var out []Setting
	leaves(document(), "", func(e entry, path string) {
		if !e.required {
			out = append(out, Setting{path, e.identity})
		}
	})
	return out
}

func leaves(e entry, path string, visit func(entry, string)) {
	if e.form != nil {
		visit(e, path)
	}
	for _, f := range e.fields {
		leaves(f, below(path, f.key), visit)
	}
}

func below(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
