import type { components } from "../../../../client/index.ts";
import { api } from "../../../api/client.ts";
import { type Outcome, outcomeOf } from "../../../api/outcome.ts";
import type { LatLng } from "../../../map/drawing/draft.ts";

type Schemas = components["schemas"];
type SurveyHeight = Schemas["SurveyHeight"];
export type HeightSource = Schemas["HeightSource"];
export type HeightProfile = Schemas["HeightProfile"];
export type Volume = Schemas["Volume"];
export type VolumeBase = Schemas["VolumeBase"];

/** A footprint as bodies have it: degrees, latitude first. */
type Footprint = Schemas["NewVolume"]["footprint"];

const placeText = ([latitude, longitude]: LatLng): string => `${latitude},${longitude}`;

export const readHeight = (
  surveyId: string,
  place: LatLng,
  signal: AbortSignal,
): Promise<Outcome<SurveyHeight>> =>
  outcomeOf<SurveyHeight>(
    api.GET("/api/v1/surveys/{survey_id}/height", {
      params: { path: { survey_id: surveyId }, query: { at: placeText(place) } },
      signal,
    }),
  );

interface LineQuery {
  readonly from: LatLng;
  readonly to: LatLng;
  readonly points: number;
  /** Another survey whose heights are read on the same line. */
  readonly compareWith: string | undefined;
}

export const readProfile = (
  surveyId: string,
  { from, to, points, compareWith }: LineQuery,
  signal: AbortSignal,
): Promise<Outcome<HeightProfile>> =>
  outcomeOf<HeightProfile>(
    api.GET("/api/v1/surveys/{survey_id}/profile", {
      params: {
        path: { survey_id: surveyId },
        query: {
          from: placeText(from),
          to: placeText(to),
          max_points: points,
          ...(compareWith === undefined ? {} : { compare_with: compareWith }),
        },
      },
      signal,
    }),
  );

/** Nothing is stored. */
export const measureVolume = (
  surveyId: string,
  body: Schemas["NewVolume"],
  signal: AbortSignal,
): Promise<Outcome<Volume>> =>
  outcomeOf<Volume>(
    api.POST("/api/v1/surveys/{survey_id}/volume", {
      params: { path: { survey_id: surveyId } },
      body,
      signal,
    }) as never,
  );

/** What the stockpile's current measurement has in another footprint; nothing is stored. */
export const previewVolume = (
  stockpileId: string,
  footprint: Footprint,
  signal: AbortSignal,
): Promise<Outcome<Volume>> =>
  outcomeOf<Volume>(
    api.POST("/api/v1/materials/stockpiles/{stockpile_id}/preview-volume", {
      params: { path: { stockpile_id: stockpileId } },
      body: { footprint },
      signal,
    }) as never,
  );

/** Corners as bodies have them. */
export const footprintOf = (points: readonly LatLng[]): Footprint =>
  points.map(([latitude, longitude]): [number, number] => [latitude, longitude]);
