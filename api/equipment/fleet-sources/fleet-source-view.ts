import { isoTime } from "../../../domain/iso-time.ts";
import { firstPageUrl } from "../../../ingest/iso15143/client/pages/first-page.ts";
import type {
  FleetMachineNames,
  FleetPoll,
  FleetSourceAuth,
  PolledFleetSource,
} from "../../../storage/ports/equipment/fleet-sources.ts";
import type { FleetSource } from "./fleet-source-schemas.ts";

/** A source as clients read it, without its secrets. */
export function fleetSourceView({
  source,
  lastPoll,
  pollRequestedAtMs,
}: PolledFleetSource): FleetSource {
  // A change, or a request, that came after the last poll is not waited for.
  const lastMs = lastPoll?.startedAtMs ?? Number.NEGATIVE_INFINITY;
  const isNow = source.updatedAtMs > lastMs || (pollRequestedAtMs ?? lastMs) > lastMs;
  const isPlanned = lastPoll !== undefined && source.status === "active" && !isNow;
  return {
    id: source.id,
    name: source.name,
    url: source.url,
    first_page: firstPageUrl(source.url),
    auth: authView(source.auth),
    interval_s: source.intervalS,
    series: [...source.series],
    status: source.status,
    ...(isPlanned ? { next_poll_at: isoTime(lastPoll.nextPollAtMs) } : {}),
    ...(lastPoll === undefined ? {} : { last_poll: pollView(lastPoll) }),
    created_at: isoTime(source.createdAtMs),
    updated_at: isoTime(source.updatedAtMs),
  };
}

/** A source as a list has it: a hundred of them with all their problems would be megabytes. */
export function fleetSourceRow(polled: PolledFleetSource): FleetSource {
  const { last_poll, ...source } = fleetSourceView(polled);
  if (last_poll === undefined) return source;
  const { problems: _problems, unmatched: _unmatched, ...counts } = last_poll;
  return { ...source, last_poll: counts };
}

function authView(auth: FleetSourceAuth): FleetSource["auth"] {
  switch (auth.kind) {
    case "none":
    case "bearer":
      return { kind: auth.kind };
    case "basic":
      return { kind: auth.kind, username: auth.username };
    case "oauth2_client_credentials":
      return {
        kind: auth.kind,
        token_url: auth.tokenUrl,
        client_id: auth.clientId,
        ...(auth.scope === undefined ? {} : { scope: auth.scope }),
      };
    case "oauth2_password":
      return {
        kind: auth.kind,
        token_url: auth.tokenUrl,
        username: auth.username,
        ...(auth.clientId === undefined ? {} : { client_id: auth.clientId }),
        ...(auth.scope === undefined ? {} : { scope: auth.scope }),
      };
    case "api_key_header":
      return { kind: auth.kind, name: auth.name };
  }
}

function pollView(poll: FleetPoll): NonNullable<FleetSource["last_poll"]> {
  return {
    started_at: isoTime(poll.startedAtMs),
    finished_at: isoTime(poll.finishedAtMs),
    outcome: poll.failure === undefined ? "ok" : "failed",
    ...(poll.failure === undefined ? {} : { failure: poll.failure }),
    ...(poll.httpStatus === undefined ? {} : { http_status: poll.httpStatus }),
    consecutive_failures: poll.consecutiveFailures,
    pages: poll.pages,
    pages_unchanged: poll.unchangedPages,
    machines: poll.machines,
    machines_matched: poll.matchedMachines,
    readings: poll.readings,
    series_pages: poll.seriesPages ?? 0,
    problems: poll.problems.map((problem) => ({ ...problem })),
    problem_count: poll.problemCount,
    unmatched: poll.unmatched.map(namesView),
    unmatched_count: poll.unmatchedCount,
  };
}

/** In the words of the standard, so that they are found in the maker's own portal. */
const namesView = (names: FleetMachineNames) => ({
  ...(names.oemName === undefined ? {} : { OEMName: names.oemName }),
  ...(names.model === undefined ? {} : { Model: names.model }),
  ...(names.equipmentId === undefined ? {} : { EquipmentID: names.equipmentId }),
  ...(names.serialNumber === undefined ? {} : { SerialNumber: names.serialNumber }),
  ...(names.pin === undefined ? {} : { PIN: names.pin }),
});
