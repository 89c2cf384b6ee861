import type { components } from "../../../client/index.ts";
import { api } from "../../api/client.ts";
import { outcomeOf } from "../../api/outcome.ts";
import { may } from "../../api/session-state.ts";
import { show } from "../../format/show.ts";
import { t, tn } from "../../i18n/t.ts";
import { Fact } from "../../parts/facts.tsx";
import { Empty, FailureNotice, Loading } from "../../parts/notices.tsx";
import { PageHead } from "../../parts/page.tsx";
import { When } from "../../parts/time.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import { ServiceCard } from "../overview/service-card.tsx";
import { SignIns } from "./sign-ins.tsx";
import "./service.css";

type Service = components["schemas"]["ServiceState"];

/** How often the figures are read again, ms: somebody acts on them within minutes, and each is cheap. */
const EVERY_MS = 15_000;

const readService = () => outcomeOf(api.GET("/api/v1/service"));

/** Whether the service is ready, what waits in it, what it has left, and who is signed in. */
export function ServicePage() {
  if (!may("admin")) {
    return (
      <div class="page">
        <PageHead title={t("nav.service")} />
        <Empty title={t("service.no_scope")} />
      </div>
    );
  }
  return <ServiceFigures />;
}

function ServiceFigures() {
  const service = useAnswer(readService, "", EVERY_MS);
  const { value } = service.data;
  const failure = service.failure.value;
  return (
    <div class="page">
      <PageHead title={t("nav.service")}>
        {value === undefined ? null : (
          <p class="muted">
            {t("overview.as_of", { time: show.dateTime(Date.parse(value.as_of)) })}
          </p>
        )}
      </PageHead>
      {failure === undefined ? null : (
        <FailureNotice failure={failure} onRetry={() => void service.read()} />
      )}
      {value === undefined ? (
        failure === undefined ? (
          <Loading />
        ) : null
      ) : (
        <>
          <State service={value} />
          <div class="cards">
            <Backlog {...value} />
            <Room {...value} />
            <Program {...value} />
            <Backup {...value} />
          </div>
        </>
      )}
      <SignIns />
    </div>
  );
}

/** Ready in words; what is wrong, and since when, as the overview has it. */
function State({ service: { readiness } }: { readonly service: Service }) {
  const isReady = readiness.status === "ready";
  return (
    <>
      {isReady ? <p class="service-ready">{t("service.ready")}</p> : null}
      <ServiceCard />
    </>
  );
}

const Unknown = () => <span class="muted">{t("value.unknown")}</span>;

function Bytes({ of }: { readonly of: number | null }) {
  return of === null ? <Unknown /> : <span>{show.bytes(of)}</span>;
}

const recordsOf = (count: number | null) =>
  count === null ? <Unknown /> : tn("service.records", count);

function Backlog({ journal, jobs }: Service) {
  return (
    <section class="card">
      <h2>{t("service.backlog")}</h2>
      <dl class="facts">
        <Fact name={t("service.unprocessed")}>{recordsOf(journal.unprocessed_records)}</Fact>
        <Fact name={t("service.unstored")}>{recordsOf(journal.unstored_records)}</Fact>
        <Fact name={t("service.running")}>
          {jobs.running === null ? <Unknown /> : tn("service.jobs", jobs.running)}
        </Fact>
        <Fact name={t("service.queued")}>
          {jobs.queued === null ? <Unknown /> : tn("service.jobs", jobs.queued)}
        </Fact>
      </dl>
      <p class="muted small">{t("service.backlog_basis")}</p>
    </section>
  );
}

function Room({ disk, journal, memory_bytes }: Service) {
  return (
    <section class="card">
      <h2>{t("service.room")}</h2>
      <dl class="facts">
        <Fact name={t("service.disk_free")}>
          <Bytes of={disk.free_bytes} />
        </Fact>
        <Fact name={t("service.disk_kept")}>
          <Bytes of={disk.kept_bytes} />
        </Fact>
        <Fact name={t("service.journal")}>
          <Bytes of={journal.bytes} />
        </Fact>
        <Fact name={t("service.memory")}>
          <Bytes of={memory_bytes} />
        </Fact>
      </dl>
      <p class="muted small">{t("service.room_basis")}</p>
    </section>
  );
}

function Program({ version, node_version, started_at }: Service) {
  return (
    <section class="card">
      <h2>{t("service.program")}</h2>
      <dl class="facts">
        <Fact name={t("service.version")}>{version ?? <Unknown />}</Fact>
        <Fact name="Node.js">{node_version}</Fact>
        <Fact name={t("service.started")}>
          <When ms={Date.parse(started_at)} isPressable />
        </Fact>
      </dl>
    </section>
  );
}

function Backup({ backup }: Service) {
  return (
    <section class="card">
      <h2>{t("service.backup")}</h2>
      <dl class="facts">
        <Fact name={t("service.backup_last")}>
          {backup.last_at === null ? (
            <span class="muted">{t("service.backup_none")}</span>
          ) : (
            <When ms={Date.parse(backup.last_at)} isPressable />
          )}
        </Fact>
      </dl>
      {backup.offered ? (
        <>
          <p class="muted small">{t("service.backup_secret")}</p>
          <p>
            <a class="button" href="/api/v1/backup" download>
              {t("service.backup_download")}
            </a>
          </p>
        </>
      ) : (
        <p class="muted small">{t("service.backup_elsewhere")}</p>
      )}
    </section>
  );
}
