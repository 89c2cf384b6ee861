import { Link } from "wouter-preact";
import { fieldName } from "../../format/field-name.ts";
import { show } from "../../format/show.ts";
import { t } from "../../i18n/t.ts";
import { AlertLine } from "../../parts/alert-line.tsx";
import { Fact } from "../../parts/facts.tsx";
import { MachineFacts } from "../../parts/machine-facts.tsx";
import { Age } from "../../parts/time.tsx";
import { openAlerts } from "../../state/alerts.ts";
import { toPage } from "../../state/to-page.ts";
import { urgentFirst } from "../alerts/order.ts";
import { AboutCard } from "./facts/about-card.tsx";
import type { AssetDetail, TabProps } from "./tab.ts";

/** Fields of a yes or a no, which devices send as 1 and 0. */
const SWITCHES: readonly string[] = ["engine_on"];

/** What is known of the machine at this moment. */
export function NowTab({ asset, machine, onChange }: TabProps) {
  return (
    <div class="cards-packed">
      <section class="card" aria-labelledby="now-position">
        <h2 id="now-position">{t("machine.position")}</h2>
        <dl class="facts">
          <MachineFacts machine={machine} />
          <Fact name={t("machine.hours")}>{hoursText(asset)}</Fact>
        </dl>
        <Link href={toPage("/map", { asset: asset.id })}>{t("machines.on_map")}</Link>
      </section>
      <OpenAlerts assetId={asset.id} />
      <NewestValues latest={asset.latest} />
      <Identities identities={asset.identities} />
      <AboutCard asset={asset} onChange={onChange} />
    </div>
  );
}

function hoursText({ engine_hours }: AssetDetail): string {
  if (engine_hours === undefined) return t("value.unknown");
  const { value, source } = engine_hours;
  return t(`machine.hours_${source}`, { hours: show.field("engine_hours", value) });
}

function OpenAlerts({ assetId }: { readonly assetId: string }) {
  const alerts = urgentFirst(
    [...openAlerts.value.values()].filter(({ asset_id }) => asset_id === assetId),
  );
  return (
    <section class="card" aria-labelledby="now-alerts">
      <h2 id="now-alerts">{t("map.open_alerts")}</h2>
      {alerts.length === 0 ? <p class="muted">{t("map.none")}</p> : null}
      {alerts.slice(0, 10).map((alert) => (
        <AlertLine key={alert.id} alert={alert} />
      ))}
      {alerts.length === 0 ? null : (
        <Link href={toPage("/alerts", { asset: assetId })}>{t("alerts.title")}</Link>
      )}
    </section>
  );
}

function NewestValues({ latest }: Pick<AssetDetail, "latest">) {
  const fields = Object.entries(latest).sort(([a], [b]) =>
    fieldName(a).localeCompare(fieldName(b)),
  );
  return (
    <section class="card" aria-labelledby="now-values">
      <h2 id="now-values">{t("machine.newest")}</h2>
      {fields.length === 0 ? (
        <p class="muted">{t("machine.no_values")}</p>
      ) : (
        <table class="table table-plain">
          <caption class="hidden">{t("machine.newest_of")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("machine.field")}</th>
              <th scope="col">{t("machine.value")}</th>
              <th scope="col">{t("machine.time")}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(([field, { value, timestamp }]) => (
              <tr key={field}>
                <th scope="row">{fieldName(field)}</th>
                <td data-label={t("machine.value")}>{valueText(field, value)}</td>
                <td data-label={t("machine.time")}>
                  <Age ms={Date.parse(timestamp)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function valueText(field: string, value: number): string {
  if (SWITCHES.includes(field)) return t(value === 0 ? "machine.no" : "machine.yes");
  return show.field(field, value);
}

function Identities({ identities }: Pick<AssetDetail, "identities">) {
  const all = Object.entries(identities);
  if (all.length === 0) return null;
  return (
    <section class="card" aria-labelledby="now-identities">
      <h2 id="now-identities">{t("machine.identities")}</h2>
      <dl class="facts">
        {all.map(([name, { value, timestamp }]) => (
          <Fact key={name} name={name}>
            {value === "" ? t("machine.nobody") : value}
            <span class="muted">
              {" "}
              <Age ms={Date.parse(timestamp)} isPressable />
            </span>
          </Fact>
        ))}
      </dl>
    </section>
  );
}
