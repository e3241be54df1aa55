package kube

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	pageSize = 200
	mostKept = 500_000 // items of one list: four times what the largest clusters run
)

// List asks for one page.
type List func(context.Context, metav1.ListOptions) (runtime.Object, error)

// Each gives every item of a list to take, page by page, so that no more than
// one page is in memory; take must not keep the item itself. Where a page holds
// more than AnswerLimit it is asked for in halves. A list that changed too much
// meanwhile goes on where it was, as the server offers.
func Each(ctx context.Context, o metav1.ListOptions, list List, take func(runtime.Object) error) error {
	o.Limit = pageSize
	taken := 0
	counted := func(item runtime.Object) error {
		if taken++; taken > mostKept {
			return Said(fmt.Sprintf("the API server lists more than %d items", mostKept))
		}
		return take(item)
	}
	for {
		page, err := list(ctx, o)
		next, again := onward(&o, err)
		switch {
		case err == nil:
			if next, err = given(page, counted); err != nil || next == "" {
				return err
			}
			if next == o.Continue {
				return Said("the API server gives the same page for ever")
			}
		case !again:
			return err
		}
		o.Continue = next
	}
}

// onward is how to go on after a failure: with a smaller page, or with the token
// that the server gives for one that has expired.
func onward(o *metav1.ListOptions, err error) (next string, again bool) {
	var large *TooLarge
	var status apierrors.APIStatus
	switch {
	case err == nil:
	case errors.As(err, &large) && o.Limit > 1:
		o.Limit /= 2
		return o.Continue, true
	case apierrors.IsResourceExpired(err) && errors.As(err, &status):
		next = status.Status().Continue
		return next, next != "" && next != o.Continue
	}
	return "", false
}

// given gives the items of one page away, and returns the token of the next.
func given(page runtime.Object, take func(runtime.Object) error) (string, error) {
	list, err := meta.ListAccessor(page)
	if err != nil {
		return "", err
	}
	return list.GetContinue(), meta.EachListItem(page, take)
}
