import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Failure } from "../../api/failure.ts";
import type { Outcome } from "../../api/outcome.ts";
import { useRepeatKey } from "../../api/repeat-key.ts";
import { sendPicture } from "../../api/send-picture.ts";
import { t } from "../../i18n/t.ts";
import { Field, TextField } from "../../parts/field.tsx";
import { FailureNotice } from "../../parts/notices.tsx";
import { problemOf } from "../../parts/problem.ts";
import { createCamera } from "./camera-requests.ts";
import type { Camera } from "./requests.ts";

export const VIEW_TYPES = ".jpg,.jpeg,.png,.webp,.tif,.tiff";

interface CameraFormProps {
  readonly project: string;
  readonly onMade: (camera: Camera) => void;
}

/** Adds a fixed camera by its name and a picture that it took; its zones are outlined in that afterwards. */
export function CameraForm({ project, onMade }: CameraFormProps) {
  const name = useSignal("");
  const view = useSignal<File | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isBusy = useSignal(false);
  const keyOf = useRepeatKey();
  /** Of the chosen picture, once it was sent. */
  const address = useRef<string>();
  const isReady = name.value.trim() !== "" && view.value !== undefined;

  async function send() {
    const file = view.peek();
    const text = name.peek().trim();
    if (file === undefined || text === "" || isBusy.peek()) return;
    isBusy.value = true;
    const outcome = await create(file, text);
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) onMade(outcome.value);
  }

  async function create(file: File, text: string): Promise<Outcome<Camera>> {
    if (address.current === undefined) {
      const sent = await sendPicture(file, project);
      if ("failure" in sent) return sent;
      address.current = sent.value;
    }
    // A second press names the same picture, so that it is the same request.
    const body = { project_id: project, name: text, reference_image: address.current };
    return await createCamera(body, keyOf(body));
  }

  return (
    <form
      class="stack narrow"
      aria-label={t("setup.camera_add")}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextField
        name={t("setup.camera_name")}
        error={problemOf(failure.value, "name")}
        required
        maxLength={200}
        value={name.value}
        onText={(text) => {
          name.value = text;
        }}
      />
      <Field
        name={t("setup.camera_view")}
        hint={t("setup.camera_view_hint")}
        error={problemOf(failure.value, "reference_image")}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept={VIEW_TYPES}
            onChange={(event) => {
              view.value = event.currentTarget.files?.[0];
              address.current = undefined;
            }}
          />
        )}
      </Field>
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      <button type="submit" class="main start" disabled={!isReady || isBusy.value}>
        {t("setup.camera_create")}
      </button>
    </form>
  );
}
