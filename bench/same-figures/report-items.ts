import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../../domain/time.ts";
import type { ProjectSet } from "../../test/support/project-sets.ts";
import { plain } from "./by-nature.ts";
import { CONTROL } from "./compare.ts";
import { filesAt, uploaded } from "./files.ts";
import type { CameraPictures, Inputs, Picture } from "./inputs.ts";
import { type Entry, publishedEvents } from "./lists.ts";
import { type Side, waitUntil } from "./side.ts";

const VIEW = "view";
const BUILDING_MS = 300 * DAY_MS;
const VIEW_START_MS = Date.UTC(2025, 0, 6);

/** Progress reports: a project that is flown over twice, and a fixed camera with labels. */
export async function reportItems(
  side: Side,
  inputs: Inputs,
): Promise<ReadonlyMap<string, unknown>> {
  const items = new Map<string, unknown>();
  const [project, camera] = [await inputs.project(), await inputs.camera()];
  await createProject(side, project);
  let last = "";
  for (const { week, date, flight } of project.truth.weeks) {
    const paths = (flight?.images ?? []).map((image) => join(project.folder, image));
    const { images } = await uploaded(side, await filesAt(paths));
    const body = { project_id: project.truth.projectId, capture_type: "drone", images };
    const flight_metadata = { flown_at: date, rtk: true };
    last = await reported(side, `week ${week}`, { ...body, flight_metadata }, items);
  }
  await createView(side, camera);
  for (const [i, picture] of camera.looks.entries()) {
    const { images } = await uploaded(side, [asFile(picture, `look-${i}.jpg`)]);
    const body = { project_id: VIEW, capture_type: "cctv", images };
    await reported(side, `camera ${i + 1}`, body, items);
  }
  const labels = await side.expect("GET", "/progress/zones/house/calibrations");
  items.set("reports/camera/labels", plain(labels));
  for (const id of [project.truth.projectId, VIEW]) {
    items.set(`reports/${id}/events`, plain(await publishedEvents(side, id)));
  }
  items.set(`reports/${CONTROL}/a correction by hand`, await corrected(side, last, project));
  return items;
}

/** For the later checkout another percent is typed in. */
async function corrected(side: Side, report: string, { truth }: ProjectSet): Promise<unknown> {
  const [zone] = truth.zones;
  const progress = side.name === "after" ? 51 : 50;
  return plain(
    await side.expect("POST", `/progress/reports/${report}/corrections`, {
      ...{ corrected_by: "Site manager", note: "Seen on site" },
      zones: [{ zone_id: zone?.id, progress }],
    }),
  );
}

/** Sends a capture, waits until it is over, and keeps it with its report. Yields the report's id. */
async function reported(
  side: Side,
  name: string,
  body: object,
  items: Map<string, unknown>,
): Promise<string> {
  const sent = (await side.expect("POST", "/progress/captures", body)) as Entry;
  const path = `/progress/captures/${String(sent["id"])}`;
  let capture: Entry = sent;
  await waitUntil(`${name} is analysed`, async () => {
    capture = (await side.expect("GET", path)) as Entry;
    return capture["status"] !== "processing";
  });
  items.set(`reports/${name}/capture`, plain(capture));
  const report = capture["report_id"];
  if (typeof report !== "string") {
    throw new Error(`${name} came to no report: ${JSON.stringify(capture)}`);
  }
  items.set(
    `reports/${name}/report`,
    plain(await side.expect("GET", `/progress/reports/${report}`)),
  );
  return report;
}

async function createProject(side: Side, { folder, truth }: ProjectSet): Promise<void> {
  const bytes = (name: string) => readFile(join(folder, name));
  const json = async (name: string) => JSON.parse((await bytes(name)).toString()) as unknown;
  await side.expect("POST", "/projects", await json("project.json"));
  const zones = (await json("zones.json")) as readonly {
    readonly body: Entry;
    readonly surfaces: Readonly<Record<string, Entry>>;
  }[];
  for (const { body, surfaces } of zones) {
    await side.expect("POST", "/progress/zones", body);
    for (const [name, { file, kind, epsg, ...level }] of Object.entries(surfaces)) {
      const path = `/progress/zones/${String(body["id"])}/surfaces/${name}`;
      if (typeof file !== "string") await side.expect("PUT", path, level);
      else if (kind === "tin") {
        const query = `?epsg=${String(epsg)}`;
        await side.expect("PUT", `${path}${query}`, await bytes(file), "application/xml");
      } else await side.expect("PUT", path, await bytes(file), "image/tiff");
    }
  }
  const schedule = `/progress/projects/${truth.projectId}/schedule`;
  await side.expect("PUT", schedule, await bytes("schedule.xer"), "application/octet-stream");
}

async function createView(side: Side, camera: CameraPictures): Promise<void> {
  await side.expect("POST", "/projects", {
    ...{ id: VIEW, name: "Seen from a mast", location: { latitude: 51.5, longitude: -0.12 } },
    ...{ planned_start: "2025-01-06", planned_finish: "2027-12-17" },
  });
  const zone = { id: "house", project_id: VIEW, name: "House", metric: { kind: "image" } };
  await side.expect("POST", "/progress/zones", zone);
  const [reference] = (await uploaded(side, [asFile(camera.reference, "reference.jpg")])).images;
  await side.expect("POST", "/progress/cameras", {
    ...{ id: "mast", project_id: VIEW, name: "Mast", reference_image: reference?.url },
    zones: [{ zone_id: zone.id, outline: camera.outline }],
  });
  for (const [i, picture] of camera.labelled.entries()) {
    const [image] = (await uploaded(side, [asFile(picture, `label-${i}.jpg`)])).images;
    await side.expect("POST", `/progress/zones/${zone.id}/calibrations`, {
      ...{ image_url: image?.url, camera_id: "mast", progress: picture.percent },
      taken_at: new Date(VIEW_START_MS + picture.time * BUILDING_MS).toISOString(),
      labelled_by: "Site manager",
    });
  }
}

const asFile = ({ jpeg }: Picture, name: string) => ({ name, bytes: new Uint8Array(jpeg) });
