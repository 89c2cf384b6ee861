import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { parseDegrees, parsePair } from "../../map/drawing/degrees.ts";
import {
  isSingle,
  isSized,
  type LatLng,
  leastPoints,
  movedPoint,
  withMiddle,
  withoutPoint,
} from "../../map/drawing/draft.ts";
import { TextField } from "../../parts/field.tsx";
import { QuantityField } from "../../parts/quantity-field.tsx";
import { addPoint, type Drawing, step } from "./drawing.ts";

interface CornerTableProps {
  readonly drawing: Drawing;
  /** What the service said of a corner, by its place, and of the size. */
  readonly flaws: ReadonlyMap<number | "size", string>;
}

/** What the table is called, and its button, by shape. */
const CAPTIONS = {
  polygon: "fences.corners",
  circle: "fences.centre",
  corridor: "fences.corners",
  line: "fences.corners",
  point: "fences.place",
} as const;
const ADDS = {
  polygon: "fences.add_corner",
  circle: "fences.set_centre",
  corridor: "fences.add_corner",
  line: "fences.add_corner",
  point: "fences.set_place",
} as const;

/** Every shape as numbers: for the keyboard, for screen readers, and for who has a surveyor's list. */
export function CornerTable({ drawing, flaws }: CornerTableProps) {
  const { draft, chosen } = drawing;
  const { shape, points } = draft.value;
  const said = useSignal("");
  const isOne = isSingle(draft.value);

  function remove(index: number) {
    step(drawing, withoutPoint(draft.peek(), index));
    said.value = t("fences.corner_deleted", { n: index + 1 });
  }

  return (
    <section class="stack" aria-label={t("fences.corners")}>
      <table class="corners">
        <caption>{t(CAPTIONS[shape])}</caption>
        <thead>
          <tr>
            <th scope="col">{t("fences.number")}</th>
            <th scope="col">{t("fences.latitude")}</th>
            <th scope="col">{t("fences.longitude")}</th>
            <th scope="col">
              <span class="hidden">{t("fences.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map((point, index) => (
            // A corner has no name but its place.
            <CornerRow
              key={index}
              drawing={drawing}
              index={index}
              point={point}
              isChosen={chosen.value === index}
              flaw={flaws.get(index)}
              onDelete={
                isOne || points.length <= leastPoints(draft.value) ? undefined : () => remove(index)
              }
            />
          ))}
        </tbody>
      </table>
      {shape === "circle" && points.length > 0 ? null : (
        <NewCorner
          drawing={drawing}
          onAdd={(n) => {
            said.value = t("fences.corner_added", { n });
          }}
        />
      )}
      {isSized(draft.value) ? <Size drawing={drawing} flaw={flaws.get("size")} /> : null}
      <p class="hidden" aria-live="polite">
        {said.value}
      </p>
    </section>
  );
}

interface CornerRowProps {
  readonly drawing: Drawing;
  readonly index: number;
  readonly point: LatLng;
  readonly isChosen: boolean;
  readonly flaw: string | undefined;
  readonly onDelete: (() => void) | undefined;
}

function CornerRow({ drawing, index, point, isChosen, flaw, onDelete }: CornerRowProps) {
  const { draft, chosen } = drawing;
  const middle = withMiddle(draft.value, index);
  const place = (axis: 0 | 1, degrees: number): LatLng =>
    axis === 0 ? [degrees, point[1]] : [point[0], degrees];
  return (
    <>
      <tr class={isChosen ? "corner-chosen" : undefined}>
        <th scope="row">
          <button
            type="button"
            class="corner-number"
            aria-pressed={isChosen}
            aria-label={t("fences.choose_corner", { n: index + 1 })}
            onClick={() => {
              chosen.value = isChosen ? undefined : index;
            }}
          >
            {index + 1}
          </button>
        </th>
        {([0, 1] as const).map((axis) => (
          <td key={axis}>
            <Degrees
              name={t(axis === 0 ? "fences.latitude_of" : "fences.longitude_of", { n: index + 1 })}
              value={point[axis]}
              most={axis === 0 ? 90 : 180}
              onDegrees={(degrees) =>
                step(drawing, movedPoint(draft.peek(), index, place(axis, degrees)))
              }
              onFocus={() => {
                chosen.value = index;
              }}
            />
          </td>
        ))}
        <td class="corner-actions">
          <button
            type="button"
            disabled={middle === draft.value}
            aria-label={t("fences.insert_after", { n: index + 1 })}
            title={t("fences.insert_after", { n: index + 1 })}
            onClick={() => step(drawing, middle)}
          >
            +
          </button>
          <button
            type="button"
            disabled={onDelete === undefined}
            aria-label={t("fences.delete_corner", { n: index + 1 })}
            title={t("fences.delete_corner", { n: index + 1 })}
            onClick={onDelete}
          >
            ✕
          </button>
        </td>
      </tr>
      {flaw === undefined ? null : (
        <tr>
          <td colSpan={4} class="field-error small" role="alert">
            {t("fences.corner_flaw", { n: index + 1, flaw })}
          </td>
        </tr>
      )}
    </>
  );
}

