/** A sentence of the service, which writes ASCII, with the signs of a page: "\u00b1" for "+-", "m\u00b3" for "m3". */
export const serviceText = (text: string): string =>
  text
    .replaceAll("+-", "\u00b1\u00a0")
    .replace(
      /\b([cm]?m)([23])\b/g,
      (_, unit: string, power: string) => unit + POWERS[Number(power)],
    );

const POWERS: Readonly<Record<number, string>> = { 2: "\u00b2", 3: "\u00b3" };
