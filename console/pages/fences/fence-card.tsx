import { useSignal } from "@preact/signals";
import { Link } from "wouter-preact";
import type { Failure } from "../../api/failure.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { draftOf } from "../../map/drawing/draft.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { When } from "../../parts/time.tsx";
import type { Geofence } from "../../state/fences.ts";
import { projects } from "../../state/project.ts";
import { toPage } from "../../state/to-page.ts";
import { deleteFence, readFence, type TaggedFence } from "./requests.ts";
import { alertText, groundText } from "./words.ts";

interface FenceCardProps {
  readonly fence: Geofence;
  readonly onEdit: (tagged: TaggedFence) => void;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** What is stored of the chosen fence, and what can be done with it. */
export function FenceCard({ fence, onEdit, onDeleted, onClose }: FenceCardProps) {
  const failure = useSignal<Failure | undefined>(undefined);
  const toDelete = useSignal<TaggedFence | undefined>(undefined);
  const project = projects.value.find(({ id }) => id === fence.project_id);

  /** The newest state, with its tag: what is changed or deleted is what the person saw. */
  async function withNewest(then: (tagged: TaggedFence) => void) {
    const outcome = await readFence(fence.id);
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) then(outcome.value);
  }

  async function remove(tagged: TaggedFence) {
    const outcome = await deleteFence(tagged);
    toDelete.value = undefined;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) onDeleted();
  }

  return (
    <section class="card machine-card" aria-labelledby="fence-card">
      <header class="card-head">
        <h2 id="fence-card">{fence.name}</h2>
        <button type="button" onClick={onClose} aria-label={t("map.close")}>
          ✕
        </button>
      </header>
      <dl class="facts">
        <dt>{t("fences.kind")}</dt>
        <dd>{t(`fences.kind.${fence.kind}`)}</dd>
        <dt>{t("nav.project")}</dt>
        <dd>{project?.name ?? fence.project_id}</dd>
        <dt>{t("fences.shape")}</dt>
        <dd>
          {t(`fences.tool.${fence.shape}`)}, {groundText(draftOf(fence))}
        </dd>
        <dt>{t("fences.area")}</dt>
        <dd>
          {show.area(fence.area_sqm)} <span class="muted">{t("fences.by_service")}</span>
        </dd>
        <dt>{t("fences.alert_on")}</dt>
        <dd>{alertText(fence.alert_on)}</dd>
        <dt>{t("fences.stay")}</dt>
        <dd>{fence.min_dwell_s === 0 ? t("map.none") : show.span(fence.min_dwell_s * 1_000)}</dd>
        <dt>{t("fences.buffer")}</dt>
        <dd>{show.length(fence.exit_buffer_m)}</dd>
        <dt>{t("fences.changed")}</dt>
        <dd>
          <When ms={Date.parse(fence.updated_at)} isPressable />
        </dd>
      </dl>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      <div class="tool-row">
        <Link class="button" href={toPage(`/fences/${encodeURIComponent(fence.id)}/visits`)}>
          {t("visits.title")}
        </Link>
        {may("equipment:write") ? (
          <>
            <button type="button" onClick={() => void withNewest(onEdit)}>
              {t("fences.edit")}
            </button>
            <button
              type="button"
              onClick={() =>
                void withNewest((tagged) => {
                  toDelete.value = tagged;
                })
              }
            >
              {t("fences.delete")}
            </button>
          </>
        ) : null}
      </div>
      {toDelete.value === undefined ? null : (
        <DeleteDialog
          tagged={toDelete.value}
          onDelete={remove}
          onClose={() => {
            toDelete.value = undefined;
          }}
        />
      )}
    </section>
  );
}

interface DeleteDialogProps {
  readonly tagged: TaggedFence;
  readonly onDelete: (tagged: TaggedFence) => Promise<void>;
  readonly onClose: () => void;
}

function DeleteDialog({ tagged, onDelete, onClose }: DeleteDialogProps) {
  const isBusy = useSignal(false);
  return (
    <Dialog title={t("fences.delete_title", { name: tagged.fence.name })} onClose={onClose}>
      <p>{t("fences.delete_hint")}</p>
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
            void onDelete(tagged);
          }}
        >
          {t("fences.delete")}
        </button>
      </div>
    </Dialog>
  );
}
