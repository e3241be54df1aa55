package fields

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// enums are the values that the API server takes for the texts of Kubernetes'
// own types that are no free texts, by package and Go type (R2, R13). A value
// that ends in "-" is the beginning of one. A test compares the table with the
// constants of the packages. What a server of the supported versions takes only
// with a feature gate that is off by default is not in it: tolerations that compare
// numbers, with Gt and Lt.
var enums = map[string]map[string]string{
	"k8s.io/api/apps/v1": {
		"PersistentVolumeClaimRetentionPolicyType": "Retain Delete",
		"PodManagementPolicyType":                  "OrderedReady Parallel",
		"StatefulSetUpdateStrategyType":            "RollingUpdate OnDelete",
	},
	"k8s.io/api/autoscaling/v2": {
		"HPAScalingPolicyType": "Pods Percent",
		"MetricSourceType":     "Object Pods Resource ContainerResource External",
		"MetricTargetType":     "Utilization Value AverageValue",
		"ScalingPolicySelect":  "Max Min Disabled",
	},
	"k8s.io/api/policy/v1": {
		"UnhealthyPodEvictionPolicyType": "IfHealthyBudget AlwaysAllow",
	},
	"k8s.io/apimachinery/pkg/apis/meta/v1": {
		"LabelSelectorOperator":      "In NotIn Exists DoesNotExist",
		"ManagedFieldsOperationType": "Apply Update",
	},
	"k8s.io/api/core/v1": {
		"AppArmorProfileType":                     "Unconfined RuntimeDefault Localhost",
		"AzureDataDiskCachingMode":                "None ReadOnly ReadWrite",
		"AzureDataDiskKind":                       "Shared Dedicated Managed",
		"ContainerRestartPolicy":                  "Always Never OnFailure",
		"ContainerRestartRuleAction":              "Restart RestartAllContainers",
		"ContainerRestartRuleOnExitCodesOperator": "In NotIn",
		"DNSPolicy":                               "ClusterFirstWithHostNet ClusterFirst Default None",
		"HostPathType":                            "DirectoryOrCreate Directory FileOrCreate File Socket CharDevice BlockDevice",
		"IPFamily":                                "IPv4 IPv6",
		"IPFamilyPolicy":                          "SingleStack PreferDualStack RequireDualStack",
		"MountPropagationMode":                    "None HostToContainer Bidirectional",
		"NodeInclusionPolicy":                     "Ignore Honor",
		"NodeSelectorOperator":                    "In NotIn Exists DoesNotExist Gt Lt",
		"OSName":                                  "linux windows",
		"PersistentVolumeAccessMode":              "ReadWriteOnce ReadOnlyMany ReadWriteMany ReadWriteOncePod",
		"PersistentVolumeMode":                    "Block Filesystem",
		"PodFSGroupChangePolicy":                  "OnRootMismatch Always",
		"PodSELinuxChangePolicy":                  "Recursive MountOption",
		"PreemptionPolicy":                        "PreemptLowerPriority Never",
		"ProcMountType":                           "Default Unmasked",
		"Protocol":                                "TCP UDP SCTP",
		"PullPolicy":                              "Always Never IfNotPresent",
		"RecursiveReadOnlyMode":                   "Disabled IfPossible Enabled",
		"ResourceResizeRestartPolicy":             "NotRequired RestartContainer",
		"RestartPolicy":                           "Always OnFailure Never",
		"SeccompProfileType":                      "Unconfined RuntimeDefault Localhost",
		"ServiceAffinity":                         "ClientIP None",
		"ServiceExternalTrafficPolicy":            "Cluster Local",
		"ServiceInternalTrafficPolicy":            "Cluster Local",
		"ServiceType":                             "ClusterIP NodePort LoadBalancer ExternalName",
		"Signal":                                  signals,
		"StorageMedium":                           "Memory HugePages HugePages-",
		"SupplementalGroupsPolicy":                "Merge Strict",
		"TaintEffect":                             "NoSchedule PreferNoSchedule NoExecute",
		"TerminationMessagePolicy":                "File FallbackToLogsOnError",
		"TolerationOperator":                      "Exists Equal",
		"URIScheme":                               "HTTP HTTPS",
		"UnsatisfiableConstraintAction":           "DoNotSchedule ScheduleAnyway",
	},
}

const signals = "SIGABRT SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT SIGIO SIGIOT SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR " +
	"SIGQUIT SIGSEGV SIGSTKFLT SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ " +
	"SIGRTMIN SIGRTMIN+1 SIGRTMIN+2 SIGRTMIN+3 SIGRTMIN+4 SIGRTMIN+5 SIGRTMIN+6 SIGRTMIN+7 SIGRTMIN+8 SIGRTMIN+9 SIGRTMIN+10 SIGRTMIN+11 " +
	"SIGRTMIN+12 SIGRTMIN+13 SIGRTMIN+14 SIGRTMIN+15 SIGRTMAX-14 SIGRTMAX-13 SIGRTMAX-12 SIGRTMAX-11 SIGRTMAX-10 SIGRTMAX-9 SIGRTMAX-8 " +
	"SIGRTMAX-7 SIGRTMAX-6 SIGRTMAX-5 SIGRTMAX-4 SIGRTMAX-3 SIGRTMAX-2 SIGRTMAX-1 SIGRTMAX"

func valuesOf(t reflect.Type) []string { return strings.Fields(enums[t.PkgPath()][t.Name()]) }

// Takes reports whether a text is one that the type's values allow. An empty
// one always is: the API server reads it as not given.
func (t *Type) Takes(text string) bool {
	return len(t.Values) == 0 || text == "" || slices.ContainsFunc(t.Values, func(v string) bool {
		return v == text || strings.HasSuffix(v, "-") && strings.HasPrefix(text, v)
	})
}

func (c *Checker) unlisted(n *source.Node, t *Type, at Path) {
	f := n.Pos.Fault(faults.WrongType, "the API server takes none but a few values here")
	f.Field, f.Found, f.Expected = string(at), n.Value, "one of "+strings.Join(t.Values, ", ")
	if near := Nearest(n.Value, t.Values); near != "" {
		f.Fix = fmt.Sprintf("did you mean %q?", near)
	} else {
		f.Fix = "use one of: " + strings.Join(t.Values, ", ")
	}
	c.refuse(n, f)
}

// Unlisted returns the paths of the texts in a plain value that its type does
// not take, in order. It is for what copies and moves left in a field, and for
// empty texts where the API server sees that they were given.
func Unlisted(v any, t *Type, at Path) []Path {
	var out []Path
	switch v := v.(type) {
	case map[string]any:
		for _, name := range union(v, nil) {
			out = append(out, Unlisted(v[name], t.Member(name).Type, at.Child(name))...)
			if f := t.Field(name); f != nil && f.pointer && v[name] == "" && f.Type.listed() {
				out = append(out, at.Child(name))
			}
		}
	case []any:
		for i, item := range v {
			out = append(out, Unlisted(item, t.elem(), at.Index(i))...)
			if item == "" && t.elem().listed() {
				out = append(out, at.Index(i))
			}
		}
	case string:
		if !t.Takes(v) {
			out = append(out, at)
		}
	}
	return out
}

// listed reports whether a text is one of a few, of which none is empty.
func (t *Type) listed() bool { return len(t.Values) > 0 && t.Name != "HostPathType" }
