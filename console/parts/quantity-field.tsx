import { useSignal } from "@preact/signals";
import {
  fieldText,
  type Quantity,
  readShown,
  shownSymbol,
  type UnitSystem,
} from "../format/units.ts";
import { locale, t } from "../i18n/t.ts";
import { preferences } from "../state/preferences.ts";
import { TextField } from "./field.tsx";

interface QuantityFieldProps {
  readonly quantity: Quantity;
  /** Without a unit: the one that is shown is put behind it. */
  readonly name: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** In the unit of the API; NaN: what was typed is no number. */
  readonly value: number | undefined;
  /** In the unit of the API; `undefined`: empty; NaN: not a number from 0. */
  readonly onValue: (value: number | undefined) => void;
  /** Whether it may be below 0, as a height may. */
  readonly isSigned?: boolean;
  /** Who typed is done. */
  readonly onLeave?: () => void;
}

/** What somebody typed, in which units, and what it was read as. */
interface Typed {
  readonly text: string;
  readonly units: UnitSystem;
  readonly value: number | undefined;
}

/** A number with its unit beside it. What nobody types into keeps its value, whatever unit it is shown in. */
export function QuantityField(props: QuantityFieldProps) {
  const { quantity, name, value, onValue, onLeave, isSigned = false, ...field } = props;
  const { units } = preferences.value;
  const typed = useSignal<Typed | undefined>(undefined);
  const own = typed.value;
  const isOwn = own !== undefined && own.units === units && Object.is(own.value, value);
  return (
    <TextField
      {...field}
      name={t("quantity.field", { name, unit: shownSymbol(quantity, units, locale.value) })}
      inputMode="decimal"
      autocomplete="off"
      value={isOwn ? own.text : fieldText(quantity, value, units)}
      onText={(text) => {
        const read = isSigned
          ? readSigned(quantity, text, units)
          : readShown(quantity, text, units);
        typed.value = { text, units, value: read };
        onValue(read);
      }}
      onChange={onLeave}
    />
  );
}

/** The same of a number that may have a sign. */
function readSigned(quantity: Quantity, text: string, units: UnitSystem): number | undefined {
  const [, sign, rest = ""] = /^\s*([-−+]?)(.*)$/s.exec(text) ?? [];
  const read = readShown(quantity, rest, units);
  if (read === undefined) return sign === "" ? undefined : Number.NaN;
  return sign === "-" || sign === "−" ? -read : read;
}
