import { EN_ALERTS } from "./en/alerts.ts";
import { EN_CAMERAS } from "./en/cameras.ts";
import { EN_CHART } from "./en/chart.ts";
import { EN_DEVICE } from "./en/device.ts";
import { EN_EVENTS } from "./en/events.ts";
import { EN_FENCES } from "./en/fences.ts";
import { EN_MACHINE } from "./en/machine.ts";
import { EN_MAP } from "./en/map.ts";
import { EN_MEASURE } from "./en/measure.ts";
import { EN_MODEL } from "./en/model.ts";
import { EN_OBSERVE } from "./en/observe.ts";
import { EN_OVERVIEW } from "./en/overview.ts";
import { EN_PROGRESS } from "./en/progress.ts";
import { EN_PROGRESS_SETUP } from "./en/progress-setup.ts";
import { EN_REGISTER } from "./en/register.ts";
import { EN_REQUESTS } from "./en/requests.ts";
import { EN_SAID } from "./en/said.ts";
import { EN_SERVICE } from "./en/service.ts";
import { EN_SETTINGS } from "./en/settings.ts";
import { EN_STOCKPILES } from "./en/stockpiles.ts";
import { EN_SURVEYS } from "./en/surveys.ts";
import { EN_TIME } from "./en/time.ts";
import { EN_TRACK } from "./en/track.ts";
import { EN_UPLOADS } from "./en/uploads.ts";
import { EN_UTILISATION } from "./en/utilisation.ts";
import type { EN_ADMINISTRATION } from "./en-settings.ts";

