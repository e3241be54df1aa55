package theme

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
)

var (
	//go:embed page.html.tmpl
	pageText string
	//go:embed page.css.tmpl
	styleText string
)

// Preview writes one self-contained page that draws the login screen and the
// dashboard with the theme, its contrast figures, and what is still kora's
// (R37). It fetches nothing; a browser that opens the page loads the assets.
//
// The page needs no trust in the theme: html/template escapes every value for
// its place, and the policy of the page allows no script at all and no style
// but the one whose hash it names.
func Preview(w io.Writer, t *Theme, version string) error {
	p := newPage(t, version)
	style, err := p.style()
	if err != nil {
		return err
	}
	p.Style, p.Policy = template.CSS(style), policy(style)
	tmpl, err := template.New("page").Parse(pageText)
	if err != nil {
		return fmt.Errorf("read the template of the preview: %w", err)
	}
	var b bytes.Buffer // nothing half written
	if err := tmpl.Execute(&b, p); err != nil {
		return fmt.Errorf("draw the preview: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// style executes the style sheet as the element that it is, so that each value
// is escaped for CSS, and takes the element's tags off again. The "&" of a
// query is written as CSS escapes it: no reader of the page can then take it
// for the start of an entity, and the hash is that of the same text for all.
func (p *page) style() (string, error) {
	tmpl, err := template.New("style").Parse(styleText)
	if err != nil {
		return "", fmt.Errorf("read the style of the preview: %w", err)
	}
	var b strings.Builder
	if err := tmpl.Execute(&b, p); err != nil {
		return "", fmt.Errorf("write the style of the preview: %w", err)
	}
	text := strings.TrimPrefix(strings.TrimSpace(b.String()), "<style>")
	return strings.ReplaceAll(strings.TrimSuffix(text, "</style>"), "&", `\26 `), nil
}

// policy allows the one style sheet and the theme's assets, and nothing else.
func policy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; img-src https:; font-src https:; style-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}
