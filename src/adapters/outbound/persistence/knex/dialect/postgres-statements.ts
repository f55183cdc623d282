import { createHash } from 'node:crypto';
import type pg from 'pg';
import { postgresDialect } from './postgres-dialect.js';

export interface Statement {
  readonly name: string;
  readonly text: string;
}

const statements = new Map<string, Statement>();

export const statementOf = (sql: string): Statement => {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  let place = 0;
  const text = sql.replaceAll('?', () => `$${(place += 1)}`);
  const statement = { name: createHash('sha256').update(text).digest('base64url'), text };
  statements.set(sql, statement);
  return statement;
};

/** Each connection prepares a statement when it first sees its name. */
export const runOn = async (
  connection: pg.Client,
  sql: string,
  bindings: readonly unknown[],
  planned: 'once' | 'anew' = 'once',
): Promise<readonly unknown[]> => {
  const { name, text } = statementOf(sql);
  try {
    // Without a name it is planned for its values.
    const query = planned === 'once' ? { name, text } : { text };
    return (await connection.query<object>({ ...query, values: [...bindings] })).rows;
  } catch (error) {
    throw postgresDialect.translateError(error);
  }
};

interface Prepared {
  readonly parsedStatements: Readonly<Record<string, string>>;
}

/** Whether a connection knows a statement by its name. */
export const isPreparedOn = ({ connection }: pg.Client, name: string): boolean =>
  (connection as unknown as Prepared).parsedStatements[name] !== undefined;
