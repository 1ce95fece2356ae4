#!/usr/bin/env bash
# Our all-reduce against Open MPI's: two ranks on the same two cores, in one run.
#
#   harness/peers/openmpi.sh
#
# Needs Debian's openmpi-bin and libopenmpi-dev; takes no arguments and about two minutes. Prints exactly
# three lines, for 20 KiB, 1 MiB and 16 MiB, each ending in "ratio <ours/Open MPI>": medians of the time of one
# all-reduce, ours of bf16, theirs (MPI_Allreduce, --bind-to none) of as many bytes of float, both out of place.
# Everything else goes to stderr.
#
# Method. Rounds of ours, theirs and a copy alternate, the order turning from round to round. Ours is `lab bench`
# itself: a fork per case, verified before and after, p50 of its histogram; the number of a case is the median over
# the rounds, and the line names the algorithm whose number is smallest. Theirs is the p50 of single calls, each
# after a barrier that is not timed; the number is the median over the rounds. Both warm up for as long.
#
# At 16 MiB the line also gives our share of the copy bandwidth:
#
#   share = (bytes read and written by the kernels of the algorithm on both ranks / p50)
#         / (2 threads x 2 x 16 MiB / p50 of one System.arraycopy of 16 MiB per thread)
#
# Every operand of every fold counts as read once and every result as written once (column traffic_bytes of
# `lab bench --format csv`), and a copy reads and writes each byte once.
set -euo pipefail

rounds=3
sizes=(20480 1048576 16777216)
algorithms=one-shot,two-shot,recursive-doubling,halving-doubling,ring

say() { echo "openmpi.sh: $*" >&2; }

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lab=$here/../../lab
for tool in mpicc mpirun; do
  command -v "$tool" >/dev/null || {
    say "$tool is missing: apt-get install openmpi-bin libopenmpi-dev"
    exit 4
  }
done
[ $# -eq 0 ] || {
  say "takes no arguments"
  exit 2
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mpicc -O2 -o "$work/peer" "$here/openmpi_peer.c"
mpi=(mpirun --bind-to none -n 2)
[ "$(id -u)" -ne 0 ] || mpi+=(--allow-run-as-root)

cat >"$work/peer.suite" <<EOF
description = two ranks against Open MPI
ranks = 2
algorithms = $algorithms
bytes = $(IFS=,; echo "${sizes[*]}")
forks = 1
warmup = 1x300ms
measurement = 3x200ms
EOF

ours() { # round
  say "round $1 of $rounds: ours"
  "$lab" bench --suite "$work/peer.suite" --out "$work/run$1" --format csv >"$work/ours$1.csv" || {
    say "our side failed, see above: no comparison"
    exit 1
  }
}

theirs() { # round
  say "round $1 of $rounds: Open MPI"
  for size in "${sizes[@]}"; do
    echo "$size $("${mpi[@]}" "$work/peer" "$size" 0.3 0.6)" >>"$work/theirs"
  done
}

copies() { # round
  say "round $1 of $rounds: copy"
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Djava.io.tmpdir="$work" -cp "$here/../target/lab.jar" org.openjdk.jmh.Main \
    'PartsBenchmark.copy$' -bm sample -tu us -t 2 -f 1 -p bytes=16777216 -wi 1 -w 300ms -i 3 -r 200ms \
    -rf csv -rff "$work/copy$1.csv" >"$work/copy$1.log" || {
    cat "$work/copy$1.log" >&2
    exit 1
  }
  # The row "…copy:·p0.50" holds the median; its fifth column is the score.
  awk -F'","|",|,' '/p0\.50/ { gsub(/"/, ""); print $5 }' "$work/copy$1.csv" >>"$work/copies"
}

for ((round = 1; round <= rounds; round++)); do
  if ((round % 2)); then
    ours "$round"; theirs "$round"; copies "$round"
  else
    copies "$round"; theirs "$round"; ours "$round"
  fi
done

median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# bytes algorithm p50 traffic, a line per round and case; columns are found by their names.
for csv in "$work"/ours*.csv; do
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["bytes"], $at["algorithm"], $at["p50_us"], $at["traffic_bytes"] }' "$csv"
done >"$work/ours"
copy_us=$(median <"$work/copies")

for size in "${sizes[@]}"; do
  best=""
  for algorithm in ${algorithms//,/ }; do
    p50=$(awk -v s="$size" -v a="$algorithm" '$1 == s && $2 == a { print $3 }' "$work/ours" | median)
    traffic=$(awk -v s="$size" -v a="$algorithm" '$1 == s && $2 == a { print $4; exit }' "$work/ours")
    say "$size bytes: $algorithm $p50 µs"
    if [ -z "$best" ] || awk "BEGIN { exit !($p50 < ${best%% *}) }"; then
      best="$p50 $algorithm $traffic"
    fi
  done
  mpi_us=$(awk -v s="$size" '$1 == s { print $2 }' "$work/theirs" | median)
  awk -v size="$size" -v best="$best" -v mpi="$mpi_us" -v copy="$copy_us" 'BEGIN {
    split(best, b, " ")
    label = size < 1048576 ? size / 1024 " KiB" : size / 1048576 " MiB"
    share = ""
    if (size == 16777216) {
      ours = b[3] / b[1] / 1e3
      arraycopy = 2 * 2 * size / copy / 1e3
      share = sprintf("  %.1f GB/s = %.0f %% of the copy bandwidth %.1f GB/s", ours, 100 * ours / arraycopy, arraycopy)
    }
    printf "%s  %s %.2f µs  Open MPI %.2f µs%s  ratio %.3f\n", label, b[2], b[1], mpi, share, b[1] / mpi
  }'
done
