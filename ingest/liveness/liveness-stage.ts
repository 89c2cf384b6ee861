import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { AssetEntry } from "../asset-directory.ts";
import type { AssetTrack } from "../pipeline/asset-track.ts";
import type { Stage, StageOutput, TickContext } from "../pipeline/stage.ts";
import { beginVerdicts, isAway, type OnEnd, takeHeard, takeLink, takeReading } from "./liveness.ts";
import { VERDICT_KINDS } from "./liveness-state.ts";
import type { Moment } from "./moment.ts";
import { countPresent, judgeSite, type Outage, type Site } from "./outage.ts";
import { tellOutage, tellRecovery } from "./outage-telling.ts";
import { livenessTimeoutMs } from "./reporting-interval.ts";
import { resolveVerdict, tellEnd, tellVerdict } from "./verdict-telling.ts";

/**
 * Ticks come every 10 s; a longer gap than this, or a step back, is time in which nobody watched, or a
 * change of the server's clock. Chosen.
 */
const MAX_TICK_GAP_MS = 60_000;

/** What liveness shares between all assets; stored with each tick. */
interface SharedState {
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
    const state: SharedState = { seenMs, pausedMs, outages: [...outages.values()] };
    output.share("liveness", JSON.stringify(state));
  }

  /** Tells the end of what was told, and keeps silent about the rest. */
  const onEndOf =
    (assetId: AssetId, projectId: ProjectId, atMs: number, output: StageOutput): OnEnd =>
    (kind, verdict) => {
      if (verdict.phase !== "told") return;
      const asset = { assetId, projectId, name: names.asset(assetId) };
      tellEnd(asset, kind, verdict, atMs, output);
    };

  return {
    name: "liveness",

    restore(text, isOurs) {
      const state = JSON.parse(text) as SharedState;
      ({ seenMs, pausedMs } = state);
      for (const outage of state.outages) {
        if (isOurs(outage.projectId)) outages.set(outage.projectId, outage);
      }
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

    onTick(context) {
      const now = watch(context.atMs);
      const { watched, concerned } = judgeAssets(context, now);
      for (const projectId of outages.keys()) concerned.add(projectId);
      if (concerned.size > 0) judgeSites(context, now, sitesOf(watched, now, concerned), outages);
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
 * Looks at each asset by itself. `concerned`: the projects of those that are away and not told to be.
 * `watched`: every asset that exists; looking each up again would cost more than all the rest.
 */
function judgeAssets(
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
    if (beginVerdicts(liveness, now, { timeoutMs, projectId })) output.touch(track);
    const { offline, silent, gps_stuck } = liveness.verdicts;
    if (gps_stuck?.phase === "held") {
      // One receiver, not the site: nothing to wait for.
      gps_stuck.phase = "told";
      const asset = { assetId, projectId, name: entry.asset.name };
      tellVerdict(asset, "gps_stuck", gps_stuck, liveness, output);
    }
    const isUntold =
      (offline !== undefined && offline.phase !== "told") ||
      (silent !== undefined && silent.phase !== "told");
    if (isUntold) concerned.add(projectId);
  }
  return { watched, concerned };
}

/** A deleted asset is missed by nobody: its alerts end. */
function forget(track: AssetTrack, { atMs }: Moment, output: StageOutput): void {
  const { assetId, liveness } = track;
  for (const kind of VERDICT_KINDS) {
    const verdict = liveness.verdicts[kind];
    if (verdict === undefined) continue;
    liveness.verdicts[kind] = undefined;
    output.touch(track);
    if (verdict.phase !== "told") continue;
    const asset = { assetId, name: assetId };
    resolveVerdict(asset, kind, verdict, { atMs, resolution: "asset_deleted" }, output);
  }
  liveness.link = "unknown";
  liveness.heardAt = undefined;
  liveness.fixAt = undefined;
}

/** Looks at the assets of each of these projects together. */
function judgeSites(
  { directory, output }: TickContext,
  now: Moment,
  sites: ReadonlyMap<ProjectId, Site<AssetTrack>>,
  outages: Map<ProjectId, Outage>,
): void {
  for (const [projectId, site] of sites) {
    const projectName = directory.project(projectId)?.name ?? projectId;
    const outage = judgeSite(projectId, site, outages.get(projectId), now, {
      opened: (opened) => tellOutage(opened, projectName, output),
      recovered: (ended, stillAway) =>
        tellRecovery(ended, projectName, stillAway, now.atMs, output),
      away({ assetId, liveness }, kind, verdict) {
        verdict.projectId = projectId;
        const name = directory.find(assetId)?.asset.name ?? assetId;
        tellVerdict({ assetId, projectId, name }, kind, verdict, liveness, output);
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
