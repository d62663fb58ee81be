#!/bin/sh
# symbols.sh: the driver symbols that gorgonia.org/cu references and symbols.h lacks. It prints nothing when none is missing.
set -eu
cd "$(dirname "$0")"
archive=$(go list -tags gpu -export -f '{{.Export}}' gorgonia.org/cu)
nm "$archive" 2>/dev/null | awk '$1 == "U" && $2 ~ /^cu[A-Z]/ && $2 !~ /^cu(Init|DeviceGetAttributes|LaunchAndSync|AllocAndCopy)$/ { print $2 }' |
	sort -u | while read -r symbol; do
	grep -q "($symbol)" symbols.h || echo "USED($symbol)"
done
