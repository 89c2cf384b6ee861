import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { AssetEntry } from "../../directories/asset-directory.ts";
import {
  beginFindings,
  isAway,
  type OnEnd,
  takeHeard,
  takeLink,
  takeReading,
} from "../../liveness/liveness.ts";
import { FINDING_KINDS } from "../../liveness/liveness-state.ts";
import type { Moment } from "../../liveness/moment.ts";
import { countPresent, evaluateSite, type Outage, type Site } from "../../liveness/outage.ts";
import { livenessTimeoutMs } from "../../liveness/reporting-interval.ts";
import type { AssetTrack } from "../../track/asset-track.ts";
import type { Stage, StageOutput, TickContext } from "../stage.ts";
import { publishFinding, publishFindingEnd, resolveFinding } from "./finding-events.ts";
import { publishOutage, publishRecovery } from "./outage-events.ts";

/**
 * Ticks come every 10 s; a longer gap than this, or a step back, is time in which the service did not
 * watch, or a change of the server's clock. Longer
 * reports assets that nobody listened to; shorter restarts every time-out for a slow disk.
 */
const MAX_TICK_GAP_MS = 60_000;

/** Name of the stage, and of what it shares. */
export const LIVENESS = "liveness";

/** What liveness shares between all assets; stored with each tick. */
export interface LivenessShared {
  /** Server clock of the newest tick or start, ms; 0 before the first. */
  readonly seenMs: number;
  readonly pausedMs: number;
  readonly outages: readonly Outage[];
}

/** The stage that watches over link, data and fix of every asset. */
export function createLivenessStage(names: { asset(assetId: AssetId): string }): Stage {
  let seenMs = 0;
  let pausedMs = 0;
  const outages = new Map<ProjectId, Outage>();

  const momentOf = (atMs: number): Moment => ({ atMs, pausedMs });

  /** Moves the clock on. */
  function watch(atMs: number): Moment {
    const gapMs = atMs - seenMs;
    if (seenMs > 0 && Math.abs(gapMs) > MAX_TICK_GAP_MS) pausedMs += gapMs;
    seenMs = atMs;
    return momentOf(atMs);
  }

  function share(output: StageOutput): void {
    const state: LivenessShared = { seenMs, pausedMs, outages: [...outages.values()] };
    output.share(LIVENESS, JSON.stringify(state));
  }

  /** Publishes the end of findings that were published; the others end without an event. */
  const onEndOf =
    (assetId: AssetId, projectId: ProjectId, atMs: number, output: StageOutput): OnEnd =>
    (kind, finding) => {
      if (finding.phase !== "published") return;
      const asset = { assetId, projectId, name: names.asset(assetId) };
      publishFindingEnd(asset, kind, finding, atMs, output);
    };

  return {
    name: LIVENESS,

    restore(text, isOurs) {
      const state = JSON.parse(text) as LivenessShared;
      ({ seenMs, pausedMs } = state);
      for (const outage of state.outages) {
        if (isOurs(outage.projectId)) outages.set(outage.projectId, outage);
      }
    },

    merge(texts) {
      const states = texts.map((text) => JSON.parse(text) as LivenessShared);
      const merged: LivenessShared = {
        seenMs: Math.max(...states.map((state) => state.seenMs)),
        // Spans that began before come out shorter by what they differ in, never longer: nothing is silent too early.
        pausedMs: Math.max(...states.map((state) => state.pausedMs)),
        outages: states.flatMap((state) => state.outages),
      };
      return JSON.stringify(merged);
    },

    onReading({ track, reading, batch, output }) {
      const { assetId, projectId, receivedAtMs } = batch;
      const onEnd = onEndOf(assetId, projectId, receivedAtMs, output);
      takeReading(track.liveness, reading, momentOf(receivedAtMs), onEnd);
    },

    onHeard({ track, batch: { assetId, projectId, receivedAtMs }, output }) {
      const onEnd = onEndOf(assetId, projectId, receivedAtMs, output);
      takeHeard(track.liveness, momentOf(receivedAtMs), onEnd);
    },

    onLink({ track, change, output }) {
      const { assetId, projectId, atMs, end } = change;
      takeLink(track.liveness, end, momentOf(atMs), onEndOf(assetId, projectId, atMs, output));
      output.touch(track);
    },

    onStart({ atMs, tracks, output }) {
      const at = watch(atMs);
      for (const track of tracks) {
        if (track.liveness.link !== "up") continue;
        takeLink(track.liveness, "restart", at, () => undefined);
        output.touch(track);
      }
      share(output);
    },

    onUnfollowed({ atMs, tracks, output }) {
      for (const track of tracks) {
        const { assetId, liveness } = track;
        if (liveness.link === "unknown") continue;
        const { offline } = liveness.findings;
        output.touch(track);
        liveness.link = "unknown";
        liveness.linkAt = undefined;
        liveness.linkEnd = undefined;
        liveness.findings.offline = undefined;
        if (offline?.phase !== "published") continue;
        const asset = { assetId, name: names.asset(assetId) };
        resolveFinding(asset, "offline", offline, { atMs, resolution: "not_followed" }, output);
      }
    },

    onTick(context) {
      const now = watch(context.atMs);
      const { watched, concerned } = evaluateAssets(context, now);
      for (const projectId of outages.keys()) concerned.add(projectId);
      if (concerned.size > 0)
        evaluateSites(context, now, sitesOf(watched, now, concerned), outages);
      share(context.output);
    },
  };
}

