#!/bin/sh
# Builds versitygw as server/go.mod pins it, once, and prints where it is: VERSITYGW=$(sh test/support/s3/build.sh).
# Needs any Go from 1.19 on. An older one than the server needs fetches a newer one as a Go module.
set -eu
cd "$(dirname "$0")/server"

# Of golang.org/toolchain, as its checksum database has it.
toolchain=v0.0.1-go1.25.3.linux-amd64
toolchain_sum=h1:OsvRiFtt0A9JsTaoQsnFK4wKOOAY2UtJvkOT+Djl7tQ=

folder=${XDG_CACHE_HOME:-$HOME/.cache}/plumbline
built=$folder/versitygw-$(cat go.mod go.sum | sha256sum | cut -c 1-16)
if [ -x "$built" ]; then
  echo "$built"
  exit
fi

go=go
minor=$(go env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/')
if [ "$minor" -lt 25 ]; then
  told=$(cd / && go mod download -json "golang.org/toolchain@$toolchain")
  field() { printf '%s\n' "$told" | sed -n "s/^[[:space:]]*\"$1\": \"\(.*\)\",*$/\1/p"; }
  if [ "$(field Sum)" != "$toolchain_sum" ]; then
    echo "golang.org/toolchain $toolchain is not the one that was pinned" >&2
    exit 1
  fi
  # A module's files are not executable, nor may they be changed.
  GOROOT=$(mktemp -d)
  trap 'rm -rf "$GOROOT"' EXIT
  export GOROOT
  cp -R "$(field Dir)/." "$GOROOT"
  chmod -R u+w "$GOROOT"
  chmod +x "$GOROOT"/bin/* "$GOROOT"/pkg/tool/*/*
  go=$GOROOT/bin/go
fi

mkdir -p "$folder"
unfinished=$built.$$
CGO_ENABLED=0 GOTOOLCHAIN=local "$go" build -mod=readonly -trimpath -buildvcs=false -ldflags='-s -w' \
  -o "$unfinished" github.com/versity/versitygw/cmd/versitygw
mv "$unfinished" "$built"
echo "$built"
