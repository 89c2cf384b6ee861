import { may } from "../../../api/session-state.ts";
import { show } from "../../../format/show.ts";
import { t, tn } from "../../../i18n/t.ts";
import { Fact } from "../../../parts/facts.tsx";
import { FailureNotice, Loading } from "../../../parts/notices.tsx";
import type { Stockpile } from "../../../state/site-places.ts";
import { useAnswer } from "../../../state/use-answer.ts";
import { changeWithin } from "../words.ts";
import { type Reconciliation, readReconciliation } from "./requests.ts";

interface LoadsPanelProps {
  readonly pile: Stockpile;
  /** Measurements that there are; `undefined`: not read yet. */
  readonly measurements: number | undefined;
}

/** The last measured change beside what trucks brought and took; or why there is no such comparison. */
export function LoadsPanel({ pile, measurements }: LoadsPanelProps) {
  if (!may("equipment:read")) {
    return <p class="muted">{t("pile.loads_scope", { scope: "equipment:read" })}</p>;
  }
  if (pile.geofence_id === undefined) return <p class="muted">{t("pile.loads_fence")}</p>;
  if (measurements === undefined) return <Loading />;
  if (measurements < 2) return <p class="muted">{t("pile.loads_few")}</p>;
  return <Comparison id={pile.id} about={`${pile.id} ${pile.updated_at} ${measurements}`} />;
}

function Comparison({ id, about }: { readonly id: string; readonly about: string }) {
  const { data, failure, read } = useAnswer(() => readReconciliation(id), about);
  if (failure.value !== undefined) {
    return <FailureNotice failure={failure.value} onRetry={() => void read()} />;
  }
  const { value } = data;
  return value === undefined ? <Loading /> : <Figures answer={value} />;
}

function Figures({ answer }: { readonly answer: Reconciliation }) {
  const { verdict, measured, counted, difference, warnings } = answer;
  const { from_measurement: from, to_measurement: to } = answer;
  return (
    <>
      <p class="muted small">
        {t("pile.loads_range", {
          from: show.dateTime(Date.parse(from.measured_at)),
          to: show.dateTime(Date.parse(to.measured_at)),
        })}
      </p>
      <p>
        <strong>{t(`pile.verdict.${verdict}`)}</strong>
      </p>
      <dl class="facts">
        <Fact name={t("pile.loads_measured")}>
          {changeWithin(measured.m3.value, measured.m3.uncertainty_95)}
          {measured.tonnes === undefined ? null : (
            <span class="block">{tonnesInterval(measured.tonnes)}</span>
          )}
        </Fact>
        <Fact name={t("pile.loads_brought")}>
          {tn("pile.loads_count", counted.brought_loads, {
            value: tonnesInterval(counted.brought_tonnes),
          })}
        </Fact>
        <Fact name={t("pile.loads_taken")}>
          {tn("pile.loads_count", counted.taken_loads, {
            value: tonnesInterval(counted.taken_tonnes),
          })}
        </Fact>
        <Fact name={t("pile.loads_net")}>{tonnesInterval(counted.net_tonnes)}</Fact>
        {difference === undefined ? null : (
          <Fact name={t("pile.loads_difference")}>{tonnesInterval(difference.tonnes)}</Fact>
        )}
      </dl>
      {counted.is_lower_bound ? <p class="small">{t("pile.loads_lower")}</p> : null}
      {counted.unweighed === 0 ? null : (
        <p class="small">{tn("pile.loads_unweighed", counted.unweighed)}</p>
      )}
      <ul class="pile-warnings small">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </>
  );
}

function tonnesInterval(tonnes: Reconciliation["measured"]["m3"]): string {
  const { value, uncertainty_95 } = tonnes;
  return t("piles.volume", { volume: show.tonnes(value), interval: show.tonnes(uncertainty_95) });
}
