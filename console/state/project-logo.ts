import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../api/client.ts";
import { type Outcome, outcomeOf } from "../api/outcome.ts";
import { useAnswer } from "./use-answer.ts";

/** The logo of a project; nothing where it has none. */
async function readLogo(id: string): Promise<Outcome<Blob | undefined>> {
  const outcome = await outcomeOf<Blob>(
    api.GET("/api/v1/projects/{project_id}/logo", {
      params: { path: { project_id: id } },
      parseAs: "blob",
    }) as never,
  );
  if ("failure" in outcome && outcome.failure.status === 404) return { value: undefined };
  return outcome;
}

/** The address of a project's logo while the page shows it; `undefined`: it has none, or it is not known yet. */
export function useLogo(id: string) {
  const { data, failure, read } = useAnswer(() => readLogo(id), id);
  const address = useSignal<string | undefined>(undefined);
  const blob = data.value;
  useEffect(() => {
    if (blob === undefined) return;
    const made = URL.createObjectURL(blob);
    address.value = made;
    return () => {
      address.value = undefined;
      URL.revokeObjectURL(made);
    };
  }, [blob, address]);
  return { address, failure, read };
}
