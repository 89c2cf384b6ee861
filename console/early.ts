import { askEarly } from "./api/early-answers.ts";
import { isKeyInAddress } from "./api/key-in-address.ts";
import { textsOf } from "./i18n/texts.ts";
import { MAP_PAGES } from "./map-pages.ts";
import { storedPreferences } from "./state/stored-preferences.ts";

/**
 * Runs before the code of the pages has come, as a script of its own (`vite.config.ts`): what a page waits for one
 * after the other is on its way at once. It decides nothing and shows nothing.
 */
const [, first = ""] = location.pathname.split("/");
const ignore = () => undefined;

// With a key in the address the session is another one in a moment.
if (!isKeyInAddress()) {
  askEarly("/api/v1/session", first === "map" ? ["/api/v1/console/config", machines()] : []);
}
// Who needs them asks again, and tells a failure.
textsOf(storedPreferences().language).catch(ignore);
if (isMapPage(first)) MAP_PAGES[first]().catch(ignore);

/** Address of the machines of the project that the address names, as the client makes it. */
function machines(): string {
  const project = new URLSearchParams(location.search).get("project");
  const query = project === null ? "" : `?project_id=${encodeURIComponent(project)}`;
  return `/api/v1/equipment/assets${query}`;
}

function isMapPage(name: string): name is keyof typeof MAP_PAGES {
  return Object.hasOwn(MAP_PAGES, name);
}
