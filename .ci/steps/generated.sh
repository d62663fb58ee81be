# What is generated, and checked in.

title_goldens="goldens, tables and PTX are what go generate makes"
step_goldens() {
  local tree=$work/goldens
  copy_tree "$tree"
  # All is spoiled first, so that what is not made anew shows as a difference.
  (cd "$tree" && .ci/spoil)
  (cd "$tree" && go generate ./...) || fail "go generate failed"
  diff -r -u --exclude=.git --exclude=build . "$tree" || fail "what is checked in differs from what is generated; run: make golden"
}
