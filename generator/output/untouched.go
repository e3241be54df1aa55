package output

// Untouched are the texts of the set's files that stand in a folder as the
// generator wrote them, by their paths. What cannot be read is left to Write and
// Check, which say why.
func (s Set) Untouched(name string) map[string]string {
	out := map[string]string{}
	dir, found := open(name)
	if found.Refused() {
		return out
	}
	defer dir.close()
	for _, f := range s.Files {
		if text, there, _ := dir.read(f.Path); there && stateOf(s.Generator, text) == untouched {
			out[f.Path] = text
		}
	}
	return out
}
