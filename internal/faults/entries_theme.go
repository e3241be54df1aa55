package faults

// themeEntries are the rules for theme.yaml, the white-labelling theme.
func themeEntries() []Entry {
	return []Entry{
		{
			ThemeShape, Error, "a part of the theme is not the map it must be",
			"a theme is one YAML document that holds a map, and a key that this version knows keeps its form (R32, R34)",
			"write the part as the reference of the theme shows it",
		},
		{
			ThemeAlias, Error, "the theme holds a YAML anchor or alias",
			"readers of the same document differ on what an alias stands for, and each value of a theme is short enough to stand where it is used (R32)",
			"write the value out where the alias stands, and remove the anchor",
		},
		{
			ThemeVersion, Error, "koraVersion is missing or not a quoted MAJOR.MINOR.PATCH",
			"the version says which rules a theme was written against, and unquoted YAML makes a number of 1.4 (R32)",
			"write the release the theme was written against in quotes, such as \"1.4.0\"",
		},
		{
			ThemeMajor, Error, "the theme was written against another major of kora",
			"slots may change their meaning between majors, so a theme is reissued on each (R34)",
			"check the theme against the schema of this release, then set koraVersion to it",
		},
		{
			ThemeName, Error, "productName is outside its bounds",
			"the name stands in pages, mails and the texts of agents, where a control or invisible character could pass for something else (R32, R35)",
			"use 2 to 40 letters, digits, single spaces, hyphens, dots, apostrophes, parentheses and the signs & and +, starting with a letter or digit",
		},
		{
			ThemeURL, Error, "the URL of an asset has not the form of its slot",
			"every visitor's browser loads the asset, also on the login page, from the host that the URL plainly names (R33)",
			"write https://, a host name, and a path that ends in .svg for a logo or favicon and in .woff2 for a font",
		},
		{
			ThemeColor, Error, "not a colour",
			"colours go into the style sheet of every page, so only hexadecimal forms are taken (R32)",
			"write \"#rgb\", \"#rrggbb\" or \"#rrggbbaa\" in quotes",
		},
		{
			ThemeIdentity, Warning, "some identity values are set and others show kora's",
			"visitors would see a mix of two brands, such as your name beside kora's logo (R34)",
			"set the values that the warning names too, or none of them",
		},
	}
}
