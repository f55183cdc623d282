import { Outdated } from '../../../../../application/shared/outdated.js';

/** A statement that inserts or changes one row at most. One after it names the id of that row as `{name}`. */
export interface LinkedStatement {
  readonly name: string;
  /** With a `?` for each value. */
  readonly text: string;
  /** Where it finds no row, none of them does anything (`Outdated`). */
  readonly must?: true;
}

type Run = (sql: string, bindings: readonly unknown[]) => Promise<readonly unknown[]>;

/** Runs linked statements with the values of all of them, in their order. @returns the ids of the rows by the names of the statements. */
export type RunLinked = (
  run: Run,
  values: readonly unknown[],
) => Promise<Readonly<Record<string, number | null | undefined>>>;

const LINK = /\{(\w+)\}/g;

const DIVISION_BY_ZERO = '22012';
/** The id of a row that must be there. Without it the database itself has to fail: the commit may be on its way already. */
const ID_THAT_MUST_BE = 'coalesce(max(id), 0) / count(*)';

/** As one statement: where the database is a round trip away, none waits for the id that another one gives out. */
export const linkIntoOne = (statements: readonly LinkedStatement[]): RunLinked => {
  const parts = statements.map(
    ({ name, text }) => `${name} as (${text.replaceAll(LINK, '(select id from $1)')} returning id)`,
  );
  const ids = statements.map(
    ({ name, must }) => `(select ${must === true ? ID_THAT_MUST_BE : 'id'} from ${name}) as ${name}`,
  );
  const all = `with ${parts.join(', ')} select ${ids.join(', ')}`;
  return async (run, values) => {
    try {
      return ((await run(all, values)) as readonly Readonly<Record<string, number>>[])[0] ?? {};
    } catch (error) {
      throw (error as { readonly code?: string }).code === DIVISION_BY_ZERO ? new Outdated() : error;
    }
  };
};

/** One after the other, where the database answers at once. */
export const linkInTurn = (statements: readonly LinkedStatement[]): RunLinked => {
  const prepared = statements.map(({ name, text, must }) => ({
    name,
    must,
    text: `${text.replaceAll(LINK, '?')} returning id`,
    links: [...text.matchAll(/\?|\{(\w+)\}/g)].map(([, link]) => link),
  }));
  return async (run, values) => {
    const ids: Record<string, number | undefined> = {};
    let next = 0;
    for (const { name, text, links, must } of prepared) {
      const bound = links.map((link) => (link === undefined ? values[next++] : ids[link]));
      const [row] = (await run(text, bound)) as readonly { readonly id: number }[];
      if (must === true && row === undefined) throw new Outdated();
      ids[name] = row?.id;
    }
    return ids;
  };
};
