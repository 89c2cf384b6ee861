import type { components } from "../../../../client/index.ts";
import { fieldName } from "../../../format/field-name.ts";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";

type DryRun = components["schemas"]["DryRun"];
type Reading = components["schemas"]["DryRunReading"];

/** Readings that are shown; a message may have a thousand. */
const READINGS = 5;

/** What a message would become, in words. */
export function DryRunAnswer({ answer }: { readonly answer: DryRun }) {
  const { readings, notices, refused, ignored, unused } = answer;
  const hasSomething = readings.length > 0 || notices.length > 0;
  return (
    <div class="form">
      {refused === undefined ? null : (
        <p class="notice notice-bad">
          {t(hasSomething ? "dry.partly" : "dry.refused", { reason: refused })}
        </p>
      )}
      {readings.length > 0 ? <p>{tn("dry.readings", readings.length)}</p> : null}
      {notices.length > 0 ? <p>{tn("dry.notices", notices.length)}</p> : null}
      {!hasSomething && refused === undefined ? <p>{t("dry.nothing")}</p> : null}
      {ignored > 0 ? <p>{tn("dry.ignored", ignored)}</p> : null}
      {unused === undefined || unused.length === 0 ? null : (
        <p>{t("dry.unused", { pointers: unused.map(({ pointer }) => pointer).join(", ") })}</p>
      )}
      {readings.slice(0, READINGS).map((reading, i) => (
        <ReadingFacts key={`${reading.timestamp} ${reading.seq}`} reading={reading} n={i + 1} />
      ))}
      {notices.slice(0, READINGS).map((notice) => (
        <p key={`${notice.kind} ${notice.timestamp}`} class="small">
          {t("dry.notice", { kind: notice.kind, data: JSON.stringify(notice.data) })}
        </p>
      ))}
    </div>
  );
}

function ReadingFacts({ reading, n }: { readonly reading: Reading; readonly n: number }) {
  const { timestamp, time_source, is_historical, fields, fault_codes } = reading;
  const hasPosition = "latitude" in fields && "longitude" in fields;
  return (
    <>
      <h3>{t("dry.reading", { n })}</h3>
      <dl class="facts">
        <Fact name={t("machine.time")}>
          {t(`dry.time_${time_source}`, { time: show.dateTime(Date.parse(timestamp)) })}
        </Fact>
        {Object.entries(fields).map(([field, value]) => (
          <Fact key={field} name={fieldName(field)}>
            {show.apiField(field, value)} <span class="muted small">{field}</span>
          </Fact>
        ))}
      </dl>
      {is_historical === true ? <p class="small">{t("dry.historical")}</p> : null}
      {hasPosition ? null : <p class="small">{t("dry.no_position")}</p>}
      {fault_codes === undefined || fault_codes.length === 0 ? null : (
        <p class="small">{t("dry.faults", { faults: fault_codes.map(faultText).join("; ") })}</p>
      )}
    </>
  );
}

function faultText({ spn, fmi, code }: components["schemas"]["FaultCode"]): string {
  return spn === undefined ? (code ?? "?") : `SPN ${spn} FMI ${fmi ?? "?"}`;
}
