package held_test

import (
	"context"
	"sync/atomic"

	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fakeInformers are informers that are filled when they are told so.
type fakeInformers struct {
	cache.Informers
	cache.Informer
	synced atomic.Bool
	broken error
}

func (f *fakeInformers) GetInformer(context.Context, client.Object, ...cache.InformerGetOption) (cache.Informer, error) {
	return f, f.broken
}

func (f *fakeInformers) AddEventHandler(toolscache.ResourceEventHandler) (toolscache.ResourceEventHandlerRegistration, error) {
	return registration{f: f}, nil
}

type registration struct {
	toolscache.ResourceEventHandlerRegistration
	f *fakeInformers
}

func (r registration) HasSynced() bool { return r.f.synced.Load() }
