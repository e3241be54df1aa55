// Package report says what a run of many artifacts found: as text for people,
// and as a verification summary for other tools (R49). The JSON form is that
// of verify.Report.
package report
