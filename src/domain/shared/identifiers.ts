/** Identifiers are positive integers that the database hands out; they fit a double exactly. */
export type UserId = number;
export type GroupId = number;
export type ProjectId = number;
export type NamespaceId = number;
