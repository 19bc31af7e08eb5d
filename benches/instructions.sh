#!/bin/sh
# Counts instructions: benches/instructions.sh [growth | metrics | sight | survey | find [PRESET [SEED [SIDE]]]]
#
#   growth   stage one and growth of one dungeon (the default)
#   metrics  all metrics of a dungeon, the mean of eight
#   sight    the same with those of sight and walking
#   survey   a dungeon of a survey: grown, measured and summarized
#   find     a dungeon of a search for a long path, which needs no other metric
#
# Clocks on a shared machine are noisy; the number of instructions is nearly the same every time, so even a change of
# 1% is visible. The start of the program and the reading of the preset are not counted: for growth, metrics and sight,
# only the instructions of one function are; for survey and find, the difference between eleven dungeons and one. SIDE
# replaces the preset's numbers of rows and columns. Prints the instructions per dungeon and per square. Needs valgrind.
set -eu
cd "$(dirname "$0")/.."
what=growth
case ${1:-} in
growth | metrics | sight | survey | find)
    what=$1
    shift
    ;;
esac
preset=${1:-first-steps}
seed=${2:-1}
side=${3:-}

command -v valgrind >/dev/null 2>&1 || {
    echo "instructions.sh: valgrind is needed and was not found" >&2
    exit 2
}
# With symbols, callgrind can count one function alone. The empty variable replaces the flags of .cargo/config.toml, as in
# packages.
RUSTFLAGS='' cargo build --profile dist --quiet --locked
program=${CARGO_TARGET_DIR:-target}/dist/wallcrawler

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# count OPTION ARGUMENT...: runs the program under callgrind with the option, and prints the number of instructions.
count() {
    option=$1
    shift
    # A search that finds nothing ends with status 1.
    valgrind --tool=callgrind --callgrind-out-file="$folder/counts" "$option" "$program" "$@" \
        >/dev/null 2>"$folder/report" || [ "$1" = find ] || {
        cat "$folder/report" >&2
        exit 1
    }
    number=$(sed -n 's/.*Collected : *//p' "$folder/report")
    case $number in
    '' | 0)
        echo "instructions.sh: callgrind did not find the function to count in" >&2
        exit 1
        ;;
    esac
    echo "$number"
}

# many OPTION MORE ARGUMENT...: counts a command over the first seed and MORE others.
many() {
    option=$1
    more=$2
    shift 2
    count "$option" "$@" ${side:+--change "dimX, dimY -> $side"} --seeds "$seed..=$((seed + more))" --threads 1
}

# ten ARGUMENT...: prints the number of instructions per dungeon, as the mean of ten dungeons after the first.
ten() {
    eleven=$(many --collect-atstart=yes 10 "$@")
    one=$(many --collect-atstart=yes 0 "$@")
    echo "$(((eleven - one) / 10))"
}

case $what in
growth) number=$(count --toggle-collect='*cli::growth_report::grow*' \
    grow --preset "$preset" ${side:+--change "dimX, dimY -> $side"} --seed "$seed" --output /dev/null) ;;
metrics) number=$(($(many --toggle-collect='*MetricsCalculator::measure_parts*' 7 survey --preset "$preset") / 8)) ;;
sight) number=$(($(many --toggle-collect='*MetricsCalculator::measure_parts*' 7 survey --sight --preset "$preset") / 8)) ;;
survey) number=$(ten survey --preset "$preset") ;;
find) number=$(ten find --preset "$preset" --where 'path > 100000') ;;
esac
squares=$("$program" grow --preset "$preset" ${side:+--change "dimX, dimY -> $side"} --seed "$seed" --format plain |
    tr -d '\n' | wc -c)
echo "$number instructions per dungeon, $((number / squares)) per square"
