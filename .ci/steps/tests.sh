# What runs the tests.

title_test="README's test command, shuffled, through gotestsum"
step_test() {
  grep -q 'go test \./\.\.\.' README.md || fail "README.md no longer names the command: go test ./..."
  local seed=${SHUFFLE:-$RANDOM}
  echo "go test -shuffle=$seed ./... (SHUFFLE=$seed .ci/run test repeats this order)"
  go tool gotestsum --format pkgname --junitfile build/junit.xml -- -count=1 -shuffle="$seed" ./...
  go run ./internal/cmd/floor -floor .ci/floor build/junit.xml
}

title_guards="benchmarks that guard growth, memory and causes at a million ops"
step_guards() {
  local name file n=0
  while read -r name; do
    file=$(grep -rlE "^func $name\(b \*testing\.B\)" --include='*_test.go' .) || fail ".ci/guards names $name, which is no benchmark"
    [ "$(wc -l <<<"$file")" = 1 ] || fail "$name stands in more than one file:" $file
    echo "$name in $(dirname "$file")"
    go test -short -run '^$' -bench "^$name\$" -benchtime 1x "$(dirname "$file")" | tee "$work/guard"
    grep -q "^$name.*ns/op" "$work/guard" || fail "$name measured nothing"
    n=$((n + 1))
  done < <(sed -E 's/#.*//; /^ *$/d' .ci/guards)
  [ $n -gt 0 ] || fail ".ci/guards names no benchmark"
}

# The race detector sees what runs at the same time: the packages that start a goroutine, in code or tests.
title_race="race detector, in the packages that start goroutines"
step_race() {
  local dirs
  dirs=$(grep -rlE '^\s*go (func\(|[A-Za-z_.]+\()|\.Go\(' --include='*.go' . | xargs -r -n1 dirname | sort -u) || true
  [ -n "$dirs" ] || fail "no package starts a goroutine"
  # What is built with the tag alone runs with it.
  CGO_ENABLED=1 go test -race -short $(grep -v '^\./gpu' <<<"$dirs")
  CGO_ENABLED=1 with_headers go test -race -short -tags gpu $(grep '^\./gpu' <<<"$dirs")
}

title_fuzz="every fuzz target for ${FUZZTIME:=10s}"
step_fuzz() {
  local found=0 file name
  while IFS=: read -r file name; do
    found=1
    echo "$name in $(dirname "$file")"
    go test -run '^$' -fuzz "^$name\$" -fuzztime "$FUZZTIME" "$(dirname "$file")"
  done < <(grep -rnoE '^func Fuzz[A-Za-z0-9_]*' --include='*_test.go' . | sed -E 's/:[0-9]+:func /:/')
  [ $found = 1 ] || fail "there is no fuzz target"
}

title_driverless="the binaries built with the tag, linked, started without a driver"
step_driverless() {
  local dir=$work/dist rc=0 root=$PWD
  with_headers .ci/dist "$dir"
  tar -xzf "$dir/overlap-gpu-linux-amd64.tar.gz" -C "$work"
  cd "$work/overlap-gpu-linux-amd64"
  # Where this machine has a driver, a name that no machine has stands in for it.
  export OVERLAP_LIBCUDA=libcuda-that-is-not-there.so.1

  bin/overlap run >"$work/out" 2>"$work/err" </dev/null || rc=$?
  cat "$work/out" "$work/err"
  [ $rc = 3 ] || fail "overlap run without a driver: exit status $rc, want 3"
  [ "$(wc -l <"$work/err")" = 1 ] || fail "overlap run without a driver: want one line on stderr"
  grep -qi 'libcuda.*install' "$work/err" || fail "the line does not say what is missing and what to install"

  # The headers let the tests build their fake driver, so what needs no GPU runs here.
  export CGO_CFLAGS
  CGO_CFLAGS=$(cd "$root" && with_headers printenv CGO_CFLAGS)
  ./run.sh </dev/null
  [ -s junit.xml ] || fail "run.sh left no junit.xml"
  cd "$root"
  go run ./internal/cmd/floor -floor .ci/floor.driverless "$work/overlap-gpu-linux-amd64/junit.xml"
}

# A tree with no package but this one's own root, no case, no page.
title_empty="every step that checks the tree fails on one that has nothing in it"
step_empty() {
  local tree=$work/empty s
  mkdir -p "$tree"
  cp -r .ci "$tree/"
  : >"$tree/.ci/guards"
  printf 'module empty\n\ngo %s\n' "$(sed -n 's/^go //p' go.mod)" >"$tree/go.mod"
  for s in format vet toolkit tidy lint dead vulns test guards goldens race fuzz driverless; do
    if (cd "$tree" && .ci/run "$s") >"$work/empty.out" 2>&1; then
      cat "$work/empty.out"
      fail "step $s passes where there is nothing to check"
    fi
    grep -q "^FAILED .* $s " "$work/empty.out" || fail "step $s did not run: $(<"$work/empty.out")"
    echo "$s: $(grep -m 1 -E 'FAIL|no |not ' "$work/empty.out")"
  done
}
