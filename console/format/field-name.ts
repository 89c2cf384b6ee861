import { EN_MACHINE } from "../i18n/en/machine.ts";
import { t } from "../i18n/t.ts";

type FieldKey = Extract<keyof typeof EN_MACHINE, `field.${string}`>;

const isKnown = (key: string): key is FieldKey => Object.hasOwn(EN_MACHINE, key);

/** A field in words; a name that only the device knows stays as it is. */
export function fieldName(field: string): string {
  const key = `field.${field}`;
  return isKnown(key) ? t(key) : field;
}
