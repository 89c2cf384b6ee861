import type { ComponentChildren } from "preact";
import { show } from "../format/show.ts";
import { t } from "../i18n/t.ts";
import type { Machine } from "../state/machine.ts";
import { Age } from "./time.tsx";

/** A name and its value, in a list of facts. */
export function Fact(props: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </>
  );
}

/** What a position rests on, in words beside it. */
export function PositionBasis({ machine }: { readonly machine: Machine }) {
  return <>{basisOf(machine)}</>;
}

function basisOf({ isRegisteredPlace, isMocked, accuracyM, isAccuracyAssumed }: Machine): string {
  if (isRegisteredPlace) return t("place.registered");
  if (accuracyM === undefined) return t("value.unknown");
  const distance = show.length(accuracyM);
  // The list alone does not say whose figure it is.
  const known = isAccuracyAssumed === false ? "place.accuracy" : "place.accuracy_assumed";
  const accuracy = isAccuracyAssumed === undefined ? `± ${distance}` : t(known, { distance });
  return isMocked ? `${accuracy}; ${t("place.mocked")}` : accuracy;
}

interface PositionTimeProps {
  readonly machine: Machine;
  /** Whether a press shows date and UTC. */
  readonly isPressable?: boolean;
}

/** When the newest position was taken, and by whose clock where that is not the device's. */
export function PositionTime({ machine, isPressable = false }: PositionTimeProps) {
  const { fixMs, isTimeOfReceipt } = machine;
  if (fixMs === undefined) return <span class="muted">{t("value.unknown")}</span>;
  return (
    <>
      <Age ms={fixMs} isPressable={isPressable} />
      {isTimeOfReceipt ? <span class="muted"> ({t("place.received")})</span> : null}
    </>
  );
}

export function speedText({ speedKmh, isSpeedDerived }: Machine): string {
  if (speedKmh === undefined) return t("value.unknown");
  const speed = show.speed(speedKmh);
  if (isSpeedDerived === undefined) return speed;
  return t(isSpeedDerived ? "speed.derived" : "speed.reported", { speed });
}

export function headingText({ heading, isHeadingDerived }: Machine): string {
  if (heading === undefined) return t("value.unknown");
  const text = show.heading(heading);
  if (isHeadingDerived === undefined) return text;
  return t(isHeadingDerived ? "heading.derived" : "heading.reported", { heading: text });
}

/** How much of the shift so far was worked, with bounds and basis; not 0 where nothing was seen. */
export function WorkToday({ machine }: { readonly machine: Machine }) {
  const { utilization_today: percent, utilization } = machine.asset;
  const { basis, lower, upper, seen_percent } = utilization;
  if (basis === "none") return <span class="muted">{t("work.none")}</span>;
  const [value, low, high] = [percent, lower, upper].map(show.percent);
  return (
    <>
      {t("work.figure", { value: value ?? "", lower: low ?? "", upper: high ?? "" })}
      <span class="muted">
        {" "}
        {t(`work.${basis}`)}, {t("work.seen", { percent: show.percent(seen_percent) })}
      </span>
    </>
  );
}

/** How a machine is connected, and since when where it is not. */
export function ConnectionFact({ machine }: { readonly machine: Machine }) {
  const { link_since, last_message_at } = machine.asset.connection;
  const { connection } = machine;
  const since = connection === "offline" ? link_since : last_message_at;
  const isKnown = connection !== "ok" && connection !== "unknown" && since !== undefined;
  return (
    <>
      {t(`connection.${connection}`)}
      {isKnown ? (
        <span class="muted">
          {" "}
          {t("machines.since", { time: show.dateTime(Date.parse(since)) })}
        </span>
      ) : null}
    </>
  );
}
