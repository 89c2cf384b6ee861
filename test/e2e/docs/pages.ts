/** Commands that are not run, and why; matched against a whole command, continued lines included. */
export interface LeftOut {
  readonly command: RegExp;
  readonly why: string;
}

/** What a page expects to be there before its first command. */
export interface PageSetUp {
  /** Assets of the project `north-yard`, in order; the secret of the last one is `$PASSWORD` and `$SECRET`. */
  readonly assets?: readonly AssetSetUp[];
  /** Whether the page makes the project itself; by default it is there. */
  readonly makesProject?: boolean;
  /** Commands that make the files and variables that the page names. */
  readonly before?: string;
  readonly leftOut?: readonly LeftOut[];
  /** Messages that the page sends to show what is refused; default 0. */
  readonly quarantined?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

interface AssetSetUp {
  readonly id: string;
  readonly decoder?: string;
  readonly hardware_id?: string;
}

const DIGGER: AssetSetUp = { id: "digger-1" };

const NEEDS_CAN: LeftOut = { command: /can0|candump|collector/, why: "a CAN bus" };
const ON_THE_TRACKER: LeftOut = { command: /gpsctl/, why: "it runs on the tracker" };

const FENCE_FILES = `
cat > fences.geojson <<'END'
{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Yard"},
"geometry":{"type":"Polygon","coordinates":[[[13.4,52.5],[13.41,52.5],[13.41,52.51],[13.4,52.5]]]}}]}
END
cat > fences.kml <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Gate</name><Polygon><outerBoundaryIs>
<LinearRing><coordinates>13.42,52.5 13.43,52.5 13.43,52.51 13.42,52.5</coordinates></LinearRing>
</outerBoundaryIs></Polygon></Placemark></Document></kml>
END
`;

/**
 * Pages that need more than a running service and a project. A page that is not listed, with a project
 * `north-yard` and no asset, is run as well.
 */
export const PAGES: Readonly<Record<string, PageSetUp>> = {
  "README.md": {
    makesProject: true,
    leftOut: [{ command: /^npm (ci|run demo)$/, why: "`.ci/run` does so by itself" }],
  },
  "docs/api-tour.md": {
    makesProject: true,
    leftOut: [
      { command: /reconciliation/, why: "it needs two measurements and the loads between them" },
    ],
  },
  "docs/surveys-api.md": {
    leftOut: [{ command: /\$SURVEY|preview-volume/, why: "it needs a survey that was measured" }],
  },
  "docs/backup.md": {
    leftOut: [{ command: /migrate-data/, why: "PostgreSQL and InfluxDB (`npm run test:migrate`)" }],
  },
  "docs/commands.md": { assets: [DIGGER] },
  "docs/deploy.md": {
    leftOut: [
      { command: /make-env|docker compose/, why: "Docker (`npm run test:image`)" },
      { command: /secrets\.env|kubectl/, why: "Kubernetes (test/deploy/kubernetes.test.ts)" },
    ],
  },
  "docs/events.md": { assets: [DIGGER] },
  "docs/forwarding.md": {
    settings: { OUTBOUND_ALLOW_CIDRS: "192.168.7.0/24" },
    leftOut: [
      { command: /^node -e/, why: "it prints until it is interrupted" },
      { command: /^mosquitto_sub -h 192/, why: "another broker (test/e2e/forwarding.test.ts)" },
    ],
  },
  "docs/geofences.md": { before: FENCE_FILES },
  "docs/http-ingest.md": {
    quarantined: 1,
    assets: [
      { id: "ex-8", hardware_id: "plant/8" },
      { id: "pixel", decoder: "owntracks", hardware_id: "crew/pixel" },
      { id: "lora-1", decoder: "things-stack", hardware_id: "0004A30B001C0530" },
      { id: "ex-7" },
      { id: "gateway-1", hardware_id: "plant" },
      { id: "crew", decoder: "owntracks", hardware_id: "crew" },
      { id: "tts", decoder: "things-stack" },
    ],
  },
  "docs/http.md": { assets: [DIGGER] },
  "docs/iso15143-3.md": {
    assets: [{ id: "loader-7" }],
    leftOut: [
      { command: /\/poll/, why: "another maker's server (test/e2e/fleet-sources.test.ts)" },
    ],
  },
  "docs/several-machines.md": {
    leftOut: [
      { command: /mosquitto-files/, why: "PostgreSQL (`npm run test:cluster`)" },
      { command: /KAFKA_BROKERS|migrate-data/, why: "Kafka (`npm run test:kafka`)" },
    ],
  },
  "docs/surveys.md": {
    before: "npm run --silent simulate -- survey --out ./photographs --images 14 --width 640 --rtk",
  },
  "docs/tls.md": {
    leftOut: [
      {
        command: /npm start|mosquitto_pub|curl/,
        why: "listeners of their own (test/e2e/tls.test.ts)",
      },
    ],
  },
  "docs/devices/j1939.md": { leftOut: [NEEDS_CAN] },
  "docs/devices/not-online.md": { assets: [DIGGER] },
  "docs/devices/teltonika.md": { settings: { TELTONIKA_PORT: "0" }, leftOut: [ON_THE_TRACKER] },
  "docs/devices/traccar.md": { settings: { OSMAND_PORT: "0" } },
};
