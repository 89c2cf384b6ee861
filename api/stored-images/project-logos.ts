import { buffer } from "node:stream/consumers";
import type { ProjectId } from "../../domain/ids.ts";
import { projectLogoKey } from "../../domain/platform/project-logo.ts";
import type { FileStore } from "../../storage/ports/files.ts";

/** A project's logo, PNG; `undefined`: it has none. @throws DomainError `STORE_UNAVAILABLE` */
export async function readLogo(
  store: Pick<FileStore, "get">,
  projectId: ProjectId,
): Promise<Buffer | undefined> {
  const opened = await store.get(projectLogoKey(projectId));
  return opened && (await buffer(opened.body));
}

/** The same as a `data:` address, for pages that must show it wherever they are opened or sent. */
export async function logoAddress(
  store: Pick<FileStore, "get">,
  projectId: ProjectId,
): Promise<string | undefined> {
  const png = await readLogo(store, projectId);
  return png && `data:image/png;base64,${png.toString("base64")}`;
}
