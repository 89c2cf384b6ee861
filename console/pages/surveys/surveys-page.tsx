import { useSignal, useSignalEffect } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { may } from "../../api/session-state.ts";
import { t, tn } from "../../i18n/t.ts";
import { Field } from "../../parts/field.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { Select } from "../../parts/select.tsx";
import { TimeField } from "../../parts/time-field.tsx";
import { keepAllInAddress } from "../../state/address.ts";
import { chooseProject, projectChoices, projectId, projects } from "../../state/project.ts";
import { stockpiles } from "../../state/site-places.ts";
import { zone } from "../../state/zone.ts";
import { readTime } from "../../time/zone.ts";
import { type ListedSurvey, readSurveys } from "./requests.ts";
import { SurveyTable } from "./survey-table.tsx";
import { TimeLine } from "./time-line.tsx";
import "./surveys.css";

const PAGE = 50;
const SCOPES = ["materials:read", "progress:read"] as const;

/** Surveys of stockpiles and of progress, newest first. */
export function SurveysPage() {
  const query = new URLSearchParams(location.search);
  const stockpile = useSignal(query.get("stockpile") ?? "");
  const from = useSignal(query.get("from") ?? "");
  const to = useSignal(query.get("to") ?? "");
  const surveys = useSignal<readonly ListedSurvey[] | undefined>(undefined);
  const next = useSignal<string | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  /** Of the newest filters; an answer to others is dropped. */
  const asked = useSignal(0);
  const missing = SCOPES.filter((scope) => !may(scope));

  useSignalEffect(() => {
    const project = projectId.value;
    const ids = projects.value.map(({ id }) => id);
    if (may("materials:read")) void stockpiles.read(project === undefined ? ids : [project]);
  });
  useSignalEffect(() => {
    void [projectId.value, zone.value];
    keepAllInAddress({
      stockpile: stockpile.value || undefined,
      from: from.value || undefined,
      to: to.value || undefined,
    });
    surveys.value = undefined;
    next.value = undefined;
    asked.value = asked.peek() + 1;
    if (SCOPES.some((scope) => may(scope))) void more();
  });

  async function more() {
    const own = asked.peek();
    const cursor = next.peek();
    const project_id = projectId.peek();
    const outcome = await readSurveys({
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
      ...(project_id === undefined ? {} : { project_id }),
      ...(stockpile.peek() === "" ? {} : { stockpile_id: stockpile.peek() }),
      ...momentOf("from", from.peek()),
      ...momentOf("to", to.peek()),
    });
    // Other filters were chosen meanwhile.
    if (own !== asked.peek()) return;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("failure" in outcome) return;
    surveys.value = [...(surveys.peek() ?? []), ...outcome.value.surveys];
    next.value = outcome.value.next;
  }

  if (missing.length === SCOPES.length) {
    return (
      <div class="page">
        <PageHead title={t("surveys.title")} />
        <Empty title={t("live.scope", { scope: SCOPES.join(", ") })} />
      </div>
    );
  }
  const shown = surveys.value;
  return (
    <div class="page">
      <PageHead title={t("surveys.title")}>
        {missing.map((scope) => (
          <p key={scope} class="muted small">
            {t(`surveys.without.${scope}`)}
          </p>
        ))}
      </PageHead>
      <div class="filters survey-filters">
        {projects.value.length < 2 ? null : (
          <Field name={t("nav.project")}>
            {(control) => (
              <Select
                {...control}
                value={projectId.value ?? ""}
                choices={[["", t("nav.all_projects")], ...projectChoices()]}
                onChoose={(id) => {
                  stockpile.value = "";
                  chooseProject(id || undefined);
                }}
              />
            )}
          </Field>
        )}
        {stockpiles.items.value.length === 0 && stockpile.value === "" ? null : (
          <Field name={t("surveys.stockpile")}>
            {(control) => (
              <Select
                {...control}
                value={stockpile.value}
                choices={[["", t("machines.all")], ...pileChoices(stockpile.value)]}
                onChoose={(id) => {
                  stockpile.value = id;
                }}
              />
            )}
          </Field>
        )}
        <TimeField
          name={t("surveys.from")}
          value={from.value}
          onText={(text) => {
            from.value = text;
          }}
        />
        <TimeField
          name={t("surveys.to")}
          value={to.value}
          onText={(text) => {
            to.value = text;
          }}
        />
      </div>
      {failure.value === undefined ? null : (
        <FailureNotice failure={failure.value} onRetry={() => void more()} />
      )}
      {shown === undefined && failure.value === undefined ? <Loading /> : null}
      {shown?.length === 0 ? (
        <Empty title={t("surveys.none")}>{t("surveys.none_hint")}</Empty>
      ) : null}
      {shown === undefined || shown.length === 0 ? null : (
        <>
          <p role="status">
            {next.value === undefined
              ? tn("surveys.count", shown.length)
              : tn("surveys.newest", shown.length)}
          </p>
          {shown.length < 2 ? null : <TimeLine surveys={shown} />}
          <SurveyTable surveys={shown} />
        </>
      )}
      {next.value === undefined ? null : (
        <button type="button" onClick={() => void more()}>
          {t("surveys.more")}
        </button>
      )}
    </div>
  );
}

/** Stockpiles by name; the one in the address also where the list does not have it. */
function pileChoices(chosen: string): readonly (readonly [id: string, name: string])[] {
  const known = stockpiles.items.value.map(
    ({ id, material, location }) => [id, `${material}, ${location}`] as const,
  );
  const isKnown = chosen === "" || known.some(([id]) => id === chosen);
  return isKnown ? known : [[chosen, chosen], ...known];
}

/** A typed time as a parameter; what is empty or no time filters nothing. */
function momentOf(name: "from" | "to", text: string): Readonly<Record<string, string>> {
  const { ms } = readTime(text, zone.peek());
  return Number.isNaN(ms) ? {} : { [name]: new Date(ms).toISOString() };
}
