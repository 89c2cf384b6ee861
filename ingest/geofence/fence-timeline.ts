import { isDeepStrictEqual } from "node:util";
import type { AssetId, GeofenceId, ProjectId } from "../../domain/ids.ts";
import type { AssetAssignment, GeofenceVersion } from "../../storage/ports/equipment/geofences.ts";
import { type FenceEra, FenceEras } from "./fence-eras.ts";
import { type FenceShape, fenceShape, holds } from "./fence-shape.ts";
import { placeOf } from "./instants.ts";
import type { LonLatBox } from "./lon-lat-box.ts";
import type { Position } from "./planar.ts";
import { createProjectFences, type ProjectFences } from "./project-fences.ts";

/** Which fences hold for which asset, and when. Versions and assignments are half-open: `[from, to)`. */
export class FenceTimeline {
  readonly #projects = new Map<ProjectId, ProjectFences>();
  readonly #shapesById = new Map<GeofenceId, readonly FenceShape[]>();
  readonly #assignmentsByAsset = new Map<AssetId, readonly AssetAssignment[]>();
  /** Versions that ended, oldest end first: the ones that will be forgotten. */
  #ended: FenceShape[] = [];
  readonly #eras = new FenceEras();

  /** Ended by everything that is learned or forgotten of the asset's fences, at whatever time they hold. */
  eraOf(assetId: AssetId): FenceEra {
    return this.#eras.of(assetId, () => [
      ...new Set(this.#assignmentsByAsset.get(assetId)?.map(({ projectId }) => projectId)),
    ]);
  }

  /**
   * Takes versions in; one of the same fence and beginning is replaced. Yields when fences changed that way, ms: of a
   * version that only ended, that is its end.
   */
  apply(versions: readonly GeofenceVersion[]): readonly number[] {
    if (versions.length === 0) return [];
    const changedMs: number[] = [];
    const replaced = new Set<FenceShape>();
    const added = new Map<GeofenceId, Map<number, FenceShape>>();
    for (const version of versions) {
      const { geofenceId, validFromMs } = version;
      const earlier = this.#shapesById
        .get(geofenceId)
        ?.find((shape) => shape.version.validFromMs === validFromMs);
      if (earlier !== undefined) replaced.add(earlier);
      changedMs.push(...changesOf(earlier?.version, version));
      const starts = added.get(geofenceId) ?? new Map<number, FenceShape>();
      added.set(geofenceId, starts.set(validFromMs, fenceShape(version)));
    }
    this.#removeShapes([...replaced]);
    const shapes = [...added.values()].flatMap((starts) => [...starts.values()]);
    for (const shape of shapes) {
      const { geofenceId } = shape.version;
      const known = [...(this.#shapesById.get(geofenceId) ?? []), shape];
      known.sort((a, b) => a.version.validFromMs - b.version.validFromMs);
      this.#shapesById.set(geofenceId, known);
    }
    for (const [projectId, of] of byProject(shapes)) {
      this.#projectFences(projectId).add(of);
      this.#eras.endOfProject(projectId);
    }
    if ([...replaced].some(isEnded)) this.#ended = this.#ended.filter((one) => !replaced.has(one));
    const ended = shapes.filter(isEnded);
    if (ended.length > 0) {
      this.#ended = this.#ended.concat(ended);
      this.#ended.sort((a, b) => endOf(a) - endOf(b));
    }
    return changedMs;
  }

  /**
   * Replaces what is known of an asset's projects; ascending by start. The first assignment counts from
   * the beginning of time; after one that ended the asset has no fences.
   */
  assign(assetId: AssetId, assignments: readonly AssetAssignment[]): void {
    this.#eras.endOfAsset(assetId);
    this.#assignmentsByAsset.set(assetId, assignments);
  }

  /**
   * Drops versions that ended at or before `beforeMs`; no fix may be evaluated against them any
   * more.
   */
  forget(beforeMs: number): void {
    const kept = this.#ended.findIndex((shape) => endOf(shape) > beforeMs);
    const dropped = this.#ended.splice(0, kept === -1 ? this.#ended.length : kept);
    this.#removeShapes(dropped);
  }

  /** Ascending instants in `(fromMs, toMs]` at which the asset's set of fences changes, ms since the Unix epoch. */
  changes(assetId: AssetId, fromMs: number, toMs: number): readonly number[] {
    const assignments = this.#assignmentsByAsset.get(assetId) ?? [];
    const instants = new Set<number>();
    for (const [i, { projectId, validFromMs, validToMs }] of assignments.entries()) {
      const startMs = i === 0 ? Number.NEGATIVE_INFINITY : validFromMs;
      const endMs = validToMs ?? Number.POSITIVE_INFINITY;
      if (startMs > toMs || endMs <= fromMs) continue;
      for (const bound of [startMs, endMs]) {
        if (bound > fromMs && bound <= toMs && Number.isFinite(bound)) instants.add(bound);
      }
      const ofProject = this.#projects.get(projectId)?.instants.sorted ?? [];
      const afterMs = Math.max(fromMs, startMs);
      for (let j = placeOf(ofProject, afterMs); ; j++) {
        const instant = ofProject[j];
        if (instant === undefined || instant > toMs || instant >= endMs) break;
        if (instant > afterMs) instants.add(instant);
      }
    }
    return [...instants].sort((a, b) => a - b);
  }

  /** Whether the asset's set of fences changes at an instant, as {@link changes} has it. */
  changesAt(assetId: AssetId, atMs: number): boolean {
    const assignments = this.#assignmentsByAsset.get(assetId) ?? [];
    return assignments.some(({ projectId, validFromMs, validToMs }, i) => {
      const startMs = i === 0 ? Number.NEGATIVE_INFINITY : validFromMs;
      if (atMs === startMs || atMs === validToMs) return true;
      if (atMs < startMs || (validToMs !== undefined && atMs > validToMs)) return false;
      return this.#projects.get(projectId)?.instants.has(atMs) === true;
    });
  }

  /** Ascending instants from `fromMs` on at which the asset came to another project or lost its own. */
  movesFrom(assetId: AssetId, fromMs: number): readonly number[] {
    const assignments = this.#assignmentsByAsset.get(assetId) ?? [];
    const bounds = assignments.flatMap(({ validFromMs, validToMs = Number.NaN }) => [
      validFromMs,
      validToMs,
    ]);
    return bounds
      .filter((atMs) => atMs >= fromMs)
      .filter((atMs) => this.projectAt(assetId, atMs) !== this.projectAt(assetId, atMs - 1))
      .sort((a, b) => a - b);
  }

  projectAt(assetId: AssetId, tMs: number): ProjectId | undefined {
    const assignments = this.#assignmentsByAsset.get(assetId);
    if (assignments === undefined) return undefined;
    for (let i = assignments.length - 1; i >= 0; i--) {
      const one = assignments[i];
      if (one === undefined || (i > 0 && tMs < one.validFromMs)) continue;
      return one.validToMs === undefined || tMs < one.validToMs ? one.projectId : undefined;
    }
    return undefined;
  }

  /** When the asset last came to a project from another one, ms; `-Infinity`: it was never elsewhere. */
  movedAt(assetId: AssetId): number {
    const [, ...moves] = this.#assignmentsByAsset.get(assetId) ?? [];
    return moves.at(-1)?.validFromMs ?? Number.NEGATIVE_INFINITY;
  }

  /** The version of a fence in force at `tMs`. */
  fenceAt(id: GeofenceId, tMs: number): FenceShape | undefined {
    return this.#shapesById
      .get(id)
      ?.findLast(
        ({ version }) =>
          version.validFromMs <= tMs &&
          (version.validToMs === undefined || tMs < version.validToMs),
      );
  }

  /** The project's fences in force at `tMs` whose box touches the given one, in no particular order. */
  near(projectId: ProjectId, box: LonLatBox, tMs: number): readonly FenceShape[] {
    return this.#projects.get(projectId)?.search(box, tMs) ?? [];
  }

  /** The project's fences in force at `tMs` that hold the position; an edge is inside. By rising id. */
  fencesHolding(position: Position, projectId: ProjectId, tMs: number): readonly GeofenceVersion[] {
    const { lonDeg, latDeg } = position;
    const box = { minX: lonDeg, minY: latDeg, maxX: lonDeg, maxY: latDeg };
    const held: GeofenceVersion[] = [];
    for (const shape of this.#projects.get(projectId)?.search(box, tMs) ?? []) {
      if (holds(shape, position)) held.push(shape.version);
    }
    return held.length > 1 ? held.sort(byId) : held;
  }

  #projectFences(id: ProjectId): ProjectFences {
    let fences = this.#projects.get(id);
    if (fences === undefined) {
      fences = createProjectFences();
      this.#projects.set(id, fences);
    }
    return fences;
  }

  #removeShapes(shapes: readonly FenceShape[]): void {
    for (const [projectId, of] of byProject(shapes)) {
      this.#projectFences(projectId).remove(of);
      this.#eras.endOfProject(projectId);
    }
    for (const shape of shapes) {
      const { geofenceId } = shape.version;
      const left = (this.#shapesById.get(geofenceId) ?? []).filter((one) => one !== shape);
      if (left.length === 0) this.#shapesById.delete(geofenceId);
      else this.#shapesById.set(geofenceId, left);
    }
  }
}

