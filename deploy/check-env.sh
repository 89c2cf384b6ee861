#!/bin/sh
# Refuses what Compose would pass on and nobody would notice: placeholders of example files in secrets that only
# other programs read, and listeners on ports that no mapping of docker-compose.yml leads to.
#   in the container of the service `check`: before every other one
#   by hand: sh deploy/check-env.sh deploy/plumbline.env
set -eu

if [ $# -gt 0 ]; then
  given=$(grep -E '^[A-Z][A-Z0-9_]*=' "$1")
else
  given=$(env)
fi
problems=0
refuse() {
  echo "$1" >&2
  problems=1
}

# The pattern is that of config/placeholder.ts.
placeholders=$(printf '%s\n' "$given" | grep -iE '^[A-Z0-9_]+=(.*[^a-z])?change[-_ ]?me([^a-z].*)?$' | cut -d= -f1) || true
for name in $placeholders; do
  refuse "$name still holds the placeholder of an example file"
done

# Name of the setting, and the port inside the container that is published.
while read -r name inside; do
  value=$(printf '%s\n' "$given" | sed -n "s/^$name=//p" | tail -n 1)
  case $value in
    "" | off | "$inside") ;;
    *) refuse "$name is $value: in a container it is $inside or off; the port of the machine is another variable (docs/deploy.md)" ;;
  esac
done <<TABLE
HTTP_PORT 8080
HTTPS_PORT 8443
MQTT_PORT 1883
MQTTS_PORT 8883
MQTT_WS_PORT 8083
MQTT_WSS_PORT 8084
TELTONIKA_PORT 5027
OSMAND_PORT 5055
TABLE
exit "$problems"
