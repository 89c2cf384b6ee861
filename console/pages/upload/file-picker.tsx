import { useSignal } from "@preact/signals";
import { t } from "../../i18n/t.ts";
import { Field } from "../../parts/field.tsx";

const TYPES = ".jpg,.jpeg,.png,.webp,.tif,.tiff";

interface FilePickerProps {
  readonly isDisabled: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files by drop, by the file dialog, and from a phone's camera. */
export function FilePicker({ isDisabled, onFiles }: FilePickerProps) {
  const isOver = useSignal(false);
  const take = (input: HTMLInputElement) => {
    onFiles(Array.from(input.files ?? []));
    // The same files may be chosen once more.
    input.value = "";
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a drop is a shortcut; the inputs in it do the same by keyboard
    <div
      class={isOver.value ? "drop drop-over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => {
        isOver.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        if (!isDisabled) onFiles(Array.from(event.dataTransfer?.files ?? []));
      }}
    >
      <Field name={t("upload.files")} hint={t("upload.files_hint")}>
        {(control) => (
          <input
            {...control}
            type="file"
            multiple
            accept={TYPES}
            disabled={isDisabled}
            onChange={(event) => take(event.currentTarget)}
          />
        )}
      </Field>
      <Field name={t("upload.camera")} hint={t("upload.camera_hint")}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept="image/*"
            capture="environment"
            disabled={isDisabled}
            onChange={(event) => take(event.currentTarget)}
          />
        )}
      </Field>
    </div>
  );
}
