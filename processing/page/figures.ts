/** A figure for people: thousands parted by commas, `digits` decimals, a real minus. */
export function figure(value: number, digits: number): string {
  const text = Math.abs(value).toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // What rounds to nothing has no sign.
  return value < 0 && /[1-9]/.test(text) ? `\u2212${text}` : text;
}

/** The same with its sign: what changed. */
export function signed(value: number, digits: number): string {
  const text = figure(value, digits);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** Cubic metres for people: tenths, of small heaps hundredths. */
export function cubicMetres(value: number): string {
  return `${figure(value, Math.abs(value) < 10 ? 2 : 1)} m\u00b3`;
}

/** An interval of 95 % on either side. */
export function plusMinus(value: number): string {
  return `\u00b1 ${cubicMetres(value)}`;
}

/** A share of 0 to 1. */
export function percent(share: number): string {
  return `${figure(100 * share, 1)} %`;
}

/** "2026-11-20 10:00 UTC" of an ISO time. */
export function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
