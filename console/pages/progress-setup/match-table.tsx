import { useSignal } from "@preact/signals";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { Select } from "../../parts/select.tsx";
import { workZones } from "../../state/site-places.ts";
import { type Assignments, type Match, matchKey, wbsTree, zoneOfPath } from "./matching.ts";
import type { DryRun } from "./requests.ts";

interface MatchTableProps {
  readonly dryRun: DryRun;
  readonly assignments: Assignments;
  /** Gives matches to a zone; "" takes them back. */
  readonly onAssign: (matches: readonly Match[], zoneId: string) => void;
}

/** A row that can be given to a zone. */
interface Row {
  readonly match: Match;
  readonly name: string;
  readonly depth: number;
  readonly example: string;
  /** Activities in all, and of no zone. */
  readonly activities: number;
  readonly unmatched: number;
  /** Zones that match it as they are stored. */
  readonly stored: readonly string[];
  /** Zone that a row above it was given to. */
  readonly inherited: string | undefined;
}

/** The type of what is dragged from a row to a zone: nothing else can be dropped there. */
const DRAGGED = "application/x-plumbline-match";

/**
 * The work breakdown structure as a tree with check boxes, and a choice of the zone at each row; codes and single
 * activities below. Rows can also be dragged onto a zone.
 */
export function MatchTable({ dryRun, assignments, onAssign }: MatchTableProps) {
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const zones = workZones.items.value;
  const rows = rowsOf(dryRun, assignments);
  const byKey = new Map(rows.map((row) => [matchKey(row.match), row]));
  const nameOf = (id: string) => zones.find((zone) => zone.id === id)?.name ?? id;

  /** What is moved with a row: all chosen ones if it is one of them. */
  const movedWith = (row: Row): readonly Match[] =>
    chosen.value.has(matchKey(row.match))
      ? rows.filter(({ match }) => chosen.value.has(matchKey(match))).map(({ match }) => match)
      : [row.match];

  function give(matches: readonly Match[], zoneId: string) {
    onAssign(matches, zoneId);
    chosen.value = new Set();
  }

  if (zones.length === 0) return <p class="notice">{t("setup.no_zones")}</p>;
  return (
    <div class="match">
      <section class="stack" aria-label={t("setup.zones_to_match")}>
        <h4>{t("setup.zones_to_match")}</h4>
        <ul class="match-zones">
          {zones.map(({ id, name }) => (
            <li
              key={id}
              class="match-zone"
              onDragOver={(event) => {
                if (event.dataTransfer?.types.includes(DRAGGED)) event.preventDefault();
              }}
              onDrop={(event) => {
                const row = byKey.get(event.dataTransfer?.getData(DRAGGED) ?? "");
                if (row === undefined) return;
                event.preventDefault();
                give(movedWith(row), id);
              }}
            >
              <span class="machine-name">{name}</span>{" "}
              <span class="muted small">
                {tn(
                  "setup.activities",
                  dryRun.zones.find(({ zone_id }) => zone_id === id)?.activities ?? 0,
                )}
              </span>
            </li>
          ))}
        </ul>
        <p class="muted small">{t("setup.drag_hint")}</p>
      </section>
      <section class="stack" aria-label={t("setup.groups")}>
        <h4>{t("setup.groups")}</h4>
        {dryRun.groups_total > dryRun.groups.length ? (
          <p class="muted small">
            {t("setup.groups_more", {
              n: show.number(dryRun.groups.length),
              all: show.number(dryRun.groups_total),
            })}
          </p>
        ) : null}
        {chosen.value.size === 0 ? null : (
          <label class="match-all">
            {tn("setup.chosen", chosen.value.size)}{" "}
            <Select
              value=""
              choices={[
                ["", t("setup.give_to")],
                ...zones.map(({ id, name }) => [id, name] as const),
              ]}
              onChoose={(zoneId) =>
                give(
                  rows
                    .filter(({ match }) => chosen.value.has(matchKey(match)))
                    .map(({ match }) => match),
                  zoneId,
                )
              }
            />
          </label>
        )}
        <ul class="match-rows">
          {rows.map((row) => (
            <MatchRow
              key={matchKey(row.match)}
              row={row}
              zoneId={assignments.get(matchKey(row.match))?.zoneId ?? ""}
              nameOf={nameOf}
              isChosen={chosen.value.has(matchKey(row.match))}
              onChoose={(isChosen) => {
                const after = new Set(chosen.peek());
                if (isChosen) after.add(matchKey(row.match));
                else after.delete(matchKey(row.match));
                chosen.value = after;
              }}
              onZone={(zoneId) => give([row.match], zoneId)}
            />
          ))}
        </ul>
      </section>
    </div>
  );
}

