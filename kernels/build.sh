#!/bin/sh
# build.sh: overlap.cu to overlap.ptx (PTX 6.3, sm_70: every GPU since Volta compiles it when it is loaded).
# Needs clang 19 alone, no CUDA toolkit; CLANG names another. Comments are stripped, since they name the compiler's build.
# build.sh if-clang: leave the PTX as it is where that compiler is not.
set -eu
if [ "${1:-}" = if-clang ] && ! command -v "${CLANG:-clang-19}" >/dev/null; then
	echo "kernels/build.sh: no ${CLANG:-clang-19}, so overlap.ptx stays as it is" >&2
	exit 0
fi
cd "$(dirname "$0")"
ptx=$(mktemp)
trap 'rm -f "$ptx"' EXIT
"${CLANG:-clang-19}" -x cuda --cuda-gpu-arch=sm_70 --cuda-feature=+ptx63 -nocudainc -nocudalib --cuda-device-only \
	-O2 -S overlap.cu -o "$ptx"
{
	echo '// Built from overlap.cu by build.sh. Do not edit.'
	sed -e 's|[[:space:]]*//.*$||' -e '/^[[:space:]]*$/d' "$ptx"
} >overlap.ptx
