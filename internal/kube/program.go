package kube

import (
	"context"
	"fmt"
	"os"

	"golang.org/x/term"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	auth "k8s.io/client-go/pkg/apis/clientauthentication"
	"k8s.io/client-go/pkg/apis/clientauthentication/install"
	"k8s.io/client-go/rest"
	api "k8s.io/client-go/tools/clientcmd/api"
)

// credentialOf runs the program of a kubeconfig, as client.authentication.k8s.io
// describes it. It ends with the context, together with what it started, and so
// it does where it prints more than credentialLimit. Nothing that it prints on
// standard output is ever told.
func credentialOf(ctx context.Context, program *api.ExecConfig, config *rest.Config) (*auth.ExecCredentialStatus, error) {
	no := func(why string) (*auth.ExecCredentialStatus, error) {
		return nil, &NoCredential{Program: program.Command, Why: why, lasting: true}
	}
	version, err := schema.ParseGroupVersion(program.APIVersion)
	if err != nil || version.Group != auth.GroupName || version.Version != "v1" && version.Version != "v1beta1" {
		return no(fmt.Sprintf("has apiVersion %q, which is none of client.authentication.k8s.io/v1 and v1beta1", program.APIVersion))
	}
	asks, why := interactive(program)
	if why != "" {
		return no(why)
	}
	info, codecs, err := question(program, config, version, asks)
	if err != nil {
		return no("cannot be told what it has to know: " + err.Error())
	}
	out, err := printed(ctx, program, info, asks)
	if err != nil {
		return nil, err
	}
	got := &auth.ExecCredential{}
	_, kind, err := codecs.UniversalDecoder(version).Decode(out, nil, got)
	switch {
	case err != nil || kind.GroupVersion() != version || got.Status == nil:
		return no("prints no ExecCredential of " + version.String() + " with a status")
	case (got.Status.ClientCertificateData == "") != (got.Status.ClientKeyData == ""):
		return no("gives a certificate or a key, and not both")
	case got.Status.Token == "" && got.Status.ClientKeyData == "":
		return no("gives neither a token nor a certificate with its key")
	}
	return got.Status, nil
}

// interactive reports whether a person may be asked by the program, or why it
// cannot be run where it must.
func interactive(program *api.ExecConfig) (asks bool, why string) {
	terminal := !program.StdinUnavailable && term.IsTerminal(int(os.Stdin.Fd()))
	switch program.InteractiveMode {
	case api.NeverExecInteractiveMode:
		return false, ""
	case api.AlwaysExecInteractiveMode:
		if !terminal {
			return false, "asks a person, and standard input is not a terminal"
		}
		return true, ""
	}
	return terminal, ""
}

// question is what the program is told in its environment.
func question(program *api.ExecConfig, config *rest.Config, version schema.GroupVersion, asks bool) (string, serializer.CodecFactory, error) {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	codecs := serializer.NewCodecFactory(scheme)
	q := &auth.ExecCredential{Spec: auth.ExecCredentialSpec{Interactive: asks}}
	if program.ProvideClusterInfo {
		cluster, err := rest.ConfigToExecCluster(config)
		if err != nil {
			return "", codecs, err
		}
		q.Spec.Cluster = cluster
	}
	text, err := runtime.Encode(codecs.LegacyCodec(version), q)
	return string(text), codecs, err
}
