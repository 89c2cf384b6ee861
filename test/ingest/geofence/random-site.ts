import { DEFAULT_CROSSING_RULES } from "../../../domain/geometry/geofence.ts";
import type { ProjectId } from "../../../domain/ids.ts";
import type { FenceFix } from "../../../ingest/geofence/crossing.ts";
import { FenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import type {
  AssetAssignment,
  GeofenceVersion,
} from "../../../storage/ports/equipment/geofences.ts";
import { correlatedNoise } from "./noise.ts";
import { ASSET, PROJECT, rectangle } from "./site.ts";
import { fixAt, START_MS } from "./walk.ts";

const OTHER = "prj_2" as ProjectId;
/** Half the width of the site, metres. */
const SITE_M = 400;

/** Everything that decides the crossings of one asset. */
export interface RandomSite {
  readonly versions: readonly GeofenceVersion[];
  readonly assignments: readonly AssetAssignment[];
  readonly fixes: readonly FenceFix[];
}

/** A small crowded site whose fences change while a machine drives and stops in it. */
export function randomSite(random: () => number, fixCount: number): RandomSite {
  const fixes = randomTrack(random, fixCount);
  const endMs = fixes.at(-1)?.tMs ?? START_MS;
  const someTime = (): number => START_MS + Math.floor(random() * (endMs - START_MS));
  const versions = Array.from({ length: 16 }, (_, i) => randomVersions(random, `f${i}`, someTime));
  const movedMs = someTime();
  const isMoved = random() < 0.3;
  return {
    fixes,
    versions: versions.flat(),
    assignments: isMoved
      ? [
          { assetId: ASSET, projectId: PROJECT, validFromMs: 0, validToMs: movedMs },
          { assetId: ASSET, projectId: OTHER, validFromMs: movedMs, validToMs: undefined },
        ]
      : [{ assetId: ASSET, projectId: PROJECT, validFromMs: 0, validToMs: undefined }],
  };
}

export function timelineOf({ versions, assignments }: RandomSite): FenceTimeline {
  const timeline = new FenceTimeline();
  timeline.apply(versions);
  timeline.assign(ASSET, assignments);
  return timeline;
}

/** One fence in one or two versions, some of them moved, renamed, or of the other project. */
function randomVersions(
  random: () => number,
  id: string,
  someTime: () => number,
): readonly GeofenceVersion[] {
  const spread = (): number => (random() * 2 - 1) * SITE_M;
  const place = (): readonly [number, number, number, number] => {
    const [x, y, size] = [spread(), spread(), 20 + random() * 200];
    return [x - size / 2, y - size / 3, x + size / 2, y + size / 3];
  };
  const rules = {
    ...DEFAULT_CROSSING_RULES,
    confirm_fixes: 1 + Math.floor(random() * 3),
    min_dwell_s: random() < 0.2 ? 20 : 0,
  };
  const box = place();
  const changes = { rules, projectId: random() < 0.7 ? PROJECT : OTHER };
  const changedMs = someTime();
  const kind = random();
  if (kind < 0.4) return [rectangle(id, box, changes)];
  const ended = rectangle(id, box, { ...changes, validToMs: changedMs });
  if (kind < 0.6) return [ended];
  const next = { ...changes, validFromMs: changedMs };
  return [ended, rectangle(id, kind < 0.8 ? place() : box, { ...next, name: "renamed" })];
}

/** Drives from place to place with stays between, seen through correlated noise with gaps and outliers. */
function randomTrack(random: () => number, count: number): readonly FenceFix[] {
  const noise = { sigmaM: 1 + random() * 5, correlationS: 60, intervalS: 5 };
  const [east, north] = [correlatedNoise(random, noise), correlatedNoise(random, noise)];
  const accuracyM = random() < 0.3 ? 15 : noise.sigmaM * 1.5;
  const fixes: FenceFix[] = [];
  let [x, y, atS] = [0, 0, 0];
  let [vx, vy, leftS] = [0, 0, 0];
  while (fixes.length < count) {
    const stepS =
      random() < 0.02 ? 60 + Math.floor(random() * 1_200) : 1 + Math.floor(random() * 10);
    if (leftS <= 0) {
      const isStay = random() < 0.4;
      const speed = isStay ? 0 : 0.5 + random() * 11;
      const angle = Math.atan2(-y, -x) + (random() - 0.5) * 4;
      [vx, vy] = [speed * Math.cos(angle), speed * Math.sin(angle)];
      leftS = isStay ? 60 + random() * 600 : 20 + random() * 60;
    }
    leftS -= stepS;
    atS += stepS;
    x = Math.max(-SITE_M, Math.min(SITE_M, x + vx * stepS));
    y = Math.max(-SITE_M, Math.min(SITE_M, y + vy * stepS));
    const isOutlier = random() < 0.01;
    fixes.push(fixAt(atS, x + east() + (isOutlier ? 5_000 : 0), y + north(), accuracyM));
  }
  return fixes;
}
