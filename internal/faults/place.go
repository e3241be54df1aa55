package faults

import "strconv"

// Place is where a fault lies, as file:line:column, as far as they are known; empty
// where no file is. It is not made fit for a terminal.
func (f Fault) Place() string {
	if f.File == "" || f.Line <= 0 || f.Column <= 0 {
		return f.AtLine()
	}
	return f.AtLine() + ":" + strconv.Itoa(f.Column)
}

// AtLine is the same without the column.
func (f Fault) AtLine() string {
	if f.File == "" || f.Line <= 0 {
		return f.File
	}
	return f.File + ":" + strconv.Itoa(f.Line)
}
