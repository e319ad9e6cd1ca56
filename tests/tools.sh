#!/bin/sh
# What the tests need beside Python packages. Installed once; nothing is done when it is there.
# git and npm are expected; tmux, openssl, jq and a C compiler come from the system's packages; the clients are fetched by the tests' own bed.
set -eu
missing=""
for tool in tmux openssl jq; do
    command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done
command -v cc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "The tests need:$missing. Install them with your system's package manager." >&2
        exit 1
    fi
    sudo=""
    [ "$(id -u)" = 0 ] || sudo="sudo"
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq $missing
fi
for tool in git npm; do
    command -v "$tool" >/dev/null 2>&1 || { echo "The tests need $tool." >&2; exit 1; }
done
