import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link, useSearch } from "wouter-preact";
import { api } from "../../api/client.ts";
import type { Failure } from "../../api/failure.ts";
import type { PlumblineEvent } from "../../api/live-messages.ts";
import { outcomeOf } from "../../api/outcome.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { causeWords, EVENT_TYPES, eventWords } from "../../parts/event-words.ts";
import { ExportNote } from "../../parts/export-note.tsx";
import { Field } from "../../parts/field.tsx";
import { MachineFilter } from "../../parts/machine-filter.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { saveCsv } from "../../parts/save-file.ts";
import { Select } from "../../parts/select.tsx";
import { eventText } from "../../parts/sentences.ts";
import { When } from "../../parts/time.tsx";
import { keepAllInAddress, keepInAddress } from "../../state/address.ts";
import { liveEvents } from "../../state/events.ts";
import { fences, readFences } from "../../state/fences.ts";
import { streamBegins } from "../../state/fleet.ts";
import { machineName } from "../../state/machines.ts";
import { chooseProject, projectChoices, projectId, projects } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { LATE_MS } from "../../time/late.ts";
import { type EventChoice, eventsCsv, grownLog, isChosen } from "./event-list.ts";

const PAGE = 100;
const HOUR_MS = 3_600_000;
const RANGES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, all: undefined } as const;
type Range = keyof typeof RANGES;
const RANGE_NAMES = Object.keys(RANGES) as readonly Range[];
const USUAL_RANGE: Range = "day";

/** Nothing that anybody asks about. */
const USUAL_CAUSE = "crossing";

/** What happened, newest first; what happens now comes on top. */
export function EventsPage() {
  const query = new URLSearchParams(useSearch());
  const type = useSignal<string>(EVENT_TYPES.find((one) => one === query.get("type")) ?? "");
  const inAddress = query.get("asset") ?? undefined;
  const assetId = useSignal(inAddress);
  const range = useSignal<Range>(
    RANGE_NAMES.find((one) => one === query.get("range")) ?? USUAL_RANGE,
  );
  const read = useSignal<readonly PlumblineEvent[] | undefined>(undefined);
  const next = useSignal<string | undefined>("latest");
  const failure = useSignal<Failure | undefined>(undefined);
  const choice = useSignal<EventChoice>(choiceOf());

  // A link of this page to the log of all is no other page.
  useEffect(() => {
    assetId.value = inAddress;
  }, [inAddress]);

  function choiceOf(): EventChoice {
    const span = RANGES[range.peek()];
    return {
      types: type.peek() === "" ? [] : [type.peek()],
      assetId: assetId.peek(),
      projectId: projectId.peek(),
      fromMs: span === undefined ? undefined : serviceNow() - span,
    };
  }

  useSignalEffect(() => {
    // Also when a live stream begins that does not go on behind the one before.
    void [type.value, assetId.value, range.value, projectId.value];
    const hasStream = streamBegins.value > 0 || !may("equipment:read");
    if (!hasStream || !may("events:read")) return;
    choice.value = choiceOf();
    read.value = undefined;
    next.value = "latest";
    void older();
  });
  useSignalEffect(() => {
    const project = projectId.value;
    if (may("equipment:read")) void readFences(project);
  });
  useSignalEffect(() => {
    keepAllInAddress({
      type: type.value || undefined,
      range: range.value === USUAL_RANGE ? undefined : range.value,
    });
  });

  /** Reads on from where the list ends, to the start of the range. */
  async function older() {
    const asked = choice.peek();
    const before = next.peek();
    if (before === undefined) return;
    const outcome = await outcomeOf(
      api.GET("/api/v1/events", {
        params: {
          query: {
            before,
            limit: PAGE,
            ...(asked.types.length === 0 ? {} : { type: [...asked.types] }),
            ...(asked.assetId === undefined ? {} : { asset_id: asked.assetId }),
            ...(asked.projectId === undefined ? {} : { project_id: asked.projectId }),
          },
        },
      }),
    );
    // Other filters were chosen meanwhile.
    if (asked !== choice.peek()) return;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("failure" in outcome) return;
    const { data, pagination } = outcome.value;
    const within = data.filter((event) => isChosen(asked, event));
    read.value = [...(read.peek() ?? []), ...within];
    next.value = within.length === data.length ? pagination.next_cursor : undefined;
    takeLive();
  }

  // As they come: the live stream keeps the last ones only.
  useSignalEffect(() => {
    void liveEvents.value;
    takeLive();
  });
  function takeLive() {
    const known = read.peek();
    if (known === undefined) return;
    const live = liveEvents.peek().filter((event) => isChosen(choice.peek(), event));
    const { events, cutAt } = grownLog(known, live);
    if (events.length !== known.length || events[0] !== known[0]) read.value = events;
    if (cutAt !== undefined) next.value = String(cutAt);
  }

  if (!may("events:read")) {
    return (
      <div class="page">
        <PageHead title={t("events.title")} />
        <Empty title={t("live.scope", { scope: "events:read" })} />
      </div>
    );
  }
  const shown = read.value;
  return (
    <div class="page">
      <PageHead title={t("events.title")}>
        <p class="muted small">{t("events.live")}</p>
      </PageHead>
      <div class="filters">
        <Field name={t("events.type")}>
          {(control) => (
            <Select
              {...control}
              value={type.value}
              choices={[
                ["", t("machines.all")],
                ...EVENT_TYPES.map((one) => [one, eventWords(one)] as const),
              ]}
              onChoose={(chosen) => {
                type.value = chosen;
              }}
            />
          )}
        </Field>
        <MachineFilter chosen={assetId.value} onChoose={(id) => keepInAddress("asset", id)} />
        {projects.value.length < 2 ? null : (
          <Field name={t("nav.project")}>
            {(control) => (
              <Select
                {...control}
                value={projectId.value ?? ""}
                choices={[["", t("nav.all_projects")], ...projectChoices()]}
                onChoose={(id) => chooseProject(id || undefined)}
              />
            )}
          </Field>
        )}
        <Field name={t("events.range")}>
          {(control) => (
            <Select
              {...control}
              value={range.value}
              choices={RANGE_NAMES.map((one) => [one, t(`events.range.${one}`)])}
              onChoose={(chosen) => {
                range.value = chosen;
              }}
            />
          )}
        </Field>
        <button
          type="button"
          disabled={shown === undefined || shown.length === 0}
          title={t("events.csv_hint", { n: shown?.length ?? 0 })}
          onClick={() => saveCsv("events.csv", eventsCsv(shown ?? []))}
        >
          {t("events.csv")}
        </button>
        <ExportNote />
      </div>
      {assetId.value === undefined ? null : (
        <p class="filter-line">
          {t("events.only", { machine: machineName(assetId.value) })}{" "}
          <button type="button" onClick={() => keepInAddress("asset", undefined)}>
            {t("events.show_all")}
          </button>
        </p>
      )}
      {failure.value === undefined ? null : (
        <FailureNotice failure={failure.value} onRetry={() => void older()} />
      )}
      {shown === undefined && failure.value === undefined ? <Loading /> : null}
      {shown?.length === 0 && next.value === undefined ? (
        <Empty title={t("events.none")}>{t("events.none_hint")}</Empty>
      ) : null}
      {shown === undefined || shown.length === 0 ? null : <EventTable events={shown} />}
      {shown === undefined || next.value === undefined ? null : (
        <button type="button" onClick={() => void older()}>
          {t("events.older")}
        </button>
      )}
    </div>
  );
}

