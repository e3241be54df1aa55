package values

// labelKeys checks the keys whose values a new pod has in common with others, or has
// not: each is the key of a label, stands in one of the lists, and is not in the
// selector to which the API server adds it (R2, R4).
func (c *checker) labelKeys(v value) {
	selected := selectedKeys(v.child("labelSelector"))
	matched := map[string]bool{}
	for _, key := range v.child("matchLabelKeys").items() {
		matched[key.text()] = true
	}
	for _, list := range []string{"matchLabelKeys", "mismatchLabelKeys"} {
		keys := v.child(list)
		if len(keys.items()) > 0 && !v.child("labelSelector").given() {
			c.wrong(keys, "the keys are added to a label selector, and there is none", "a labelSelector beside them, or none of them")
		}
		for _, key := range c.whole(keys.items()) {
			c.qualified(key, "the key of a label")
			switch text := key.text(); {
			case selected[text]:
				c.wrong(key, "the labelSelector asks for this label already", "the key in one of the two")
			case list == "mismatchLabelKeys" && text != "" && matched[text]:
				c.wrong(key, "the label cannot be the same and another", "the key in matchLabelKeys or in mismatchLabelKeys")
			}
		}
	}
}

// selectedKeys are the labels that a selector asks for.
func selectedKeys(selector value) map[string]bool {
	keys := map[string]bool{}
	for _, entry := range selector.child("matchLabels").entries() {
		keys[entry.Key.Value] = true
	}
	for _, e := range selector.child("matchExpressions").items() {
		if key := e.child("key").text(); key != "" {
			keys[key] = true
		}
	}
	return keys
}
