import type { GeofenceVersion } from "../storage/ports/equipment/geofences.ts";
import type { ReportedAccuracy } from "../test/ingest/geofence/noise.ts";
import { rectangle } from "../test/ingest/geofence/site.ts";
import {
  arrivals,
  crossingDelays,
  outliersReported,
  pairsPerDay,
  quantile,
  waitInBox,
} from "./geofence/jitter-runs.ts";

/**
 * False crossings of a machine parked on the edge of a fence, and what the protection against them costs
 * where a crossing is true. Run: `npx tsx bench/geofence-jitter.ts [seeds]` (default 20; about 5 min)
 */
const SEEDS = Number(process.argv[2] ?? 20);
const SIGMAS_M = [3, 5, 10] as const;
const REPORTS: readonly ReportedAccuracy[] = ["right", "missing", "wrong"];

const edge = rectangle("fence", [0, -2_000, 4_000, 2_000]);
const corner = rectangle("fence", [0, 0, 4_000, 4_000]);
const shapes: readonly (readonly [string, GeofenceVersion])[] = [
  ["edge", edge],
  ["corner", corner],
];

console.log(`False enter + exit pairs per day, parked, 1 fix per 10 s, mean of ${SEEDS} days.`);
console.log("Accuracy right = 68 % radius, missing = 15 m assumed, wrong = 1.9 m.");
console.log(
  "ours | arriving first | set difference | plain rules (1 x accuracy, or 2 in a row) | 1 x only | 2 x only",
);
for (const [name, fence] of shapes) {
  for (const correlationS of [60, 300]) {
    for (const sigmaM of SIGMAS_M) {
      for (const reported of REPORTS) {
        const run = { fence, seeds: SEEDS, sigmaM, correlationS, reported };
        const pairs = pairsPerDay(run);
        const row = [
          pairs.ours,
          arrivals(run),
          pairs.setDifference,
          pairs.design,
          pairs.onceAccuracy,
          pairs.twiceAccuracy,
        ];
        const what = `${name}, correlation ${correlationS} s, sigma ${sigmaM} m, ${reported}`;
        console.log(`${what.padEnd(48)}${row.map((n) => n.toFixed(2).padStart(9)).join("")}`);
      }
    }
  }
}

console.log(
  "\nTrue crossings at right angles, in and out: fixes until reported, median / 95 %, from the",
);
console.log(
  "first fix after the true crossing (that one is 1), the same in s, and [fixes from the first one",
);
console.log(
  "that lies beyond the edge by its accuracy]. `!`: crossings missed or reported too often.",
);
for (const everyS of [10, 1]) {
  for (const start of ["300 m away", "a stay 20 m off"] as const) {
    for (const sigmaM of SIGMAS_M) {
      for (const reported of REPORTS) {
        const cells = [3, 5, 10, 20, 40].map((kmh) => {
          const run = { fence: edge, seeds: SEEDS, sigmaM, correlationS: 60, reported };
          const { fixes, seconds, surelyFixes, faults } = crossingDelays({
            ...run,
            ...{ everyS, start, kmh },
          });
          const [inFixes, inSeconds, inSurely] = [fixes, seconds, surelyFixes].map(
            (values) => `${quantile(values, 0.5)}/${quantile(values, 0.95)}`,
          );
          return `${kmh} km/h ${inFixes}, ${inSeconds} s [${inSurely}]${faults > 0 ? ` !${faults}` : ""}`;
        });
        const what = `1 fix/${everyS} s, ${start}, sigma ${sigmaM} m, ${reported}`;
        console.log(`${what.padEnd(52)}${cells.map((cell) => cell.padEnd(30)).join("")}`);
      }
    }
  }
}

console.log(
  "\nParked in the middle of a 20 x 20 m box, coming at 3 km/h: minutes until reported, median / worst.",
);
for (const stoodS of [0, 3_600]) {
  for (const sigmaM of [3, 5] as const) {
    const cells = REPORTS.map((reported) => {
      const minutes = waitInBox({ seeds: SEEDS, sigmaM, correlationS: 60, reported, stoodS });
      return `${reported} ${quantile(minutes, 0.5).toFixed(1)}/${quantile(minutes, 1).toFixed(1)}`;
    });
    const known = stoodS === 0 ? "no stay before" : "a stay of an hour before";
    console.log(
      `${`sigma ${sigmaM} m, ${known}`.padEnd(40)}${cells.map((c) => c.padEnd(22)).join("")}`,
    );
  }
}

console.log("\nOne fix 5 km away in an hour, stationary and driving: crossings reported.");
for (const sigmaM of SIGMAS_M) {
  const run = { fence: edge, seeds: SEEDS, sigmaM, correlationS: 60 };
  console.log(
    `sigma ${sigmaM} m: ${REPORTS.map((reported) => `${reported} ${outliersReported({ ...run, reported })}`).join(", ")}`,
  );
}