/** What happened in one sentence; what was withdrawn did not. */
function EventSentence({ event }: { readonly event: PlumblineEvent }) {
  const text = event.withdrawn ? undefined : eventText(event);
  return text === undefined ? null : <span class="block">{text}</span>;
}

function EventTable({ events }: { readonly events: readonly PlumblineEvent[] }) {
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{t("events.what")}</th>
          <th scope="col">{t("events.occurred")}</th>
          <th scope="col">{t("events.where")}</th>
          <th scope="col">{t("events.details")}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <EventRow key={event.sequence} event={event} />
        ))}
      </tbody>
    </table>
  );
}

function EventRow({ event }: { readonly event: PlumblineEvent }) {
  const occurred = Date.parse(event.occurred_at);
  const lateMs = Date.parse(event.recorded_at) - occurred;
  const { asset_id, geofence_id, project_id } = event;
  const fence = fences.value.find(({ id }) => id === geofence_id);
  return (
    <tr>
      <th scope="row">{eventWords(event.type)}</th>
      <td data-label={t("events.occurred")}>
        <When ms={occurred} />
        {lateMs > LATE_MS ? (
          <span class="muted small block">{t("events.recorded", { age: show.span(lateMs) })}</span>
        ) : null}
      </td>
      <td data-label={t("events.where")}>
        {asset_id === undefined ? (
          (project_id ?? t("value.unknown"))
        ) : (
          <Link href={toPage("/map", { asset: asset_id })}>{machineName(asset_id)}</Link>
        )}
        {geofence_id === undefined ? null : (
          <span class="small block">
            <Link href={toPage("/fences", { fence: geofence_id })}>
              {fence?.name ?? geofence_id}
            </Link>
          </span>
        )}
      </td>
      <td data-label={t("events.details")}>
        <EventSentence event={event} />
        {event.inferred ? <span class="small block">{t("events.inferred")}</span> : null}
        {event.cause === undefined || event.cause === USUAL_CAUSE ? null : (
          <span class="small block">{t("events.cause", { cause: causeWords(event.cause) })}</span>
        )}
        <details class="small">
          <summary>{t("events.data")}</summary>
          <pre class="data">{JSON.stringify(event.data, null, 2)}</pre>
        </details>
      </td>
    </tr>
  );
}
