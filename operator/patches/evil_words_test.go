package patches

import (
	"maps"
	"slices"
)

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

// evilPointers are places that kora leaves empty.
var evilPointers = []string{
	"/metadata/finalizers", "/metadata/ownerReferences", "/metadata/generateName", "/metadata/uid", "/metadata/annotations",
	"/metadata/annotations/sidecar.istio.io~1inject", "/metadata/labels/spiffe.io~1spire-managed-identity",
	"/spec/hostNetwork", "/spec/hostPID", "/spec/hostIPC", "/spec/hostUsers", "/spec/shareProcessNamespace", "/spec/os",
	"/spec/serviceAccount", "/spec/nodeName", "/spec/ephemeralContainers", "/spec/initContainers", "/spec/volumes/-",
	"/spec/containers/-", "/spec/containers/0/volumeMounts/-", "/spec/containers/0/securityContext/runAsUser",
	"/spec/containers/0/securityContext/privileged", "/spec/containers/0/securityContext/procMount",
	"/spec/securityContext/sysctls", "/spec/securityContext/supplementalGroups", "/spec/volumes/1/hostPath",
	"/spec/externalName", "/spec/externalIPs", "/spec/clusterIPs", "/spec/volumeName", "/spec/dataSource", "/spec/dataSourceRef",
	"/spec/ordinals", "/spec/volumeMode", "/spec/selector/matchExpressions", "/spec/accessModes/-",
}

const restrictedJSON = `"securityContext":{"allowPrivilegeEscalation":false,"runAsNonRoot":true,"capabilities":{"drop":["ALL"]},"seccompProfile":{"type":"RuntimeDefault"}`

// evilValues are what to put there, and some that are harmless.
var evilValues = []string{
	`null`, `true`, `false`, `0`, `1`, `1337`, `""`, `"x"`, `"/"`, `"/workspaces"`, `"default"`, `"agent-coder"`, `"ExternalName"`, `[]`, `{}`,
	`["x"]`, `["ALL"]`, `["NET_ADMIN"]`, `["ReadWriteMany"]`, `["ReadWriteOncePod"]`, `{"a":"b"}`, `{"name":"windows"}`, `{"path":"/"}`,
	`{"name":"helper","image":"x"}`, `{"name":"helper","image":"x",` + restrictedJSON + `}}`,
	`{"name":"helper","image":"x",` + restrictedJSON + `,"runAsUser":0}}`, `{"name":"istio-proxy","image":"x",` + restrictedJSON + `}}`,
	`[{"name":"helper","image":"x",` + restrictedJSON + `}}]`, `[{"name":"helper","image":"x","securityContext":{"privileged":true}}]`,
	`{"name":"node","hostPath":{"path":"/"}}`, `{"name":"cache","emptyDir":{}}`, `{"name":"workspace","emptyDir":{}}`,
	`{"name":"other","persistentVolumeClaim":{"claimName":"workspace-agent-other-0"}}`,
	`{"name":"id","csi":{"driver":"csi.spiffe.io"}}`, `{"name":"t","projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}`,
	`{"name":"ca","secret":{"secretName":"kora-tenant-ca"}}`, `{"name":"ca","projected":{"sources":[{"secret":{"name":"kora-egress-ca"}}]}}`, `"kora-tenant-ca"`,
	`{"name":"tmp","mountPath":"/workspaces/x"}`, `{"name":"tmp","mountPath":"/"}`, `{"name":"tmp","mountPath":"/elsewhere"}`,
	`{"name":"workspace","mountPath":"/elsewhere"}`, `{"kind":"PersistentVolumeClaim","name":"other"}`,
	`[{"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":"b"}]`, `[{"name":"kernel.x","value":"1"}]`, `{"start":3}`, `"Block"`, `"Unmasked"`, `3`,
}

