/** A unique index refused the row. `constraint` is named after Knex's rule: `<table>_<columns>_unique`. */
export class UniqueViolation extends Error {
  constructor(
    readonly constraint: string,
    options?: ErrorOptions,
  ) {
    super(`unique constraint ${constraint}`, options);
  }
}

/** The row refers to one that does not exist, or no longer does. */
export class ForeignKeyViolation extends Error {}

/** The installation has left the database: what was to be written belongs into its successor. */
export class StorageMoved extends Error {}

/** Another transaction was faster, and the work that runs again sees what it did. By its code it is what a database calls a failure to serialize. */
export class Overtaken extends Error {
  readonly code = '40001';
}
