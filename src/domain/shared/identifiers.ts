/** Has no value: it keeps the number of a user from being taken for that of a project. */
declare const OF: unique symbol;

interface Of<Kind extends string> {
  readonly [OF]: Readonly<Record<Kind, true>>;
}

/**
 * Identifiers are positive integers that the database hands out; they fit a double exactly. Only what reads rows and what reads
 * the parameters of a request makes one of a number: everything else is handed its identifiers.
 */
export type UserId = number & Of<'user'>;
export type NamespaceId = number & Of<'namespace'>;
/** A group is a namespace. */
export type GroupId = number & Of<'namespace' | 'group'>;
export type ProjectId = number & Of<'project'>;

/** Digits that a double holds exactly; anything else names nothing. */
const NUMBER = /^\d{1,15}$/;

/** The identifier that a segment of a path, a field or a header names. */
export const identifierIn = <Id extends number>(text: string | undefined): Id | undefined =>
  text !== undefined && NUMBER.test(text) ? (Number(text) as Id) : undefined;
