package settings

import "regexp"

// The parts of patterns, as in the chart's values.schema.json.
const (
	label     = `[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?`
	names     = label + `(\.` + label + `)*`
	tcp       = `([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])`
	machine   = `[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?`
	registry  = `((localhost|` + machine + `(\.` + machine + `)+)(:` + tcp + `)?|` + machine + `:` + tcp + `)`
	folder    = `[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*`
	tag       = `:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}`
	digest    = `@sha256:[0-9a-f]{64}`
	mirror    = `[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:` + tcp + `)?`
	web       = `://[^\s/?#@\\]+(/[^\s?#@\\]*)?`
	server    = `([A-Za-z0-9_]([-A-Za-z0-9_.]{0,251}[A-Za-z0-9_])?|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)`
	labelText = `[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?`
)

func like(pattern, not, fix string) shape {
	return shape{pattern: regexp.MustCompile(`^(` + pattern + `)$`), not: not, fix: fix}
}

// upTo bounds the number of characters.
func (s shape) upTo(most int) shape {
	s.most = most
	return s
}

var (
	port      = like(tcp, "is no port", "write one from 1 to 65535")
	secret    = like(names, "is no name of a Secret", "write lower-case letters, digits, hyphens and dots, such as my-secret").upTo(253)
	noSecret  = like(`(`+names+`)?`, secret.not, secret.fix+", or nothing").upTo(253)
	namespace = like(`(`+label+`)?`, "is no namespace", "write lower-case letters, digits and hyphens, or nothing")
	image     = like(registry+`(/`+folder+`)+(`+tag+`|(`+tag+`)?`+digest+`)`, "is no image with its registry and a tag or digest", "write it as ghcr.io/team/image:1.2.3").upTo(512)
	enforcer  = like(`(`+registry+`/)?`+folder+`(/`+folder+`)*(`+tag+`)?(`+digest+`)?`, "is no image", "write it as ghcr.io/team/image:1.2.3").upTo(512)
	host      = like(server, "is no host", "write a name or an address")
	named     = like(`(?s).+`, "is empty or longer than 63 characters", "write the name").upTo(63)
	quantity  = shape{pattern: regexp.MustCompile(`^([0-9]{1,20}(\.[0-9]{0,9})?|\.[0-9]{1,9})([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?$`), above0: true,
		not: "is no quantity above zero", fix: "write it as 900m or 320Mi"}
	// periods are whole units of any length, of which period is what the chart takes.
	periods = like(`([1-9][0-9]*[hms])+`, "is too long a duration", "write at most 99999h, 999999m or 99999999s, such as 10m or 1h30m")
	period  = like(`([1-9][0-9]{0,4}h|[1-9][0-9]{0,5}m|[1-9][0-9]{0,7}s){1,20}`, "is no duration of whole hours, minutes and seconds, without zeros in front", "write it as 10m or 1h30m")

	labelKey   = like(`([A-Za-z0-9]([-A-Za-z0-9.]{0,251}[A-Za-z0-9])?/)?`+labelText, "has a key that no label has", "write it as example.com/team")
	labelValue = like(`(`+labelText+`)?`, "is no value of a label", "write at most 63 letters, digits, hyphens, underscores and dots")
	operators  = oneOf("Exists", "Equal")
	effects    = like(`|NoSchedule|PreferNoSchedule|NoExecute`, "is no effect of a taint", "write NoSchedule, PreferNoSchedule or NoExecute, or leave it out")
)

// shapes are those of the modules' fields; "*" stands for each of a map or a list, "~"
// for the keys of a map. A test holds them to the chart's schema.
var shapes = map[string]map[string]shape{
	moduleOperator: {
		"syncPeriod":                            period,
		"leaderElection.name":                   like(`(`+names+`)?`, "is no name of a Lease", "write it as kora-operator").upTo(253),
		"imagePullSecrets.*":                    secret,
		"platformSecrets.*":                     secret,
		"spireClassName":                        like(`[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?`, "is no name of a class", "write letters, digits, hyphens, underscores and dots, such as spire-system-spire").upTo(253),
		"collectorNamespace":                    namespace,
		"sandboxImages.base.image":              image,
		"sandboxImages.bundled.*.image":         image,
		"sandboxImages.registryPorts.*":         port,
		"sandboxImages.registryMirrors.~":       like(mirror, "has a key that is no registry's host", "write it as ghcr.io"),
		"sandboxImages.registryMirrors.*":       like(`(https?://)?`+mirror+`(/[A-Za-z0-9._/-]*)?`, "is no mirror", "write it as host, host:port or http://host:port"),
		"sandboxPlacement.nodeSelector.~":       labelKey,
		"sandboxPlacement.nodeSelector.*":       labelValue,
		"sandboxPlacement.tolerations.*.effect": effects, "sandboxPlacement.tolerations.*.operator": operators,
		"sidecars.cpu": quantity, "sidecars.memory": quantity,
		"enforcer":                      enforcer,
		"sandboxMount.port":             port,
		"installation.frontendHost":     like(names, "is no host", "write it as kora.example.com").upTo(249),
		"installation.storageClassName": like(`(`+names+`)?`, "is no name of a storage class", "write it as shared-files, or nothing for the cluster's default").upTo(253),
		"installation.secrets.platform": secret, "installation.secrets.frontend": secret,
		"installation.secrets.redisCA": noSecret, "installation.secrets.gateway": noSecret,
		"installation.database.host": host, "installation.database.port": port,
		"installation.database.name": named, "installation.database.user": named,
		"installation.database.sslMode": oneOf("disable", "require", "verify-ca", "verify-full"),
		"installation.redis.host":       host, "installation.redis.port": port,
		"installation.sessionManagerPlacement.nodeSelector.~": labelKey, "installation.sessionManagerPlacement.nodeSelector.*": labelValue,
		"installation.sessionManagerPlacement.tolerations.*.effect": effects, "installation.sessionManagerPlacement.tolerations.*.operator": operators,
	},
	moduleIdentity: {
		"trustDomain": like(`[a-z0-9]([a-z0-9._-]*[a-z0-9])?`, "is no trust domain", "write lower-case letters, digits, dots and hyphens, such as example.com").upTo(255),
		"issuer":      {pattern: regexp.MustCompile(`^https` + web + `$`), secret: true, not: "is no https URL without credentials", fix: "write it as https://api.example.com"},
		"audiences.*": like(`(?s).+`, "is empty", "write who tokens are for"),
	},
	moduleMesh: {
		"revision":              like(`(`+label+`)?`, "is no revision", "write it as 1-31-1, or nothing for the default one"),
		"outboundTrafficPolicy": oneOf("ALLOW_ANY", "REGISTRY_ONLY"),
	},
	moduleObservability: {
		"logFormat":    oneOf("json", "console"),
		"logLevel":     oneOf("debug", "info", "warn", "error"),
		"otlpEndpoint": {pattern: regexp.MustCompile(`^(https?` + web + `)?$`), secret: true, not: "leads nowhere: it is no URL of http or https without credentials", fix: "write it as http://host:port"},
		"samplingRate": like(`0+(\.[0-9]*)?|\.[0-9]+|0*1(\.0*)?|\.[0-9]+[eE]-[0-9]{1,3}|0*[0-9](\.[0-9]*)?[eE]-0{0,2}[1-9][0-9]{0,2}|0*[0-9]{2}(\.[0-9]*)?[eE]-0{0,2}([2-9]|[1-9][0-9]{1,2})|0*[0-9]{1,10}(\.[0-9]*)?[eE]-0{0,2}[1-9][0-9]{1,2}`, "is no number from 0 to 1", "write it as \"0.1\""),
	},
}
