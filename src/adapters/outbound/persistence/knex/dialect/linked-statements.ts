/** A statement that inserts or changes one row at most. One after it names the id of that row as `{name}`. */
export interface LinkedStatement {
  readonly name: string;
  /** With a `?` for each value. */
  readonly text: string;
}

type Run = (sql: string, bindings: readonly unknown[]) => Promise<readonly unknown[]>;

/** Runs linked statements with the values of all of them, in their order. @returns the ids of the rows by the names of the statements. */
export type RunLinked = (
  run: Run,
  values: readonly unknown[],
) => Promise<Readonly<Record<string, number | null | undefined>>>;

const LINK = /\{(\w+)\}/g;

/** As one statement: where the database is a round trip away, none waits for the id that another one gives out. */
export const linkIntoOne = (statements: readonly LinkedStatement[]): RunLinked => {
  const parts = statements.map(
    ({ name, text }) => `${name} as (${text.replaceAll(LINK, '(select id from $1)')} returning id)`,
  );
  const ids = statements.map(({ name }) => `(select id from ${name}) as ${name}`);
  const all = `with ${parts.join(', ')} select ${ids.join(', ')}`;
  return async (run, values) => ((await run(all, values)) as readonly Readonly<Record<string, number>>[])[0] ?? {};
};

/** One after the other, where the database answers at once. */
export const linkInTurn = (statements: readonly LinkedStatement[]): RunLinked => {
  const prepared = statements.map(({ name, text }) => ({
    name,
    text: `${text.replaceAll(LINK, '?')} returning id`,
    links: [...text.matchAll(/\?|\{(\w+)\}/g)].map(([, link]) => link),
  }));
  return async (run, values) => {
    const ids: Record<string, number | undefined> = {};
    let next = 0;
    for (const { name, text, links } of prepared) {
      const bound = links.map((link) => (link === undefined ? values[next++] : ids[link]));
      const [row] = (await run(text, bound)) as readonly { readonly id: number }[];
      ids[name] = row?.id;
    }
    return ids;
  };
};
