import { useSignal } from "@preact/signals";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { isDrawn, isSingle, leastPoints, withoutPoint } from "../../map/drawing/draft.ts";
import type { Tool } from "../../map/drawing/draw-tool.ts";
import { PositionBasis, PositionTime } from "../../parts/facts.tsx";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { machines } from "../../state/machines.ts";
import { chooseTool, type Drawing, redo, step, undo } from "./drawing.ts";

const TOOLS: readonly Exclude<Tool, "edit">[] = ["polygon", "rectangle", "circle", "corridor"];
/** Radius of a circle around a machine, metres: a digger and what stands about it. */
const AROUND_M = 50;

interface ShapeToolsProps {
  readonly drawing: Drawing;
  /** What can be drawn; absent: every shape of a fence. */
  readonly tools?: readonly Exclude<Tool, "edit">[];
}

/** Chooses what is drawn, and takes steps back. */
export function ShapeTools({ drawing, tools = TOOLS }: ShapeToolsProps) {
  const { history, draft, tool, sketch } = drawing;
  const { past, future } = history.value;
  const isPointing = tool.value !== "edit" && sketch.value !== undefined;
  return (
    <fieldset class="tools">
      <legend>{t("fences.shape")}</legend>
      <div class="tool-row">
        {tools.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={
              one === tool.value || (tool.value === "edit" && one === draft.value.shape)
            }
            onClick={() => chooseTool(drawing, one)}
          >
            {t(`fences.tool.${one}`)}
          </button>
        ))}
      </div>
      <p class="muted small">{t(`fences.hint.${tool.value}`)}</p>
      <div class="tool-row">
        <button
          type="button"
          disabled={past.length === 0 && !isPointing}
          onClick={() => undo(drawing)}
        >
          {t("fences.undo")}
        </button>
        <button type="button" disabled={future.length === 0} onClick={() => redo(drawing)}>
          {t("fences.redo")}
        </button>
        {isPointing && ["polygon", "corridor", "line"].includes(tool.value) ? (
          <button type="button" onClick={() => drawing.pointer.peek()?.finish()}>
            {t("fences.finish")}
          </button>
        ) : null}
        <DeleteChosen drawing={drawing} />
      </div>
      {isDrawn(draft.value) || !tools.includes("circle") ? null : <FromMachine drawing={drawing} />}
    </fieldset>
  );
}

/** Deletes the corner that was pressed on the map: fingers have no second button. */
function DeleteChosen({ drawing }: { readonly drawing: Drawing }) {
  const index = drawing.chosen.value;
  const draft = drawing.draft.value;
  if (index === undefined || isSingle(draft)) return null;
  return (
    <button
      type="button"
      disabled={draft.points.length <= leastPoints(draft)}
      onClick={() => step(drawing, withoutPoint(draft, index))}
    >
      {t("fences.delete_corner", { n: index + 1 })}
    </button>
  );
}

/** A circle where a machine is; what that place rests on is said beside it. */
function FromMachine({ drawing }: { readonly drawing: Drawing }) {
  const id = useSignal("");
  const all = machines.value ?? [];
  const machine = all.find((one) => one.id === id.value);
  if (all.length === 0) return null;
  return (
    <details>
      <summary>{t("fences.from_machine")}</summary>
      <div class="stack">
        <Field name={t("fences.machine")}>
          {(control) => (
            <Select
              {...control}
              value={id.value}
              choices={[["", t("fences.choose")], ...all.map((one) => [one.id, one.name] as const)]}
              onChoose={(chosen) => {
                id.value = chosen;
              }}
            />
          )}
        </Field>
        {machine === undefined ? null : (
          <>
            <p class="muted small">
              <PositionBasis machine={machine} />, <PositionTime machine={machine} />
            </p>
            <button
              type="button"
              onClick={() => step(drawing, circleAround(machine.latitude, machine.longitude))}
            >
              {t("fences.circle_around", { size: show.length(AROUND_M) })}
            </button>
          </>
        )}
      </div>
    </details>
  );
}

/** A circle to begin with around a place, degrees. */
export const circleAround = (latitude: number, longitude: number) => ({
  shape: "circle" as const,
  points: [[latitude, longitude] as const],
  sizeM: AROUND_M,
});
