#!/usr/bin/env bash
# Lists the requirements, R1 to R57, that no test and no test script names.
set -euo pipefail
cd "$(dirname "$0")/.."
last=57
missing=0
for n in $(seq 1 "$last"); do
  if ! git grep -qwE "R$n" -- '*_test.go' '*.txtar'; then
    echo "R$n has no test"
    missing=$((missing + 1))
  fi
done
echo "$((last - missing)) of $last requirements are named by a test"
