import type { components } from "../../client/index.ts";
import { api } from "./client.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";

/** Stores a picture, and yields the address that other requests name it by. */
export async function sendPicture(file: File, projectId: string): Promise<Outcome<string>> {
  const form = new FormData();
  form.append("images", file);
  const outcome = await outcomeOf<components["schemas"]["UploadedImages"]>(
    api.POST("/api/v1/progress/images", {
      params: { query: { project_id: projectId } },
      // The typed client knows of no files.
      body: form as never,
    }),
  );
  if ("failure" in outcome) return outcome;
  const { url, reason = "" } = outcome.value.images[0] ?? {};
  return url === undefined ? { failure: { status: 400, message: reason } } : { value: url };
}
