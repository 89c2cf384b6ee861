import type { ServiceProcess } from "../../support/service-process.ts";

/** No answer at all, in place of a status. */
const NONE = 0;
/** Longest wait for an answer, ms: the embedded database may take 30 s to give up. */
const ANSWER_MS = 45_000;

/** Asks a service that is in trouble, and keeps what it answered. */
export class Probe {
  readonly reasons = new Set<string>();
  readonly readStatuses = new Set<number>();
  readonly writeStatuses = new Set<number>();
  /** Assets whose registration was answered with 201. */
  readonly registered: string[] = [];
  readonly #service: () => ServiceProcess;
  readonly #key: string;
  readonly #projectId: string;
  #asked = 0;

  constructor(service: () => ServiceProcess, key: string, projectId: string) {
    this.#service = service;
    this.#key = key;
    this.#projectId = projectId;
  }

  /** Why the service says it is not ready; nothing when it is. */
  async readiness(): Promise<readonly string[]> {
    const { status, body } = await this.#ask("/health/ready");
    if (status === 200) return [];
    if (status !== 503) return [`no answer but ${status}`];
    return (JSON.parse(body) as { reasons: readonly string[] }).reasons;
  }

  /** One check of everything that has to work, and of what may fail. */
  async look(assetId: string): Promise<void> {
    for (const reason of await this.readiness()) this.reasons.add(reason);
    const equipment = "/api/v1/equipment/assets";
    for (const path of ["", `/${assetId}/location`, `/${assetId}/location?history=true&hours=1`]) {
      this.readStatuses.add((await this.#ask(`${equipment}${path}`)).status);
    }
    this.#asked += 1;
    const id = `made-when-full-${this.#asked}`;
    const asset = { id, name: "x".repeat(100), type: "van", project_id: this.#projectId };
    const { status } = await this.#ask(equipment, asset);
    this.writeStatuses.add(status);
    if (status === 201) this.registered.push(id);
  }

  /** How many of the registered assets are there. */
  async found(): Promise<number> {
    const { body } = await this.#ask("/api/v1/equipment/assets");
    const ids = new Set((JSON.parse(body) as { data: { id: string }[] }).data.map(({ id }) => id));
    return this.registered.filter((id) => ids.has(id)).length;
  }

  async #ask(
    path: string,
    post?: object,
  ): Promise<{ readonly status: number; readonly body: string }> {
    try {
      const response = await fetch(`${this.#service().http}${path}`, {
        headers: { Authorization: `Bearer ${this.#key}`, "Content-Type": "application/json" },
        signal: AbortSignal.timeout(ANSWER_MS),
        ...(post === undefined ? {} : { method: "POST", body: JSON.stringify(post) }),
      });
      return { status: response.status, body: await response.text() };
    } catch {
      return { status: NONE, body: "" };
    }
  }
}
