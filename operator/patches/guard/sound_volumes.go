package guard

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) soundVolumes(at fields.Path, all []corev1.Volume) {
	names := make([]string, len(all))
	for i := range all {
		v := &all[i]
		names[i] = v.Name
		if v.Name == "" {
			c.unsound(at.Index(i).Child("name"), "a volume has a name", "(none)", "a name", "add name")
			continue
		}
		place := at.Item("name", v.Name)
		c.must(place.Child("name"), v.Name, validation.IsDNS1123Label)
		switch sources := sourcesOf(&v.VolumeSource); len(sources) {
		case 1:
			c.soundSource(place, &v.VolumeSource)
		case 0: // the server makes it an emptyDir
		default:
			c.unsound(place, "a volume has one source", strings.Join(sources, ", "), "one", "set the others to null, such as "+sources[0]+": null")
		}
	}
	c.twice(func(i int) fields.Path { return at.Item("name", names[i]) }, names, "two volumes of one name")
}

// sourcesOf names the sources that are set.
func sourcesOf(v *corev1.VolumeSource) []string {
	var out []string
	for t, rv, i := reflect.TypeOf(*v), reflect.ValueOf(*v), 0; i < t.NumField(); i++ {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); !rv.Field(i).IsNil() {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (c *checker) soundSource(at fields.Path, v *corev1.VolumeSource) {
	switch {
	case v.EmptyDir != nil:
		if l := v.EmptyDir.SizeLimit; l != nil && l.Sign() < 0 {
			c.unsound(at.Child("emptyDir").Child("sizeLimit"), "a quantity is not negative", l.String(), "0 or more", "")
		}
	case v.ConfigMap != nil:
		c.needs(at.Child("configMap").Child("name"), v.ConfigMap.Name, "the volume names no ConfigMap")
		between(c, at.Child("configMap").Child("defaultMode"), v.ConfigMap.DefaultMode, 0, mostMode)
		c.files(at.Child("configMap").Child("items"), v.ConfigMap.Items)
	case v.Secret != nil:
		c.needs(at.Child("secret").Child("secretName"), v.Secret.SecretName, "the volume names no Secret")
		between(c, at.Child("secret").Child("defaultMode"), v.Secret.DefaultMode, 0, mostMode)
		c.files(at.Child("secret").Child("items"), v.Secret.Items)
	case v.DownwardAPI != nil:
		between(c, at.Child("downwardAPI").Child("defaultMode"), v.DownwardAPI.DefaultMode, 0, mostMode)
		c.podFiles(at.Child("downwardAPI").Child("items"), v.DownwardAPI.Items)
	case v.Projected != nil:
		c.projections(at.Child("projected"), v.Projected)
	default:
		c.stored(at, v)
	}
}

// stored are the volumes that something beside the pod holds.
func (c *checker) stored(at fields.Path, v *corev1.VolumeSource) {
	switch {
	case v.PersistentVolumeClaim != nil:
		c.soundClaimName(at.Child("persistentVolumeClaim").Child("claimName"), v.PersistentVolumeClaim.ClaimName)
	case v.CSI != nil:
		c.driver(at.Child("csi"), v.CSI)
	case v.Ephemeral != nil:
		c.template(at.Child("ephemeral").Child("volumeClaimTemplate"), v.Ephemeral.VolumeClaimTemplate)
	case v.HostPath != nil:
		if c.needs(at.Child("hostPath").Child("path"), v.HostPath.Path, "the volume names no folder") {
			c.noSteps(at.Child("hostPath").Child("path"), v.HostPath.Path)
		}
	case v.NFS != nil:
		c.needs(at.Child("nfs").Child("server"), v.NFS.Server, "the volume names no server")
		if !path.IsAbs(v.NFS.Path) {
			c.unsound(at.Child("nfs").Child("path"), "a server's folder has an absolute path", v.NFS.Path, "such as /export", "")
		}
	case v.Image != nil:
		c.needs(at.Child("image").Child("reference"), v.Image.Reference, "the volume names no image")
	}
}

// soundClaimName: a claim that comes and goes with the pod is no other volume's.
func (c *checker) soundClaimName(at fields.Path, claim string) {
	if !c.needs(at, claim, "the volume names no claim") || c.podName == "" {
		return
	}
	for i := range c.spec.Volumes {
		if v := &c.spec.Volumes[i]; v.Ephemeral != nil && claim == c.podName+"-"+v.Name {
			c.unsound(at, "the claim is made for another volume of the pod", claim, "another claim", "mount the volume "+v.Name)
		}
	}
}

const maxDriver = 63

func (c *checker) driver(at fields.Path, v *corev1.CSIVolumeSource) {
	if c.needs(at.Child("driver"), v.Driver, "the volume names no driver") {
		c.must(at.Child("driver"), strings.ToLower(v.Driver), validation.IsDNS1123Subdomain)
	}
	if len(v.Driver) > maxDriver {
		c.unsound(at.Child("driver"), "the name is too long", v.Driver, fmt.Sprintf("at most %d characters", maxDriver), "")
	}
	if r := v.NodePublishSecretRef; r != nil {
		c.must(at.Child("nodePublishSecretRef").Child("name"), r.Name, validation.IsDNS1123Subdomain)
	}
}

// template is that of a claim, of whose metadata the API server takes only
// labels and annotations.
func (c *checker) template(at fields.Path, t *corev1.PersistentVolumeClaimTemplate) {
	if t == nil {
		c.unsound(at, "the volume has no template", "(none)", "volumeClaimTemplate", "add it")
		return
	}
	c.labels(t.ObjectMeta, at.Child("metadata"))
	rest := t.ObjectMeta
	rest.Labels, rest.Annotations = nil, nil
	if !reflect.ValueOf(rest).IsZero() {
		c.unsound(at.Child("metadata"), "the claim of a volume has labels and annotations alone", plain(rest), "(none)", "take the other fields out")
	}
	c.soundClaim(at.Child("spec"), &t.Spec)
}
