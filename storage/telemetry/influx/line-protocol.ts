/** The one measurement that telemetry is kept in. */
export const MEASUREMENT = "telemetry";

/** Names that InfluxDB takes for something else: our tags, and its own time column. */
const TAKEN = /^(field_)*(asset|project|time)$/;
const STORED_TAKEN = /^field_(field_)*(asset|project|time)$/;

/** The field's name in InfluxDB: a taken one gets a prefix; {@link fieldOfStored} is the inverse. */
export function storedFieldName(name: string): string {
  return TAKEN.test(name) ? `field_${name}` : name;
}

export function fieldOfStored(stored: string): string {
  return STORED_TAKEN.test(stored) ? stored.slice("field_".length) : stored;
}

/** What precedes a field's value. */
export function fieldKey(name: string): string {
  return `${escapeName(storedFieldName(name))}=`;
}

/** What precedes the fields. */
export function seriesKey(assetId: string, projectId: string): string {
  return `${MEASUREMENT},asset=${escapeName(assetId)},project=${escapeName(projectId)} `;
}

const SPECIAL = /[,= ]/;

/** Tag values and keys: comma, equals sign and space are escaped. Ids and names hold no backslash or line end. */
function escapeName(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[,= ]/g, "\\$&") : text;
}
