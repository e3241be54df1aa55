package admit

import (
	"fmt"

	"github.com/robfig/cron/v3"
)

// schedule reads it as the API server does, by the same library, which panics over
// a few texts.
func schedule(text string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	_, err = cron.ParseStandard(text)
	return err
}
