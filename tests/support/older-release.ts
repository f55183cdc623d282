import type { Knex } from 'knex';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
}

interface Table {
  readonly columns: ReadonlyMap<string, Column>;
  /** Columns of each index that is unique. */
  readonly unique: ReadonlySet<string>;
}

/** Whatever a statement of the release before may depend on. */
export type Shape = ReadonlyMap<string, Table>;

/** @param schema of a file: both databases are made by the same migrations. */
export const shapeOf = async (schema: Knex): Promise<Shape> => {
  const shape = new Map<string, Table>();
  const ask = (sql: string) => schema.raw(sql) as unknown as Promise<Readonly<Record<string, string | number>>[]>;
  for (const { name } of await ask(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
  )) {
    const columns = (await ask(`pragma table_info('${name}')`)) as unknown as readonly Column[];
    const unique = new Set<string>();
    for (const index of await ask(`pragma index_list('${name}')`)) {
      if (index['unique'] !== 1) continue;
      const of = await ask(`pragma index_info('${index['name']}')`);
      unique.add(of.map((column) => column['name']).join(', '));
    }
    shape.set(String(name), { columns: new Map(columns.map((column) => [column.name, column])), unique });
  }
  return shape;
};

const columnBreaks = (before: Column | undefined, after: Column): string | undefined => {
  if (before === undefined)
    return after.notnull === 1 && after.dflt_value === null
      ? 'is new, and whoever does not know it can add no row'
      : undefined;
  if (before.type !== after.type) return `was ${before.type} and is ${after.type}`;
  return before.notnull === 0 && after.notnull === 1 ? 'may not be empty any more' : undefined;
};

/** Whether one of these columns is new and may be empty: it is in each row of the release before, which are as many as it likes then. */
const isLeftEmpty = (columns: readonly string[], before: Table, after: Table): boolean =>
  columns.some((column) => {
    const now = after.columns.get(column);
    return !before.columns.has(column) && now?.notnull === 0 && now.dflt_value === null;
  });

const tableBreaks = (name: string, before: Table, after: Table): readonly string[] => [
  ...[...before.columns.keys()].flatMap((column) => (after.columns.has(column) ? [] : [`${name}.${column} is gone`])),
  ...[...after.columns].flatMap(([column, now]) => {
    const breaks = columnBreaks(before.columns.get(column), now);
    return breaks === undefined ? [] : [`${name}.${column} ${breaks}`];
  }),
  ...[...after.unique].flatMap((columns) =>
    before.unique.has(columns) || isLeftEmpty(columns.split(', '), before, after)
      ? []
      : [`${name} (${columns}) must be unique from now on`],
  ),
];

/** What would break the release before, which serves beside this one while the nodes are updated one by one. */
export const breaksOlderRelease = (before: Shape, after: Shape): readonly string[] =>
  [...before].flatMap(([name, table]) => {
    const now = after.get(name);
    return now === undefined ? [`${name} is gone`] : tableBreaks(name, table, now);
  });
