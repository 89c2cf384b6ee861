import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { Aedes } from "aedes";

/** A publish as the fake broker saw it. */
interface SeenPublish {
  readonly client: string;
  readonly topic: string;
  readonly payload: string;
  readonly isDup: boolean;
  readonly packetId: number | undefined;
}

/** A service that keeps projects, assets, fences and publishes in memory: the simulator's whole view of the real one. */
export interface FakeService {
  readonly url: string;
  readonly mqttUrl: string;
  readonly projects: Map<string, Record<string, unknown>>;
  /** Asset id to current MQTT password. */
  readonly passwords: Map<string, string>;
  readonly assets: Map<string, Record<string, unknown>>;
  readonly fences: Map<string, Record<string, unknown>>;
  /** By the type of assets. */
  readonly mappings: Map<string, Record<string, unknown>>;
  readonly requests: string[];
  readonly publishes: SeenPublish[];
  /** Withholds acknowledgements while true. */
  hold: boolean;
  /** Time that an acknowledgement takes, ms; 0 at first. */
  ackAfterMs: number;
  /** Ends every MQTT connection as a broken network does. */
  cutConnections(): void;
  close(): Promise<void>;
}

/** Starts the fake on free ports of 127.0.0.1. It answers as the real service does. */
export async function startFakeService(key: string): Promise<FakeService> {
  const projects = new Map<string, Record<string, unknown>>();
  const assets = new Map<string, Record<string, unknown>>();
  const fences = new Map<string, Record<string, unknown>>();
  const mappings = new Map<string, Record<string, unknown>>();
  const passwords = new Map<string, string>();
  const requests: string[] = [];
  const publishes: SeenPublish[] = [];
  const sockets = new Set<Socket>();
  let held: (() => void)[] = [];
  let hold = false;

  const broker = await Aedes.createBroker({
    authenticate: (_client, username, password, done) => {
      done(null, passwords.get(username ?? "") === password?.toString());
    },
    authorizePublish: (client, packet, done) => {
      publishes.push({
        client: client?.id ?? "",
        topic: packet.topic,
        payload: packet.payload.toString(),
        isDup: packet.dup,
        packetId: packet.messageId,
      });
      if (hold) held.push(() => done(null));
      else if (service.ackAfterMs > 0) setTimeout(() => done(null), service.ackAfterMs);
      else done(null);
    },
  });
  const mqttServer = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    broker.handle(socket);
  });
  const httpServer = createServer((request, response) => {
    void answer(request, response);
  });

  function credentials(id: string) {
    const password = `secret-${id}-${Math.random()}`;
    passwords.set(id, password);
    const topic = `sites/${assets.get(id)?.["project_id"]}/assets/${id}/telemetry`;
    return { mqtt: { username: id, password, topic } };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = text === "" ? {} : JSON.parse(text);
    const path = request.url ?? "";
    requests.push(`${request.method} ${path}`);
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    const conflict = () => send(409, { error: { code: "id_taken", message: "the id is taken" } });
    if (request.headers.authorization !== `Bearer ${key}`) {
      send(401, { error: { code: "unauthorized", message: "Invalid API key" } });
    } else if (path.startsWith("/api/v1/projects/") && request.method === "GET") {
      send(200, projects.get(path.slice("/api/v1/projects/".length)));
    } else if (path === "/api/v1/projects") {
      if (projects.has(body.id)) return conflict();
      projects.set(body.id, body);
      send(201, body);
    } else if (path === "/api/v1/equipment/assets") {
      if (assets.has(body.id)) return conflict();
      assets.set(body.id, body);
      send(201, { ...body, ...credentials(body.id) });
    } else if (request.method === "PUT" && path.startsWith("/api/v1/equipment/mappings/")) {
      mappings.set(path.slice("/api/v1/equipment/mappings/".length), body);
      send(200, { mapping: body });
    } else if (path === "/api/v1/equipment/geofences") {
      if (fences.has(body.id)) {
        return send(400, { error: { code: "invalid_parameter", message: "the id is taken" } });
      }
      fences.set(body.id, body);
      send(201, body);
    } else if (request.method === "PATCH" && path.startsWith("/api/v1/equipment/assets/")) {
      const id = path.slice("/api/v1/equipment/assets/".length);
      assets.set(id, { ...assets.get(id), ...body });
      send(200, assets.get(id));
    } else if (request.method === "PATCH") {
      const id = path.slice("/api/v1/equipment/geofences/".length);
      if (!fences.has(id)) {
        return send(404, { error: { code: "not_found", message: "no such resource" } });
      }
      fences.set(id, { ...fences.get(id), ...body });
      send(200, fences.get(id));
    } else {
      const id = /^\/api\/v1\/equipment\/assets\/([^/]+)\/credentials$/.exec(path)?.[1];
      if (id === undefined || !assets.has(id)) {
        return send(404, { error: { code: "not_found", message: "no such resource" } });
      }
      send(200, credentials(id));
    }
  }

  const listen = (server: Server) =>
    new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
  const httpPort = await listen(httpServer);
  const mqttPort = await listen(mqttServer);
  const service: FakeService = {
    ackAfterMs: 0,
    url: `http://127.0.0.1:${httpPort}`,
    mqttUrl: `mqtt://127.0.0.1:${mqttPort}`,
    projects,
    assets,
    fences,
    mappings,
    passwords,
    requests,
    publishes,
    get hold() {
      return hold;
    },
    set hold(value) {
      hold = value;
      if (hold) return;
      for (const release of held) release();
      held = [];
    },
    cutConnections() {
      held = [];
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => broker.close(resolve));
      await new Promise((resolve) => mqttServer.close(resolve));
      httpServer.closeAllConnections();
      await new Promise((resolve) => httpServer.close(resolve));
    },
  };
  return service;
}
