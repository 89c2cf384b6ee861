import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Link, useParams } from "wouter-preact";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { lazily } from "../../parts/lazily.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { Bulkhead, PageHead } from "../../parts/page.tsx";
import { StatusBadge } from "../../parts/status-badge.tsx";
import { fleet } from "../../state/fleet.ts";
import { machineOf } from "../../state/machine.ts";
import { toPage } from "../../state/to-page.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { DeviceTab } from "./device/device-tab.tsx";
import { NowTab } from "./now-tab.tsx";
import { ReadingsTab } from "./readings-tab.tsx";
import type { TabProps } from "./tab.ts";
import { readAsset } from "./tagged-asset.ts";
import { UseTab } from "./use-tab.tsx";

/** How often the asset is read again, ms: positions come by the live stream, values of its sensors do not. */
const EVERY_MS = 5_000;

const MaintenanceTab = lazily<TabProps>(
  async () => (await import("./maintenance/maintenance-tab.tsx")).MaintenanceTab,
);

const TABS = [
  { name: "now", Tab: NowTab },
  { name: "use", Tab: UseTab },
  { name: "readings", Tab: ReadingsTab },
  { name: "maintenance", Tab: MaintenanceTab },
  { name: "device", Tab: DeviceTab },
] as const;

/** Everything about one machine, `/machines/:id` and a part of it below. */
export function MachinePage() {
  const { id = "", tab = "now" } = useParams<{ readonly id: string; readonly tab?: string }>();
  const mayRead = may("equipment:read");
  // The page is not rendered when another machine moves.
  const row = useMemo(() => computed(() => fleet.value.rows.get(id)), [id]);
  const asset = useAnswer(() => readAsset(id), id, EVERY_MS);
  const { asset: value, etag = "" } = asset.data.value ?? {};
  const failure = asset.failure.value;
  if (!mayRead) {
    return (
      <div class="page">
        <PageHead title={id} />
        <Empty title={t("live.scope", { scope: "equipment:read" })} />
      </div>
    );
  }
  const machine = value === undefined ? undefined : machineOf(value, row.value);
  const { Tab } = TABS.find(({ name }) => name === tab) ?? TABS[0];
  return (
    <div class="page">
      <PageHead title={value?.name ?? id}>
        {machine === undefined ? null : (
          <>
            <StatusBadge machine={machine} />
            <p class="muted">
              {machine.type} · {id}
            </p>
          </>
        )}
      </PageHead>
      <nav class="tabs" aria-label={t("machine.tabs")}>
        {TABS.map(({ name }) => (
          <Link
            key={name}
            href={toPage(name === "now" ? `/machines/${id}` : `/machines/${id}/${name}`)}
            aria-current={name === tab ? "page" : undefined}
          >
            {t(`machine.${name}`)}
          </Link>
        ))}
        <Link href={toPage(`/machines/${id}/track`)}>{t("machine.track")}</Link>
        {may("events:read") ? (
          <Link href={toPage("/events", { asset: id })}>{t("machine.events")}</Link>
        ) : null}
      </nav>
      {failure === undefined ? null : (
        <FailureNotice failure={failure} onRetry={() => void asset.read()} />
      )}
      {value === undefined && failure === undefined ? <Loading /> : null}
      {value === undefined || machine === undefined ? null : (
        <Bulkhead key={`${id}/${tab}`}>
          <Tab asset={value} etag={etag} machine={machine} onChange={() => void asset.read()} />
        </Bulkhead>
      )}
    </div>
  );
}
