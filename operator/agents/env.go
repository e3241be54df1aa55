package agents

import corev1 "k8s.io/api/core/v1"

// commonEnv is what both pods know about themselves, and where they may write.
func commonEnv(s Settings) []corev1.EnvVar {
	return []corev1.EnvVar{
		{Name: "KORA_AGENT_SLUG", Value: s.Slug},
		{Name: "KORA_AGENT_TYPE_ID", Value: s.TypeID},
		fromField("KORA_NAMESPACE", "metadata.namespace"),
		fromField("POD_NAME", "metadata.name"),
		{Name: "HOME", Value: homePath},
		{Name: "TMPDIR", Value: tempPath},
	}
}

// toolEnv sends the caches of Go, npm and pip, and what users install with them,
// to the node-local volume (R10): the image's root is read-only, and the
// workspace may be a slow network filesystem.
func toolEnv() []corev1.EnvVar {
	return []corev1.EnvVar{
		{Name: "XDG_CACHE_HOME", Value: homePath + "/.cache"},
		{Name: "GOPATH", Value: homePath + "/go"},
		{Name: "GOCACHE", Value: homePath + "/.cache/go-build"},
		{Name: "GOMODCACHE", Value: homePath + "/go/pkg/mod"},
		{Name: "npm_config_cache", Value: homePath + "/.npm"},
		{Name: "NPM_CONFIG_PREFIX", Value: homePath + "/.npm-global"},
		{Name: "PIP_CACHE_DIR", Value: homePath + "/.cache/pip"},
		{Name: "PYTHONUSERBASE", Value: homePath + "/.local"},
	}
}

// telemetryEnv makes a pod export, when there is something to export to (R28).
// Sampling follows the parent: the rate decides only where a trace begins.
func telemetryEnv(t Telemetry) []corev1.EnvVar {
	if t.OTLPEndpoint == "" {
		return nil
	}
	env := []corev1.EnvVar{{Name: "OTEL_EXPORTER_OTLP_ENDPOINT", Value: t.OTLPEndpoint}}
	if t.SamplingRate == "" {
		return env
	}
	return append(env,
		corev1.EnvVar{Name: "OTEL_TRACES_SAMPLER", Value: "parentbased_traceidratio"},
		corev1.EnvVar{Name: "OTEL_TRACES_SAMPLER_ARG", Value: t.SamplingRate},
	)
}

// fromField reads a field of the pod. The API version is the server's default,
// said so that a dry run changes nothing.
func fromField(name, path string) corev1.EnvVar {
	return corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{
		FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: path},
	}}
}
