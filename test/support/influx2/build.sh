#!/bin/sh
# Builds InfluxDB 2 of its Go modules, and the part of it that is in Rust of its crates, once, and prints where it is:
# INFLUXD2=$(sh test/support/influx2/build.sh). Without its web pages. Needs Go 1.23, cargo and a C compiler, and ten
# minutes; no suite of .ci/run has it.
set -eu
version=v2.7.12
# As Go's checksum database has it; the modules that it needs are pinned by its own go.sum.
sum=h1:m25dUSO7h6nm3zFC4v/aCNeFFmnN/mlN/uPo1T63bmk=

folder=${XDG_CACHE_HOME:-$HOME/.cache}/plumbline
built=$folder/influxd-$version
if [ -x "$built" ]; then
  echo "$built"
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

told=$(go mod download -json "github.com/influxdata/influxdb/v2@$version")
field() { printf '%s\n' "$told" | sed -n "s/^[[:space:]]*\"$1\": \"\(.*\)\",*$/\1/p"; }
if [ "$(field Sum)" != "$sum" ]; then
  echo "InfluxDB $version is not the one that was pinned" >&2
  exit 1
fi
cp -R "$(field Dir)" influxdb
chmod -R u+w influxdb
cd influxdb
go mod download github.com/influxdata/flux
cp -R "$(go list -m -f '{{.Dir}}' github.com/influxdata/flux)" "$work/flux"
chmod -R u+w "$work/flux"

# Its file names a compiler of 2023, which would be fetched. Newer ones only warn.
rm "$work/flux/rust-toolchain.toml"
(
  cd "$work/flux/libflux"
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 RUSTFLAGS='--cap-lints warn' \
    cargo build --release --locked -p flux >&2
)

# The build asks pkg-config for flux and for nothing else.
cat >"$work/pkg-config" <<END
#!/bin/sh
case "\$*" in
  *--cflags*) echo "-I$work/flux/libflux/include" ;;
  *--libs*) echo "-L$work/flux/libflux/target/release -l:libflux.a -ldl -lm -lpthread" ;;
esac
END
chmod +x "$work/pkg-config"
mkdir -p "$folder"
PKG_CONFIG="$work/pkg-config" go build -mod=readonly -buildvcs=false -tags sqlite_foreign_keys,sqlite_json \
  -ldflags "-s -w -X main.version=$version" -o "$built.$$" ./cmd/influxd
mv "$built.$$" "$built"
echo "$built"
