package held

// Entries is how much is held in memory: of what is on its way, and of places.
func (h *Held) Entries() (coming, places int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.of {
		coming += len(c.admitted)
	}
	return max(coming, len(h.queue)), len(h.of)
}
