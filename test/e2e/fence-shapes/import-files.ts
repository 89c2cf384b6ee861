import { setTimeout as delay } from "node:timers/promises";
import { createApiClient } from "../../support/api-client.ts";
import { feature, fenceFile } from "../../support/fence-file.ts";
import { seededRandom } from "../../support/seeded-random.ts";

/**
 * Most time of a processor for a file of 5,000 features, seconds. On a machine that does nothing else the import
 * takes no longer by the clock, because it waits for nothing.
 */
const MOST_CPU_S = 5;
/** Corners of a fence of the file. */
const CORNERS = 24;

/** Imports large files into a running service. */
export async function importFiles(
  given: {
    readonly url: string;
    readonly adminKey: string;
    readonly features: number;
    readonly seed: number;
  },
  say: (line: string) => void,
): Promise<readonly (readonly [string, boolean])[]> {
  const { url, adminKey, features: count } = given;
  const admin = createApiClient(url, adminKey);
  const location = { latitude: 52.5, longitude: 13.4 };
  await admin.post("/projects", { id: "import", name: "Import", location });
  const random = seededRandom(given.seed);
  const good = Array.from({ length: count }, (_, i) => polygon(i, random));
  const listed = async () => {
    const { pagination } = await admin.get<{ pagination: { total: number } }>(
      "/equipment/geofences?project_id=import&limit=1",
    );
    return pagination.total;
  };
  const send = async (what: string, features: readonly unknown[]) => {
    const body = JSON.stringify(fenceFile(features));
    const beforeS = await cpuSeconds(url);
    const stalls = watchStalls(url);
    const startMs = performance.now();
    const response = await fetch(`${url}/api/v1/equipment/geofences/import?project_id=import`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/geo+json" },
      body,
    });
    const answer: { imported?: number; error?: { details?: { parameter: string }[] } } = JSON.parse(
      await response.text(),
    );
    const tookMs = performance.now() - startMs;
    const stallMs = await stalls();
    const cpuS = (await cpuSeconds(url)) - beforeS;
    say(
      `${what}: ${features.length} features, ${body.length} bytes, ${response.status} in ${tookMs.toFixed(0)} ms, ${cpuS.toFixed(2)} s of CPU; the longest answer of /health/live meanwhile ${stallMs.toFixed(0)} ms`,
    );
    return { status: response.status, answer, cpuS };
  };

  const bow = [
    [13, 52],
    [13.01, 52.01],
    [13.01, 52],
    [13, 52.01],
    [13, 52],
  ];
  const at = Math.floor(count / 2);
  const flawed = await send("a file with one flaw", good.with(at, feature("Polygon", [bow])));
  const afterFlawed = await listed();
  const whole = await send("polygons", good);
  const afterWhole = await listed();
  const drawn = Array.from({ length: Math.min(1_000, count) }, (_, i) => shape(i, random));
  const shapes = await send("circles and corridors", drawn);
  return [
    [
      "a file with one flaw is refused, by feature and vertex, and nothing of it is stored",
      flawed.status === 400 &&
        flawed.answer.error?.details?.[0]?.parameter ===
          `features[${at}].geometry.coordinates[0][2]` &&
        afterFlawed === 0,
    ],
    [
      `all ${count} features are fences afterwards`,
      whole.status === 201 && whole.answer.imported === count && afterWhole === count,
    ],
    [`${count} polygons take less than ${MOST_CPU_S} s of CPU`, whole.cpuS < MOST_CPU_S],
    [
      `${drawn.length} circles and corridors are stored too`,
      shapes.status === 201 && (await listed()) === count + drawn.length,
    ],
  ];
}

/** Time of a processor that the service has used, all threads, s. */
async function cpuSeconds(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = /^process_cpu_seconds_total (\S+)/m.exec(text)?.[1];
  if (found === undefined) throw new Error("the service shows no process_cpu_seconds_total");
  return Number(found);
}

/** A star-shaped fence somewhere on a site. */
function polygon(i: number, random: () => number) {
  const [lonDeg, latDeg] = [13 + (i % 100) * 0.01, 52 + Math.floor(i / 100) * 0.01];
  const ring = Array.from({ length: CORNERS }, (_, k) => {
    const angle = (2 * Math.PI * k) / CORNERS;
    const reachDeg = 0.001 + 0.002 * random();
    return [lonDeg + reachDeg * Math.cos(angle), latDeg + reachDeg * Math.sin(angle)];
  });
  return feature("Polygon", [[...ring, ring[0]]], { name: `Fence ${i}`, kind: "zone", layer: 7 });
}

/** A circle, or a road of eight points. */
function shape(i: number, random: () => number) {
  const [lonDeg, latDeg] = [13 + random(), 52 + random()];
  if (i % 2 === 0) return feature("Point", [lonDeg, latDeg], { radius_m: 5 + 200 * random() });
  const line = Array.from({ length: 8 }, (_, k) => [
    lonDeg + k * 0.001,
    latDeg + 0.0005 * random(),
  ]);
  return feature("LineString", line, { width_m: 6 + 10 * random() });
}

/** Asks for the liveness over and over; yields the longest answer, ms, at the end. */
function watchStalls(url: string): () => Promise<number> {
  let isOver = false;
  let longestMs = 0;
  const watching = (async () => {
    while (!isOver) {
      const startMs = performance.now();
      await (await fetch(`${url}/health/live`)).text();
      longestMs = Math.max(longestMs, performance.now() - startMs);
      await delay(5);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return longestMs;
  };
}
