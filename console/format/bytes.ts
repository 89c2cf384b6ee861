const MEGABYTE = 1_000_000;

/** Bytes in megabytes, to a tenth below ten. */
export function formatBytes(bytes: number, locale: string): string {
  const megabytes = bytes / MEGABYTE;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "megabyte",
    maximumFractionDigits: megabytes < 10 ? 1 : 0,
  }).format(megabytes);
}