// evilPairs fit together, so that more patches get past the types.
var evilPairs = []string{
	`/metadata/annotations={"example.com/a":"b"}`, `/metadata/annotations={"Istio.IO/rev":"x"}`, `/metadata/labels/team="a"`, `/metadata/labels/x="y"`, `/metadata/labels/example.com~1cost="z"`, `/metadata/finalizers=["a/b"]`,
	`/spec/nodeSelector={"disktype":"ssd"}`, `/spec/priorityClassName="x"`, `/spec/hostNetwork=true`, `/spec/hostUsers=false`, `/spec/os={"name":"windows"}`,
	`/spec/securityContext/fsGroup=2000`, `/spec/securityContext/fsGroup=0`, `/spec/securityContext/fsGroup=1337`, `/spec/securityContext/runAsUser=0`, `/spec/securityContext/supplementalGroups=[0]`,
	`/spec/containers/0/image="x"`, `/spec/containers/0/securityContext/runAsUser=1000`, `/spec/containers/0/securityContext/privileged=true`,
	`/spec/containers/0/name="x"`, `/spec/containers/-={"name":"helper","image":"x",` + restrictedJSON + `}}`,
	`/spec/containers/-={"name":"helper","image":"x",` + restrictedJSON + `,"runAsUser":1337}}`,
	`/spec/initContainers=[{"name":"helper","image":"x","restartPolicy":"Always",` + restrictedJSON + `}}]`,
	`/spec/initContainers=[{"name":"helper","image":"x"}]`, `/spec/ephemeralContainers=[{"name":"helper","image":"x"}]`,
	`/spec/volumes/-={"name":"cache","emptyDir":{}}`, `/spec/volumes/-={"name":"node","hostPath":{"path":"/"}}`,
	`/spec/volumes/-={"name":"ca","secret":{"secretName":"kora-egress-ca"}}`, `/spec/containers/0/envFrom=[{"secretRef":{"name":"kora-tenant-ca"}}]`,
	`/spec/containers/0/env/-={"name":"KEY","valueFrom":{"secretKeyRef":{"name":"kora-tenant-ca","key":"tls.key"}}}`,
	`/spec/containers/0/env/-={"name":"KEY","valueFrom":{"secretKeyRef":{"name":"token","key":"token"}}}`,
	`/spec/volumes/1={"name":"scratch","secret":{"secretName":"x"}}`, `/spec/volumes/0/persistentVolumeClaim/claimName="x"`,
	`/spec/containers/0/volumeMounts/-={"name":"tmp","mountPath":"/workspaces"}`, `/spec/containers/0/volumeMounts/-={"name":"tmp","mountPath":"/x"}`,
	`/spec/containers/0/volumeMounts/0/mountPath="/x"`, `/spec/containers/0/volumeMounts/0/subPath="x"`, `/spec/containers/0/volumeMounts/0/name="tmp"`,
	`/spec/affinity=null`, `/spec/nodeName="x"`, `/spec/serviceAccountName="x"`, `/spec/automountServiceAccountToken=true`,
	`/automountServiceAccountToken=true`, `/spec/minReplicas=2`, `/spec/maxReplicas=9`, `/spec/scaleTargetRef/name="x"`, `/spec/selector=null`,
	`/spec/type="NodePort"`, `/spec/clusterIP="10.0.0.1"`, `/spec/storageClassName="x"`, `/spec/accessModes=["ReadWriteMany"]`,
	`/spec/accessModes/-="ReadWriteOncePod"`, `/spec/volumeName="x"`, `/spec/serviceName="x"`, `/spec/minReadySeconds=3`, `/spec/ordinals={"start":3}`,
	`/spec/maxUnavailable=2`, `/spec/unhealthyPodEvictionPolicy="IfHealthyBudget"`, `/secrets=[{"name":"x"}]`, `/spec/resources/requests/storage="20Gi"`,
	`/spec/volumeClaimTemplates/0/spec/storageClassName="x"`, `/spec/minAvailable=1`, `/spec/publishNotReadyAddresses=true`, `/imagePullSecrets=[{"name":"x"}]`,
}