/** The words of the console but those of administration, in English. `{name}` is a value; `_one` and `_other` are forms of a number `{n}`. */
export const EN = {
  ...EN_CHART,
  ...EN_DEVICE,
  ...EN_MACHINE,
  ...EN_MAP,
  ...EN_CAMERAS,
  ...EN_MODEL,
  ...EN_PROGRESS,
  ...EN_PROGRESS_SETUP,
  ...EN_REGISTER,
  ...EN_UPLOADS,
  ...EN_UTILISATION,
  ...EN_SERVICE,
  ...EN_TIME,
  ...EN_TRACK,
  "logo.of": "Logo of {name}",
  "app.name": "Plumbline",
  "app.skip": "Skip to the content",
  "app.loading": "Loading",
  "app.not_found": "There is no such page",
  "app.not_found_hint": "The address may be mistyped, or the page is not there any more.",
  "app.to_start": "Go to the overview",
  "app.part_failed": "This page could not be shown",
  "app.reload": "Reload",

  "nav.label": "Pages",
  "nav.overview": "Overview",
  "nav.map": "Live map",
  "nav.machines": "Machines",
  "nav.alerts": "Alerts",
  "nav.docs": "API",
  "nav.settings": "Administration",
  "nav.service": "Service",
  "nav.help": "Help",
  "nav.project": "Project",
  "nav.all_projects": "All projects",
  "nav.more": "Settings",
  "nav.theme": "Appearance",
  "nav.theme.auto": "As the system",
  "nav.theme.light": "Light",
  "nav.theme.dark": "Dark",
  "nav.times": "Times",
  "nav.times.short": "Short",
  "nav.times.full": "With age, date and UTC",
  "nav.language": "Language",
  "nav.units": "Units",
  "nav.units.metric": "Metric",
  "nav.units.imperial": "Imperial",
  "nav.log_out": "Log out",
  "nav.key": "Key: {name}",

  "login.title": "Log in",
  "login.key": "API key",
  "login.hint": "An administrator makes keys. The first one was printed when the service started.",
  "login.submit": "Log in",
  "login.checking": "Checking the key",
  "login.wrong": "The service does not accept this key. It may be mistyped, expired or revoked.",
  "login.many": "Too many log-ins with this key or from this address. Try again in a minute.",
  "login.ended": "The session has ended. Log in to go on at the same place.",

  "fail.none": "The service does not answer.",
  "fail.forbidden": "This key may not do that: {message}",
  "fail.server": "The service failed.",
  "fail.other": "{message}",
  "fail.retry": "Try again",

  "live.connecting": "Connecting to the live stream",
  "live.since": "Not live since {time}",
  "live.clock_ahead":
    "The clock of this device is {age} ahead. Ages and times here follow the clock of the service.",
  "live.clock_behind":
    "The clock of this device is {age} behind. Ages and times here follow the clock of the service.",
  "live.scope": "This key has no {scope}, so nothing is shown here.",

  "status.active": "active",
  "status.idle": "idle",
  "status.maintenance": "maintenance",
  "connection.ok": "connected",
  "connection.silent": "silent",
  "connection.offline": "offline",
  "connection.gps_stuck": "GPS stuck",
  "connection.unknown": "never heard of",

  "place.registered": "registered place, no position yet",
  "place.mocked": "made up by the device",
  "place.accuracy": "± {distance}, reported",
  "place.accuracy_assumed": "± {distance}, assumed",
  "place.received": "time of receipt, the device sent none",
  "speed.reported": "{speed}, reported",
  "speed.derived": "{speed}, computed from positions",
  "heading.reported": "{heading}, reported",
  "heading.derived": "{heading}, computed from positions",
  "value.unknown": "not known",

  "map.title": "Live map",
  "map.label": "Map of the machines",
  "map.search": "Search by name or id",
  "map.zoom_in": "Zoom in",
  "map.zoom_out": "Zoom out",
  "map.show_all": "Show all",
  "map.follow": "Follow",
  "map.following": "Following",
  "map.close": "Close",
  "map.list": "Machines on the map",
  "map.listed": "{n} of {all} are listed.",
  "map.more": "List {n} more",
  "map.no_webgl": "This browser cannot draw the map (no WebGL 2). The list has the same machines.",
  "map.status": "Status",
  "map.connection": "Connection",
  "map.position": "Position",
  "map.seen": "Position from",
  "map.speed": "Speed",
  "map.heading": "Heading",
  "map.zone": "Zone",
  "map.no_zone": "outside every zone",
  "map.work": "Shift used today",
  "map.open_alerts": "Open alerts",
  "map.none": "none",

  "machines.title": "Machines",
  "machines.name": "Name",
  "machines.type": "Type",
  "machines.status": "Status",
  "machines.connection": "Connection",
  "machines.seen": "Position from",
  "machines.speed": "Speed",
  "machines.work": "Shift used today",
  "machines.zone": "Zone",
  "machines.all": "All",
  "machines.filter": "Filter by name, id or type",
  "machines.count_one": "{n} machine",
  "machines.count_other": "{n} machines",
  "machines.empty": "No machines yet",
  "machines.empty_hint": "Register the first one; its device can send within a minute.",
  "machines.no_match": "No machine matches",
  "machines.no_match_hint": "Change the search or the filter.",
  "machines.more": "Show {n} more",
  "machines.on_map": "On the map",
  "machines.since": "since {time}",

  "work.figure": "{value} ({lower} to {upper})",
  "work.observed": "observed",
  "work.meter": "by the hour meter",
  "work.bridged": "partly inferred over gaps",
  "work.none": "nothing seen",
  "work.seen": "{percent} of today so far seen",

  "alerts.title": "Alerts",
  "alerts.open": "Open",
  "alerts.acknowledged": "Acknowledged",
  "alerts.info_one": "{n} notice",
  "alerts.info_other": "{n} notices",
  "alerts.none": "No open alerts",
  "alerts.none_hint": "New ones appear here by themselves.",
  "alerts.none_acknowledged": "Nothing was acknowledged yet",
  "alerts.note": "Note (optional)",
  "alerts.acknowledge_one": "Acknowledge {n} alert",
  "alerts.acknowledge_other": "Acknowledge {n} alerts",
  "alerts.choose": "Select: {message}",
  "alerts.choose_all": "Select all shown",
  "alerts.read_only": "This key has no equipment:write, so alerts cannot be acknowledged with it.",
  "alerts.by": "acknowledged by {name}, {time}",
  "alerts.by_mute": "acknowledged by a mute, {time}",
  "alerts.times_one": "once",
  "alerts.times_other": "{n} times",
  "alerts.device_time": "by the device's clock {time}, which is ahead",
  "alerts.more": "{n} older ones are not shown",
  "alerts.new": "New alert: {message}",
  "severity.critical": "critical",
  "severity.warning": "warning",
  "severity.info": "notice",

  "overview.title": "Overview",
  "overview.machines": "Machines",
  "overview.alerts": "Open alerts",
  "overview.newest": "Newest",
  "overview.piles": "Stockpiles",
  "overview.progress": "Progress",
  "overview.as_of": "as of {time}",
  "overview.no_scope": "This key has no {scope}.",
  "overview.no_volume": "without any volume",
  "overview.processing_one": "{n} capture is being processed",
  "overview.processing_other": "{n} captures are being processed",
  "overview.no_reports": "No report yet",
  "overview.report": "{actual} done, {planned} planned; seen {seen}",
  "overview.by_status": "By status",
  "overview.by_connection": "By connection",
  "overview.basis.schedule": "plan: schedule",
  "overview.basis.project_dates": "plan: straight line between the project's dates",
  "pile.empty": "empty",
  "pile.low": "low",
  "pile.adequate": "adequate",
  "pile.full": "full",

  "time.now": "now",
  "time.show_all": "Show age, date and UTC",
  "time.ago": "{age} ago",
  "time.ahead": "{age} in the future: the clock of the device is wrong",

  ...EN_ALERTS,
  ...EN_EVENTS,
  ...EN_FENCES,
  ...EN_OBSERVE,
  ...EN_OVERVIEW,
  ...EN_REQUESTS,
  ...EN_SAID,
  ...EN_SETTINGS,
  ...EN_STOCKPILES,
  ...EN_SURVEYS,
  ...EN_MEASURE,
} as const;

/** A text of the console by its name. */
export type MessageKey = keyof typeof EN | keyof typeof EN_ADMINISTRATION;
/** Texts that are loaded: all but those of administration at the start. */
export type Texts = Readonly<Partial<Record<MessageKey, string>>>;
