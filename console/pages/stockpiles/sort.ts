import type { Stockpile } from "../../state/site-places.ts";
import { fillPercent, pileName } from "./pile.ts";

/** What stockpiles can be sorted by. */
export const SORTS = ["name", "status", "volume", "tonnes", "fill", "age"] as const;
export type Sort = (typeof SORTS)[number];

/** What needs attention first. */
const STATUS_ORDER: readonly Stockpile["status"][] = ["empty", "low", "full", "adequate"];

const VALUES: Readonly<Record<Sort, (pile: Stockpile) => string | number | undefined>> = {
  name: pileName,
  status: (pile) => (pile.volume_basis === "none" ? undefined : STATUS_ORDER.indexOf(pile.status)),
  volume: (pile) => (pile.volume_basis === "none" ? undefined : pile.current_volume_m3),
  tonnes: ({ tonnes }) => tonnes,
  fill: fillPercent,
  age: (pile) => (pile.volume_basis === "none" ? undefined : Date.parse(pile.last_measured)),
};

/** Stockpiles by a figure; what is not known comes last both ways, equals in the order of their names. */
export function sortPiles(
  piles: readonly Stockpile[],
  sort: Sort,
  isDescending: boolean,
): readonly Stockpile[] {
  const sign = isDescending ? -1 : 1;
  return piles.toSorted((a, b) => {
    const [left, right] = [VALUES[sort](a), VALUES[sort](b)];
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined) || byName(a, b);
    }
    const order =
      typeof left === "number" && typeof right === "number"
        ? left - right
        : String(left).localeCompare(String(right), undefined, { numeric: true });
    return sign * order || byName(a, b);
  });
}

const byName = (a: Stockpile, b: Stockpile): number => pileName(a).localeCompare(pileName(b));

/** What a volume may rest on, to choose from. */
export const BASES = ["all", "measured", "declared", "none"] as const;

/** How full a stockpile may be, to choose from. */
export const FILLS = ["all", "empty", "low", "adequate", "full"] as const;

/** Which stockpiles a page shows. */
export interface PileFilter {
  /** In material, place or id. */
  readonly words: string;
  readonly basis: (typeof BASES)[number];
  readonly fill: (typeof FILLS)[number];
}

/** The filter of an address, `?status=low&basis=measured`; what it has no choice for is no condition. */
export function pileFilterOf(address: string): PileFilter {
  const query = new URLSearchParams(address);
  return {
    words: query.get("q") ?? "",
    basis: BASES.find((one) => one === query.get("basis")) ?? "all",
    fill: FILLS.find((one) => one === query.get("status")) ?? "all",
  };
}

/** What an address says of a filter. */
export const pileParameters = ({ words, basis, fill }: PileFilter) => ({
  q: words.trim() || undefined,
  basis: basis === "all" ? undefined : basis,
  status: fill === "all" ? undefined : fill,
});

/** Stockpiles that a filter means. One without any volume is not known to be empty. */
export function findPiles(
  piles: readonly Stockpile[],
  { words, basis, fill }: PileFilter,
): readonly Stockpile[] {
  const wanted = words.trim().toLocaleLowerCase();
  return piles.filter(
    (pile) =>
      (basis === "all" || pile.volume_basis === basis) &&
      (fill === "all" || (pile.volume_basis !== "none" && pile.status === fill)) &&
      `${pileName(pile)} ${pile.id}`.toLocaleLowerCase().includes(wanted),
  );
}
