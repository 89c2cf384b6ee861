import { INK } from "../../../pictures/ink.ts";
import { drawText, fillRectangle, type Picture, textSize } from "../../../pictures/picture.ts";
import type { PlacedZone } from "./lay-out.ts";
import { progressColour, zoneColour } from "./zone-colour.ts";

const LETTERS = 2;
const ROW_PX = 26;
const TOP_PX = 18;
/** Zones that the list names; a page has the others: as many as a square map has room for. */
const MOST_NAMED = 36;
/** Letters of a name that fit beside number and percent. */
const NAME_LETTERS = 20;
/** Length of the bar of colours, pixels, and the space after it. */
const BAR_PX = 240;
const BAR_TEXT = "in progress, 0 to 100 %";
const BAR_TEXT_LEFT_PX = BAR_PX + 12;

/** Width of the meaning of the colours, pixels. */
export const KEYS_WIDTH_PX = BAR_TEXT_LEFT_PX + textSize(BAR_TEXT, LETTERS).width;

/** Height of the list of so many zones, pixels. */
export const listHeight = (count: number): number =>
  2 * TOP_PX + (Math.min(count, MOST_NAMED) + (count > MOST_NAMED ? 1 : 0)) * ROW_PX;

/** Number, colour, name and percent of the zones, one below the other. */
export function drawZoneList(
  picture: Picture,
  zones: readonly PlacedZone[],
  at: { readonly left: number; readonly width: number },
): void {
  let top = TOP_PX;
  for (const { zone, number } of zones.slice(0, MOST_NAMED)) {
    drawText(picture, String(number), { left: at.left, top, scale: LETTERS }, INK);
    const box = { left: at.left + 40, top: top - 1, width: 20, height: 16 };
    fillRectangle(picture, box, INK);
    fillRectangle(
      picture,
      { left: box.left + 1, top: box.top + 1, width: 18, height: 14 },
      zoneColour(zone),
    );
    drawText(
      picture,
      shortName(zone.name) || `zone ${number}`,
      { left: at.left + 70, top, scale: LETTERS },
      INK,
    );
    const percent = zone.progress === undefined ? "?" : `${Math.round(zone.progress)}%`;
    const { width } = textSize(percent, LETTERS);
    const end = at.left + at.width - 2 * TOP_PX - width;
    drawText(picture, percent, { left: end, top, scale: LETTERS }, INK);
    top += ROW_PX;
  }
  const more = zones.length - MOST_NAMED;
  if (more > 0) {
    drawText(picture, `and ${more} more`, { left: at.left + 70, top, scale: LETTERS }, INK);
  }
}

/** Meaning of the colours, 60 pixels high. */
export function drawZoneKeys(
  picture: Picture,
  at: { readonly left: number; readonly top: number },
): void {
  const { top } = at;
  const boxes = [
    ["not started", zoneColour({ status: "not_started", progress: 0 })],
    ["complete", zoneColour({ status: "complete", progress: 100 })],
    ["? not known", zoneColour({ status: "not_started", progress: undefined })],
  ] as const;
  let { left } = at;
  for (const [text, colour] of boxes) {
    fillRectangle(picture, { left, top, width: 28, height: 16 }, INK);
    fillRectangle(picture, { left: left + 1, top: top + 1, width: 26, height: 14 }, colour);
    drawText(picture, text, { left: left + 36, top: top + 1, scale: LETTERS }, INK);
    left += 36 + textSize(text, LETTERS).width + 28;
  }
  const bar = top + 26;
  fillRectangle(picture, { left: at.left - 1, top: bar - 1, width: BAR_PX + 2, height: 16 }, INK);
  for (let x = 0; x < BAR_PX; x += 1) {
    const colour = progressColour((100 * (x + 0.5)) / BAR_PX);
    fillRectangle(picture, { left: at.left + x, top: bar, width: 1, height: 14 }, colour);
  }
  drawText(picture, BAR_TEXT, { left: at.left + BAR_TEXT_LEFT_PX, top: bar, scale: LETTERS }, INK);
}

/** A name in letters that pictures have; accents go, and what has no letters at all is left to the number. */
function shortName(name: string): string {
  const plain = name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, " ")
    .trim();
  return plain.length > NAME_LETTERS ? `${plain.slice(0, NAME_LETTERS - 2)}..` : plain;
}
