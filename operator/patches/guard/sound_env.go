package guard

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) env(at fields.Path, all []corev1.EnvVar) {
	for i, e := range all {
		at := at.Item("name", e.Name)
		if e.Name == "" {
			c.unsound(at[:len(at)-len("[name=]")].Index(i).Child("name"), "a variable has a name", "(none)", "a name", "add name")
			continue
		}
		c.must(at.Child("name"), e.Name, validation.IsRelaxedEnvVarName)
		if e.ValueFrom != nil {
			c.envSource(at.Child("valueFrom"), e.Value, e.ValueFrom)
		}
	}
}

func (c *checker) envSource(at fields.Path, value string, v *corev1.EnvVarSource) {
	if value != "" {
		c.unsound(at, "a variable has a value or a source", "both", "one of the two", "set the other to null")
	}
	if n := set(v.FieldRef != nil, v.ResourceFieldRef != nil, v.ConfigMapKeyRef != nil, v.SecretKeyRef != nil, v.FileKeyRef != nil); n != 1 {
		c.unsound(at, "a variable has one source", fmt.Sprint(n), "one", "set the others to null")
	}
	c.fieldRef(at.Child("fieldRef"), v.FieldRef, envFields, "a variable")
	c.resourceRef(at.Child("resourceFieldRef"), v.ResourceFieldRef)
	if r := v.SecretKeyRef; r != nil {
		c.key(at.Child("secretKeyRef"), r.Name, r.Key)
	}
	if r := v.ConfigMapKeyRef; r != nil {
		c.key(at.Child("configMapKeyRef"), r.Name, r.Key)
	}
	if r := v.FileKeyRef; r != nil {
		c.fileKey(at.Child("fileKeyRef"), r)
	}
}

// key is one entry of a Secret or a ConfigMap.
func (c *checker) key(at fields.Path, name, key string) {
	c.must(at.Child("name"), name, validation.IsDNS1123Subdomain)
	c.must(at.Child("key"), key, validation.IsConfigMapKey)
}

// fileKey is a variable out of a file that another container wrote.
func (c *checker) fileKey(at fields.Path, r *corev1.FileKeySelector) {
	c.must(at.Child("key"), r.Key, validation.IsRelaxedEnvVarName)
	if c.needs(at.Child("path"), r.Path, "the variable names no file") {
		c.noSteps(at.Child("path"), r.Path)
	}
	i := slices.IndexFunc(c.spec.Volumes, func(v corev1.Volume) bool { return v.Name == r.VolumeName })
	if i < 0 || c.spec.Volumes[i].EmptyDir == nil && len(sourcesOf(&c.spec.Volumes[i].VolumeSource)) > 0 {
		c.unsound(at.Child("volumeName"), "files of variables are in an emptyDir of the pod", r.VolumeName, "the name of a volume with emptyDir", "")
	}
}

func (c *checker) envFrom(at fields.Path, all []corev1.EnvFromSource) {
	named := func(name string) []string { return apivalidation.NameIsDNSSubdomain(name, true) }
	for i, e := range all {
		at := at.Index(i)
		c.name(at.Child("prefix"), e.Prefix, validation.IsRelaxedEnvVarName)
		if n := set(e.ConfigMapRef != nil, e.SecretRef != nil); n != 1 {
			c.unsound(at, "variables come from one source", fmt.Sprint(n), "configMapRef or secretRef", "keep one of the two")
		}
		if r := e.ConfigMapRef; r != nil {
			c.must(at.Child("configMapRef").Child("name"), r.Name, named)
		}
		if r := e.SecretRef; r != nil {
			c.must(at.Child("secretRef").Child("name"), r.Name, named)
		}
	}
}

// set counts what is there.
func set(all ...bool) int {
	return len(slices.DeleteFunc(all, func(is bool) bool { return !is }))
}

// What variables and files may read of their pod, besides single labels and
// annotations.
var (
	envFields = []string{
		"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
		"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs",
	}
	fileFields = []string{"metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"}
)

// oldNodeName is what spec.nodeName was called at first, which is still taken.
const oldNodeName = "spec.host"

func (c *checker) fieldRef(at fields.Path, r *corev1.ObjectFieldSelector, known []string, who string) {
	if r == nil {
		return
	}
	if r.APIVersion != "" && r.APIVersion != "v1" {
		c.unsound(at.Child("apiVersion"), "the pod has no such version", r.APIVersion, "v1", "leave it out")
	}
	at = at.Child("fieldPath")
	switch of, key, one := subscript(r.FieldPath); {
	case one && of == "metadata.labels":
		c.must(at, key, validation.IsQualifiedName)
	case one && of == "metadata.annotations":
		c.must(at, strings.ToLower(key), validation.IsQualifiedName)
	case r.FieldPath == oldNodeName && slices.Contains(known, "spec.nodeName"):
	case !slices.Contains(known, r.FieldPath):
		c.unsound(at, "no field that "+who+" may read", r.FieldPath, "one of "+strings.Join(known, ", ")+", or a label as metadata.labels['key']", near(r.FieldPath, known))
	}
}

// subscript splits metadata.labels['key'].
func subscript(path string) (of, key string, is bool) {
	text, is := strings.CutSuffix(path, "']")
	if is {
		of, key, is = strings.Cut(text, "['")
	}
	return of, key, is
}

func near(name string, known []string) string {
	if near := fields.Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}
