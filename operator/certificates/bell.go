package certificates

// bell wakes one loop: however often it rings while the loop is at work, the loop makes
// one more step, and whoever rings waits for nobody.
type bell chan struct{}

func newBell() bell { return make(bell, 1) }

func (b bell) ring() {
	select {
	case b <- struct{}{}:
	default: // it is awake already
	}
}
