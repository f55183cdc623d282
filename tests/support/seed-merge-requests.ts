import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import type { ProjectId, UserId } from '../../src/domain/shared/identifiers.js';
import { numbers } from './seed-activity.js';

interface Seed {
  readonly url: string;
  readonly projectId: ProjectId;
  readonly authorId: UserId;
  readonly count: number;
}

const MINUTE_SECONDS = 60;
const SINCE_SECONDS = 1_700_000_000;

/** Of all of them, whatever their number. */
const RARE = 20;

/**
 * So many merge requests of one project without branches: every tenth is open, a hundred lead to `main`, 20 have the label `rare` and
 * every hundredth has `usual`.
 */
export const seedMergeRequests = async (
  database: Database,
  { url, projectId, authorId, count }: Seed,
): Promise<void> => {
  const sqlite = url.startsWith('sqlite:');
  const all = numbers(url, count);
  const at = sqlite
    ? `strftime('%Y-%m-%dT%H:%M:%fZ', ${SINCE_SECONDS} + i * ${MINUTE_SECONDS}, 'unixepoch')`
    : `to_timestamp(${SINCE_SECONDS} + i * ${MINUTE_SECONDS})`;
  const yes = sqlite ? '1' : 'true';
  const no = sqlite ? '0' : 'false';
  const [last] = await database.reader.run<{ id: number | null }>('select max(id) as id from subjects', []);
  const first = Number(last?.id ?? 0);
  await database.schema.transaction(async (transaction) => {
    // They take longer than any statement or work of a request may.
    if (!sqlite) await transaction.raw('set local statement_timeout = 0');
    await transaction.raw(
      `insert into subjects (id, kind, project_id) ${all} select ${first} + i, 'merge_request', ${projectId} from n`,
    );
    if (!sqlite)
      await transaction.raw("select setval(pg_get_serial_sequence('subjects', 'id'), max(id)) from subjects");
    await transaction.raw(
      `insert into merge_requests (id, project_id, iid, target_branch, source_project_id, source_branch, state, draft, author_id,
         created_at, updated_at, source_sha, status, checked_source, ahead, behind, branches_there, conflicts, squash,
         allow_collaboration, title, description, search_key)
       ${all} select ${first} + i, ${projectId}, i,
         case when i <= 1000 then 'main' else 'release-' || (i % 200) end, ${projectId}, 'seeded-' || i,
         case when i % 10 = 0 then 'opened' else 'merged' end, ${no}, ${authorId}, ${at}, ${at}, 'a', 'can_be_merged', 'a', 1, 0, ${yes},
         '[]', ${no}, ${no}, 'Seeded ' || i, 'What it is about', 'seeded ' || i || ' what it is about' from n`,
    );
    await transaction.raw(
      `insert into project_counters (project_id, kind, last_number) values (${projectId}, 'merge_request', ${count})`,
    );
    await transaction.raw(
      `insert into labels (project_id, name, color, description, created_at)
       select projects.id, names.name, '#ff0000', '', projects.created_at
       from projects, (select 'rare' as name union all select 'usual') as names where projects.id = ${projectId}`,
    );
    await transaction.raw(
      `insert into subject_labels (subject_id, label_id) ${all} select ${first} + i, labels.id from n, labels
       where labels.project_id = ${projectId} and i % case labels.name when 'rare' then ${Math.floor(count / RARE)} else 100 end = 0`,
    );
    await transaction.raw('analyze');
  });
};
