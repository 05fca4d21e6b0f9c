#!/bin/sh
# SPDX-License-Identifier: MIT
# packages.sh FOLDER SUITE PACKAGE...: Debian's packages and all that they need, libraries of C and C++ among them, unpacked in
# FOLDER. Nothing is installed: an ICD among them is no device of this machine, and no compiler is another one's. They come
# from the mirror that this machine's own packages come from. Programs there are started by FOLDER/run PROGRAM [ARG...].
# src:PACKAGE is the source of a package, without Debian's changes, in FOLDER/src/PACKAGE. SUITE/PROCESSOR, such as
# bookworm/arm64, is for programs that qemu runs: qemu-aarch64 -L FOLDER.
# Without network, mirror or packages it says why and ends with 77.
set -eu

folder=$1
suite=$2
shift 2
wanted="$suite $*"
processor=amd64
case $suite in
*/*)
    processor=${suite#*/}
    suite=${suite%/*}
    ;;
esac
if [ "$(cat "$folder/unpacked" 2>/dev/null)" = "$wanted" ]; then exit 0; fi

cannot() {
    printf 'not here: %s of %s: %s\n' "$*" "$suite" "$why" >&2
    exit 77
}

why="no apt-get, or not of amd64"
[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || cannot "$@"
why="the machine's own packages are not Debian's"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keyring" ] || cannot "$@"
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed -n 's/^[^#]*\(https\{0,1\}:[^ ]*\/debian\/\{0,1\}\)\( .*\)\{0,1\}$/\1/p' | head -n 1)
[ -n "$mirror" ] || cannot "$@"

rm -rf "$folder"
mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$folder/apt/none"
folder=$(cd "$folder" && pwd)
log=$folder/apt/log
for kind in deb deb-src; do
    printf '%s [signed-by=%s] %s %s main\n' "$kind" "$keyring" "$mirror" "$suite"
done >"$folder/apt/sources.list"
: >"$folder/apt/status" # nothing is installed: all that is needed comes along
apt() {
    apt-get -qq -o APT::Architecture="$processor" -o APT::Architectures::="$processor" -o Debug::NoLocking=1 \
        -o Dir::State="$folder/apt" -o Dir::State::Lists="$folder/apt/lists" \
        -o Dir::State::status="$folder/apt/status" -o Dir::Etc::SourceList="$folder/apt/sources.list" \
        -o Dir::Etc::SourceParts="$folder/apt/none" -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User= \
        -o Acquire::Languages=none "$@" >>"$log" 2>&1
}
why="no lists from the mirror"
apt update || cannot "$@"
[ -n "$(find "$folder/apt/lists" -name '*_Packages*')" ] || cannot "$@"
why="the mirror lacks a package"
binary=
for package in "$@"; do
    case $package in
    src:*)
        source=$folder/src/${package#src:}
        mkdir -p "$source" "$folder/apt/source"
        (cd "$folder/apt/source" && rm -f ./* && apt source --tar-only "${package#src:}") || cannot "$package"
        tar xf "$folder"/apt/source/*.orig.tar.* -C "$source" --strip-components=1
        ;;
    *) binary="$binary $package" ;;
    esac
done
if [ -n "$binary" ]; then
    # shellcheck disable=SC2086 # the list is meant to be split
    apt install --yes --no-install-recommends --download-only $binary || cannot $binary
    for deb in "$folder"/apt/cache/archives/*.deb; do
        dpkg -x "$deb" "$folder"
    done
fi
rm -rf "$folder/apt"
for name in bin lib lib64 sbin; do # links that no package of newer suites has
    [ -e "$folder/$name" ] || [ ! -d "$folder/usr/$name" ] || ln -s "usr/$name" "$folder/$name"
done

# By the loader that belongs to them, whatever the machine's C library is.
cat >"$folder/run" <<TEXT
#!/bin/sh
program=\$1
shift
exec "$folder/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" --library-path \
"$folder/usr/lib/x86_64-linux-gnu:$folder/lib/x86_64-linux-gnu:$(echo "$folder"/usr/lib/llvm-*/lib | tr ' ' ':')" \
"$folder/\$program" "\$@"
TEXT
chmod +x "$folder/run"
printf '%s\n' "$wanted" >"$folder/unpacked"
