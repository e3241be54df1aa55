package guard

import (
	"math"
	"regexp"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	kernel "k8s.io/component-helpers/node/util/sysctl"

	"github.com/runkora/kora/internal/fields"
)

// podContext judges as whom a pod runs.
func (c *checker) podContext(at fields.Path, s *corev1.PodSecurityContext) {
	if s == nil {
		return
	}
	for field, id := range map[string]*int64{"fsGroup": s.FSGroup, "runAsUser": s.RunAsUser, "runAsGroup": s.RunAsGroup} {
		between(c, at.Child(field), id, 0, math.MaxInt32)
	}
	for i := range s.SupplementalGroups {
		between(c, at.Child("supplementalGroups").Index(i), &s.SupplementalGroups[i], 0, math.MaxInt32)
	}
	c.sysctls(at.Child("sysctls"), s.Sysctls)
	c.seccomp(at.Child("seccompProfile"), s.SeccompProfile)
	c.appArmor(at.Child("appArmorProfile"), s.AppArmorProfile)
}

// context judges as whom a container runs.
func (c *checker) context(at fields.Path, s *corev1.SecurityContext) {
	if s == nil {
		return
	}
	between(c, at.Child("runAsUser"), s.RunAsUser, 0, math.MaxInt32)
	between(c, at.Child("runAsGroup"), s.RunAsGroup, 0, math.MaxInt32)
	c.seccomp(at.Child("seccompProfile"), s.SeccompProfile)
	c.appArmor(at.Child("appArmorProfile"), s.AppArmorProfile)
	users := c.spec.HostUsers == nil || *c.spec.HostUsers
	if m := s.ProcMount; m != nil && *m == corev1.UnmaskedProcMount && users {
		c.unsound(at.Child("procMount"), "it goes with users of the pod's own", string(*m), "hostUsers: false", "set hostUsers: false in the pod")
	}
	if free := s.AllowPrivilegeEscalation; free != nil && !*free && raises(s) {
		c.unsound(at.Child("allowPrivilegeEscalation"), "a container that has all rights may take more", "false", "true", "leave it out, or privileged")
	}
}

// raises reports whether a container has rights that it could only have by taking more.
func raises(s *corev1.SecurityContext) bool {
	if privileged(s) {
		return true
	}
	if s.Capabilities == nil {
		return false
	}
	for _, name := range s.Capabilities.Add {
		if name == "CAP_SYS_ADMIN" {
			return true
		}
	}
	return false
}

// sysctl is the form of a kernel parameter's name.
var sysctl = sync.OnceValue(func() *regexp.Regexp {
	const part = `[a-z0-9]([-_a-z0-9]*[a-z0-9])?`
	return regexp.MustCompile(`^(` + part + `[./])*` + part + `$`)
})

const maxSysctl = 253

func (c *checker) sysctls(at fields.Path, all []corev1.Sysctl) {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
		if len(s.Name) > maxSysctl || !sysctl().MatchString(s.Name) {
			c.unsound(at.Index(i).Child("name"), "no name of a kernel parameter", s.Name, "such as net.core.somaxconn", "")
		}
		of, _, _ := kernel.GetNamespace(s.Name)
		if c.spec.HostNetwork && of == kernel.NetNamespace || c.spec.HostIPC && of == kernel.IPCNamespace {
			c.unsound(at.Index(i).Child("name"), "the parameter would be the node's, with which the pod shares it", s.Name, "(none)", "leave it out, or hostNetwork and hostIPC")
		}
	}
	c.twice(func(i int) fields.Path { return at.Index(i).Child("name") }, names, "two values of one parameter")
}

func (c *checker) seccomp(at fields.Path, p *corev1.SeccompProfile) {
	if p == nil {
		return
	}
	local := p.Type == corev1.SeccompProfileTypeLocalhost
	if c.profile(at, string(p.Type), p.LocalhostProfile, local) {
		c.below(at.Child("localhostProfile"), *p.LocalhostProfile)
	}
}

// maxProfile is the longest path of a file.
const maxProfile = 4095

func (c *checker) appArmor(at fields.Path, p *corev1.AppArmorProfile) {
	if p == nil || !c.profile(at, string(p.Type), p.LocalhostProfile, p.Type == corev1.AppArmorProfileTypeLocalhost) {
		return
	}
	if name := *p.LocalhostProfile; name == "" || len(name) > maxProfile || strings.TrimSpace(name) != name {
		c.unsound(at.Child("localhostProfile"), "no name of a profile", name, "a name without spaces around it", "")
	}
}

// profile reports whether a profile is one of the node's, of which the name is to
// be judged.
func (c *checker) profile(at fields.Path, kind string, name *string, local bool) bool {
	c.needs(at.Child("type"), kind, "the profile has no type")
	switch at := at.Child("localhostProfile"); {
	case local && name == nil:
		c.needs(at, "", "a profile of the node has a name")
	case !local && name != nil:
		c.unsound(at, "it goes with a profile of the node", *name, "type: Localhost", "leave it out")
	}
	return local && name != nil
}