/** When the fence is another one by the newer of two versions of the same beginning. */
function changesOf(before: GeofenceVersion | undefined, now: GeofenceVersion): readonly number[] {
  const isSame =
    before !== undefined &&
    isDeepStrictEqual(
      { ...before, validToMs: undefined, revision: 0 },
      { ...now, validToMs: undefined, revision: 0 },
    );
  const ends = before?.validToMs === now.validToMs ? [] : [before?.validToMs, now.validToMs];
  const bounds = isSame ? ends : [now.validFromMs, before?.validToMs, now.validToMs];
  return bounds.filter((atMs) => atMs !== undefined);
}

const isEnded = ({ version }: FenceShape): boolean => version.validToMs !== undefined;
const endOf = ({ version }: FenceShape): number => version.validToMs ?? Number.POSITIVE_INFINITY;

const byId = (a: GeofenceVersion, b: GeofenceVersion): number =>
  a.geofenceId < b.geofenceId ? -1 : 1;

function byProject(shapes: readonly FenceShape[]): ReadonlyMap<ProjectId, readonly FenceShape[]> {
  const grouped = new Map<ProjectId, FenceShape[]>();
  for (const shape of shapes) {
    const group = grouped.get(shape.version.projectId);
    if (group === undefined) grouped.set(shape.version.projectId, [shape]);
    else group.push(shape);
  }
  return grouped;
}
