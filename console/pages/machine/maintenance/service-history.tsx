import type { components } from "../../../../client/index.ts";
import { show } from "../../../format/show.ts";
import { t } from "../../../i18n/t.ts";
import { When } from "../../../parts/time.tsx";

type Service = components["schemas"]["Service"];

interface ServiceHistoryProps {
  readonly services: readonly Service[];
  /** Names of the plan's services by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

/** What was done, the newest first. */
export function ServiceHistory({ services, names }: ServiceHistoryProps) {
  if (services.length === 0) return <p class="muted">{t("service.no_history")}</p>;
  return (
    <ul class="rows">
      {services.map((service) => (
        <li key={service.id}>
          <p>
            <strong>{names.get(service.item) ?? service.item}</strong>
          </p>
          <p class="small">
            <When ms={Date.parse(service.serviced_at)} isPressable /> · {metersText(service)}
          </p>
          {service.note === undefined ? null : <p class="small">{service.note}</p>}
        </li>
      ))}
    </ul>
  );
}

function metersText({ engine_hours, hours_source, odometer_km }: Service): string {
  const hours =
    engine_hours === undefined || hours_source === undefined
      ? t("service.hours_unknown")
      : t("service.hours_known", {
          hours: show.field("engine_hours", engine_hours),
          source: t(`service.hours_source.${hours_source}`),
        });
  return odometer_km === undefined ? hours : `${hours} · ${show.field("odometer_km", odometer_km)}`;
}
