# What every page's commands are run with. An answer that is not a success fails; the last answers are kept, so
# that `NAME=...` of a page ("from the answer above") can be filled in.
set -eo pipefail
shopt -s expand_aliases
export URL="$BASE/api/v1"
alias plumb='curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json"'

curl() {
  local answer status=0
  case " $* " in
    # A stream has no end.
    *" -N "*)
      timeout 3 "$CURL" -sS "$@" || [ $? -eq 124 ]
      return
      ;;
  esac
  answer=$(mktemp "$ANSWERS/XXXXXX")
  "$CURL" -sS --fail-with-body "$@" | tee "$answer" || status=$?
  if grep -q '"password"' "$answer"; then cp "$answer" "$ANSWERS/password"; fi
  if grep -q 'id"' "$answer"; then cp "$answer" "$ANSWERS/id"; fi
  return $status
}

# The first value of a member in the last answer that had one: "password"; or `id measurement`, which is
# "measurement_id", and "id" where there is none.
from_answers() {
  first_of "$1" "${2:-}_$1" || first_of "$1" "$1"
}
first_of() {
  grep -o "\"$2\":\"[^\"]*\"" "$ANSWERS/$1" | head -n 1 | cut -d'"' -f4 | grep .
}

# Equal options of a simulator give equal bytes: what one page has made is copied for another.
npm() {
  local argument folder="" out="" known
  for argument in "$@"; do
    [ "$folder" != --out ] || out=$argument
    folder=$argument
  done
  case " $* " in
    *" simulate -- survey "* | *" simulate -- project "*) ;;
    *) command npm "$@"; return ;;
  esac
  known=$SIMULATED/$(echo "$*" | md5sum | cut -c1-32)
  # Two pages may need the same at once.
  exec 9>"$known.lock"
  flock 9
  if [ ! -d "$known" ]; then
    command npm "$@" 9>&-
    cp -r "$out" "$known"
  elif [ ! -e "$out" ]; then cp -r "$known" "$out"
  fi
  exec 9>&-
}

# A subscription is ended after 2 s. By default both talk to port 1883.
mosquitto_sub() {
  case " $* " in *" -p "*) ;; *) set -- -p "$MQTT" "$@" ;; esac
  command mosquitto_sub -W 2 "$@" || [ $? -eq 27 ]
}
mosquitto_pub() {
  case " $* " in *" -p "*) ;; *) set -- -p "$MQTT" "$@" ;; esac
  command mosquitto_pub "$@"
  everything_read
}

# Waits until every reader of the journal has read what was published.
everything_read() {
  while "$CURL" -s "$BASE/metrics" | grep '^plumbline_journal_lag_records' | grep -qv ' 0$'; do sleep 0.1; done
}
