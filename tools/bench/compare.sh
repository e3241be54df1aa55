#!/usr/bin/env bash
# Measures kora render beside kustomize build on the same objects with the
# same twenty patches. kustomize is built from the module proxy.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go build -o "$work/kora" ./plugin
go -C tools/bench build -o "$work/kustomize" sigs.k8s.io/kustomize/kustomize/v5

# The objects as kora builds them, and the entries as kustomize wants them.
"$work/kora" render -agent-slug coder -sandbox >"$work/objects.yaml"
{
  printf 'resources: [objects.yaml]\npatches:\n'
  for file in testdata/patches/twenty/*.yaml; do
    sed -e '1s/^/- /' -e '2,$s/^/  /' "$file"
  done
} >"$work/kustomization.yaml"

runs=${RUNS:-30}
median() { # of the wall times of a command, in milliseconds
  "$@" >/dev/null
  for _ in $(seq "$runs"); do
    local from=${EPOCHREALTIME/./}
    "$@" >/dev/null
    echo $((${EPOCHREALTIME/./} - from))
  done | sort -n | awk '{v[NR]=$1} END {printf "%.1f", v[int((NR+1)/2)]/1000}'
}
kora=$(median "$work/kora" render -patch-dir testdata/patches/twenty -agent-slug coder -sandbox)
kustomize=$(median "$work/kustomize" build "$work")
version=$(median "$work/kora" version)
awk -v a="$kora" -v b="$kustomize" -v v="$version" -v n="$runs" 'BEGIN {
  printf "whole process, 7 objects, 20 patches, median of %d runs\n", n
  printf "  kora render      %7.1f ms\n  kustomize build  %7.1f ms\n  ratio            %7.1f\n", a, b, b/a
  printf "  kora version     %7.1f ms\n", v
}'

# The same for one more agent type, in a process that is warm already.
KUSTOMIZATION=$work go -C tools/bench test -run '^$' -bench . -benchtime 2s . | tee "$work/kustomize.txt" | grep Benchmark
go test -run '^$' -bench 'AgentType$' -benchtime 2s ./plugin/render | tee "$work/kora.txt" | grep Benchmark
awk 'FNR==1 {f++} /^Benchmark/ {t[f]=$3} END {printf "per agent type     ratio %7.1f\n", t[1]/t[2]}' "$work/kustomize.txt" "$work/kora.txt"
