package pulls

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/settings"
)

// again is when it is tried again after something was not as it should be.
const again = 30 * time.Second

// Copier is a part of the operator's manager.
type Copier struct {
	settings settings.Settings
	client   client.Client // reads Secrets from the API server
	log      logr.Logger
}

// New makes the part.
func New(s settings.Settings) *Copier { return &Copier{settings: s} }

// SetupWithManager adds what runs on the leader.
func (c *Copier) SetupWithManager(mgr ctrl.Manager) error {
	c.client, c.log = mgr.GetClient(), mgr.GetLogger().WithName("pulls")
	return mgr.Add(c)
}

// NeedLeaderElection is of manager.LeaderElectionRunnable.
func (c *Copier) NeedLeaderElection() bool { return true }

// Start is of manager.Runnable: it copies at once, and then each period. Without the
// node agent there is no namespace, and no right to it.
func (c *Copier) Start(ctx context.Context) error {
	for c.settings.SandboxMount.Enabled && ctx.Err() == nil {
		wait := c.settings.Sync()
		if err := c.once(ctrl.LoggerInto(ctx, c.log)); err != nil && ctx.Err() == nil {
			c.log.Info("the node agent may not be able to pull its image", "why", err.Error())
			wait = min(again, wait)
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	return nil
}
