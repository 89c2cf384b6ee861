/** How a device reaches the broker. */
export interface MqttAddress {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** The broker asks for a client certificate. */
  readonly asksForCertificate: boolean;
}

interface Publication {
  readonly address: MqttAddress;
  readonly username: string;
  readonly password: string;
  readonly topic: string;
  /** JSON; `undefined`: the file `message`, for formats that we have no example of. */
  readonly payload: string | undefined;
}

/** A text as one word of a POSIX shell. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** A line that publishes one message with QoS 1, as it is pasted into a shell. */
export function publishCommand(publication: Publication): string {
  const { address, username, password, topic, payload } = publication;
  const { host, port, isTls, asksForCertificate } = address;
  const parts = [
    `mosquitto_pub -h ${shellWord(host)} -p ${port}`,
    isTls ? "--cafile ca.crt" : "",
    isTls && asksForCertificate ? "--cert device.crt --key device.key" : "",
    `-u ${shellWord(username)} -P ${shellWord(password)}`,
    `-i ${shellWord(username)} -q 1 -t ${shellWord(topic)}`,
    payload === undefined ? "-f message" : `-m ${shellWord(payload)}`,
  ];
  return parts.filter((part) => part !== "").join(" \\\n  ");
}

/** A message in our own format that puts the machine at a place, degrees WGS 84; a sixth decimal is 0.1 m. */
export function samplePayload(place: { readonly latitude: number; readonly longitude: number }) {
  return JSON.stringify({
    latitude: Number(place.latitude.toFixed(6)),
    longitude: Number(place.longitude.toFixed(6)),
    speed_kmh: 0,
    engine_on: true,
  });
}

/** An id for a machine of that name: lower case letters, digits and hyphens, 64 at most. */
export function idFor(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll("ß", "ss")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, "");
}
