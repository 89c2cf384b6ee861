import { join } from "node:path";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { TelemetryPoint } from "../../../storage/ports/telemetry-store.ts";
import { openRecordStore } from "../../../storage/records/open.ts";
import { openEmbeddedTelemetryStore } from "../../../storage/telemetry/embedded/open.ts";

/** What the source was filled with, reckoned beside it and not read back. */
export interface KnownSource {
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** By asset: points, and the sum of the field `load_percent`, whose values are whole numbers. */
  readonly assets: ReadonlyMap<AssetId, { points: number; loadSum: number }>;
}

const PROJECTS = ["north-yard", "south-yard"] as ProjectId[];
const DAYS = 20;
const BATCH = 10_000;
const JOURNAL_ID = "0c1d5e1e-3ad4-4b4c-9a55-2f8d5b9f6e01";

/**
 * Fills a data folder as a service would have left it: `points` readings of `assets` machines over 20
 * days. They have gaps, fields that come and go, a change of project, values that are easily spoilt in
 * transit, and readings older than the retention.
 */
export async function makeSource(
  dataDir: string,
  size: { readonly points: number; readonly assets: number; readonly nowMs: number },
): Promise<KnownSource> {
  const assetIds = Array.from({ length: size.assets }, (_, i) => `machine-${i}` as AssetId);
  const rows = await fillRecords(join(dataDir, "records"), assetIds);
  const assets = await fillTelemetry(join(dataDir, "telemetry"), assetIds, size);
  return { rows, assets };
}

async function fillRecords(
  dataDir: string,
  assetIds: readonly AssetId[],
): Promise<Record<string, number>> {
  const store = await openRecordStore({ dataDir, databaseUrl: undefined });
  const at = "2026-03-05T12:00:00.000Z";
  for (const id of PROJECTS) {
    await store.projects.insert({
      id,
      // Text that a careless copy spoils: quotes, a backslash, a tab, beyond the basic plane.
      name: `It's "${id}" \\ \t 🚜 {a,b} NULL`,
      location: { latitude: 0.1 + 0.2, longitude: -179.9999999 },
      time_zone: "UTC",
      shift: { start: "00:00", end: "24:00" },
      created_at: at,
      updated_at: at,
    });
  }
  for (const [i, id] of assetIds.entries()) {
    const secretHash = new Uint8Array(32).map((_, k) => (i * 7 + k * 31) % 256);
    await store.assets.insert(
      {
        id,
        project_id: PROJECTS[i % 2] as ProjectId,
        name: `Machine ${i}`,
        type: "excavator",
        decoder: "plumbline",
        maintenance: false,
        created_at: at,
        updated_at: at,
      },
      secretHash,
    );
  }
  const quarantined = assetIds.map((assetId, i) => ({
    id: `${JOURNAL_ID}-${i + 1}`,
    assetId,
    projectId: PROJECTS[i % 2] as ProjectId,
    receivedAtMs: Date.parse(at) + i,
    topic: `sites/x/assets/${assetId}/telemetry`,
    format: "telemetry",
    reason: "not JSON",
    payload: Uint8Array.from({ length: 256 }, (_, byte) => byte),
    replayedAtMs: undefined,
  }));
  await store.pipeline.commit({
    checkpoint: { journalId: JOURNAL_ID, sequence: 77 },
    states: assetIds.map((assetId) => ({ assetId, state: '{"text":"\\u0000 is kept"}' })),
    days: assetIds.map((assetId) => ({
      assetId,
      projectId: PROJECTS[0] as ProjectId,
      day: "2026-03-05",
      workingS: 1 / 3,
      overtimeS: 1e-300,
      engineOnS: Number.MAX_SAFE_INTEGER,
      distanceM: 0.1 + 0.2,
    })),
    quarantined,
    events: [],
    visits: [],
    alerts: [],
    shared: new Map([["stage", "{}"]]),
  });
  await store.close();
  const each = assetIds.length;
  return {
    projects: 2,
    assets: each,
    asset_state: each,
    utilization_days: each,
    quarantine: each,
    pipeline_shared: 1,
    pipeline_checkpoint: 1,
  };
}

async function fillTelemetry(
  dir: string,
  assetIds: readonly AssetId[],
  { points, nowMs }: { readonly points: number; readonly nowMs: number },
): Promise<KnownSource["assets"]> {
  const store = await openEmbeddedTelemetryStore({ dir });
  const perAsset = Math.ceil(points / assetIds.length);
  const stepMs = Math.floor((DAYS * 86_400_000) / perAsset);
  const startMs = Math.floor(nowMs / 1_000) * 1_000 - DAYS * 86_400_000;
  const known = new Map(assetIds.map((id) => [id, { points: 0, loadSum: 0 }]));
  let sequence = 0;
  let batch: TelemetryPoint[] = [];
  async function write(): Promise<void> {
    await store.write(batch, { journalId: JOURNAL_ID, sequence: ++sequence });
    batch = [];
  }
  for (let k = 0; k < perAsset; k++) {
    for (const [i, assetId] of assetIds.entries()) {
      const load = (k * 13 + i * 7) % 101;
      // A machine that moves between sites half-way.
      const project = PROJECTS[k * 2 < perAsset ? 0 : 1] as ProjectId;
      batch.push({
        assetId,
        projectId: project,
        fixTimeMs: startMs + k * stepMs + i,
        seq: k,
        payloadHash: i,
        fields: fieldsOf(k, i, load),
      });
      const sums = known.get(assetId);
      if (sums !== undefined) {
        sums.points += 1;
        sums.loadSum += load;
      }
      if (batch.length === BATCH) await write();
    }
  }
  // Two readings of one fix time are one row; readings of long ago stay behind.
  const twin = { seq: perAsset, payloadHash: 1, fields: { late_field: 1.5 } };
  for (const assetId of assetIds) {
    batch.push({
      assetId,
      projectId: PROJECTS[1] as ProjectId,
      fixTimeMs: startMs + assetIds.indexOf(assetId),
      ...twin,
    });
    batch.push({
      assetId,
      projectId: PROJECTS[1] as ProjectId,
      fixTimeMs: nowMs - 89.5 * 86_400_000,
      ...twin,
    });
  }
  await write();
  await store.close();
  return known;
}

/** Values that lose something in a careless conversion, and a field that only some readings have. */
function fieldsOf(k: number, i: number, load: number): Record<string, number> {
  return {
    latitude: 52 + k * 1e-7 + i / 3,
    longitude: 13.377704 - k * 1e-7,
    accuracy_meters: k % 2 === 0 ? 2.5 : 0.1 + 0.2,
    speed_kmh: (k % 70) / 7,
    heading: k % 5 === 0 ? -0 : (k * 11) % 360,
    load_percent: load,
    engine_hours: 2 ** 40 + k / 8,
    ...(k % 3 === 0 ? { [`extra_${i % 4}`]: 1e-9 * k } : {}),
  };
}
