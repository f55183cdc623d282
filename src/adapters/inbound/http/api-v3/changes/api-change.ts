import type { OldRequest } from './old-request.js';

/** The releases that changed the API from version 3 to version 4. */
export const RELEASES = ['8.17', '9.0'] as const;
export type Release = (typeof RELEASES)[number];

/** What a parameter is called and holds in version 4. */
export type RewriteField = (value: string) => readonly [name: string, value: string];

/** Which requests a change concerns, and what is to become of them. */
export interface ChangeRule {
  /** Every method, when absent. */
  readonly methods?: readonly string[];
  /** Patterns of the path, any of which must match; see `path-pattern.ts`. */
  readonly paths: readonly string[];
  /** Conditions on what the pattern captured, decoded. */
  readonly where?: Readonly<Record<string, (text: string) => boolean>>;
  /** Parameters in query or body, any of which must be given. */
  readonly given?: readonly string[];
  readonly when?: (request: OldRequest) => boolean;
  /** Parameters that become part of the address, by the name that `to` and `adds` call them; must be given under any of their names. */
  readonly takes?: Readonly<Record<string, readonly string[]>>;
  /** The method of version 4. */
  readonly method?: string;
  /** The path of version 4, of the names in the pattern and in `takes`. */
  readonly to?: string;
  /** Parameters that version 4 needs; `:name` stands for what was captured. */
  readonly adds?: Readonly<Record<string, string>>;
  /** Parameters that are called or written otherwise. */
  readonly fields?: Readonly<Record<string, RewriteField>>;
}

/** What `after` says where version 4 has nothing in its place. */
export const DROPPED = 'dropped';

/** One change from version 3 to version 4, as `docs/v3-to-v4.md` tells it. */
export interface ApiChange {
  readonly release: Release;
  readonly before: string;
  readonly after: string;
  /** What whoever called it has to know. */
  readonly description: string;
  /** A request of version 3 and what it becomes, each below its version. */
  readonly example: readonly [before: string, after: string];
  /** The first that matches a request counts. */
  readonly rules: readonly ChangeRule[];
}

/** The same value under another name. */
export const renamed =
  (name: string): RewriteField =>
  (value) => [name, value];
