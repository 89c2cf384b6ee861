import { type TSchema, Type } from "typebox";

/** A value that may be unknown: null, never 0. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A field of a change (RFC 7396): absent leaves the value as it is, null removes it. */
export const orRemoved = <T extends TSchema>(schema: T) => Type.Optional(orNull(schema));
