#!/usr/bin/env bash
# Measures kora render beside kustomize build on the same objects with the
# same twenty patches. kustomize is built from the module proxy.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go build -o "$work/kora" ./plugin
go -C tools/bench build -o "$work/kustomize" sigs.k8s.io/kustomize/kustomize/v5

# kustomization FOLDER SLUG… writes the objects of some agent types as kora
# builds them, and the entries as kustomize wants them.
kustomization() {
  local to=$1 slug file
  shift
  mkdir -p "$to"
  for slug in "$@"; do
    "$work/kora" render -agent-slug "$slug" -sandbox
  done >"$to/objects.yaml"
  {
    printf 'resources: [objects.yaml]\npatches:\n'
    for file in testdata/patches/twenty/*.yaml; do
      sed -e '1s/^/- /' -e '2,$s/^/  /' "$file"
    done
  } >"$to/kustomization.yaml"
}
kustomization "$work/one" coder
kustomization "$work/hundred" $(seq -f 'agent%g' 100)

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
kustomize=$(median "$work/kustomize" build "$work/one")
version=$(median "$work/kora" version)
awk -v a="$kora" -v b="$kustomize" -v v="$version" -v n="$runs" 'BEGIN {
  printf "whole process, 7 objects, 20 patches, median of %d runs\n", n
  printf "  kora render      %7.1f ms\n  kustomize build  %7.1f ms\n  ratio            %7.1f\n", a, b, b/a
  printf "  kora version     %7.1f ms\n", v
}'

# Per agent type: one in a process that is warm already, and one of a hundred,
# since the time of kustomize grows by the square of the objects.
KUSTOMIZATION=$work/one go -C tools/bench test -run '^$' -bench . -benchtime 2s . | grep Benchmark | tee "$work/kustomize.txt"
go test -run '^$' -bench 'AgentType$|AgentTypes/100$' -benchtime 2s ./plugin/render | grep Benchmark | tee "$work/kora.txt"
runs=3
hundred=$(median "$work/kustomize" build "$work/hundred")
awk -v h="$hundred" 'NR==1 {k=$3} /AgentType-|AgentType / {one=$3} /AgentTypes/ {many=$3}
  END {printf "per agent type, one      ratio %7.1f\nper agent type, of 100   ratio %7.1f\n", k/one, h*1e6/many}' "$work/kustomize.txt" "$work/kora.txt"
