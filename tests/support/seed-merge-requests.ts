import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import type { ProjectId, UserId } from '../../src/domain/shared/identifiers.js';

interface Seed {
  readonly url: string;
  readonly projectId: ProjectId;
  readonly authorId: UserId;
  readonly count: number;
}

const MINUTE_SECONDS = 60;
const SINCE_SECONDS = 1_700_000_000;

/** So many merge requests of one project without branches: every tenth is open, every hundredth has the label `rare`, and a hundred lead to `main`. */
export const seedMergeRequests = async (
  database: Database,
  { url, projectId, authorId, count }: Seed,
): Promise<void> => {
  const sqlite = url.startsWith('sqlite:');
  const numbers = sqlite
    ? `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
    : `with n(i) as (select generate_series(1, ${count}))`;
  const at = sqlite
    ? `strftime('%Y-%m-%dT%H:%M:%fZ', ${SINCE_SECONDS} + i * ${MINUTE_SECONDS}, 'unixepoch')`
    : `to_timestamp(${SINCE_SECONDS} + i * ${MINUTE_SECONDS})`;
  const yes = sqlite ? '1' : 'true';
  const no = sqlite ? '0' : 'false';
  await database.transact(async (session) => {
    // On a busy machine they take longer than any statement of a request may.
    if (!sqlite) await session.run('set local statement_timeout = 0', []);
    const [last] = await session.run<{ id: number | null }>('select max(id) as id from subjects', []);
    const first = Number(last?.id ?? 0);
    await session.run(
      `insert into subjects (id, kind, project_id) ${numbers} select ${first} + i, 'merge_request', ${projectId} from n`,
      [],
    );
    if (!sqlite)
      await session.run("select setval(pg_get_serial_sequence('subjects', 'id'), max(id)) from subjects", []);
    await session.run(
      `insert into merge_requests (id, project_id, iid, target_branch, source_project_id, source_branch, state, draft, author_id,
         created_at, updated_at, source_sha, status, checked_source, ahead, behind, branches_there, conflicts, squash,
         allow_collaboration, title, description, search_key)
       ${numbers} select ${first} + i, ${projectId}, i,
         case when i <= 1000 then 'main' else 'release-' || (i % 200) end, ${projectId}, 'seeded-' || i,
         case when i % 10 = 0 then 'opened' else 'merged' end, ${no}, ${authorId}, ${at}, ${at}, 'a', 'can_be_merged', 'a', 1, 0, ${yes},
         '[]', ${no}, ${no}, 'Seeded ' || i, 'What it is about', 'seeded ' || i || ' what it is about' from n`,
      [],
    );
    await session.run(
      `insert into project_counters (project_id, kind, last_number) values (${projectId}, 'merge_request', ${count})`,
      [],
    );
    const label = await session.run<{ id: number }>(
      `insert into labels (project_id, name, color, description, created_at)
       select ${projectId}, 'rare', '#ff0000', '', created_at from projects where id = ${projectId} returning id`,
      [],
    );
    await session.run(
      `insert into subject_labels (subject_id, label_id) ${numbers} select ${first} + i, ${label[0]!.id} from n where i % 100 = 0`,
      [],
    );
    await session.run('analyze', []);
  });
};
