import { t } from "../i18n/t.ts";
import { lookOf } from "../map/shapes.ts";
import type { Machine } from "../state/machine.ts";
import {
  ConnectionFact,
  Fact,
  headingText,
  PositionBasis,
  PositionTime,
  speedText,
  WorkToday,
} from "./facts.tsx";
import { LookIcon } from "./status-badge.tsx";

/** What is known of a machine now, each figure with what it rests on: rows of a list of facts. */
export function MachineFacts({ machine }: { readonly machine: Machine }) {
  const { status, latitude, longitude, asset } = machine;
  return (
    <>
      <Fact name={t("map.status")}>
        <span class="badge">
          <LookIcon look={lookOf(machine)} /> {t(`status.${status}`)}
        </span>
      </Fact>
      <Fact name={t("map.connection")}>
        <ConnectionFact machine={machine} />
      </Fact>
      <Fact name={t("map.seen")}>
        <PositionTime machine={machine} isPressable />
      </Fact>
      <Fact name={t("map.position")}>
        {latitude.toFixed(5)}, {longitude.toFixed(5)}
        <span class="muted">
          {" "}
          <PositionBasis machine={machine} />
        </span>
      </Fact>
      <Fact name={t("map.speed")}>{speedText(machine)}</Fact>
      <Fact name={t("map.heading")}>{headingText(machine)}</Fact>
      <Fact name={t("map.zone")}>{asset.zone === "" ? t("map.no_zone") : asset.zone}</Fact>
      <Fact name={t("map.work")}>
        <WorkToday machine={machine} />
      </Fact>
    </>
  );
}
