import type { StoredValue } from '../../domain/storage/stored-row.js';
import type { StoreCopies } from './ports/archived-repositories.js';
import type { RowSource, StoredTable } from './ports/stored-rows.js';

type Values = Readonly<Record<string, StoredValue>>;

export interface TakenRepositories {
  readonly taken: number;
  /** Stores that rows name and nobody has. */
  readonly missing: readonly string[];
}

/** Takes what every repository and pool has whose row is there, with the refs that rows tell. @param source as it is at one moment. */
export const takeRepositories = async (
  tables: readonly StoredTable[],
  source: RowSource,
  copies: StoreCopies,
): Promise<TakenRepositories> => {
  const reading = { tables, source };
  const stores = new Map<string, { store: string; projectId: string }>();
  const pools: string[] = [];
  for await (const { id, store, project_id: projectId } of recordsOf(reading, 'repositories'))
    if (id != null && store != null && projectId != null) stores.set(id, { store, projectId });
  for await (const { store, removal_requested_at: removed } of recordsOf(reading, 'object_pools'))
    if (store != null && removed == null) pools.push(store);

  // At once: a project that is removed takes its store along.
  const names = [...[...stores.values()].map(({ store }) => store), ...pools];
  const missing = await copies.take(names);
  const isMissing = new Set(missing);
  const branches = await branchesOf(reading, new Set([...stores.values()].map(({ projectId }) => projectId)));
  const kept = await keptTipsOf(reading);
  const write = async (id: string, refs: readonly { name: string; target: string }[]): Promise<void> => {
    const { store, projectId } = stores.get(id) ?? {};
    if (store === undefined || projectId === undefined || isMissing.has(store)) return;
    await copies.writeRefs(store, {
      branch: branches.get(projectId) ?? null,
      refs: [...refs, ...(kept.get(id) ?? [])],
    });
    stores.delete(id);
  };
  for await (const [id, refs] of refsByRepository(reading)) await write(id, refs);
  for (const id of [...stores.keys()]) await write(id, []);
  return { taken: names.length - missing.length, missing };
};

interface Reading {
  readonly tables: readonly StoredTable[];
  readonly source: RowSource;
}

async function* recordsOf({ tables, source }: Reading, name: string): AsyncGenerator<Values> {
  const table = tables.find((each) => each.name === name);
  if (table === undefined) throw new Error(`There is no table ${name}.`);
  for await (const { rows } of source.pages(table))
    for (const row of rows)
      yield Object.fromEntries(table.columns.map((column, index) => [column, row[index] ?? null]));
}

const branchesOf = async (reading: Reading, projects: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> => {
  const branches = new Map<string, string>();
  for await (const { id, default_branch: branch } of recordsOf(reading, 'projects'))
    if (id != null && branch != null && projects.has(id)) branches.set(id, branch);
  return branches;
};

type Refs = { name: string; target: string }[];

const keptTipsOf = async (reading: Reading): Promise<ReadonlyMap<string, Refs>> => {
  const kept = new Map<string, Refs>();
  for await (const { id, repository_id: repository, target } of recordsOf(reading, 'kept_tips')) {
    if (repository == null || target == null) continue;
    const refs = kept.get(repository) ?? [];
    refs.push({ name: `refs/keep/${id}`, target });
    kept.set(repository, refs);
  }
  return kept;
};

/** Rows come in the order of their keys: those of a repository one after another. */
async function* refsByRepository(reading: Reading): AsyncGenerator<readonly [string, Refs]> {
  let current: readonly [string, Refs] | undefined;
  for await (const { repository_id: id, name, target } of recordsOf(reading, 'refs')) {
    if (id == null || name == null || target == null) continue;
    if (current?.[0] !== id) {
      if (current !== undefined) yield current;
      current = [id, []];
    }
    current[1].push({ name, target });
  }
  if (current !== undefined) yield current;
}
