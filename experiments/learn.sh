# Sourced by the scripts of experiments that learn players into the lab's folder. They set tetrolab, lab, out and threads (a flag, or nothing).
# shellcheck shell=sh disable=SC2086,SC2154 # flags of one word or none, set elsewhere

# learn NAME LEARNER SEED FLAGS...: a player in the lab's folder, and its curve as CSV. One that is there already is not learned again, and a run that
# was stopped goes on.
learn() {
    name=$1
    learner=$2
    seed=$3
    shift 3
    if [ ! -e "$lab/$name.toml" ]; then
        resume=
        [ -e "$lab/$name" ] && resume=--resume
        "$tetrolab" learn "$learner" "$@" --seed "$seed" --run "$lab/$name" $resume --test-games 0 --quiet $threads --out "$lab/$name.toml"
    fi
    "$tetrolab" runs "$name" --lab "$lab" --csv > "$out/curves/$name.csv"
}
