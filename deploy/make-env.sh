#!/bin/sh
# Writes deploy/plumbline.env for docker-compose.yml: the example file with a new secret for each empty variable.
#   sh deploy/make-env.sh [PUBLIC_URL]
# PUBLIC_URL is the address that clients reach the API by, such as https://plumbline.example.com.
set -eu
umask 077
cd "$(dirname "$0")"

if [ -e plumbline.env ]; then
  echo "deploy/plumbline.env is there already. Its SECRET_KEY opens the stored data: keep it." >&2
  exit 1
fi

# 256 bits as 64 hexadecimal digits: safe in URLs and in shells.
secret() { od -An -v -N32 -tx1 /dev/urandom | tr -d ' \n'; }

postgres_password=$(secret)
while IFS= read -r line; do
  case $line in
    POSTGRES_PASSWORD=) echo "$line$postgres_password" ;;
    DATABASE_URL=) echo "${line}postgres://plumbline:$postgres_password@postgres:5432/plumbline" ;;
    PUBLIC_URL=*) if [ $# -gt 0 ]; then echo "PUBLIC_URL=$1"; else echo "$line"; fi ;;
    [A-Z]*=) echo "$line$(secret)" ;;
    *) echo "$line" ;;
  esac
done <plumbline.env.example >plumbline.env.new
# The last step: an interrupted run leaves no half file under the name that Compose reads.
mv plumbline.env.new plumbline.env
echo "Wrote deploy/plumbline.env. Keep a copy of it in a safe place."
