import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link, Route, Switch } from "wouter-preact";
import type { Failure } from "./api/failure.ts";
import { isKeyInAddress, takeKeyFromAddress } from "./api/key-in-address.ts";
import { logIn, readSession } from "./api/session.ts";
import { session } from "./api/session-state.ts";
import { readAdministrationTexts, t } from "./i18n/t.ts";
import { MAP_PAGES } from "./map-pages.ts";
import { AlertsPage } from "./pages/alerts/alerts-page.tsx";
import { EventsPage } from "./pages/events/events-page.tsx";
import { VisitsPage } from "./pages/fences/visits-page.tsx";
import { LoginPage } from "./pages/login/login-page.tsx";
import { MachinesPage } from "./pages/machines/machines-page.tsx";
import { OverviewPage } from "./pages/overview/overview-page.tsx";
import { lazily } from "./parts/lazily.tsx";
import { Empty, FailureNotice, Loading } from "./parts/notices.tsx";
import { Bulkhead, PageHead } from "./parts/page.tsx";
import { WaitBar } from "./parts/wait-bar.tsx";
import { Shell } from "./shell.tsx";
import { readBaseMap } from "./state/base-map.ts";
import { toPage } from "./state/to-page.ts";

export function App() {
  const failure = useSignal<Failure | undefined>(undefined);
  const refused = useSignal<Failure | undefined>(undefined);

  async function begin() {
    failure.value = undefined;
    const key = takeKeyFromAddress();
    refused.value = key === undefined ? undefined : await logIn(key);
    // A key that is not taken leaves the session that there may be.
    if (key === undefined || refused.value !== undefined) failure.value = await readSession();
  }
  useEffect(() => {
    void begin();
    // A link with a key that is opened in this tab changes the fragment alone.
    const again = () => {
      if (isKeyInAddress()) void begin();
    };
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);

  const { value } = session;
  if (failure.value !== undefined) {
    return <FailureNotice failure={failure.value} onRetry={() => void begin()} />;
  }
  if (value === "unknown") {
    return (
      <>
        <WaitBar />
        <Loading />
      </>
    );
  }
  if (typeof value === "string") return <LoginPage refused={refused.value} />;
  return (
    <Shell session={value}>
      <Bulkhead>
        <Switch>
          <Route path="/" component={OverviewPage} />
          <Route path="/map" component={LazyMap} />
          <Route path="/fences" component={LazyFences} />
          <Route path="/fences/:id/visits" component={VisitsPage} />
          <Route path="/machines" component={MachinesPage} />
          <Route path="/machines/:id/track" component={LazyTrack} />
          <Route path="/tracks" component={LazyTrack} />
          <Route path="/machines/:id/:tab?" component={LazyMachine} />
          <Route path="/register" component={LazyRegister} />
          <Route path="/utilisation" component={LazyUtilisation} />
          <Route path="/progress" component={LazyProjects} />
          <Route path="/progress/:project" component={LazyProgress} />
          <Route path="/progress/:project/setup/:part?" component={LazySetup} />
          <Route path="/upload" component={LazyUpload} />
          <Route path="/jobs" component={LazyJobs} />
          <Route path="/stockpiles" component={LazyStockpiles} />
          <Route path="/stockpiles/:id" component={LazyStockpile} />
          <Route path="/surveys" component={LazySurveys} />
          <Route path="/surveys/:id" component={LazySurvey} />
          <Route path="/surveys/:id/3d" component={LazyModel} />
          <Route path="/alerts" component={AlertsPage} />
          <Route path="/events" component={EventsPage} />
          <Route path="/service" component={LazyService} />
          <Route path="/settings/:part?/:id?" component={LazySettings} />
          <Route path="/help" component={LazyHelp} />
          <Route component={NotFoundPage} />
        </Switch>
      </Bulkhead>
    </Shell>
  );
}

const LazyMap = lazily(MAP_PAGES.map, readBaseMap);
const LazyFences = lazily(MAP_PAGES.fences, readBaseMap);
const LazyStockpiles = lazily(MAP_PAGES.stockpiles, readBaseMap);
const LazyTrack = lazily(MAP_PAGES.tracks, readBaseMap);
const LazyStockpile = lazily(
  async () => (await import("./pages/stockpiles/stockpile/stockpile-page.tsx")).StockpilePage,
  readBaseMap,
);
const LazySurvey = lazily(
  async () => (await import("./pages/surveys/survey-page.tsx")).SurveyPage,
  readBaseMap,
);
const LazySurveys = lazily(
  async () => (await import("./pages/surveys/surveys-page.tsx")).SurveysPage,
);
const LazyModel = lazily(
  async () => (await import("./pages/surveys/model/model-page.tsx")).ModelPage,
);
const LazyRegister = lazily(
  async () => (await import("./pages/register/register-page.tsx")).RegisterPage,
);
const LazyMachine = lazily(
  async () => (await import("./pages/machine/machine-page.tsx")).MachinePage,
);
const LazyUtilisation = lazily(
  async () => (await import("./pages/utilisation/utilisation-page.tsx")).UtilisationPage,
);
const LazyProjects = lazily(
  async () => (await import("./pages/progress/projects-page.tsx")).ProjectsPage,
);
const LazyProgress = lazily(
  async () => (await import("./pages/progress/progress-page.tsx")).ProgressPage,
);
const LazySetup = lazily(
  async () => (await import("./pages/progress-setup/setup-page.tsx")).SetupPage,
);
const LazyUpload = lazily(async () => (await import("./pages/upload/upload-page.tsx")).UploadPage);
const LazyJobs = lazily(async () => (await import("./pages/jobs/jobs-page.tsx")).JobsPage);
const LazyService = lazily(
  async () => (await import("./pages/service/service-page.tsx")).ServicePage,
);
const LazySettings = lazily(
  async () => (await import("./pages/settings/settings-page.tsx")).SettingsPage,
  readAdministrationTexts,
);
const LazyHelp = lazily(async () => (await import("./pages/help/help-page.tsx")).HelpPage);

function NotFoundPage() {
  return (
    <div class="page">
      <PageHead title={t("app.not_found")} />
      <Empty title={t("app.not_found_hint")}>
        <Link href={toPage("/")}>{t("app.to_start")}</Link>
      </Empty>
    </div>
  );
}
