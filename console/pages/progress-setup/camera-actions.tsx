import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { t } from "../../i18n/t.ts";
import { FailureNotice } from "../../parts/notices.tsx";
import { SureDialog } from "../../parts/sure-dialog.tsx";
import { VIEW_TYPES } from "./camera-form.tsx";
import { removeCamera, setView } from "./camera-requests.ts";
import type { Camera } from "./requests.ts";

interface CameraActionsProps {
  readonly camera: Camera;
  readonly onOutlines: () => void;
  readonly onChanged: () => void;
}

/** What may be done with a camera: its outlines, another reference view, its end. */
export function CameraActions({ camera, onOutlines, onChanged }: CameraActionsProps) {
  const { id, name } = camera;
  const failure = useSignal<Failure | undefined>(undefined);
  const said = useSignal("");
  const isBusy = useSignal(false);
  const isAsked = useSignal(false);

  async function send(view: File | undefined) {
    if (view === undefined || isBusy.peek()) return;
    isBusy.value = true;
    said.value = "";
    const outcome = await setView(camera, view);
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("failure" in outcome) return;
    said.value = t("setup.view_set");
    onChanged();
  }

  return (
    <>
      <div class="tool-row">
        <button type="button" aria-label={t("setup.edit_outlines", { name })} onClick={onOutlines}>
          {t("setup.outlines")}
        </button>
        <label class="file-button small">
          {t("setup.new_view")}
          <input
            type="file"
            accept={VIEW_TYPES}
            aria-label={t("setup.new_view_of", { name })}
            disabled={isBusy.value}
            onChange={(event) => void send(event.currentTarget.files?.[0])}
          />
        </label>
        <button
          type="button"
          aria-label={t("setup.delete_zone", { name })}
          onClick={() => {
            isAsked.value = true;
          }}
        >
          {t("fences.delete")}
        </button>
      </div>
      <p role="status" class="small">
        {said.value}
      </p>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {isAsked.value ? (
        <SureDialog
          title={t("fences.delete_title", { name })}
          ways={[[t("fences.delete"), () => removeCamera(id)]]}
          onDone={() => {
            isAsked.value = false;
            onChanged();
          }}
          onClose={() => {
            isAsked.value = false;
          }}
        >
          <p>{t("setup.camera_delete_hint")}</p>
        </SureDialog>
      ) : null}
    </>
  );
}
