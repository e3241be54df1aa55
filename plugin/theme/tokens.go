package theme

// token is one colour of the interface with kora's own values.
type token struct{ name, about, dark, light string }

// tokens are the colours that a theme can set. kora's own reach level AA in
// both modes on every pair of pairs.
func tokens() []token {
	return []token{
		{"background", "The page behind everything.", "#0e131f", "#f4f6fb"},
		{"surface", "Cards, panels and fields on the page.", "#182032", "#ffffff"},
		{"text", "Text that is read.", "#e9edf6", "#161c2b"},
		{"text-muted", "Labels, hints and times.", "#a7b1c7", "#4d576d"},
		{"border", "The edge of a field or an outlined button.", "#6f7c98", "#78849b"},
		{"primary", "The main button and links.", "#a5a0ff", "#4a3fd0"},
		{"on-primary", "Text on the main button.", "#151038", "#ffffff"},
		{"success", "What went well.", "#56cf95", "#12693f"},
		{"warning", "What needs a look.", "#f2bd55", "#855000"},
		{"danger", "What failed, and what destroys.", "#ff8f87", "#b3261e"},
		{"focus", "The ring around what has the keyboard.", "#7cc4ff", "#0b66c3"},
	}
}
