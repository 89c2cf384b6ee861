import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MqttDevice } from "../../support/mqtt-device.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { reportPlaces } from "../../support/report-places.ts";
import { createSite, type DeviceAccess } from "../../support/site.ts";
import { openSse, type SseClient } from "../../support/sse-client.ts";
import { until } from "../../support/until.ts";
import {
  ADMIN_KEY,
  type Cluster,
  letIn,
  openCluster,
  type RoleProcess,
  SERVERS,
} from "./cluster.ts";

interface Listed {
  readonly data: readonly {
    readonly id: string;
    readonly type: string;
    readonly status?: string;
  }[];
}

const LONGITUDE = 13.4;
/** 22 m south and north of the edge of the fence. */
const [OUTSIDE, INSIDE] = [52.5098, 52.5102];

const absence = SERVERS.absent === undefined ? "" : ` (skipped: ${SERVERS.absent})`;

describe.skipIf(SERVERS.absent !== undefined)(
  `live streams of several API processes on one database${absence}`,
  () => {
    let cluster: Cluster;
    let ingest: RoleProcess;
    let first: RoleProcess;
    let second: RoleProcess;
    let truck: MqttDevice;
    let drive: ReturnType<typeof reportPlaces>;

    beforeAll(async () => {
      cluster = await openCluster();
      [ingest, first, second] = await Promise.all([
        cluster.start("ingest"),
        cluster.start("api"),
        cluster.start("api"),
      ]);
      const access = await createSite(first.api, "yard", ["truck"]);
      await first.api.post("/equipment/geofences", {
        ...{ id: "pit", name: "Pit", project_id: "yard", kind: "restricted", exit_buffer_m: 5 },
        alert_on: ["enter", "exit"],
        polygon: [
          [52.51, 13.39],
          [52.51, 13.41],
          [52.52, 13.41],
          [52.52, 13.39],
        ],
      });
      truck = await letIn(ingest, access.get("truck") as DeviceAccess);
      drive = reportPlaces((reading) =>
        truck.publish({ payload: JSON.stringify(reading), qos: 1 }),
      );
      await report(OUTSIDE);
    });
    afterAll(async () => {
      truck?.cut();
      await cluster?.close();
    });

    const report = (latitude: number): Promise<void> => drive({ latitude, longitude: LONGITUDE });

    const open = ({ service }: RoleProcess, lastEventId?: string): Promise<SseClient> =>
      openSse(`${service.http}/api/v1/live?topics=events,alerts`, {
        key: ADMIN_KEY,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });

    const idsOf = (clients: readonly SseClient[], kind: string, type?: string): readonly string[] =>
      clients.flatMap(({ messages }) =>
        messages
          .filter(({ event }) => event === kind)
          .map(({ data }) => JSON.parse(data) as { readonly id: string; readonly type: string })
          .filter((one) => type === undefined || one.type === type)
          .map(({ id }) => id),
      );

    /** Ids of all events of the database, oldest first. */
    const stored = async () =>
      (await first.api.get<Listed>("/events?limit=100")).data.map(({ id }) => id);

    it("an entry is an event and an alert in the streams of both, and what one acknowledges the other sends", async () => {
      const streams = await Promise.all([first, second].map((one) => open(one)));
      await report(INSIDE);
      for (const stream of streams) {
        await until("the alert", () => idsOf([stream], "alert").length === 1, PATIENT_MS);
        await until("the event", () => idsOf([stream], "event", ENTERED).length === 1, PATIENT_MS);
      }
      const [one = [], other = []] = streams.map((stream) => idsOf([stream], "event"));
      expect(other).toEqual(one);
      const [id = ""] = idsOf(streams, "alert");
      await first.api.post(`/equipment/alerts/${id}/acknowledge`, { note: "guard is there" });
      for (const stream of streams) {
        await until("the acknowledgement", () => idsOf([stream], "alert").length === 2, PATIENT_MS);
        expect(idsOf([stream], "alert")).toEqual([id, id]);
        const last = stream.messages.filter(({ event }) => event === "alert").at(-1);
        expect(JSON.parse(last?.data ?? "{}")).toMatchObject({
          status: "acknowledged",
          note: "guard is there",
        });
        stream.cut();
      }
    });

    it("a client that goes from one to the other and back by Last-Event-ID has every event and alert once, in order", async () => {
      const before = await stored();
      const visits: SseClient[] = [await open(first)];
      // A client that has heard nothing has no place to come back to.
      await until("a place", () => visits[0]?.lastEventId !== "", PATIENT_MS);
      for (const [i, latitude] of [OUTSIDE, INSIDE, OUTSIDE, INSIDE].entries()) {
        const here = visits.at(-1);
        // What happens while it is nowhere, and while it is connected.
        if (i % 2 === 0) here?.cut();
        await report(latitude);
        const count = before.length + 1 + i;
        await until(
          "the crossing is stored",
          async () => (await stored()).length >= count,
          PATIENT_MS,
        );
        if (i % 2 === 0) visits.push(await open(i === 0 ? second : first, here?.lastEventId));
        const heard = async () =>
          idsOf(visits, "event").length === (await stored()).length - before.length;
        await until("the crossing is heard", heard, PATIENT_MS);
      }
      await until(
        "the alerts",
        async () => {
          const { data } = await second.api.get<Listed>("/equipment/alerts?limit=100");
          const known = new Set(idsOf(visits, "alert"));
          return data.filter(({ status }) => status === "open").every(({ id }) => known.has(id));
        },
        PATIENT_MS,
      );
      expect(idsOf(visits, "event")).toEqual((await stored()).slice(before.length));
      const states = visits.flatMap(({ messages }) =>
        messages.filter(({ event }) => event === "alert").map(({ data }) => data),
      );
      expect(states.length).toBeGreaterThanOrEqual(4);
      expect(new Set(states).size).toBe(states.length);
      for (const stream of visits) stream.cut();
    });
  },
);

const ENTERED = "equipment.geofence.entered";
