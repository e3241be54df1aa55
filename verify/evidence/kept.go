package evidence

import "sync"

// Kept keeps answers about an item as long as the item is kept: as many as there
// are questions, and not as there are artifacts. It may be used at the same time.
type Kept struct {
	mu      sync.Mutex
	answers map[any]func() any
}

// Once returns what find returned for the question when it was asked first.
// Others who ask meanwhile wait for it.
func (k *Kept) Once(question any, find func() any) any {
	k.mu.Lock()
	if k.answers == nil {
		k.answers = map[any]func() any{}
	}
	if k.answers[question] == nil {
		k.answers[question] = sync.OnceValue(find)
	}
	answer := k.answers[question]
	k.mu.Unlock()
	return answer()
}