/** An asset with what is registered of it. */
interface Watched {
  readonly track: AssetTrack;
  readonly entry: AssetEntry;
}

/**
 * Evaluates each asset by itself. `concerned`: the projects of those that are away and not published
 * as such. `watched`: every asset that exists; finding each again would cost more than all the rest.
 */
function evaluateAssets(
  { tracks, directory, output }: TickContext,
  now: Moment,
): { readonly watched: readonly Watched[]; readonly concerned: Set<ProjectId> } {
  const watched: Watched[] = [];
  const concerned = new Set<ProjectId>();
  for (const track of tracks) {
    const { assetId, liveness } = track;
    const entry = directory.find(assetId);
    if (entry === undefined) {
      forget(track, now, output);
      continue;
    }
    watched.push({ track, entry });
    const projectId = entry.project.id;
    const timeoutMs = livenessTimeoutMs(entry.asset, liveness);
    if (beginFindings(liveness, now, { timeoutMs, projectId })) output.touch(track);
    const { offline, silent, gps_stuck } = liveness.findings;
    if (gps_stuck?.phase === "held") {
      // One receiver, not the site: nothing to wait for.
      gps_stuck.phase = "published";
      const asset = { assetId, projectId, name: entry.asset.name };
      publishFinding(asset, "gps_stuck", gps_stuck, liveness, output);
    }
    const isUnpublished =
      (offline !== undefined && offline.phase !== "published") ||
      (silent !== undefined && silent.phase !== "published");
    if (isUnpublished) concerned.add(projectId);
  }
  return { watched, concerned };
}

/** A deleted asset cannot be missing: its alerts end. */
function forget(track: AssetTrack, { atMs }: Moment, output: StageOutput): void {
  const { assetId, liveness } = track;
  for (const kind of FINDING_KINDS) {
    const finding = liveness.findings[kind];
    if (finding === undefined) continue;
    liveness.findings[kind] = undefined;
    output.touch(track);
    if (finding.phase !== "published") continue;
    const asset = { assetId, name: assetId };
    resolveFinding(asset, kind, finding, { atMs, resolution: "asset_deleted" }, output);
  }
  liveness.link = "unknown";
  liveness.heardAt = undefined;
  liveness.fixAt = undefined;
}

/** Evaluates the assets of each of these projects together. */
function evaluateSites(
  { directory, output }: TickContext,
  now: Moment,
  sites: ReadonlyMap<ProjectId, Site<AssetTrack>>,
  outages: Map<ProjectId, Outage>,
): void {
  for (const [projectId, site] of sites) {
    const projectName = directory.project(projectId)?.name ?? projectId;
    const outage = evaluateSite(projectId, site, outages.get(projectId), now, {
      opened: (opened) => publishOutage(opened, projectName, output),
      recovered: (ended, stillAway) =>
        publishRecovery(ended, projectName, stillAway, now.atMs, output),
      away({ assetId, liveness }, kind, finding) {
        finding.projectId = projectId;
        const name = directory.find(assetId)?.asset.name ?? assetId;
        publishFinding({ assetId, projectId, name }, kind, finding, liveness, output);
      },
      changed: (track) => output.touch(track),
    });
    if (outage === undefined) outages.delete(projectId);
    else outages.set(projectId, outage);
  }
}

function sitesOf(
  watched: readonly Watched[],
  now: Moment,
  concerned: ReadonlySet<ProjectId>,
): ReadonlyMap<ProjectId, Site<AssetTrack>> {
  const sites = new Map<ProjectId, Site<AssetTrack>>();
  for (const projectId of concerned) sites.set(projectId, { away: [], present: 0, overdue: 0 });
  for (const { track, entry } of watched) {
    const site = sites.get(entry.project.id);
    if (site === undefined) continue;
    if (isAway(track.liveness)) site.away.push(track);
    else countPresent(site, track.liveness, now, livenessTimeoutMs(entry.asset, track.liveness));
  }
  return sites;
}
