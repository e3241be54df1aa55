package main

import (
	"io"
	"log/slog"

	"github.com/go-logr/logr"
	"github.com/runkora/kora/operator/settings"
)

// logger writes one JSON object a line, or text for people.
func logger(o settings.Observability, to io.Writer) logr.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.LogLevel)); err != nil {
		level = slog.LevelInfo
	}
	options := &slog.HandlerOptions{Level: level}
	if o.LogFormat == "console" {
		return logr.FromSlogHandler(slog.NewTextHandler(to, options))
	}
	return logr.FromSlogHandler(slog.NewJSONHandler(to, options))
}
