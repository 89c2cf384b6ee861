/** A file of pages: a relation, with its fork and the number of its part. */
export const PAGED_FILE = /^((?:base\/\d+|global)\/(\d+))(_fsm|_vm)?(?:\.(\d+))?$/;

/** Pages of one part of a large table: 1 GiB. */
export const PART_PAGES = 131_072;

/** Files of tables below it are PostgreSQL's own (`FirstNormalObjectId`). */
export const FIRST_OWN_OID = 16_384;
