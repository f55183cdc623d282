import type pg from 'pg';
import { NotReached } from '../../../../../application/shared/together.js';
import { Session } from '../session.js';
import { postgresDialect } from './postgres-dialect.js';
import { isPreparedOn, runOn, statementOf, type Statement } from './postgres-statements.js';
import { StatementsInOne } from './statements-in-one.js';

interface Asked extends Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly answer: PromiseWithResolvers<readonly unknown[]>;
}

/** The answers of those that succeeded, and why the one after them did not. */
interface Outcome {
  readonly answers: readonly (readonly unknown[])[];
  readonly failure?: { readonly error: unknown };
}

/** Together they are a transaction of their own, which ends with them: the server knows no other between two of these messages. */
const inOne = async (connection: pg.Client, asked: readonly Asked[]): Promise<Outcome> => {
  const statements = new StatementsInOne(asked);
  try {
    return { answers: await statements.runOn(connection) };
  } catch (error) {
    return { answers: statements.answered, failure: { error: postgresDialect.translateError(error) } };
  }
};

/** As pg has it, which keeps track of what a connection has prepared. */
const oneByOne = async (connection: pg.Client, asked: readonly Asked[]): Promise<Outcome> => {
  const begun = connection.query('begin');
  // What follows must not run outside of a transaction.
  begun.catch(() => connection.connection.stream.destroy());
  const running = asked.map(({ sql, values }) => runOn(connection, sql, values));
  const all = [begun, ...running, connection.query('commit')];
  const failed = (await Promise.allSettled(all)).find((each) => each.status === 'rejected');
  const answers = (await Promise.allSettled(running)).flatMap((each) =>
    each.status === 'fulfilled' ? [each.value] : [],
  );
  return { answers, ...(failed && { failure: { error: postgresDialect.translateError(failed.reason) } }) };
};

const endOfTurn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

const tell = (asked: readonly Asked[], { answers, failure }: Outcome): void => {
  for (const [place, { answer }] of asked.entries()) {
    if (place < answers.length) answer.resolve(answers[place]!);
    else answer.reject(place === answers.length ? failure?.error : new NotReached());
  }
};

/** Runs all that a work asks in its first turn as one transaction, in one round trip. */
export const runAtOnce = async <Result>(
  connection: pg.Client,
  work: (session: Session) => Promise<Result>,
): Promise<Result> => {
  const asked: Asked[] = [];
  const session = Session.atOnce(postgresDialect, (sql, values) => {
    const answer = Promise.withResolvers<readonly unknown[]>();
    // A work may leave it at the first failure.
    answer.promise.catch(() => undefined);
    asked.push({ ...statementOf(sql), sql, values, answer });
    return answer.promise;
  });
  const before = { failed: false };
  const working = work(session);
  working.catch(() => {
    before.failed = true;
  });
  await endOfTurn();
  session.end();
  if (before.failed || asked.length === 0) {
    asked.forEach(({ answer }) => answer.reject(new NotReached()));
    return working;
  }
  const run = asked.every(({ name }) => isPreparedOn(connection, name)) ? inOne : oneByOne;
  const outcome = await run(connection, asked);
  tell(asked, outcome);
  const result = await working;
  // Also where the work took no notice.
  if (outcome.failure !== undefined) throw outcome.failure.error;
  return result;
};