interface MatchRowProps {
  readonly row: Row;
  /** "": none was chosen here. */
  readonly zoneId: string;
  readonly nameOf: (zoneId: string) => string;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly onZone: (zoneId: string) => void;
}

function MatchRow({ row, zoneId, nameOf, isChosen, onChoose, onZone }: MatchRowProps) {
  const { match, name, depth, example, activities, unmatched, stored, inherited } = row;
  const key = matchKey(match);
  const isOpen = unmatched > 0 && zoneId === "" && inherited === undefined;
  return (
    <li
      class={isOpen ? "match-row match-open" : "match-row"}
      style={{ paddingInlineStart: `${depth * 18 + 8}px` }}
      draggable
      onDragStart={(event) => event.dataTransfer?.setData(DRAGGED, key)}
    >
      <label class="check match-name">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
        <span>
          <span class="muted small">{t(`setup.by.${match.by}`)}</span> <strong>{name}</strong>
          {example === "" ? null : <span class="block muted small">{example}</span>}
        </span>
      </label>
      <span class="small">
        {tn("setup.activities", activities)}
        <span class="block">
          {unmatched === 0
            ? t("setup.matched_to", { zones: stored.map(nameOf).join(", ") })
            : inherited !== undefined
              ? t("setup.inherits", { zone: nameOf(inherited) })
              : tn("setup.unmatched", unmatched)}
        </span>
      </span>
      <Select
        aria-label={t("setup.zone_of", { name: match.value })}
        value={zoneId}
        choices={[
          ["", t("setup.no_zone")],
          ...workZones.items.value.map((zone) => [zone.id, zone.name] as const),
        ]}
        onChoose={onZone}
      />
    </li>
  );
}

/** The tree, then codes, then single activities of neither; what is matched already is last among the codes. */
function rowsOf(dryRun: DryRun, assignments: Assignments): readonly Row[] {
  const tree = wbsTree(dryRun.groups).map((node): Row => {
    const own = assignments.get(matchKey({ by: "wbs", value: node.path }));
    return {
      match: { by: "wbs", value: node.path },
      ...{ name: node.name, depth: node.depth, example: node.example },
      ...{ activities: node.activities, unmatched: node.unmatched, stored: [...node.zoneIds] },
      inherited: own === undefined ? zoneOfPath(assignments, node.path) : undefined,
    };
  });
  const codes = dryRun.groups
    .filter(({ by }) => by === "code")
    .map(
      ({ value, example, activities, unmatched, zone_ids }): Row => ({
        match: { by: "code", value },
        ...{ name: value, depth: 0, example, activities, unmatched },
        ...{ stored: zone_ids, inherited: undefined },
      }),
    );
  const single = dryRun.unmatched
    .filter(({ wbs, zone_codes }) => wbs === "" && zone_codes.length === 0)
    .map(
      ({ code, name }): Row => ({
        match: { by: "name", value: code },
        ...{ name: code, depth: 0, example: name, activities: 1, unmatched: 1 },
        ...{ stored: [], inherited: undefined },
      }),
    );
  return [...tree, ...codes, ...single];
}
