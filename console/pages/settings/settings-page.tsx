import type { FunctionComponent } from "preact";
import { Link, useParams } from "wouter-preact";
import { t } from "../../i18n/t.ts";
import { lazily } from "../../parts/lazily.tsx";
import { Empty } from "../../parts/notices.tsx";
import { Bulkhead, PageHead } from "../../parts/page.tsx";
import { toPage } from "../../state/to-page.ts";
import { type PartName, visibleParts } from "./part-names.ts";
import "./settings.css";

const PARTS: Readonly<Record<PartName, FunctionComponent>> = {
  projects: lazily(async () => (await import("./projects/projects-part.tsx")).ProjectsPart),
  keys: lazily(async () => (await import("./keys/keys-part.tsx")).KeysPart),
  webhooks: lazily(async () => (await import("./webhooks/webhooks-part.tsx")).WebhooksPart),
  forwarders: lazily(async () => (await import("./forwarders/forwarders-part.tsx")).ForwardersPart),
  "fleet-sources": lazily(
    async () => (await import("./fleet-sources/sources-part.tsx")).SourcesPart,
  ),
  mappings: lazily(async () => (await import("./mappings/mappings-part.tsx")).MappingsPart),
  plans: lazily(async () => (await import("./plans/plans-part.tsx")).PlansPart),
};

/** What people set up once, `/settings/:part` and one thing of it below. */
export function SettingsPage() {
  const params = useParams<{ readonly part?: string; readonly id?: string }>();
  const parts = visibleParts();
  const name = params.part ?? parts[0];
  const shown = parts.find((one) => one === name);
  const Part = shown === undefined ? undefined : PARTS[shown];
  return (
    <div class="page">
      <PageHead title={t("set.title")} />
      <nav class="tabs" aria-label={t("set.parts")}>
        {parts.map((one) => (
          <Link
            key={one}
            href={toPage(`/settings/${one}`)}
            aria-current={one === shown ? "page" : undefined}
          >
            {t(`set.part.${one}`)}
          </Link>
        ))}
      </nav>
      {Part === undefined ? (
        <Empty title={t("set.no_part")} />
      ) : (
        <Bulkhead key={`${name}/${params.id}`}>
          <Part />
        </Bulkhead>
      )}
    </div>
  );
}
