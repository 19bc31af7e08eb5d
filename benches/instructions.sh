#!/bin/sh
# Counts the instructions that growing a preset takes: benches/instructions.sh [PRESET [SEED]]
#
# Clocks on a shared machine are noisy; instructions are nearly the same every time, so that a change of one in a
# hundred shows. Only stage one and growth are counted, not the start of the program nor the reading of the preset.
# Prints one number. Needs valgrind.
set -eu
cd "$(dirname "$0")/.."
preset=${1:-first-steps}
seed=${2:-1}

command -v valgrind >/dev/null 2>&1 || {
    echo "instructions.sh: valgrind is needed and was not found" >&2
    exit 2
}
# The symbols tell callgrind which function to count in.
cargo build --release --quiet --locked
program=${CARGO_TARGET_DIR:-target}/release/wallcrawler

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valgrind --tool=callgrind --callgrind-out-file="$folder/counts" --toggle-collect='*cli::growth_report::grow*' \
    "$program" grow --preset "$preset" --seed "$seed" --output /dev/null 2>"$folder/report" || {
    cat "$folder/report" >&2
    exit 1
}
count=$(sed -n 's/.*Collected : *//p' "$folder/report")
case $count in
'' | 0)
    echo "instructions.sh: callgrind did not find the function to count in" >&2
    exit 1
    ;;
esac
echo "$count"
