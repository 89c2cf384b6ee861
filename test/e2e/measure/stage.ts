import type { Client } from "../../support/answer-client.ts";
import type { ImageServer } from "../../support/image-server.ts";
import type { ServiceProcess } from "../../support/service-process.ts";
import type { SurveySet } from "../../support/survey-sets.ts";

/** Counts and prints one expectation. */
export type Check = (name: string, isSo: boolean, detail?: string) => void;

/** What parts of the suite work on. */
export interface Stage {
  readonly images: ImageServer;
  /** Simulated surveys, still being rendered perhaps. */
  readonly sets: {
    /** 12 images of 480 px. */
    readonly small: Promise<SurveySet>;
    /** 36 images of 1,200 px with RTK, 8 of them oblique. */
    readonly large: Promise<SurveySet>;
    /** 41 images of 480 px. */
    readonly fortyOne: Promise<SurveySet>;
  };
  readonly adminKey: string;
  /** The service, and a client of it; a part that starts it again replaces both. */
  service: ServiceProcess;
  client: Client;
  /** Starts the service again on the same data. */
  restart(): Promise<ServiceProcess>;
  /** Starts a service beside it, which has measured nothing yet, on a folder of its own. */
  startFresh(dataDir: string): Promise<ServiceProcess>;
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
