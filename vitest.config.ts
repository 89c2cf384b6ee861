import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PATIENT_MS } from "./test/support/patience.ts";

// Where a machine-readable report goes beside the usual output; `.ci/run` adds up the totals from it.
const reportFile = process.env["TEST_REPORT"];

/**
 * Whole processes that are started wrongly, killed, traced and given damaged disks, and whole fleets and surveys:
 * `npm run test:faults`. In `npm test` they took a tenth of its four minutes.
 */
const FAULTS = [
  // Minutes each, much of it waiting: they begin first, or a core would be idle while the last of them ends.
  "test/e2e/demo-sites.test.ts",
  "test/e2e/journal-gap.test.ts",
  "test/cli/check.test.ts",
  "test/cli/plumbline.test.ts",
  "test/deploy/compose.test.ts",
  "test/deploy/fleet-dashboard.test.ts",
  "test/e2e/cannot-start.test.ts",
  "test/e2e/cluster/mosquitto-files.test.ts",
  "test/e2e/dashboard.test.ts",
  "test/e2e/demo.test.ts",
  "test/e2e/device-formats.test.ts",
  "test/e2e/fleet-sources.test.ts",
  "test/e2e/forwarding.test.ts",
  "test/e2e/fsync-order.test.ts",
  "test/e2e/liveness.test.ts",
  "test/e2e/own-survey.test.ts",
  "test/e2e/service.test.ts",
  "test/e2e/tls.test.ts",
  "test/e2e/torn-tail.test.ts",
  "test/e2e/uploads.test.ts",
  "test/processing/engine/local-survey.test.ts",
  "test/processing/progress/camera/camera-analyser.test.ts",
  "test/processing/survey/survey-job.test.ts",
  "test/simulators/project/project.test.ts",
  "test/simulators/run.test.ts",
  "test/storage/check/lost-telemetry.test.ts",
  "test/storage/kafka/kafka-log.test.ts",
  "test/storage/kafka/killed-brokers.test.ts",
  "test/storage/migration/checksums.test.ts",
  "test/storage/records/pglite/crashed-damage.test.ts",
  "test/storage/records/pglite/embedded-database.test.ts",
  "test/storage/records/durability.test.ts",
  "test/storage/records/pglite/prepared.test.ts",
  "test/storage/telemetry/embedded/full-disk.test.ts",
];

/**
 * What computes for seconds: streams of megabytes to clients that do not read, the compilers of what is kept as
 * built, the imports of all sources, and all cases of the files that take only some of them in `npm test`
 * (test/support/some-of.ts). `npm run test:long`.
 */
const ONLY_LONG = [
  "test/api/live/slow-clients.test.ts",
  "test/architecture/imports.test.ts",
  "test/processing/wasm/build.test.ts",
  "test/simulators/fleet/world/world.test.ts",
];
const LONG = [
  "test/api/writes/done-once.test.ts",
  "test/ingest/geofence/fence-index.test.ts",
  "test/ingest/pipeline/credited-once.test.ts",
  "test/ingest/pipeline/historical.test.ts",
  "test/ingest/pipeline/late-fixes.test.ts",
  "test/ingest/pipeline/permutations.test.ts",
  "test/ingest/pipeline/sparse-days.test.ts",
  "test/processing/engine/given-heights.test.ts",
  "test/processing/map-tiles/draw-tile.test.ts",
  "test/processing/measurement/surface/measure-volume.test.ts",
  "test/processing/photogrammetry/orient/control/control.test.ts",
  "test/processing/photogrammetry/orient/level.test.ts",
  "test/processing/photogrammetry/orient/network/turned-images.test.ts",
  "test/processing/photogrammetry/orient/precision/straight-positions.test.ts",
  "test/processing/photogrammetry/orient/scale-sources.test.ts",
  "test/processing/photogrammetry/products/point-cloud.test.ts",
  "test/processing/progress/camera/registration.test.ts",
  "test/processing/reconciliation/simulated-trucks.test.ts",
  "test/storage/journal/kill.test.ts",
];

/**
 * The files of the two lists above that take longer than 10 s on a busy machine, each third about as long as the
 * others. `.ci/run` sets `TEST_DAY` to 0, 1 or 2, and runs one third beside all the shorter files; otherwise all of
 * them run.
 */
