import type { AssetId, ProjectId } from "../../domain/ids.ts";
import { ByteWriter } from "./byte-writer.ts";

const writer = new ByteWriter();

/** The bytes that each record of one asset begins with, kept because asset and project stay the same. */
export class SubjectBytes {
  #projectId: ProjectId | undefined;
  #bytes: Uint8Array = new Uint8Array();

  /** Asset and project as `writeHeader` writes them; always called with the same asset. */
  of(assetId: AssetId, projectId: ProjectId): Uint8Array {
    if (this.#projectId !== projectId) {
      writer.begin();
      writer.text(assetId);
      writer.text(projectId);
      this.#bytes = writer.take();
      this.#projectId = projectId;
    }
    return this.#bytes;
  }
}
