package certificates_test

import (
	"os"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/certificates/webhooktest"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// hooks are the webhooks, with what these tests look at besides.
type hooks struct{ *webhooktest.Hooks }

func newHooks(t *testing.T) *hooks { return &hooks{webhooktest.New(t)} }
