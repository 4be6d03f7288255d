#!/bin/bash
# Runs the C program in a fresh directory: run_program.sh PROGRAM
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" "$work"
