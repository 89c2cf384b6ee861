import type { components } from "../../../../client/index.ts";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { Severity } from "../../../parts/alert-line.tsx";

type Fault = components["schemas"]["ActiveFault"];

/** Active faults, numbers of J1939 with their names. */
export function Faults({ faults }: { readonly faults: readonly Fault[] }) {
  if (faults.length === 0) return <p class="muted">{t("faults.none")}</p>;
  return (
    <ul class="rows">
      {faults.map((fault) => (
        <li key={`${fault.source} ${fault.spn} ${fault.fmi} ${fault.code}`}>
          <FaultRow fault={fault} />
        </li>
      ))}
    </ul>
  );
}

function FaultRow({ fault }: { readonly fault: Fault }) {
  const { severity, description, reported_severity, source, occurrences, since, last_seen } = fault;
  const maker = [description, reported_severity].filter((text) => text !== undefined).join(", ");
  return (
    <>
      <p>
        <Severity severity={severity} /> <strong>{partText(fault)}</strong>
      </p>
      <p class="small">{failureText(fault)}</p>
      {maker === "" ? null : <p class="small">{t("faults.by_maker", { text: maker })}</p>}
      <p class="muted small">
        {source === undefined ? null : `${t("faults.source", { source })} · `}
        {tn("faults.times", occurrences)} ·{" "}
        {t("faults.seen", {
          since: show.dateTime(Date.parse(since)),
          last: show.dateTime(Date.parse(last_seen)),
        })}
      </p>
    </>
  );
}

/** What has the fault. */
function partText({ spn, spn_name: name, code }: Fault): string {
  if (spn === undefined) return t("faults.code", { code: code ?? t("value.unknown") });
  return name === undefined ? t("faults.spn_unnamed", { spn }) : t("faults.spn", { spn, name });
}

/** How it fails. */
function failureText({ fmi, fmi_name: name }: Fault): string {
  if (fmi === undefined) return "";
  return name === undefined ? t("faults.fmi_unnamed", { fmi }) : t("faults.fmi", { fmi, name });
}
