package values

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// global checks the values that all services share (R21, R28).
func (c *checker) global(v value) {
	c.reference(v.child("imageRegistry"), "a registry and path such as ghcr.io/runkora")
	c.tag(v.child("imageTag"))
	c.pullSecrets(v.child("imagePullSecrets"))
	c.name(v.child("systemNamespace"), "a namespace", validation.IsDNS1123Label)
	observability := v.child("observability")
	c.endpoint(observability.child("otlpEndpoint"))
	c.name(observability.child("collectorNamespace"), "a namespace", validation.IsDNS1123Label)
	c.rate(observability.child("samplingRate"))
}

// endpoint is an http or https URL without credentials: it ends up in pods, where
// everybody may read it. The fault shows neither value nor line when there is an
// @ in it, well-formed or not.
func (c *checker) endpoint(v value) {
	message := ""
	if text := v.text(); text != "" {
		message = badEndpoint(text)
	}
	if message == "" {
		return
	}
	f := v.fault(faults.WrongType, message)
	f.Expected = "a URL such as http://otel-collector.observability.svc:4317"
	if strings.Contains(v.text(), "@") {
		f.Found, f.Source = "", ""
	}
	c.refuse(f)
}

// badEndpoint says what is wrong with an endpoint, never quoting it.
func badEndpoint(text string) string {
	if strings.ContainsFunc(text, unprintable) {
		return "an endpoint holds no blanks and no control characters"
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "not a URL"
	case u.Scheme != "http" && u.Scheme != "https":
		return "an endpoint is an http or https URL"
	case u.User != nil:
		return "an endpoint holds no credentials"
	case u.Hostname() == "" || u.Opaque != "":
		return "an endpoint names a host"
	case u.RawQuery != "" || u.Fragment != "":
		return "an endpoint holds no query and no fragment"
	case !portFits(u.Port()):
		return "an endpoint's port is a number from 1 to 65535"
	case strings.HasPrefix(u.Port(), "0"):
		return "an endpoint's port has no zero in front: some read it by base eight"
	}
	return ""
}

func portFits(text string) bool {
	port, err := strconv.Atoi(text)
	return text == "" || err == nil && port > 0 && port < 1<<16
}

var decimal = regexp.MustCompile(`^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$`)

// rate is a number from 0 to 1, or the text of one: the source texts quote it.
func (c *checker) rate(v value) {
	if !v.given() || v.samplingRate() != "" {
		return
	}
	f := v.fault(faults.WrongType, "not a sampling rate")
	f.Found, f.Expected = short(kind(v.node)), `a number from 0 to 1, such as "0.1"`
	c.refuse(f)
}

// samplingRate returns the text of a good rate, else nothing.
func (v value) samplingRate() string {
	if !v.given() || v.node.Kind != source.Scalar || !decimal.MatchString(v.node.Value) {
		return ""
	}
	rate, err := strconv.ParseFloat(v.node.Value, 64)
	if err != nil || rate < 0 || rate > 1 {
		return ""
	}
	return v.node.Value
}
