#!/bin/sh
# Counts instructions: benches/instructions.sh [growth | metrics | survey | find [PRESET [SEED]]]
#
#   growth   stage one and growth of one dungeon (the default)
#   metrics  all metrics of one dungeon
#   survey   a dungeon of a survey: grown, measured and summarized
#   find     a dungeon of a search for a long path, which needs no other metric
#
# Clocks on a shared machine are noisy; instructions are nearly the same every time, so that a change of one in a
# hundred shows. The start of the program and the reading of the preset are not counted: for growth and metrics only
# one function counts, for survey and find the difference between eleven dungeons and one. Prints the instructions per
# dungeon and per square. Needs valgrind.
set -eu
cd "$(dirname "$0")/.."
what=growth
case ${1:-} in
growth | metrics | survey | find)
    what=$1
    shift
    ;;
esac
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

# ten ARGUMENT...: counts all that ten dungeons more take.
ten() {
    eleven=$(count --collect-atstart=yes "$@" --seeds "$seed..=$((seed + 10))" --threads 1)
    one=$(count --collect-atstart=yes "$@" --seeds "$seed..=$seed" --threads 1)
    echo "$(((eleven - one) / 10))"
}

case $what in
growth) number=$(count --toggle-collect='*cli::growth_report::grow*' \
    grow --preset "$preset" --seed "$seed" --output /dev/null) ;;
metrics) number=$(count --toggle-collect='*MetricsCalculator::measure_parts*' \
    export --preset "$preset" --seed "$seed" --as json --to "$folder/dungeon.json") ;;
survey) number=$(ten survey --preset "$preset") ;;
find) number=$(ten find --preset "$preset" --where 'path > 100000') ;;
esac
squares=$("$program" grow --preset "$preset" --seed "$seed" --format plain | tr -d '\n' | wc -c)
echo "$number instructions per dungeon, $((number / squares)) per square"
