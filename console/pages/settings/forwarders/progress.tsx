import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { When } from "../../../parts/time.tsx";
import type { Forwarder } from "./requests.ts";

type Progress = Forwarder["progress"][number];

/** What a forwarder has passed on, what waits, and what went wrong last, by journal of an ingest process. */
export function ForwarderProgress({ progress }: { readonly progress: readonly Progress[] }) {
  if (progress.length === 0) return <p class="muted">{t("fwd.no_progress")}</p>;
  return (
    <>
      {progress.map((one) => (
        <dl key={one.journal_id} class="facts">
          <Fact name={t("fwd.sent")}>
            {tn("fwd.readings", one.sent)}
            {one.last_sent_at === undefined ? null : (
              <>
                , {t("fwd.last_sent")} <When ms={Date.parse(one.last_sent_at)} />
              </>
            )}
          </Fact>
          <Fact name={t("fwd.waiting")}>
            {one.lag_records === 0
              ? t("fwd.nothing_waits")
              : tn("fwd.records", one.lag_records, { age: show.span(one.lag_s * 1_000) })}
          </Fact>
          <Fact name={t("fwd.skipped")}>{skippedText(one.skipped)}</Fact>
          {one.held_since === undefined ? null : (
            <Fact name={t("fwd.held")}>
              <When ms={Date.parse(one.held_since)} />
            </Fact>
          )}
          <Fact name={t("fwd.last_error")}>
            {one.last_error === undefined ? (
              t("mapping.not_given")
            ) : (
              <>
                {one.last_error}
                {one.last_error_at === undefined ? null : (
                  <span class="muted small">
                    {" "}
                    <When ms={Date.parse(one.last_error_at)} />
                  </span>
                )}
              </>
            )}
          </Fact>
          {progress.length > 1 ? (
            <Fact name={t("fwd.journal")}>
              <code>{one.journal_id}</code>
            </Fact>
          ) : null}
        </dl>
      ))}
    </>
  );
}

function skippedText(skipped: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(skipped).filter(([, n]) => n > 0);
  if (reasons.length === 0) return t("mapping.not_given");
  // Reasons are words of the API, such as `no_position`.
  return reasons
    .map(([reason, n]) => `${reason.replaceAll("_", " ")}: ${show.number(n)}`)
    .join(", ");
}
