/** What the figures of the overview rest on, and trouble of the service, in English. */
export const EN_OVERVIEW = {
  "overview.basis.assets":
    "Last known state of all {n} machines at {time}. Never sent anything: {silent}. Not heard now, so that their state is older: {old}.",
  "overview.basis.alerts": "Open at {time}, whenever they opened, of all {n} machines.",
  "overview.basis.piles":
    "Newest volume of each stockpile at {time}, measured or declared. Stockpiles: {n}; without any volume: {unknown}.",
  "overview.basis.reports":
    "Newest report of each project, whatever its date. Without a report: {without} of {n} projects.",
  "overview.basis.reports_some":
    "Newest report of each of the first 100 of {n} projects; choose one for its report.",
  "service_state.not_ready": "The service is not ready",
  "service_state.warning": "The service needs attention",
  "service_state.found": "found {time}",
  "service_state.seen": "seen by this page since {time}; it may have begun earlier",
} as const;
