import { t } from "../i18n/t.ts";
import { zone } from "../state/zone.ts";
import { readTime } from "../time/zone.ts";
import { TextField } from "./field.tsx";

interface TimeFieldProps {
  readonly name: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly required?: boolean;
  /** As the field has it, `2026-03-05T14:03`. */
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** Date and time of day in the zone of the page, which stands beside it; says so of a time that is none or comes twice. */
export function TimeField({ hint, error, value, ...field }: TimeFieldProps) {
  const { isSkipped, isDouble } = readTime(value, zone.value);
  const hints = [
    t("zone.field", { zone: zone.value }),
    ...(hint === undefined ? [] : [hint]),
    ...(isDouble ? [t("zone.double")] : []),
  ];
  return (
    <TextField
      {...field}
      type="datetime-local"
      value={value}
      hint={hints.join(". ")}
      error={isSkipped ? t("zone.skipped") : error}
    />
  );
}
