import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { draftOf, emptyDraft } from "../../map/drawing/draft.ts";
import { GroundChoice } from "../../parts/ground-choice.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { keepInAddress } from "../../state/address.ts";
import { fences, fencesState, type Geofence, readFences } from "../../state/fences.ts";
import { machines } from "../../state/machines.ts";
import { projectId } from "../../state/project.ts";
import { beginDrawing, type Drawing } from "./drawing.ts";
import { FenceCard } from "./fence-card.tsx";
import { FenceEditor } from "./fence-editor.tsx";
import { FenceMap } from "./fence-map.tsx";
import { ImportForm } from "./import-form.tsx";
import type { TaggedFence } from "./requests.ts";
import { circleAround } from "./shape-tools.tsx";

interface Editing {
  readonly drawing: Drawing;
  readonly stored: TaggedFence | undefined;
}

/** Fences as a list and on the map; one at a time is drawn or changed. */
export function FencesPage() {
  const query = new URLSearchParams(location.search);
  const selected = useSignal(query.get("fence") ?? undefined);
  const editing = useSignal<Editing | undefined>(undefined);
  const isImporting = useSignal(false);
  const drawing = useComputed(() => editing.value?.drawing);
  const fence = fences.value.find(({ id }) => id === selected.value);
  const near = useSignal(query.get("near") ?? undefined);

  useEffect(() => {
    keepInAddress("fence", selected.value);
  }, [selected.value]);
  // A link from a machine draws a circle where it is.
  const machine = machines.value?.find(({ id }) => id === near.value);
  useEffect(() => {
    if (machine === undefined || !may("equipment:write")) return;
    near.value = undefined;
    keepInAddress("near", undefined);
    begin({ ...circleAround(machine.latitude, machine.longitude) });
  }, [machine?.id]);

  function begin(draft = emptyDraft("polygon")) {
    selected.value = undefined;
    isImporting.value = false;
    editing.value = { drawing: beginDrawing(draft), stored: undefined };
  }

  function saved({ id }: Geofence) {
    editing.value = undefined;
    void readFences(projectId.peek()).then(() => {
      selected.value = id;
    });
  }

  if (!may("equipment:read")) {
    return (
      <div class="page">
        <PageHead title={t("fences.title")} />
        <Empty title={t("live.scope", { scope: "equipment:read" })} />
      </div>
    );
  }
  return (
    <div class="map-page">
      <FenceMap
        selected={selected}
        drawing={drawing}
        onSelect={(id) => {
          selected.value = id;
        }}
      />
      <div class="map-side">
        <PageHead title={t("fences.title")} />
        <GroundChoice />
        {editing.value === undefined ? null : (
          <FenceEditor
            {...editing.value}
            onSaved={saved}
            onCancel={() => {
              editing.value = undefined;
            }}
          />
        )}
        {isImporting.value ? (
          <ImportForm
            onImported={() => void readFences(projectId.peek())}
            onClose={() => {
              isImporting.value = false;
            }}
          />
        ) : null}
        {editing.value !== undefined || isImporting.value ? null : (
          <>
            {may("equipment:write") ? (
              <div class="tool-row">
                <button type="button" class="main" onClick={() => begin()}>
                  {t("fences.draw")}
                </button>
                <button
                  type="button"
                  onClick={() => {
                    isImporting.value = true;
                  }}
                >
                  {t("fences.import_button")}
                </button>
              </div>
            ) : (
              <p class="notice">{t("fences.read_only")}</p>
            )}
            {fence === undefined ? null : (
              <FenceCard
                key={fence.id}
                fence={fence}
                onEdit={(stored) => {
                  editing.value = { drawing: beginDrawing(draftOf(stored.fence)), stored };
                }}
                onDeleted={() => {
                  selected.value = undefined;
                  void readFences(projectId.peek());
                }}
                onClose={() => {
                  selected.value = undefined;
                }}
              />
            )}
            <FenceList
              selected={selected}
              onSelect={(id) => {
                selected.value = id;
              }}
            />
          </>
        )}
      </div>
    </div>
  );
}

interface FenceListProps {
  readonly selected: ReadonlySignal<string | undefined>;
  readonly onSelect: (id: string) => void;
}

function FenceList({ selected, onSelect }: FenceListProps) {
  const search = useSignal("");
  const found = fences.value
    .filter(({ name }) => name.toLocaleLowerCase().includes(search.value.toLocaleLowerCase()))
    .toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
  const state = fencesState.value;
  if (typeof state === "object") {
    return <FailureNotice failure={state} onRetry={() => void readFences(projectId.peek())} />;
  }
  if (state === "unread") return <Loading />;
  if (fences.value.length === 0) {
    return <Empty title={t("fences.empty")}>{t("fences.empty_hint")}</Empty>;
  }
  return (
    <>
      <label>
        <span class="hidden">{t("fences.search")}</span>
        <input
          type="search"
          placeholder={t("fences.search")}
          onInput={(event) => {
            search.value = event.currentTarget.value.trim();
          }}
        />
      </label>
      <p class="muted small">{tn("fences.count", found.length)}</p>
      <ul class="machine-list" aria-label={t("fences.list")}>
        {found.map(({ id, name, kind, shape, area_sqm }) => (
          <li key={id}>
            <button
              type="button"
              class="machine-row"
              aria-pressed={id === selected.value}
              onClick={() => onSelect(id)}
            >
              <span class="machine-name">{name}</span>
              <span class="small">{t(`fences.kind.${kind}`)}</span>
              <span class="muted small">
                {t(`fences.tool.${shape}`)}, {show.area(area_sqm)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
