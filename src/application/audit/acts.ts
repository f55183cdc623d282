import type { AuditedAct, AuditFacts } from './ports/audit-ports.js';

type Acts = readonly AuditedAct[];

/** What a call of a repository is to the audit log; one that answers false did nothing. */
export type Act<Arguments extends readonly unknown[], Result> =
  /** Nothing but reading, or no act of a person. */
  | 'ordinary'
  /** Told by what was there before it. */
  | { readonly before: (facts: AuditFacts, ...args: Arguments) => Promise<Acts> }
  /** Told by what is there after it. */
  | { readonly after: (facts: AuditFacts, result: Result, ...args: Arguments) => Promise<Acts> }
  /** Told by what it is called with, so that neither waits for the other. For what always does something. */
  | (Result extends boolean ? never : { readonly beside: (...args: Arguments) => Acts });

/** Every method of a repository: one that is not declared does not compile. */
export type ActsOf<Repository> = {
  readonly [Name in keyof Repository]: Repository[Name] extends (...args: infer Arguments) => Promise<infer Result>
    ? Act<Arguments, Result>
    : never;
};

/** Undefined where nothing is to be told. */
export const told = (act: AuditedAct | undefined): Acts => (act === undefined ? [] : [act]);
