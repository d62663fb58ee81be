# What the machine must have.

title_install="install what is missing: Go $(sed -n 's/^go //p' go.mod), a C compiler, clang-19, binutils"
step_install() {
  command -v go >/dev/null || fail "no go on PATH or in /usr/local/go/bin; install Go"
  go version
  local missing=() need
  for need in gcc:gcc clang-19:clang-19 objdump:binutils; do
    command -v "${need%%:*}" >/dev/null || missing+=("${need##*:}")
  done
  [ -f /usr/include/stdlib.h ] || missing+=(libc6-dev)
  if [ ${#missing[@]} -gt 0 ]; then
    echo "installing ${missing[*]}"
    apt-get -q update
    apt-get -q install -y --no-install-recommends "${missing[@]}"
  fi
  clang-19 --version | sed -n 1p
}

title_headers="CUDA 12.4 headers, unpacked and not installed"
step_headers() {
  .ci/cuda-headers "$headers"
  grep '^#define CUDA_VERSION 12040$' "$headers/include/cuda.h" || fail "$headers/include/cuda.h is not of CUDA 12.4; remove that folder"
}
