#!/bin/sh
# Installs weave {{ version }}: downloads the archive for this machine, verifies its checksum, and puts the binary into a folder.
#
#   WEAVE_INSTALL_DIR   the folder of the binary (default: ~/.local/bin)
#   WEAVE_DOWNLOAD_URL  where the archives are (default: the release on the project's page)
set -eu

version="{{ version }}"
url="${WEAVE_DOWNLOAD_URL:-{{ home }}/releases/download/v$version}"
folder="${WEAVE_INSTALL_DIR:-$HOME/.local/bin}"

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

has() {
  command -v "$1" >/dev/null 2>&1
}

target() {
  case "$(uname -s)" in
    Linux)
      # Binaries for glibc do not start where the C library is musl.
      if (ldd --version 2>&1 || true) | grep -qi musl; then system=unknown-linux-musl; else system=unknown-linux-gnu; fi
      ;;
    Darwin) system=apple-darwin ;;
    *) fail "there is no archive for $(uname -s); on Windows, use install.ps1" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "there is no archive for $(uname -m)" ;;
  esac
  # A terminal under Rosetta says x86_64 on an Apple chip.
  if [ "$system" = apple-darwin ] && [ "$(sysctl -n hw.optional.arm64 2>/dev/null || echo 0)" = 1 ]; then machine=aarch64; fi
  printf '%s-%s' "$machine" "$system"
}

download() {
  if has curl; then
    curl --fail --silent --show-error --location --proto '=https,http' --output "$2" "$1"
  elif has wget; then
    wget --quiet --output-document="$2" "$1"
  else
    fail "curl or wget is needed"
  fi
}

sha256() {
  if has sha256sum; then
    sha256sum "$1" | cut -d ' ' -f 1
  elif has shasum; then
    shasum -a 256 "$1" | cut -d ' ' -f 1
  else
    fail "sha256sum or shasum is needed to verify the download"
  fi
}

main() {
  target="$(target)"
  name="weave-$version-$target"
  temporary="$(mktemp -d)"
  trap 'rm -rf "$temporary"' EXIT INT TERM
  download "$url/$name.tar.gz" "$temporary/$name.tar.gz" || fail "cannot download $url/$name.tar.gz"
  download "$url/$name.tar.gz.sha256" "$temporary/sum" || fail "cannot download $url/$name.tar.gz.sha256"
  expected="$(cut -d ' ' -f 1 "$temporary/sum")"
  actual="$(sha256 "$temporary/$name.tar.gz")"
  if [ "$expected" != "$actual" ]; then
    fail "the checksum of $name.tar.gz is $actual, but $expected was expected; nothing was installed"
  fi
  tar -xzf "$temporary/$name.tar.gz" -C "$temporary" || fail "cannot unpack $name.tar.gz"
  mkdir -p "$folder" || fail "cannot create $folder"
  # The binary is renamed into its place, so that one that is running is replaced and not overwritten.
  cp "$temporary/$name/weave" "$folder/.weave-$$" && chmod 755 "$folder/.weave-$$" && mv -f "$folder/.weave-$$" "$folder/weave" || {
    rm -f "$folder/.weave-$$"
    fail "cannot write $folder/weave"
  }
  printf 'Installed %s as %s\n' "$("$folder/weave" --version)" "$folder/weave"
  case ":$PATH:" in
    *":$folder:"*) ;;
    *) printf 'Add %s to your PATH.\n' "$folder" ;;
  esac
}

main
