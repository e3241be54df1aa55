package admission

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/admission/gate"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/certificates"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/tenants"
)

// patience is below the webhook's timeout, so that an answer says what was slow.
const patience = 3 * time.Second

// Handle answers one request.
func (v *Validator) Handle(ctx context.Context, r admission.Request) admission.Response {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if v.queues(r) {
		leave, err := v.gate.Enter(ctx, r.Namespace, len(r.Object.Raw)+len(r.OldObject.Raw))
		if err != nil {
			return gate.Refused(err)
		}
		defer leave()
	}
	return v.judged(ctx, r)
}

// queues tells which requests wait for their turn: those of a tenant's resources.
// Administrators are no tenants, and the proof that the webhook serves never waits.
func (v *Validator) queues(r admission.Request) bool {
	return r.Namespace != "" && r.Namespace != v.platform.SystemNamespace
}

// judged answers a request that has its turn.
func (v *Validator) judged(ctx context.Context, r admission.Request) admission.Response {
	o, old, err := objects(r)
	if err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	if mark, is := certificates.CanaryOf(o); is && o.GetNamespace() == v.platform.SystemNamespace {
		return admission.Denied(certificates.CanaryAnswer(mark))
	}
	if r.Operation == admissionv1.Delete {
		return v.deletion(ctx, o)
	}
	if old != nil && sameSpec(o, old) { // finalizers go from whatever is being deleted, too
		return admission.Allowed("")
	}
	faults, err := v.faults(ctx, o)
	if err == nil && len(faults) == 0 {
		faults, err = v.room(r, o, old)
	}
	if err != nil {
		return unknown(err)
	}
	if len(faults) > 0 {
		return denied(r, faults)
	}
	return admission.Allowed("").WithWarnings(v.warnings(ctx, o)...)
}

// faults are all that is wrong with an object, of itself and among others.
func (v *Validator) faults(ctx context.Context, o v1alpha1.Object) (field.ErrorList, error) {
	faults := rules.Validate(o)
	if t, is := o.(*v1alpha1.KoraTenant); is {
		faults = append(faults, v.platform.Tenant(t)...)
		var others v1alpha1.KoraTenantList
		if err := v.cached.List(ctx, &others); err != nil {
			return nil, fmt.Errorf("list the tenants: %w", err)
		}
		return append(faults, rules.Unnamed(t, others.Items)...), nil
	}
	tenant, err := tenants.HomeOf(ctx, v.cached, v.direct, o.GetNamespace())
	if err != nil {
		return nil, err
	}
	if tenant == "" {
		faults = append(field.ErrorList{rules.Homeless(o.GetNamespace())}, faults...)
	}
	return faults, nil
}

// objects decodes a request: what the object becomes, or was where it goes, and
// what it was where it changes.
func objects(r admission.Request) (o, old v1alpha1.Object, err error) {
	raw := r.Object.Raw
	if r.Operation == admissionv1.Delete {
		raw = r.OldObject.Raw
	}
	if o, err = decode(r, raw); err != nil || r.Operation != admissionv1.Update {
		return o, nil, err
	}
	old, err = decode(r, r.OldObject.Raw)
	return o, old, err
}

func decode(r admission.Request, raw []byte) (v1alpha1.Object, error) {
	o := rules.Blank(r.Kind.Kind)
	if o == nil || r.Kind.Group != v1alpha1.Group {
		return nil, fmt.Errorf("%s is no kind of kora's", r.Kind)
	}
	if err := json.Unmarshal(raw, o); err != nil {
		return nil, fmt.Errorf("the %s cannot be read: %w", r.Kind.Kind, err)
	}
	if o.GetNamespace() == "" {
		o.SetNamespace(r.Namespace)
	}
	return o, nil
}

// sameSpec reports whether an update leaves the spec as it was.
func sameSpec(a, b v1alpha1.Object) bool {
	return equality.Semantic.DeepEqual(rules.Spec(a), rules.Spec(b))
}

// denied is the answer that tells every fault, in the text and by field.
func denied(r admission.Request, faults field.ErrorList) admission.Response {
	status := metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
		Message: fmt.Sprintf("%s %s: %s", r.Kind.Kind, r.Name, rules.Message(faults)),
		Details: &metav1.StatusDetails{Group: r.Kind.Group, Kind: r.Kind.Kind, Name: r.Name},
	}
	for i, f := range faults {
		if i < 20 {
			status.Details.Causes = append(status.Details.Causes, metav1.StatusCause{Type: metav1.CauseType(f.Type), Field: f.Field, Message: f.Detail})
		}
	}
	return admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{Result: &status}}
}

// unknown is the answer when the rules could not be tried: no is safe, and the
// client may ask again.
func unknown(err error) admission.Response {
	return admission.Errored(http.StatusServiceUnavailable, fmt.Errorf("kora could not check this and lets nothing pass unchecked; try again: %w", err))
}