interface DegreesProps {
  readonly name: string;
  readonly value: number;
  readonly most: 90 | 180;
  readonly onDegrees: (degrees: number) => void;
  readonly onFocus: () => void;
}

/** Degrees that hold when the field is left or Enter is pressed; what is no number stays to be corrected. */
function Degrees({ name, value, most, onDegrees, onFocus }: DegreesProps) {
  const text = useSignal<string | undefined>(undefined);
  const isWrong = text.value !== undefined && parseDegrees(text.value, most) === undefined;
  return (
    <input
      inputMode="decimal"
      autocomplete="off"
      aria-label={name}
      aria-invalid={isWrong}
      title={isWrong ? t("fences.degrees_range", { most }) : undefined}
      value={text.value ?? String(value)}
      onFocus={onFocus}
      onInput={(event) => {
        text.value = event.currentTarget.value;
      }}
      onChange={() => {
        const degrees = parseDegrees(text.peek() ?? "", most);
        if (degrees === undefined) return;
        text.value = undefined;
        if (degrees !== value) onDegrees(degrees);
      }}
    />
  );
}

function NewCorner(props: { readonly drawing: Drawing; readonly onAdd: (n: number) => void }) {
  const { drawing, onAdd } = props;
  const latitude = useSignal("");
  const longitude = useSignal("");
  const error = useSignal<string | undefined>(undefined);
  const first = useRef<HTMLDivElement>(null);
  const hint = useId();
  const { shape, points } = drawing.draft.value;
  const name = ADDS[shape];

  function add() {
    const pair = parsePair(latitude.peek());
    const lat = pair?.[0] ?? parseDegrees(latitude.peek(), 90);
    const lng = pair?.[1] ?? parseDegrees(longitude.peek(), 180);
    if (lat === undefined || lng === undefined) {
      error.value = t("fences.degrees_both");
      return;
    }
    error.value = undefined;
    latitude.value = "";
    longitude.value = "";
    addPoint(drawing, [lat, lng]);
    onAdd(drawing.draft.peek().points.length);
    first.current?.querySelector("input")?.focus();
  }

  return (
    <form
      class="new-corner"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <div ref={first}>
        <TextField
          name={t("fences.latitude")}
          value={latitude.value}
          error={error.value}
          aria-details={points.length > 0 ? undefined : hint}
          autocomplete="off"
          onText={(text) => {
            latitude.value = text;
          }}
        />
      </div>
      <TextField
        name={t("fences.longitude")}
        value={longitude.value}
        autocomplete="off"
        onText={(text) => {
          longitude.value = text;
        }}
      />
      <button type="submit">{t(name)}</button>
      {points.length > 0 ? null : (
        <p id={hint} class="muted small">
          {t("fences.pair_hint")}
        </p>
      )}
    </form>
  );
}

/** Radius of a circle, width of a corridor. */
function Size({ drawing, flaw }: { readonly drawing: Drawing; readonly flaw: string | undefined }) {
  const typed = useSignal<number | undefined>(undefined);
  const { draft } = drawing;
  const { shape, sizeM } = draft.value;
  const isCircle = shape === "circle";
  const isWrong = typed.value !== undefined && !(typed.value > 0);
  const [least, most] = isCircle ? RADIUS_M : WIDTH_M;
  return (
    <QuantityField
      quantity="length"
      name={t(isCircle ? "fences.radius" : "fences.width")}
      hint={t(isCircle ? "fences.radius_range" : "fences.width_range", {
        least: show.length(least),
        most: show.distance(most),
      })}
      error={flaw ?? (isWrong ? t("fences.metres_wrong") : undefined)}
      value={typed.value ?? sizeM}
      onValue={(metres) => {
        typed.value = metres;
      }}
      onLeave={() => {
        const metres = typed.peek();
        if (metres === undefined || !(metres > 0)) return;
        typed.value = undefined;
        if (metres !== sizeM) step(drawing, { ...draft.peek(), sizeM: metres });
      }}
    />
  );
}

/** Ranges of the service (docs/geofences.md), metres. */
const RADIUS_M = [1, 100_000] as const;
const WIDTH_M = [0.5, 2_000] as const;