const BY_DAY = [
  [
    "test/e2e/demo-sites.test.ts",
    "test/deploy/compose.test.ts",
    "test/e2e/fleet-sources.test.ts",
    "test/e2e/forwarding.test.ts",
    "test/simulators/project/project.test.ts",
    "test/simulators/run.test.ts",
    "test/storage/records/pglite/embedded-database.test.ts",
    "test/architecture/imports.test.ts",
    "test/processing/map-tiles/draw-tile.test.ts",
    "test/processing/photogrammetry/orient/control/control.test.ts",
    "test/processing/photogrammetry/orient/precision/straight-positions.test.ts",
    "test/storage/journal/kill.test.ts",
  ],
  [
    "test/e2e/journal-gap.test.ts",
    "test/e2e/cannot-start.test.ts",
    "test/cli/plumbline.test.ts",
    "test/e2e/device-formats.test.ts",
    "test/processing/progress/camera/camera-analyser.test.ts",
    "test/processing/survey/survey-job.test.ts",
    "test/storage/kafka/kafka-log.test.ts",
    "test/storage/migration/checksums.test.ts",
    "test/storage/records/pglite/prepared.test.ts",
    "test/api/writes/done-once.test.ts",
    "test/ingest/pipeline/historical.test.ts",
    "test/ingest/pipeline/permutations.test.ts",
    "test/ingest/pipeline/sparse-days.test.ts",
    "test/processing/photogrammetry/orient/network/turned-images.test.ts",
    "test/processing/progress/camera/registration.test.ts",
  ],
  [
    "test/cli/check.test.ts",
    "test/e2e/demo.test.ts",
    "test/e2e/liveness.test.ts",
    "test/e2e/torn-tail.test.ts",
    "test/e2e/uploads.test.ts",
    "test/storage/kafka/killed-brokers.test.ts",
    "test/storage/check/lost-telemetry.test.ts",
    "test/storage/records/durability.test.ts",
    "test/storage/records/pglite/crashed-damage.test.ts",
    "test/api/live/slow-clients.test.ts",
    "test/ingest/geofence/fence-index.test.ts",
    "test/ingest/pipeline/late-fixes.test.ts",
    "test/processing/engine/given-heights.test.ts",
    "test/processing/measurement/surface/measure-volume.test.ts",
    "test/processing/photogrammetry/orient/scale-sources.test.ts",
    "test/simulators/fleet/world/world.test.ts",
  ],
];
const testDay = process.env["TEST_DAY"] ?? "";
/** Files of the other days; none unless `TEST_DAY` is one of the three. */
const ON_OTHER_DAYS = /^[012]$/.test(testDay)
  ? BY_DAY.filter((_, day) => day !== Number(testDay)).flat()
  : [];

/** A data folder of which every file is damaged in turn: `npm run test:damage`. */
const DAMAGE = ["test/e2e/damage/*.test.ts", "test/storage/check/interrupted.test.ts"];

/** Several processes, or both kinds of stores, on one PostgreSQL: `npm run test:roles`. */
const ROLES = ["test/e2e/roles/*.test.ts", "test/storage/migration/migrate-data.test.ts"];

/** Pages in a browser of the machine, skipped where there is none: `npm run test:browser`. */
const BROWSER = ["test/browser/*.test.ts"];

/** Files of `FAULTS` in the order of the list; others as vitest orders them. */
class FaultsAsListed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      FAULTS.findIndex((file) => moduleId.endsWith(`/${file}`));
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/**
 * How a process runs that takes hundreds of files, and its threads.
 * - Young objects, MiB: with V8's own limit of 16 the tests of API and ingest took 4 % more processor time, in two
 *   pairs of runs. 128 gave no more. As many from the start would break the limits of threads that are tested.
 * - Garbage is collected by the thread that makes it: there is a process for each core.
 */
const MANY_FILES = ["--max-semi-space-size=64", "--single-threaded-gc"];

/** Longest test or hook, ms: several waits of the longest kind, one after the other. */
const STUCK_MS = 4 * PATIENT_MS;

export default defineConfig({
  test: {
    reporters:
      reportFile === undefined ? ["default"] : ["default", ["json", { outputFile: reportFile }]],
    // vmThreads breaks `instanceof` for errors that come from worker threads.
    pool: "forks",
    runner: "./test/support/set-up-first.ts",
    // Transformed sources stay on disk, by their content: a second run transforms only what has changed.
    experimental: { fsModuleCache: true },
    // Many tests wait for processes and disks: by default one core of two would stay idle.
    maxWorkers: 2,
    // How long a busy machine takes is not a finding: where a time is promised, it is asserted. These
    // limits only end what hangs; at a load of 20 a second of work takes ten.
    expect: { requireAssertions: true, poll: { timeout: PATIENT_MS } },
    testTimeout: STUCK_MS,
    hookTimeout: STUCK_MS,
    teardownTimeout: STUCK_MS,
    sequence: { sequencer: FaultsAsListed },
    restoreMocks: true,
    unstubEnvs: true,
    exclude: ["dist/**", "node_modules/**"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...ONLY_LONG, ...FAULTS, ...DAMAGE, ...ROLES, ...BROWSER],
          // Processes that keep what they imported: no file leaves anything behind that another could find.
          isolate: false,
          execArgv: MANY_FILES,
        },
      },
      {
        extends: true,
        test: { name: "faults", include: FAULTS, exclude: ON_OTHER_DAYS },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: [...ONLY_LONG, ...LONG],
          exclude: ON_OTHER_DAYS,
          isolate: false,
          execArgv: MANY_FILES,
          env: { TEST_ALL_CASES: "1" },
        },
      },
      {
        extends: true,
        test: { name: "damage", include: DAMAGE },
      },
      {
        extends: true,
        test: { name: "roles", include: ROLES },
      },
      {
        extends: true,
        test: { name: "browser", include: BROWSER },
      },
    ],
  },
});
