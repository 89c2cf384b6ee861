import { type Signal, useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { t } from "../../i18n/t.ts";
import { Field, TextField } from "../../parts/field.tsx";
import { pictureAddress } from "../../parts/file-address.ts";
import { FailureNotice } from "../../parts/notices.tsx";
import { Select } from "../../parts/select.tsx";
import { workZones } from "../../state/site-places.ts";
import { readPercent } from "../progress/read-percent.ts";
import {
  type Corner,
  cornerAt,
  isWhole,
  LEAST_CORNERS,
  type Outlines,
  outlinesOf,
  withOutline,
  zonesOf,
} from "./outline.ts";
import { type Camera, changeCamera, type Tagged } from "./requests.ts";

const HUNDRED = 100;

interface OutlineEditorProps {
  readonly camera: Tagged<Camera>;
  readonly onSaved: () => void;
  /** Somebody else changed the camera: reads it again, and the outlines that were drawn here go. */
  readonly onNewest: () => void;
  readonly onCancel: () => void;
}

/** Outlines zones on the reference view: by pressing corners on the picture, or as a table of percents. */
export function OutlineEditor({ camera, onSaved, onNewest, onCancel }: OutlineEditorProps) {
  const zones = workZones.items.value;
  const outlines = useSignal<Outlines>(outlinesOf(camera.value.zones));
  const zoneId = useSignal(camera.value.zones[0]?.zone_id ?? zones[0]?.id ?? "");
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const outline = outlines.value.get(zoneId.value) ?? [];

  const draw = (corners: readonly Corner[]) => {
    outlines.value = withOutline(outlines.peek(), zoneId.peek(), corners);
  };

  async function save() {
    if (isBusy.peek()) return;
    isBusy.value = true;
    const outcome = await changeCamera(camera, { zones: zonesOf(outlines.peek()) });
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) onSaved();
  }

  return (
    <div class="stack">
      <Field name={t("setup.outline_of")} hint={t("setup.outline_hint")}>
        {(control) => (
          <Select
            {...control}
            value={zoneId.value}
            choices={zones.map(({ id, name }) => [id, name] as const)}
            onChoose={(id) => {
              zoneId.value = id;
            }}
          />
        )}
      </Field>
      <ReferencePicture
        camera={camera.value}
        outlines={outlines.value}
        zoneId={zoneId.value}
        onCorner={(corner) => draw([...outline, corner])}
      />
      <CornerList key={zoneId.value} outline={outline} onDraw={draw} />
      {outline.length > 0 && outline.length < LEAST_CORNERS ? (
        <p class="muted small">{t("setup.corners_least")}</p>
      ) : null}
      {failure.value === undefined ? null : failure.value.status === 412 ? (
        <div class="notice notice-bad" role="alert">
          <p>{t("setup.camera_changed")}</p>
          <button type="button" onClick={onNewest}>
            {t("setup.read_again")}
          </button>
        </div>
      ) : (
        <FailureNotice failure={failure.value} />
      )}
      <div class="tool-row">
        <button type="button" onClick={onCancel}>
          {t("fences.cancel")}
        </button>
        <button
          type="button"
          class="main"
          disabled={!isWhole(outlines.value) || isBusy.value}
          onClick={() => void save()}
        >
          {t("fences.save")}
        </button>
      </div>
    </div>
  );
}

interface ReferencePictureProps {
  readonly camera: Camera;
  readonly outlines: Outlines;
  readonly zoneId: string;
  readonly onCorner: (corner: Corner) => void;
}

function ReferencePicture({ camera, outlines, zoneId, onCorner }: ReferencePictureProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table below does the same by keyboard.
    <div
      class="label-picture outline-picture"
      role="presentation"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onCorner(
          cornerAt((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height),
        );
      }}
    >
      <img
        src={pictureAddress(camera.reference_image, 1280)}
        alt={t("setup.reference_view", { name: camera.name })}
        draggable={false}
      />
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {[...outlines].map(([id, corners]) => {
          const points = corners.map(([x, y]) => `${x},${y}`).join(" ");
          return (
            <g key={id} class={id === zoneId ? "outline-chosen" : "outline-other"}>
              <polygon class="outline-halo" points={points} />
              <polygon class="outline" points={points} />
            </g>
          );
        })}
      </svg>
    </div>
  );
}

interface CornerListProps {
  readonly outline: readonly Corner[];
  readonly onDraw: (outline: readonly Corner[]) => void;
}

/** The corners as percents of width and height: for the keyboard and for screen readers. */
function CornerList({ outline, onDraw }: CornerListProps) {
  const x = useSignal("");
  const y = useSignal("");
  const isWrong = useSignal(false);

  function add() {
    const [right, down] = [readPercent(x.peek()), readPercent(y.peek())];
    isWrong.value = right === undefined || down === undefined;
    if (right === undefined || down === undefined) return;
    onDraw([...outline, cornerAt(right / HUNDRED, down / HUNDRED)]);
    x.value = "";
    y.value = "";
  }

  return (
    <>
      <table class="corners">
        <caption>{t("setup.outline_corners")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("fences.number")}</th>
            <th scope="col">{t("setup.from_left")}</th>
            <th scope="col">{t("setup.from_top")}</th>
            <th scope="col">
              <span class="hidden">{t("fences.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {outline.map((corner, index) => (
            // A corner has no name but its place.
            <CornerRow
              key={index}
              corner={corner}
              index={index}
              onMove={(moved) => onDraw(outline.map((one, i) => (i === index ? moved : one)))}
              onDelete={() => onDraw(outline.filter((_, i) => i !== index))}
            />
          ))}
        </tbody>
      </table>
      <form
        class="new-corner"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <ShareField name={t("setup.from_left")} text={x} isWrong={isWrong.value} />
        <ShareField name={t("setup.from_top")} text={y} isWrong={false} />
        <button type="submit">{t("fences.add_corner")}</button>
      </form>
    </>
  );
}

interface ShareFieldProps {
  readonly name: string;
  readonly text: Signal<string>;
  readonly isWrong: boolean;
}

const ShareField = ({ name, text, isWrong }: ShareFieldProps) => (
  <TextField
    name={name}
    error={isWrong ? t("progress.percent_range") : undefined}
    inputMode="decimal"
    autocomplete="off"
    value={text.value}
    onText={(typed) => {
      text.value = typed;
    }}
  />
);

interface CornerRowProps {
  readonly corner: Corner;
  readonly index: number;
  readonly onMove: (corner: Corner) => void;
  readonly onDelete: () => void;
}

function CornerRow({ corner, index, onMove, onDelete }: CornerRowProps) {
  return (
    <tr>
      <th scope="row">{index + 1}</th>
      {([0, 1] as const).map((axis) => (
        <td key={axis}>
          <input
            inputMode="decimal"
            autocomplete="off"
            aria-label={t(axis === 0 ? "setup.left_of" : "setup.top_of", { n: index + 1 })}
            value={String(Number((corner[axis] * HUNDRED).toFixed(2)))}
            onChange={(event) => {
              const percent = readPercent(event.currentTarget.value);
              if (percent === undefined) return;
              const share = percent / HUNDRED;
              onMove(axis === 0 ? cornerAt(share, corner[1]) : cornerAt(corner[0], share));
            }}
          />
        </td>
      ))}
      <td class="corner-actions">
        <button
          type="button"
          aria-label={t("fences.delete_corner", { n: index + 1 })}
          title={t("fences.delete_corner", { n: index + 1 })}
          onClick={onDelete}
        >
          ✕
        </button>
      </td>
    </tr>
  );
}
