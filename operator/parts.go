package main

import (
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/settings"
	"k8s.io/utils/clock"
)

// parts are all that the operator does: one line each.
func parts(s settings.Settings, now clock.PassiveClock) []manager.Part {
	return nil
}
