import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { may } from "../../api/session-state.ts";
import { t, tn } from "../../i18n/t.ts";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { When } from "../../parts/time.tsx";
import { workZones } from "../../state/site-places.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { CameraActions } from "./camera-actions.tsx";
import { CameraForm } from "./camera-form.tsx";
import { OutlineEditor } from "./outline-editor.tsx";
import { type Camera, readCamera, readCameras, type Tagged } from "./requests.ts";

/** Fixed cameras, and where each sees which zones. */
export function CamerasPart({ project }: { readonly project: string }) {
  const cameras = useAnswer(() => readCameras(project), project);
  const edited = useSignal<Tagged<Camera> | undefined>(undefined);
  const failure = useSignal<Failure | undefined>(undefined);
  const isAdding = useSignal(false);
  const { value } = cameras.data;

  async function edit(id: string) {
    const outcome = await readCamera(id);
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) edited.value = outcome.value;
  }

  return (
    <section class="card" aria-label={t("setup.cameras")}>
      <h2>{t("setup.cameras")}</h2>
      <p class="muted">{t("setup.cameras_hint")}</p>
      {may("progress:write") ? (
        <details
          open={isAdding.value}
          onToggle={(event) => {
            isAdding.value = event.currentTarget.open;
          }}
        >
          <summary>{t("setup.camera_add")}</summary>
          {isAdding.value ? (
            <CameraForm
              project={project}
              onMade={({ id }) => {
                isAdding.value = false;
                void cameras.read().then(() => edit(id));
              }}
            />
          ) : null}
        </details>
      ) : null}
      {[failure.value, cameras.failure.value].map((one, i) =>
        one === undefined ? null : <FailureNotice key={i === 0 ? "edit" : "list"} failure={one} />,
      )}
      {value === undefined && cameras.failure.value === undefined ? <Loading /> : null}
      {value?.data.length === 0 ? <Empty title={t("setup.no_cameras")} /> : null}
      <ul class="rows">
        {value?.data.map((camera) => (
          <li key={camera.id}>
            <h3 class="row-name">{camera.name}</h3>
            <p class="small">
              {t(`setup.camera.${camera.status}`)}{" "}
              {camera.suspended_at === null ? null : <When ms={Date.parse(camera.suspended_at)} />}{" "}
              {tn("setup.outlined", camera.zones.length, {
                zones: camera.zones.map(({ zone_id }) => nameOf(zone_id)).join(", "),
              })}{" "}
              <span class="muted">
                {t("setup.reference_of")} <When ms={Date.parse(camera.reference_set_at)} />
              </span>
            </p>
            {may("progress:write") && edited.value?.value.id !== camera.id ? (
              <CameraActions
                camera={camera}
                onOutlines={() => void edit(camera.id)}
                onChanged={() => void cameras.read()}
              />
            ) : null}
            {edited.value?.value.id === camera.id ? (
              <OutlineEditor
                key={edited.value.etag}
                camera={edited.value}
                onSaved={() => {
                  edited.value = undefined;
                  void cameras.read();
                }}
                onNewest={() => void edit(camera.id)}
                onCancel={() => {
                  edited.value = undefined;
                }}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

const nameOf = (id: string): string =>
  workZones.items.value.find((zone) => zone.id === id)?.name ?? id;
