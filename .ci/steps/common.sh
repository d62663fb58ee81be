# What several steps use. Set by .ci/run: headers, where the CUDA headers are; work, a folder that goes away at the end.

# with_headers [CUDA_HOME=DIR] COMMAND: run it with the flags that make env gives, for the headers in DIR or the unpacked ones.
with_headers() (
  export CUDA_HOME=$headers CGO_CFLAGS='-g -O2'
  if [[ $1 == CUDA_HOME=* ]]; then CUDA_HOME=${1#*=}; shift; fi
  flags=$(.ci/cuda-env)
  eval "$flags"
  "$@"
)

# copy_tree DIR: the tree without its history and what was built.
copy_tree() { mkdir -p "$1" && tar --exclude=./.git --exclude=./build -c . | tar -x -C "$1"; }

# sources GLOB: the files of the tree by name, at least one.
sources() {
  find . -path ./.git -prune -o -path ./build -prune -o -type f -name "$1" -print | grep . || fail "there is no $1"
}

need_packages() { [ -n "$(go list ./... 2>/dev/null)" ] || fail "there is no Go package"; }
