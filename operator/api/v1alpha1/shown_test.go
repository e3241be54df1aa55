package v1alpha1_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// mute are the characters that show nothing, or pass for the plain space: of each range
// the first and the last, and every one below U+10000 that anybody may type.
func mute() []rune {
	all := []rune{0x2800, 0x00ad, 0x200b, 0x2060, 0xfeff, 0xe0041} // braille's blank, and format characters
	for _, table := range []*unicode.RangeTable{unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Zs, unicode.Zl, unicode.Zp} {
		for _, r := range table.R16 {
			for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
				all = append(all, c)
			}
		}
		for _, r := range table.R32 {
			all = append(all, rune(r.Lo), rune(r.Hi))
		}
	}
	return all
}

// R50, R51: what people see in the place of a name is what is there: no character that
// shows nothing makes two names look alike.
func TestDisplayNamesShow(t *testing.T) {
	for resource, base := range map[string]string{v1alpha1.KoraTenants: tenant, v1alpha1.Connections: connection} {
		var rules []rule
		for _, c := range mute() {
			if c == ' ' || c == '\u3000' { // which show by their width
				continue
			}
			rules = append(rules, rule{fmt.Sprintf("U+%04X", c), fmt.Sprintf(`spec: { displayName: "Da\U%08Xta" }`, c), "spec.displayName: Invalid value: …displayName must be one line without control or invisible characters"})
		}
		try(t, resource, base, rules)
	}
}

// R51: a connection's token is in a header of the service's own, and in none by which a
// connection is kept or a request finds its way, however it is written.
func TestHeadersOfTheConnectionAreRefused(t *testing.T) {
	var rules []rule
	for _, name := range []string{
		"Host", "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "TE", "Trailer", "Transfer-Encoding", "Upgrade", "HTTP2-Settings", // RFC 9110, 7.6.1, and 7540
		"Via", "Forwarded", "Max-Forwards", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "True-Client-IP", "X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override", "X-Method-Override", "Alt-Used",
		"Content-Length", "Content-Type", "Content-Encoding", "Content-Range", "Content-Location", "Expect", "Range", "Early-Data", "Cookie", "Set-Cookie", "Origin", "Sec-WebSocket-Key",
		"X-Envoy-Original-Path", "X-Istio-Attributes", "X-Request-Id", "X-B3-TraceId", "b3", "traceparent", "grpc-timeout",
	} {
		for _, written := range []string{name, strings.ToUpper(name), strings.ReplaceAll(name, "-", "_")} {
			rules = append(rules, rule{written, authentication(`type: bearer, header: "` + written + `", secretRef: { name: a, key: b }`), "spec.authentication.header: Invalid value: …header must not be one by which a connection is kept or a request finds its way"})
		}
	}
	for _, name := range []string{"Authorization", "X-Api-Key", "X-Auth-Token", "api-key", "Private-Token", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key", "Viable", "Contents", "X-Originator"} {
		rules = append(rules, rule{name, authentication(`type: bearer, header: "` + name + `", secretRef: { name: a, key: b }`), ""})
	}
	try(t, v1alpha1.Connections, connection, rules)
}
