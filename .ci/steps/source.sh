# What is checked without running anything of ours.

title_format="gofmt"
step_format() {
  local all bad
  all=$(sources '*.go')
  bad=$(xargs gofmt -l <<<"$all")
  [ -z "$bad" ] || fail "not formatted, run gofmt -w: $bad"
  echo "$(wc -l <<<"$all") files"
}

title_vet="go vet, with and without the tag, with and without cgo"
step_vet() {
  local cgo tags
  need_packages
  for cgo in 0 1; do
    for tags in '' gpu; do
      echo "CGO_ENABLED=$cgo go vet -tags '$tags' ./..."
      CGO_ENABLED=$cgo with_headers go vet -tags "$tags" ./...
    done
  done
}

title_tidy="go.mod and go.sum are tidy"
step_tidy() {
  # Not grep -q: it would end at the first line, and with pipefail the other end's broken pipe fails the step, now and then.
  [ "$(go list -m all | grep -c ' v')" -gt 0 ] || fail "go.mod requires nothing"
  go mod tidy -diff
  go mod verify
}

title_lint="staticcheck, with and without the tag"
step_lint() {
  need_packages
  printf '%s\n' 'sim: -tags=' 'gpu: -tags=gpu' | with_headers go tool staticcheck -matrix ./...
}

# A function is dead when no command and no test reaches it, with or without the tag.
title_dead="deadcode, with and without the tag"
step_dead() {
  need_packages
  go tool deadcode -test ./... >"$work/dead.sim"
  with_headers go tool deadcode -test -tags gpu ./... >"$work/dead.gpu"
  local bad line
  bad=$(comm -12 <(sort "$work/dead.sim") <(sort "$work/dead.gpu"))
  # What is built in one of the two alone is dead when it is dead there.
  while read -r line; do
    if head -n 1 "${line%%:*}" | grep -q '^//go:build.*gpu'; then bad+=$'\n'$line; fi
  done < <(sort -u "$work/dead.sim" "$work/dead.gpu")
  bad=$(sed '/^$/d' <<<"$bad")
  [ -z "$bad" ] || fail "remove or test:"$'\n'"$bad"
}

title_vulns="govulncheck, with and without the tag"
step_vulns() {
  local tags rc
  need_packages
  go build -o "$work/govulncheck" golang.org/x/vuln/cmd/govulncheck
  for tags in '' gpu; do
    rc=0
    with_headers timeout 120 "$work/govulncheck" -tags "$tags" ./... >"$work/vulns" 2>&1 || rc=$?
    if [ $rc = 124 ] || grep -q '^govulncheck: fetching vulnerabilities:' "$work/vulns"; then
      not_checked "no vulnerability database can be reached from here"
    fi
    cat "$work/vulns"
    [ $rc = 0 ] || fail "govulncheck -tags '$tags' ./... found something"
  done
}
