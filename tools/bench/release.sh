#!/usr/bin/env bash
# Measures kora render and kora validate of a release beside helm template on the
# same chart and values, as whole processes, and how long kora takes to start. The
# commands take turns, so that a busy machine slows all of them alike.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

go build -o "$work/kora" ./plugin
go -C tools/testcluster build -o "$work/testcluster" .
helm=$("$work/testcluster" helm-3)/helm
export HOME=$work HELM_CACHE_HOME=$work HELM_CONFIG_HOME=$work HELM_DATA_HOME=$work KUBECONFIG=/dev/null

values=testdata/releases/kora/values.yaml
names=("helm template" "kora render" "kora validate" "kora version" "an agent type")
commands=(
  "$helm template kora charts/kora --kube-version 1.36.0 -f $values"
  "$work/kora render -f $values"
  "$work/kora validate -f $values"
  "$work/kora version"
  "$work/kora render -patch-dir testdata/patches/example -agent-slug coder -sandbox"
)
runs=${RUNS:-31}
for round in $(seq 0 "$runs"); do # the first warms the file cache
  for i in "${!commands[@]}"; do
    from=${EPOCHREALTIME/./}
    ${commands[$i]} >/dev/null 2>&1
    [ "$round" = 0 ] || echo $((${EPOCHREALTIME/./} - from)) >>"$work/$i"
  done
done
median() { sort -n "$work/$1" | awk '{v[NR]=$1} END {printf "%.1f", v[int((NR+1)/2)]/1000}'; }
least() { sort -n "$work/$1" | awk 'NR==1 {printf "%.1f", $1/1000}'; }
printf 'whole process, median (least) of %s runs, in milliseconds\n' "$runs"
for i in "${!names[@]}"; do
  printf '  %-14s %7s (%s)\n' "${names[$i]}" "$(median "$i")" "$(least "$i")"
done
awk -v a="$(median 1)" -v b="$(median 0)" 'BEGIN {printf "  kora render takes %.2f times what helm template takes\n", a/b}'
