import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import type { Failure } from "../../api/failure.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { causeWords } from "../../parts/event-words.ts";
import { ExportNote } from "../../parts/export-note.tsx";
import { Field } from "../../parts/field.tsx";
import { MachineFilter } from "../../parts/machine-filter.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { saveCsv } from "../../parts/save-file.ts";
import { Select } from "../../parts/select.tsx";
import { When } from "../../parts/time.tsx";
import type { Geofence } from "../../state/fences.ts";
import { machineName, machineNames } from "../../state/machines.ts";
import { toPage } from "../../state/to-page.ts";
import { readFence } from "./requests.ts";
import { readAllVisits, readVisits, type VisitPage } from "./visits.ts";
import { type Visit, visitsCsv } from "./visits-csv.ts";

const DAYS = [1, 7, 30] as const;
const DAY_MS = 86_400_000;

/** Who was in a fence, when, and for how long. */
export function VisitsPage({ params }: { readonly params: { readonly id: string } }) {
  const { id } = params;
  const days = useSignal<(typeof DAYS)[number]>(7);
  const assetId = useSignal<string | undefined>(undefined);
  const fence = useSignal<Geofence | undefined>(undefined);
  const page = useSignal<VisitPage | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);

  const queryOf = () => {
    const to = serviceNow();
    return {
      fenceId: id,
      from: new Date(to - days.peek() * DAY_MS).toISOString(),
      to: new Date(to).toISOString(),
      assetId: assetId.peek(),
    };
  };
  const query = useSignal(queryOf());

  useEffect(() => {
    void readFence(id).then((outcome) => {
      if ("value" in outcome) fence.value = outcome.value.fence;
      else failure.value = outcome.failure;
    });
  }, [id]);
  useSignalEffect(() => {
    void days.value;
    void assetId.value;
    query.value = queryOf();
    page.value = undefined;
    void more();
  });

  async function more() {
    const asked = query.peek();
    const known = page.peek()?.visits ?? [];
    const outcome = await readVisits(asked, known.length);
    // Another range was chosen meanwhile.
    if (asked !== query.peek()) return;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) {
      page.value = { ...outcome.value, visits: [...known, ...outcome.value.visits] };
    }
  }

  async function save() {
    isBusy.value = true;
    const outcome = await readAllVisits(query.peek());
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("failure" in outcome) return;
    const name = fence.peek()?.name ?? id;
    saveCsv(`visits-${id}.csv`, visitsCsv(outcome.value.visits, name, machineNames.peek()));
  }

  const shown = page.value;
  return (
    <div class="page">
      <PageHead title={t("visits.of", { name: fence.value?.name ?? id })}>
        <Link href={toPage("/fences", { fence: id })}>{t("visits.back")}</Link>
      </PageHead>
      <div class="filters">
        <Field name={t("visits.range")}>
          {(control) => (
            <Select
              {...control}
              value={days.value}
              choices={DAYS.map((one) => [one, tn("visits.days", one)])}
              onChoose={(chosen) => {
                days.value = chosen;
              }}
            />
          )}
        </Field>
        <MachineFilter
          chosen={assetId.value}
          onChoose={(id) => {
            assetId.value = id;
          }}
        />
        <button
          type="button"
          disabled={isBusy.value || (shown?.total ?? 0) === 0}
          onClick={() => void save()}
        >
          {t("visits.csv")}
        </button>
        <ExportNote />
      </div>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {shown === undefined && failure.value === undefined ? <Loading /> : null}
      {shown?.total === 0 ? <Empty title={t("visits.none")}>{t("visits.none_hint")}</Empty> : null}
      {shown === undefined || shown.total === 0 ? null : (
        <>
          <p>{tn("visits.count", shown.total)}</p>
          <VisitTable visits={shown.visits} />
          {shown.visits.length < shown.total ? (
            <button type="button" onClick={() => void more()}>
              {t("machines.more", { n: shown.total - shown.visits.length })}
            </button>
          ) : null}
        </>
      )}
    </div>
  );
}

function VisitTable({ visits }: { readonly visits: readonly Visit[] }) {
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{t("fences.machine")}</th>
          <th scope="col">{t("visits.entered")}</th>
          <th scope="col">{t("visits.exited")}</th>
          <th scope="col">{t("visits.duration")}</th>
          <th scope="col">{t("visits.basis")}</th>
        </tr>
      </thead>
      <tbody>
        {visits.map((visit) => (
          <tr key={visit.id}>
            <th scope="row">
              <Link href={toPage("/map", { asset: visit.asset_id })}>
                {machineName(visit.asset_id)}
              </Link>
            </th>
            <td data-label={t("visits.entered")}>
              <When ms={Date.parse(visit.entered_at)} />
            </td>
            <td data-label={t("visits.exited")}>
              {visit.exited_at === undefined ? (
                t("visits.inside")
              ) : (
                <When ms={Date.parse(visit.exited_at)} />
              )}
            </td>
            <td data-label={t("visits.duration")}>
              {show.span(visit.duration_s * 1_000)}
              {visit.exited_at === undefined ? (
                <span class="muted"> {t("visits.so_far")}</span>
              ) : null}
            </td>
            <td data-label={t("visits.basis")}>{basisOf(visit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Why a stay began and ended where that is not a crossing, and how well its ends are known. */
function basisOf({ inferred, entry, exit }: Visit): string {
  const ends = [
    entry.cause === "crossing" ? "" : t("visits.began", { cause: causeWords(entry.cause) }),
    exit === undefined || exit.cause === "crossing"
      ? ""
      : t("visits.ended", { cause: causeWords(exit.cause) }),
    inferred ? t("fences.inferred") : "",
    t("visits.accuracy", { distance: show.length(entry.accuracy_meters) }),
  ];
  return ends.filter((one) => one !== "").join("; ");
}
