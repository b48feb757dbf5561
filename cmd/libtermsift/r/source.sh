#!/usr/bin/env bash
# Makes the source package, with the sources of the library and of the modules that it needs, so that it
# installs without a network: source.sh [FOLDER] writes termsift_VERSION.tar.gz there.
set -euo pipefail
out=$(realpath "${1:-.}")
cd "$(dirname "$0")/../../.."
stage=$(mktemp -d)
trap 'chmod -R u+w "$stage"; rm -rf "$stage"' EXIT
go=$stage/go package=$stage/termsift

# The packages that the library needs on any of these systems, but for tests.
for target in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64; do
  GOOS=${target%/*} GOARCH=${target#*/} CGO_ENABLED=1 go list -deps -f '{{if .Module}}{{if .Module.Main}}{{.Dir}}{{range .EmbedFiles}}
{{$.Dir}}/{{.}}{{end}}{{end}}{{end}}' ./cmd/libtermsift
done | sort -u | while read -r path; do
  relative=${path#"$PWD/"}
  if [ -d "$path" ]; then
    mkdir -p "$go/$relative"
    find "$path" -maxdepth 1 -type f \( -name '*.go' -o -name '*.s' -o -name '*.c' -o -name '*.h' -o -name '*.map' \) ! -name '*_test.go' -exec cp {} "$go/$relative/" \;
  else
    install -D -m 644 "$path" "$go/$relative"
  fi
done
cp go.mod go.sum LICENSE "$go/"
(cd "$go" && go mod vendor)

cp -r cmd/libtermsift/r "$package"
(cd "$package" && sh cleanup)
cp cmd/libtermsift/termsift.h "$package/src/"
tar -C "$go" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - . | gzip -9n >"$package/src/go.tar.gz"
cd "$out"
R CMD build --no-build-vignettes --no-manual "$package"
