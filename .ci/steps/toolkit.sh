# The flags that .ci/cuda-env gives, tried against headers of which they must make something that builds.

title_toolkit="the tagged code builds against a CUDA 13 toolkit's headers, as far as 12.4's can be made to look like them"
step_toolkit() {
  local like=$work/like-13 without=$work/without
  .ci/headers-like-13 "$headers" "$like"
  echo "CUDA_HOME=$like go build -tags gpu ./gpu/... ./internal/preflight"
  with_headers CUDA_HOME="$like" go build -tags gpu ./gpu/... ./internal/preflight
  # The two that our flags are for must not build without them, or this step shows nothing.
  ! CGO_CFLAGS="-I$like/include -g -O2" go build github.com/NVIDIA/go-nvml/pkg/nvml 2>"$without" ||
    fail "go-nvml builds with $like/include/nvml.h"
  grep -q 'could not determine what C.nvml' "$without" || fail "go-nvml fails for another reason: $(<"$without")"
  echo "go-nvml without -iquote does not build, as it must"
  ! with_headers CUDA_HOME="$like" old_names -iquote . -I"$like/include" 2>"$without" ||
    fail "the old names have their old parameters in $like/include/cuda.h"
  grep -q 'cuCtxCreate_v4' "$without" || fail "the old names fail for another reason: $(<"$without")"
  echo "gorgonia.org/cu's calls without the wrapper do not compile, as they must"
  with_headers CUDA_HOME="$like" old_names
}

# old_names [FLAG...]: compile calls that gorgonia.org/cu makes, with these flags or those of CGO_CFLAGS.
old_names() {
  [ $# -gt 0 ] || read -ra flags <<<"$CGO_CFLAGS"
  cc "${@:-${flags[@]}}" -Werror -fsyntax-only -xc - <<'C'
#include <cuda.h>
void old_names(CUcontext context, CUdeviceptr p, CUgraph graph, CUgraphNode node) {
  size_t edges;
  cuCtxCreate(&context, 0, 0);
  cuMemAdvise(p, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, 0);
  cuMemPrefetchAsync(p, 0, 0, 0);
  cuGraphAddDependencies(graph, &node, &node, 1);
  cuGraphGetEdges(graph, &node, &node, &edges);
}
C
}
