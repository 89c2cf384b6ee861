import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { clockOffsetMs } from "./api/service-clock.ts";
import { may, type Session } from "./api/session-state.ts";
import { show } from "./format/show.ts";
import type { MessageKey } from "./i18n/en.ts";
import { t, tn } from "./i18n/t.ts";
import { type IconName, NavIcon } from "./parts/nav-icon.tsx";
import { alertText } from "./parts/sentences.ts";
import { WaitBar } from "./parts/wait-bar.tsx";
import { ZoneLine } from "./parts/zone-line.tsx";
import { Settings } from "./settings.tsx";
import { openTotal, readOpenAlerts } from "./state/alerts.ts";
import { followFleet, notLiveSince, streamBegins } from "./state/fleet.ts";
import { followMachines } from "./state/machines.ts";
import { followNotifications } from "./state/notifications.ts";
import { projectId, readProjects } from "./state/project.ts";
import { followSound } from "./state/sound.ts";
import { toPage } from "./state/to-page.ts";
import { announcement, followVoice } from "./state/voice.ts";

const MINUTE_MS = 60_000;

interface PageLink {
  readonly path: string;
  readonly name: MessageKey;
  readonly icon: IconName;
  /** The bar of a phone has no room for it: there it is among the settings. */
  readonly isMore?: true;
}

const PAGES: readonly PageLink[] = [
  { path: "/", name: "nav.overview", icon: "overview" },
  { path: "/map", name: "nav.map", icon: "map" },
  { path: "/fences", name: "nav.fences", icon: "fences", isMore: true },
  { path: "/machines", name: "nav.machines", icon: "machines" },
  { path: "/stockpiles", name: "nav.stockpiles", icon: "stockpiles", isMore: true },
  { path: "/utilisation", name: "nav.utilisation", icon: "utilisation", isMore: true },
  { path: "/progress", name: "nav.progress", icon: "progress", isMore: true },
  { path: "/upload", name: "nav.upload", icon: "upload", isMore: true },
  { path: "/jobs", name: "nav.jobs", icon: "jobs", isMore: true },
  { path: "/surveys", name: "nav.surveys", icon: "surveys", isMore: true },
  { path: "/alerts", name: "nav.alerts", icon: "alerts" },
  { path: "/events", name: "nav.events", icon: "events", isMore: true },
];

/** Whether an address belongs to a page: its own, or one below. */
const isAt = (path: string, page: string): boolean =>
  path === page || (page !== "/" && path.startsWith(`${page}/`));

/** What is around every page: navigation, state of the connection, and what is said aloud. */
export function Shell(props: { readonly session: Session; readonly children: ComponentChildren }) {
  const { session, children } = props;
  const main = useRef<HTMLElement>(null);
  const [path, go] = useLocation();
  const isFirst = useRef(true);
  const seesMachines = may("equipment:read");

  useEffect(() => {
    void readProjects();
    if (!seesMachines) return undefined;
    const ends = [
      followFleet(session.id),
      followMachines(),
      followVoice(),
      followSound(),
      followNotifications(alertText, () => go(toPage("/alerts"))),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [session.id, seesMachines]);
  useSignalEffect(() => {
    const project = projectId.value;
    if (streamBegins.value > 0 && may("equipment:read")) void readOpenAlerts(project);
  });
  // Who reads with ears is where the new page begins.
  useEffect(() => {
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [path]);

  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t("app.skip")}
      </a>
      <nav class="nav" aria-label={t("nav.label")}>
        <p class="brand">{t("app.name")}</p>
        <ul>
          {PAGES.map(({ path: to, name, icon, isMore }) => (
            <li key={to} class={isMore ? "wide-only" : undefined}>
              <Link href={toPage(to)} aria-current={isAt(path, to) ? "page" : undefined}>
                <NavIcon name={icon} />
                <span>{t(name)}</span>
                {to === "/alerts" && (openTotal.value ?? 0) > 0 ? (
                  <span class="count">{show.number(openTotal.value ?? 0)}</span>
                ) : null}
              </Link>
            </li>
          ))}
        </ul>
        <Settings session={session}>
          <ul class="phone-only">
            {PAGES.filter(({ isMore }) => isMore).map(({ path: to, name }) => (
              <li key={to}>
                <Link href={toPage(to)} aria-current={isAt(path, to) ? "page" : undefined}>
                  {t(name)}
                </Link>
              </li>
            ))}
          </ul>
        </Settings>
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        {seesMachines ? <LiveBar /> : null}
        <ClockBar />
        <WaitBar />
        {children}
        {seesMachines ? <ZoneLine /> : null}
      </main>
      <AlertVoice />
    </div>
  );
}

/** Says since when the figures of this page are not live. */
function LiveBar() {
  const { value } = notLiveSince;
  if (value === null) return null;
  return (
    <p class="live-bar" role="status">
      {value === "connecting" ? t("live.connecting") : t("live.since", { time: show.clock(value) })}
    </p>
  );
}

/** Says that the clock of this device is wrong, and that nothing shown here follows it. */
function ClockBar() {
  const { value } = clockOffsetMs;
  if (value === 0) return null;
  // `Date` is in whole seconds: 4 h 59 min 59.8 s are 5 h.
  const age = show.duration(Math.round(Math.abs(value) / MINUTE_MS) * MINUTE_MS);
  return (
    <p class="notice" role="status">
      {t(value < 0 ? "live.clock_ahead" : "live.clock_behind", { age })}
    </p>
  );
}

/** New alerts in words, for who does not see them appear: at once if one is critical. */
function AlertVoice() {
  const { alert, more = 0 } = announcement.value ?? {};
  const text =
    alert === undefined
      ? ""
      : more === 0
        ? t("alerts.new", { message: alertText(alert) })
        : tn("alerts.new_and", more, { message: alertText(alert) });
  const isCritical = alert?.severity === "critical";
  return (
    <div class="hidden">
      <div aria-live="polite">{isCritical ? "" : text}</div>
      <div aria-live="assertive">{isCritical ? text : ""}</div>
    </div>
  );
}
