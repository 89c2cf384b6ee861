import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure } from "../../api/failure.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { emptyDraft } from "../../map/drawing/draft.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { GroundChoice } from "../../parts/ground-choice.tsx";
import { lazily } from "../../parts/lazily.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { readBaseMap } from "../../state/base-map.ts";
import { type WorkZone, workZones } from "../../state/site-places.ts";
import { beginDrawing } from "../fences/drawing.ts";
import { deleteZone, readZone, type Tagged } from "./requests.ts";
import { zoneEditing } from "./zone-editing.ts";
import { ZoneEditor } from "./zone-editor.tsx";
import { outlineOf } from "./zone-form.ts";

/** A map is larger than all of this page. */
const LazyZoneMap = lazily(
  async () => (await import("./zone-drawing-map.tsx")).ZoneDrawingMap,
  readBaseMap,
);

/** The zones of a project: a list, the map, and the one that is being drawn. */
export function ZonesPart({ project }: { readonly project: string }) {
  const failure = useSignal<Failure | undefined>(undefined);
  const toDelete = useSignal<Tagged<WorkZone> | undefined>(undefined);
  const editing = zoneEditing.value;

  useEffect(
    () => () => {
      zoneEditing.value = undefined;
    },
    [project],
  );

  async function withNewest(id: string, use: (zone: Tagged<WorkZone>) => void) {
    const outcome = await readZone(id);
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) use(outcome.value);
  }

  function close() {
    zoneEditing.value = undefined;
    void workZones.read([project]);
  }

  async function remove(zone: Tagged<WorkZone>) {
    const outcome = await deleteZone(zone);
    toDelete.value = undefined;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    void workZones.read([project]);
  }

  return (
    <div class="setup-zones">
      <div class="zone-map">
        <LazyZoneMap />
      </div>
      <section class="card" aria-label={t("progress.zones")}>
        <GroundChoice />
        {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
        {editing === undefined ? (
          <>
            <h2>{t("progress.zones")}</h2>
            {may("progress:write") ? (
              <button
                type="button"
                class="main start"
                onClick={() => {
                  zoneEditing.value = {
                    drawing: beginDrawing(emptyDraft("polygon")),
                    stored: undefined,
                  };
                }}
              >
                {t("setup.draw_zone")}
              </button>
            ) : (
              <p class="notice">{t("setup.read_only")}</p>
            )}
            <ZoneList
              onEdit={(id) =>
                void withNewest(id, (stored) => {
                  zoneEditing.value = { drawing: beginDrawing(outlineOf(stored.value)), stored };
                })
              }
              onDelete={(id) =>
                void withNewest(id, (zone) => {
                  toDelete.value = zone;
                })
              }
            />
          </>
        ) : (
          <ZoneEditor
            project={project}
            editing={editing}
            onSaved={close}
            onCancel={() => {
              zoneEditing.value = undefined;
            }}
          />
        )}
      </section>
      {toDelete.value === undefined ? null : (
        <DeleteDialog
          zone={toDelete.value}
          onDelete={remove}
          onClose={() => {
            toDelete.value = undefined;
          }}
        />
      )}
    </div>
  );
}

interface ZoneListProps {
  readonly onEdit: (id: string) => void;
  readonly onDelete: (id: string) => void;
}

function ZoneList({ onEdit, onDelete }: ZoneListProps) {
  const state = workZones.state.value;
  const zones = workZones.items.value;
  if (typeof state === "object") return <FailureNotice failure={state} />;
  if (state === "unread") return <Loading />;
  if (zones.length === 0) {
    return <Empty title={t("setup.no_zones")}>{t("setup.no_zones_hint")}</Empty>;
  }
  return (
    <ul class="rows">
      {zones.map((zone) => (
        <li key={zone.id}>
          <div class="card-head">
            <h3 class="row-name">{zone.name}</h3>
            {may("progress:write") ? (
              <span class="tool-row">
                <button
                  type="button"
                  aria-label={t("fences.change", { name: zone.name })}
                  onClick={() => onEdit(zone.id)}
                >
                  {t("fences.edit")}
                </button>
                <button
                  type="button"
                  aria-label={t("setup.delete_zone", { name: zone.name })}
                  onClick={() => onDelete(zone.id)}
                >
                  {t("fences.delete")}
                </button>
              </span>
            ) : null}
          </div>
          <p class="small">
            {t(`setup.metric.${zone.metric.kind}`)}
            {zone.metric.levels === undefined ? null : `: ${levelsText(zone)}`}
            {zone.metric.stages === undefined ? null : `: ${stagesText(zone)}`}
          </p>
          <p class="muted small">{activitiesText(zone)}</p>
          {zone.polygon === undefined ? <p class="muted small">{t("setup.no_outline")}</p> : null}
        </li>
      ))}
    </ul>
  );
}

const levelsText = ({ metric }: WorkZone): string =>
  (metric.levels ?? []).map(({ name, top_m }) => `${name} ${show.length(top_m)}`).join(", ");

const stagesText = ({ metric }: WorkZone): string =>
  (metric.stages ?? []).map(({ name, credit }) => `${name} ${show.percent(credit)}`).join(", ");

function activitiesText({ activities }: WorkZone): string {
  const all = [...activities.wbs, ...activities.codes, ...activities.names];
  return all.length === 0
    ? t("setup.no_activities")
    : t("setup.matches", { activities: all.join(", ") });
}

interface DeleteDialogProps {
  readonly zone: Tagged<WorkZone>;
  readonly onDelete: (zone: Tagged<WorkZone>) => Promise<void>;
  readonly onClose: () => void;
}

function DeleteDialog({ zone, onDelete, onClose }: DeleteDialogProps) {
  const isBusy = useSignal(false);
  return (
    <Dialog title={t("fences.delete_title", { name: zone.value.name })} onClose={onClose}>
      <p>{t("setup.delete_hint")}</p>
      <div class="tool-row">
        <button type="button" onClick={onClose}>
          {t("fences.cancel")}
        </button>
        <button
          type="button"
          class="main"
          disabled={isBusy.value}
          onClick={() => {
            isBusy.value = true;
            void onDelete(zone);
          }}
        >
          {t("fences.delete")}
        </button>
      </div>
    </Dialog>
  );
}
