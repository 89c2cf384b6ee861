import { useSignal } from "@preact/signals";
import type { Failure } from "../../api/failure.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { fileAddress } from "../../parts/file-address.ts";
import { Empty, FailureNotice } from "../../parts/notices.tsx";
import { type WorkZone, workZones } from "../../state/site-places.ts";
import { Warnings } from "../progress/report-list.tsx";
import { deleteSurface, type Surface, type SurfaceName, sendSurfaceFile } from "./requests.ts";
import { SURFACE_KINDS } from "./zone-form.ts";

const SURFACES: readonly SurfaceName[] = ["baseline", "design"];

/** Ground before the work, and design, of every zone that is measured by surfaces. */
export function SurfacesPart({ project }: { readonly project: string }) {
  const zones = workZones.items.value.filter(({ metric }) => SURFACE_KINDS.includes(metric.kind));
  const heads = { baseline: t("setup.surface.baseline"), design: t("setup.surface.design") };
  return (
    <section class="card" aria-label={t("setup.surfaces")}>
      <h2>{t("setup.surfaces")}</h2>
      <p class="muted">{t("setup.surfaces_hint")}</p>
      {zones.length === 0 ? (
        <Empty title={t("setup.no_surface_zones")} />
      ) : (
        <table class="table">
          <caption class="hidden">{t("setup.surfaces")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("progress.zone")}</th>
              {SURFACES.map((name) => (
                <th key={name} scope="col">
                  {heads[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {zones.map((zone) => (
              <tr key={zone.id}>
                <th scope="row">
                  {zone.name}
                  <span class="block muted small">{t(`setup.metric.${zone.metric.kind}`)}</span>
                </th>
                {SURFACES.map((name) => (
                  <td key={name} data-label={heads[name]}>
                    <SurfaceCell zone={zone} name={name} project={project} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

interface SurfaceCellProps {
  readonly zone: WorkZone;
  readonly name: SurfaceName;
  readonly project: string;
}

function SurfaceCell({ zone, name, project }: SurfaceCellProps) {
  const failure = useSignal<Failure | undefined>(undefined);
  const warnings = useSignal<readonly string[]>([]);
  const isBusy = useSignal(false);
  const surface = zone[name];

  async function send(file: File | undefined) {
    if (file === undefined || isBusy.peek()) return;
    isBusy.value = true;
    const outcome = await sendSurfaceFile(zone.id, name, file);
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    warnings.value = "value" in outcome ? outcome.value.warnings : [];
    if ("value" in outcome) void workZones.read([project]);
  }

  async function remove() {
    if (isBusy.peek()) return;
    isBusy.value = true;
    const outcome = await deleteSurface(zone.id, name);
    isBusy.value = false;
    failure.value = "failure" in outcome ? outcome.failure : undefined;
    if ("value" in outcome) void workZones.read([project]);
  }

  return (
    <div class="stack">
      <SurfaceText surface={surface} name={name} />
      {may("progress:write") ? (
        <div class="tool-row">
          <label class="file-button small">
            {t("setup.surface_file")}
            <input
              type="file"
              accept=".tif,.tiff,.xml"
              aria-label={t("setup.surface_file_of", {
                surface: t(`setup.surface.${name}`),
                zone: zone.name,
              })}
              disabled={isBusy.value}
              onChange={(event) => void send(event.currentTarget.files?.[0])}
            />
          </label>
          {surface === undefined ? null : (
            <button type="button" disabled={isBusy.value} onClick={() => void remove()}>
              {t("fences.delete")}
            </button>
          )}
        </div>
      ) : null}
      {failure.value === undefined ? null : <FailureNotice failure={failure.value} />}
      {warnings.value.length === 0 ? null : <Warnings of={warnings.value} />}
    </div>
  );
}

function SurfaceText(props: { readonly surface: Surface | undefined; readonly name: SurfaceName }) {
  const { surface, name } = props;
  if (surface === undefined) return <span class="muted">{t(`setup.no_surface.${name}`)}</span>;
  const { kind, height_m, reference, surface_url } = surface;
  return (
    <span>
      {kind === "level" && height_m !== undefined
        ? t(reference === "baseline" ? "setup.level_above" : "setup.level_at", {
            height: show.length(height_m),
          })
        : t(`setup.surface_kind.${kind}`)}{" "}
      {surface_url === undefined ? null : (
        <a href={fileAddress(surface_url)} download>
          {t("setup.surface_open")}
        </a>
      )}
    </span>
  );
}
