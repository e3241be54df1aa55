package main

import (
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/settings"
	"github.com/runkora/kora/operator/tenants"
	"k8s.io/utils/clock"
)

// parts are all that the operator does: one line each.
func parts(s settings.Settings, now clock.PassiveClock) []manager.Part {
	return []manager.Part{
		tenants.New(s, now),
	}
}
