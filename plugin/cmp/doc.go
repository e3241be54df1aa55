// Package cmp is kora as a config management plugin of Argo CD (R43): it says
// whether a folder is one of its applications, announces its parameters, and
// renders the application's manifests.
//
// The repository is not trusted, and neither are the parameters and variables of
// an application. Everything is read within the application's folder, nothing is
// fetched but a chart from a registry that the plugin's own settings allow, and a
// call ends by itself before Argo CD ends it. What the sidecar's administrator
// says stands in variables KORA_CMP_, which no application can set: Argo CD puts
// ARGOCD_ENV_ before the name of every variable of an application.
package cmp
