package main

import "errors"

// once is a flag that is given once: of two environments or folders the first
// would be passed over without a word.
type once struct {
	text  *string
	given bool
}

func (o *once) Set(text string) error {
	if o.given && text != *o.text {
		return errors.New("it is given twice, and not the same")
	}
	*o.text, o.given = text, true
	return nil
}

func (o *once) String() string {
	if o.text == nil {
		return ""
	}
	return *o.text
}

// Type is that of a text, which may not be empty.
func (o *once) Type() string { return "string" }
