import { useEffect } from "preact/hooks";
import { Link, useLocation, useParams } from "wouter-preact";
import { may } from "../../api/session-state.ts";
import { t } from "../../i18n/t.ts";
import { lazily } from "../../parts/lazily.tsx";
import { Empty } from "../../parts/notices.tsx";
import { Bulkhead, PageHead } from "../../parts/page.tsx";
import { chooseProject, projectId, projects } from "../../state/project.ts";
import { workZones } from "../../state/site-places.ts";
import { toPage } from "../../state/to-page.ts";
import { ZonesPart } from "./zones-part.tsx";
import "../progress/progress.css";
import "./setup.css";

interface PartProps {
  readonly project: string;
}

/** Parts that few people open: zones are what most come for. */
const SchedulePart = lazily<PartProps>(
  async () => (await import("./schedule-part.tsx")).SchedulePart,
);
const SurfacesPart = lazily<PartProps>(
  async () => (await import("./surfaces-part.tsx")).SurfacesPart,
);
const CamerasPart = lazily<PartProps>(async () => (await import("./cameras-part.tsx")).CamerasPart);

const PARTS = [
  { name: "zones", Part: ZonesPart },
  { name: "schedule", Part: SchedulePart },
  { name: "surfaces", Part: SurfacesPart },
  { name: "cameras", Part: CamerasPart },
] as const;

/** What progress is measured by and against, `/progress/:project/setup` and a part of it below. */
export function SetupPage() {
  const { project = "", part = "zones" } = useParams<{
    readonly project: string;
    readonly part?: string;
  }>();
  const [, go] = useLocation();
  const mayRead = may("progress:read");

  useEffect(() => {
    chooseProject(project);
    if (mayRead) void workZones.read([project]);
    return projectId.subscribe((chosen) => {
      if (chosen === project) return;
      go(toPage(chosen === undefined ? "/progress" : `/progress/${chosen}/setup`));
    });
  }, [project, mayRead]);

  const name = projects.value.find(({ id }) => id === project)?.name ?? project;
  const path = `/progress/${project}`;
  const { Part } = PARTS.find((one) => one.name === part) ?? PARTS[0];
  if (!mayRead) {
    return (
      <div class="page">
        <PageHead title={name} />
        <Empty title={t("live.scope", { scope: "progress:read" })} />
      </div>
    );
  }
  return (
    <div class="page">
      <PageHead title={t("setup.page", { project: name })}>
        <p class="page-links">
          <Link href={toPage(path)}>{t("setup.back")}</Link>
        </p>
      </PageHead>
      <nav class="tabs" aria-label={t("setup.parts")}>
        {PARTS.map((one) => (
          <Link
            key={one.name}
            href={toPage(`${path}/setup/${one.name}`)}
            aria-current={one.name === part ? "page" : undefined}
          >
            {t(`setup.part.${one.name}`)}
          </Link>
        ))}
      </nav>
      <Bulkhead key={`${project}/${part}`}>
        <Part project={project} />
      </Bulkhead>
    </div>
  );
}
