import type { FleetSeries } from "../../../../domain/equipment/fleet-series.ts";
import type { FleetHeader } from "../../read-fleet.ts";

/** How a server names one machine in the path of a series: both forms of the standard are in use. */
export type MachinePath = "make_model_serial" | "id";
export const MACHINE_PATHS: readonly MachinePath[] = ["make_model_serial", "id"];

/** A path that is a fleet's, with the page that it may end in. */
const FLEET = /^(.*\/)(fleet)(?:\/\d+)?\/?$/i;

/**
 * The first page of a series of one machine; `undefined`: the source has no fleet's path, or the machine lacks
 * the names that this form needs. Times are whole seconds (`YYYY-MM-DDThh:mm:ssZ`), both inclusive. Servers
 * whose fleet is in lower case (Caterpillar) have the whole path so.
 */
export function seriesUrl(
  firstPage: string,
  { oemName, model, serialNumber, pin, equipmentId }: FleetHeader,
  series: FleetSeries,
  form: MachinePath,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): string | undefined {
  const url = new URL(firstPage);
  const [, base, fleet] = FLEET.exec(url.pathname) ?? [];
  if (base === undefined || fleet === undefined || url.search !== "") return undefined;
  const names =
    form === "make_model_serial"
      ? [oemName, model, serialNumber]
      : [pin ?? serialNumber ?? equipmentId];
  const given = names.filter((name) => name !== undefined && name !== "");
  if (given.length < names.length) return undefined;
  const word = fleet === "fleet" ? lowerFirst : (text: string) => text;
  const machine = given.map((name) => encodeURIComponent(name ?? ""));
  if (form === "make_model_serial") machine.unshift(word("MakeModelSerial"));
  const parts = [
    fleet,
    word("Equipment"),
    ...machine,
    word(series),
    instant(fromMs),
    instant(toMs),
    "1",
  ];
  url.pathname = `${base}${parts.join("/")}`;
  return url.href;
}

/** `DEFRemainingRatio` as `defRemainingRatio`, `Faults` as `faults`. */
const lowerFirst = (text: string): string =>
  text.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (head) => head.toLowerCase());

const instant = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
