import { batch, computed, effect } from "@preact/signals";
import type { components } from "../../client/index.ts";
import { api } from "../api/client.ts";
import type { Failure } from "../api/failure.ts";
import { outcomeOf } from "../api/outcome.ts";
import { may } from "../api/session-state.ts";
import { groundOf } from "./ground-choice.ts";
import { mapLayers } from "./map-layers.ts";
import { perSession } from "./per-session.ts";
import { projectId } from "./project.ts";

type Schemas = components["schemas"];

/** An orthophoto that lies under the maps of a site. */
export interface GroundPicture {
  /** Of the survey. */
  readonly id: string;
  readonly projectId: string;
  readonly source: Schemas["SurveySource"];
  /** When it was flown, ms since the Unix epoch. */
  readonly capturedMs: number;
  readonly urlTemplate: string;
  readonly minZoom: number;
  readonly maxZoom: number;
  /** West, south, east, north; degrees. */
  readonly bounds: readonly [number, number, number, number];
  /** 0 to 1. */
  readonly opacity: number;
}

/** Newest surveys that are looked through: a flight a week of one site for a year. */
const SURVEYS = 50;

/** The orthophotos, newest first. */
export const ground = perSession<readonly GroundPicture[]>([]);

/** Whether they were ever read, and what the last read failed with. */
export const groundState = perSession<Failure | "unread" | "read">("unread");

/** Whether the key may see surveys of any kind. */
export const maySeeGround = (): boolean => may("materials:read") || may("progress:read");

/** Reads the orthophotos of the chosen project, or of all, while their layer is on; yields what ends it. */
export function followGround(): () => void {
  const isOn = computed(() => mapLayers.value.has("ground"));
  return effect(() => {
    const project = projectId.value;
    if (isOn.value && maySeeGround()) void readGround(project);
  });
}

let reads = 0;

/** A failure leaves what there was: a map without them is still a map. */
async function readGround(project: string | undefined): Promise<void> {
  reads += 1;
  const own = reads;
  const query = { limit: SURVEYS, ...(project === undefined ? {} : { project_id: project }) };
  const listed = await outcomeOf(api.GET("/api/v1/surveys", { params: { query } }));
  const known = new Map(ground.peek().map((picture) => [picture.id, picture]));
  const found: GroundPicture[] = [];
  const surveys = "value" in listed ? groundOf(listed.value.data) : [];
  for (const { id } of surveys) {
    const picture = known.get(id) ?? (await readPicture(id));
    if (picture !== undefined) found.push(picture);
  }
  // Another project was chosen meanwhile.
  if (own !== reads) return;
  batch(() => {
    groundState.value = "failure" in listed ? listed.failure : "read";
    if ("value" in listed) ground.value = found;
  });
}

/** The tiles of a survey; nothing where it was deleted meanwhile, or its pictures cannot be read any more. */
async function readPicture(id: string): Promise<GroundPicture | undefined> {
  const outcome = await outcomeOf<Schemas["Survey"]>(
    api.GET("/api/v1/surveys/{survey_id}", { params: { path: { survey_id: id } } }),
  );
  if ("failure" in outcome) return undefined;
  const { bounds, tiles, source, project_id, captured_at } = outcome.value;
  const orthophoto = tiles?.orthophoto;
  if (bounds === null || orthophoto == null) return undefined;
  return {
    id,
    projectId: project_id,
    source,
    capturedMs: Date.parse(captured_at),
    // The service signs addresses with its public name, and this page may ask only the origin that it came from.
    urlTemplate: orthophoto.url_template.replace(/^https?:\/\/[^/]+/, location.origin),
    minZoom: orthophoto.min_zoom,
    maxZoom: orthophoto.max_zoom,
    bounds: [bounds.west, bounds.south, bounds.east, bounds.north],
    opacity: 1,
  };
}
