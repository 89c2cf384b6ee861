import type { ApiKey } from "../../../domain/api-key.ts";
import type { AssetRegistration } from "../../../domain/asset.ts";
import type { ApiKeyId, AssetId, ProjectId } from "../../../domain/ids.ts";
import type { Project } from "../../../domain/project.ts";
import type { PipelineCommit, QuarantineEntry } from "../../../storage/ports.ts";

/** The journal that commits and quarantined messages of these tests come from. */
export const JOURNAL = "6f1c1f0e-6f0e-4d3a-9d5b-0a4f2f6f7a10";

export const projectId = (id: string) => id as ProjectId;
export const assetId = (id: string) => id as AssetId;
export const keyId = (id: string) => id as ApiKeyId;

/** 32 bytes that say which hash they are. */
export const hash32 = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);

export function project(id: string, change: Partial<Project> = {}): Project {
  return {
    id: projectId(id),
    name: "North pit",
    location: { latitude: 52.52, longitude: -13.405 },
    time_zone: "Europe/Berlin",
    shift: { start: "06:30", end: "24:00" },
    created_at: "2026-11-20T08:00:00.000Z",
    updated_at: "2026-11-20T08:00:00.000Z",
    ...change,
  };
}

export function asset(id: string, change: Partial<AssetRegistration> = {}): AssetRegistration {
  return {
    id: assetId(id),
    project_id: projectId("p1"),
    name: "Bagger 7 – Überführung",
    type: "excavator",
    decoder: "plumbline",
    maintenance: false,
    created_at: "2026-11-20T09:00:00.000Z",
    updated_at: "2026-11-20T09:00:00.000Z",
    ...change,
  };
}

export function apiKey(id: string, change: Partial<ApiKey> = {}): ApiKey {
  return {
    id: keyId(id),
    name: "site office",
    prefix: "plb_live_ab12",
    scopes: ["equipment:read", "events:read"],
    plan: "standard",
    created_at: "2026-11-20T10:00:00.000Z",
    ...change,
  };
}

export function commit(sequence: number, change: Partial<PipelineCommit> = {}): PipelineCommit {
  return {
    checkpoint: { journalId: JOURNAL, sequence },
    states: [],
    days: [],
    quarantined: [],
    events: [],
    visits: [],
    alerts: [],
    shared: new Map(),
    ...change,
  };
}

export function quarantined(
  sequence: number,
  change: Partial<QuarantineEntry> = {},
): QuarantineEntry {
  return {
    id: `${JOURNAL}-${sequence}`,
    assetId: assetId("a1"),
    projectId: projectId("p1"),
    // 2026-11-20T00:00:00Z and one ms more for each record.
    receivedAtMs: Date.UTC(2026, 10, 20) + sequence,
    topic: "sites/p1/assets/a1/telemetry",
    format: "plumbline",
    reason: "not JSON",
    payload: new Uint8Array([0, 1, 254, 255]),
    replayedAtMs: undefined,
    ...change,
  };
}
