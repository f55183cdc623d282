import type { Session } from '../session.js';

/** Notes that the files of these refs don't say yet what their rows say. */
export const markStale = async (session: Session, repositoryId: number, names: readonly string[]): Promise<void> => {
  const [row] = await session.run<{ refs_version: number }>(
    'update repositories set refs_version = refs_version + 1 where id = ? returning refs_version',
    [repositoryId],
  );
  const version = Number(row?.refs_version ?? 0);
  for (const name of names)
    await session.run(
      `insert into stale_refs (repository_id, name, version) values (?, ?, ?)
       on conflict (repository_id, name) do update set version = excluded.version`,
      [repositoryId, name, version],
    );
};
