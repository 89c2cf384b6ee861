import { keepLease } from "../../ingest/cluster/lease-keeper.ts";
import { createSecretSeal } from "../../ingest/credentials/secret-seal.ts";
import type { Intake } from "../../ingest/intake/intake.ts";
import { createCounters } from "../../ingest/intake/readings/counters.ts";
import { FLEET_COUNTERS } from "../../ingest/iso15143/client/fleet/counters.ts";
import { FleetPoller } from "../../ingest/iso15143/client/fleet-poller.ts";
import { type FleetPolling, followSources } from "../../ingest/iso15143/client/follow-sources.ts";
import type { Common, Start } from "../process/common.ts";

/** The client of other makers' servers, as a part of ingest. */
export interface FleetSources {
  /** A source was changed, or a poll asked for. Never waits. */
  changed(): void;
  /** Counters since the start. */
  stats(): Readonly<Record<string, number>>;
}

/** What it works with of what ingest and API share. */
type FleetSourceParts = Pick<Common, "pepper" | "directory" | "outbound"> & {
  readonly records: Pick<Common["records"], "fleetSources" | "leases">;
};

const LEASE = "fleet-sources";

/**
 * Polls other makers' ISO 15143-3 servers. `holder`: one of several ingest processes, of which the one that has
 * the lease polls.
 */
export function startFleetSources(
  {
    settings,
    log,
    closers,
  }: {
    readonly settings: Pick<Start["settings"], "retentionDays">;
    readonly log: Pick<Start["log"], "info" | "warn" | "error">;
    readonly closers: Start["closers"];
  },
  { records, pepper, directory, outbound }: FleetSourceParts,
  { intake, holder }: { readonly intake: Intake; readonly holder: string | undefined },
): FleetSources {
  const counters = createCounters(FLEET_COUNTERS);
  let registrations = 0;
  directory.onChange(() => {
    registrations += 1;
  });
  let polling: FleetPolling | undefined;

  function work(): FleetPolling {
    const poller = new FleetPoller({
      records: records.fleetSources,
      seal: createSecretSeal(pepper, "fleetSources"),
      outbound,
      directory,
      registrations: () => registrations,
      intake,
      retentionDays: settings.retentionDays,
      counters,
      log,
      now: Date.now,
      random: Math.random,
    });
    polling = followSources(poller, log);
    return polling;
  }

  if (holder === undefined) {
    const own = work();
    closers.push(() => own.stop());
  } else {
    const keeper = keepLease({
      leases: records.leases,
      name: LEASE,
      holder,
      work: async () => work(),
      log,
    });
    closers.push(() => keeper.stop());
  }
  return { changed: () => polling?.changed(), stats: () => counters };
}
