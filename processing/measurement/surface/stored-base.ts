import type { HeightField } from "../../grid/elevation-grid.ts";
import type { BasePlane } from "../../volume/base/base-plane.ts";
import {
  type BaseSurface,
  type LevelBase,
  levelBase,
  surveyBase,
} from "../../volume/base/base-surface.ts";
import type { BaseTin } from "../../volume/base/base-tin.ts";
import { tinHeight } from "../../volume/base/tin-height.ts";
import type { StoredBase } from "./datum.ts";

/** A base as the datum keeps it: JSON that {@link openBase} makes the same surface of. */
export function storedBase(base: BasePlane | BaseTin | LevelBase): StoredBase {
  switch (base.kind) {
    case "plane": {
      const { kind, a, b, c, nmadM, unevenM } = base;
      return { kind, a, b, c, nmadM, unevenM };
    }
    case "tin": {
      const { kind, vertices, triangles, nmadM, unevenM } = base;
      return { kind, vertices, triangles, nmadM, unevenM };
    }
    case "level":
      return { kind: "level", heightM: base.heightM };
  }
}

/**
 * The surface of a stored base, in the datum's frame.
 * @param loadSurvey gives the heights of a `survey`, in the datum's frame, by their key in the file store
 * @throws Error when a `survey` is to be opened without it.
 */
export function openBase(
  stored: StoredBase,
  loadSurvey?: (surfaceKey: string) => HeightField,
): BaseSurface {
  switch (stored.kind) {
    case "plane": {
      const { kind, a, b, c, nmadM, unevenM = nmadM } = stored;
      return { kind, nmadM, unevenM, heightAt: (x, y) => a * x + b * y + c };
    }
    case "tin": {
      const { kind, nmadM, unevenM = nmadM } = stored;
      return { kind, nmadM, unevenM, heightAt: tinHeight(stored) };
    }
    case "level":
      return levelBase(stored.heightM);
    case "survey":
      if (loadSurvey === undefined) throw new Error("nobody loads the survey that is the base");
      return surveyBase(loadSurvey(stored.surfaceKey));
  }
}
