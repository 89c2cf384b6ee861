import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Link, Route, Switch } from "wouter-preact";
import { type Failure, NO_ANSWER } from "./api/failure.ts";
import { logIn, readSession, takeKeyFromAddress } from "./api/session.ts";
import { session } from "./api/session-state.ts";
import { t } from "./i18n/t.ts";
import { AlertsPage } from "./pages/alerts/alerts-page.tsx";
import { LoginPage } from "./pages/login/login-page.tsx";
import { MachinesPage } from "./pages/machines/machines-page.tsx";
import { OverviewPage } from "./pages/overview/overview-page.tsx";
import { Empty, FailureNotice, Loading } from "./parts/notices.tsx";
import { Bulkhead, PageHead } from "./parts/page.tsx";
import { Shell } from "./shell.tsx";
import { readBaseMap } from "./state/base-map.ts";
import { toPage } from "./state/to-page.ts";

export function App() {
  const failure = useSignal<Failure | undefined>(undefined);

  async function begin() {
    failure.value = undefined;
    const key = takeKeyFromAddress();
    // A key that is not taken leaves the session that there may be.
    const refused = key === undefined ? undefined : await logIn(key);
    if (key === undefined || refused !== undefined) failure.value = await readSession();
  }
  useEffect(() => {
    void begin();
    // A link with a key that is opened in this tab changes the fragment alone.
    const again = () => {
      if (location.hash.startsWith("#key=")) void begin();
    };
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, []);

  const { value } = session;
  if (failure.value !== undefined) {
    return <FailureNotice failure={failure.value} onRetry={() => void begin()} />;
  }
  if (value === "unknown") return <Loading />;
  if (typeof value === "string") return <LoginPage />;
  return (
    <Shell session={value}>
      <Bulkhead>
        <Switch>
          <Route path="/" component={OverviewPage} />
          <Route path="/map">
            <LazyPage key="map" load={loadMap} />
          </Route>
          <Route path="/machines" component={MachinesPage} />
          <Route path="/machines/:id/track">
            <LazyPage key="track" load={loadTrack} />
          </Route>
          <Route path="/tracks">
            <LazyPage key="track" load={loadTrack} />
          </Route>
          <Route path="/alerts" component={AlertsPage} />
          <Route component={NotFoundPage} />
        </Switch>
      </Bulkhead>
    </Shell>
  );
}

/** The map is ten times as large as all other pages: what has one is loaded where it is looked at. */
async function loadMap(): Promise<ComponentType> {
  const [{ MapPage }] = await Promise.all([import("./pages/map/map-page.tsx"), readBaseMap()]);
  return MapPage;
}

async function loadTrack(): Promise<ComponentType> {
  const [{ TrackPage }] = await Promise.all([
    import("./pages/track/track-page.tsx"),
    readBaseMap(),
  ]);
  return TrackPage;
}

/** Needs a key for each page: the router keeps what is at the same place of the tree. */
function LazyPage({ load }: { readonly load: () => Promise<ComponentType> }) {
  const page = useSignal<ComponentType | undefined>(undefined);
  const hasFailed = useSignal(false);

  async function begin() {
    hasFailed.value = false;
    try {
      page.value = await load();
    } catch {
      hasFailed.value = true;
    }
  }
  useEffect(() => void begin(), []);

  if (hasFailed.value) return <FailureNotice failure={NO_ANSWER} onRetry={() => void begin()} />;
  const Page = page.value;
  return Page === undefined ? <Loading /> : <Page />;
}

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
