import type { Dialect } from './dialect/dialect.js';
import type { LinkedStatement, RunLinked } from './dialect/linked-statements.js';
import type { Session } from './session.js';

type Ids = Awaited<ReturnType<RunLinked>>;

/** Statements that need the ids of each other's rows, in as few round trips as the database can: see `LinkedStatement`. */
export const linked = (
  statements: readonly LinkedStatement[],
): ((session: Session, values: readonly unknown[]) => Promise<Ids>) => {
  let prepared: { readonly dialect: Dialect; readonly run: RunLinked } | undefined;
  return (session, values) => {
    const { dialect } = session;
    if (prepared?.dialect !== dialect) prepared = { dialect, run: dialect.linkStatements(statements) };
    return prepared.run((sql, bindings) => session.run(sql, bindings), values);
  };
};
