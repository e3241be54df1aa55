#!/usr/bin/env bash
# Runs every fuzz target of the module, one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
git grep -lE '^func Fuzz' -- '*_test.go' | xargs -n1 dirname | sort -u | while read -r dir; do
  grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$dir"/*_test.go | sed 's/^func //' | while read -r target; do
    echo "== $dir $target"
    go test "./$dir" -run '^$' -fuzz "^$target\$" -fuzztime "$1" -fuzzminimizetime 1s
  done
done
