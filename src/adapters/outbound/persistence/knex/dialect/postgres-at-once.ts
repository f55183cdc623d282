import type pg from 'pg';
import { NotReached } from '../../../../../application/shared/together.js';
import { Session } from '../session.js';
import { postgresDialect } from './postgres-dialect.js';
import { isPreparedOn, runOn, statementOf, type Statement } from './postgres-statements.js';
import { StatementsInOne } from './statements-in-one.js';

/** What a work asks of its transaction. */
export interface Asked extends Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly answer: PromiseWithResolvers<readonly unknown[]>;
}

/** The answers of those that succeeded, and why the one after them did not. */
export interface Outcome {
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

/** Runs them as one transaction, in one round trip. */
export const runInOne = (connection: pg.Client, asked: readonly Asked[]): Promise<Outcome> =>
  asked.every(({ name }) => isPreparedOn(connection, name)) ? inOne(connection, asked) : oneByOne(connection, asked);

/** A statement of which nobody waits for the answer, besides those who are told. */
export const ask = (sql: string, values: readonly unknown[]): Asked => {
  const answer = Promise.withResolvers<readonly unknown[]>();
  // A work may leave it at the first failure.
  answer.promise.catch(() => undefined);
  return { ...statementOf(sql), sql, values, answer };
};

/** Of what is not run after all. */
export const refuse = (asked: readonly Asked[]): void => asked.forEach(({ answer }) => answer.reject(new NotReached()));

const endOfTurn = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** A work that waits for the answers to all that it asks. */
export interface AskingWork<Result> {
  readonly asked: readonly Asked[];
  readonly working: Promise<Result>;
}

/** Lets a work ask. Nothing is to be run of one that failed before it waited. */
export const letAsk = async <Result>(work: (session: Session) => Promise<Result>): Promise<AskingWork<Result>> => {
  const asked: Asked[] = [];
  const session = Session.atOnce(postgresDialect, (sql, values) => {
    const one = ask(sql, values);
    asked.push(one);
    return one.answer.promise;
  });
  const before = { failed: false };
  const working = work(session);
  working.catch(() => {
    before.failed = true;
  });
  await endOfTurn();
  session.end();
  if (!before.failed) return { asked, working };
  refuse(asked);
  return { asked: [], working };
};

/** Tells a work what came of what it asked. */
export const tell = async <Result>(
  { asked, working }: AskingWork<Result>,
  { answers, failure }: Outcome,
): Promise<Result> => {
  for (const [place, { answer }] of asked.entries()) {
    if (place < answers.length) answer.resolve(answers[place]!);
    else answer.reject(place === answers.length ? failure?.error : new NotReached());
  }
  const result = await working;
  // Also where the work took no notice.
  if (failure !== undefined) throw failure.error;
  return result;
};
