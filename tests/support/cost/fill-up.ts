import type { Database } from '../../../src/adapters/outbound/persistence/knex/database.js';
import type { World } from './world.js';
import type { ProjectId } from '../../../src/domain/shared/identifiers.js';

const CHUNK = 50;
const COUNTS = {
  users: 2_000,
  groups: 400,
  projects: 600,
  members: 1_500,
  issues: 4_000,
  labels: 600,
  milestones: 300,
  notes: 1_500,
  alerts: 1_500,
  events: 30_000,
  tokens: 300,
  applications: 300,
} as const;
/** Beyond every number that was given out already. */
export const FIRST = 10_000;
const START = Date.UTC(2026, 0, 1);

type Row = Readonly<Record<string, unknown>>;

const rows = (count: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: count }, (_, index) => row(index));
const instant = (index: number): string => new Date(START + index * 60_000).toISOString();
const LOREM = 'Steam rises where water meets the boiler. '.repeat(20);

/** Many of everything, so that what goes through all of it, or reads it whole, shows. */
export const fillUp = async ({ schema }: Database, world: World): Promise<void> => {
  const insert = (table: string, count: number, row: (index: number) => Row) =>
    schema.batchInsert(table, rows(count, row), CHUNK);
  const { projectId, groupId, administrator } = world;

  await insert('users', COUNTS.users, (n) => ({
    id: FIRST + n,
    username: `user${n}`,
    username_key: `user${n}`,
    name: `User ${n}`,
    search_key: `user${n}\nuser ${n}`,
    state: 'active',
    admin: false,
    failed_attempts: 0,
    created_at: instant(n),
  }));
  await insert('namespaces', COUNTS.groups, (n) => ({
    id: FIRST + n,
    kind: 'group',
    parent_id: n % 2 === 0 ? groupId : null,
    name: `Group ${n}`,
    name_key: `group ${n}`,
    path: `group${n}`,
    full_path: n % 2 === 0 ? `works/group${n}` : `group${n}`,
    full_path_key: n % 2 === 0 ? `works/group${n}` : `group${n}`,
    full_name: `Group ${n}`,
    description: LOREM,
    visibility: 'public',
    created_at: instant(n),
    updated_at: instant(n),
  }));
  await insert('projects', COUNTS.projects, (n) => ({
    id: FIRST + n,
    namespace_id: groupId,
    name: `Project ${n}`,
    name_key: `project ${n}`,
    path: `project${n}`,
    full_path: `works/project${n}`,
    full_path_key: `works/project${n}`,
    search_key: `project ${n}\nproject${n}`,
    description: LOREM,
    visibility: 'public',
    default_branch: 'main',
    archived: false,
    merge_when_pipeline_succeeds: false,
    creator_id: administrator.id,
    created_at: instant(n),
    updated_at: instant(n),
    last_activity_at: instant(n),
  }));
  for (const [table, place] of [
    ['project_members', { project_id: projectId }],
    ['group_members', { namespace_id: groupId }],
  ] as const)
    await insert(table, COUNTS.members, (n) => ({
      ...place,
      user_id: FIRST + n,
      access_level: 30,
      created_at: instant(n),
    }));
  await fillProject(insert, world);
  await insert('personal_access_tokens', COUNTS.tokens, (n) => ({
    id: FIRST + n,
    user_id: administrator.id,
    digest: `digest ${n}`,
    name: `Token ${n}`,
    scopes: 'api',
    created_at: instant(n),
  }));
  await insert('oauth_applications', COUNTS.applications, (n) => ({
    id: FIRST + n,
    uid: `uid ${n}`,
    secret_digest: `digest ${n}`,
    name: `Application ${n}`,
    redirect_uris: 'https://app.example/callback',
    scopes: 'api',
    confidential: true,
    owner_id: administrator.id,
    created_at: instant(n),
    updated_at: instant(n),
  }));
  await moveNumbersOn(schema, projectId as ProjectId);
  await schema.raw('analyze');
};

const fillProject = async (
  insert: (table: string, count: number, row: (index: number) => Row) => Promise<unknown>,
  { projectId, administrator, person, integration }: World,
): Promise<void> => {
  const times = (n: number) => ({ created_at: instant(n), updated_at: instant(n) });
  await insert('milestones', COUNTS.milestones, (n) => ({
    id: FIRST + n,
    project_id: projectId,
    iid: FIRST + n,
    title: `Milestone ${n}`,
    description: LOREM,
    search_key: `milestone ${n}\n${LOREM.toLowerCase()}`,
    state: 'active',
    ...times(n),
  }));
  await insert('labels', COUNTS.labels, (n) => ({
    id: FIRST + n,
    project_id: projectId,
    name: `label ${n}`,
    color: '#aabbcc',
    description: '',
    created_at: instant(n),
  }));
  await insert('subjects', COUNTS.issues, (n) => ({ id: FIRST + n, kind: 'issue', project_id: projectId }));
  await insert('issues', COUNTS.issues, (n) => ({
    id: FIRST + n,
    project_id: projectId,
    iid: FIRST + n,
    kind: n % 5 === 0 ? 'incident' : 'issue',
    title: `Issue ${n}`,
    description: LOREM,
    search_key: `issue ${n}\n${LOREM.toLowerCase()}`,
    state: n % 3 === 0 ? 'closed' : 'opened',
    severity: n % 5 === 0 ? 'critical' : null,
    confidential: n % 7 === 0,
    author_id: n % 2 === 0 ? administrator.id : person.id,
    milestone_id: FIRST + (n % COUNTS.milestones),
    ...times(n),
  }));
  await insert('subject_labels', COUNTS.issues * 3, (n) => ({
    subject_id: FIRST + Math.floor(n / 3),
    label_id: FIRST + ((n * 7) % COUNTS.labels),
  }));
  await insert('notes', COUNTS.notes, (n) => ({
    id: FIRST + n,
    subject_id: 1,
    author_id: person.id,
    body: LOREM,
    system: false,
    ...times(n),
  }));
  await insert('alerts', COUNTS.alerts, (n) => ({
    id: FIRST + n,
    project_id: projectId,
    integration_id: integration.id,
    iid: FIRST + n,
    status: n % 2 === 0 ? 'triggered' : 'resolved',
    severity_rank: n % 6,
    title: `Alert ${n}`,
    description: LOREM,
    hosts: '["a.example"]',
    fingerprint: `fingerprint ${n}`,
    search_key: `alert ${n}\n${LOREM.toLowerCase()}`,
    started_at: instant(n),
    events: 1,
    payload: JSON.stringify({ title: `Alert ${n}`, more: LOREM }),
    ...times(n),
  }));
  await insert('activity_events', COUNTS.events, (n) => ({
    feed: projectId * 2,
    author_id: n % 2 === 0 ? administrator.id : person.id,
    action: 1 + (n % 3),
    target_type: 1,
    target_id: FIRST + (n % COUNTS.issues),
    target_iid: FIRST + (n % COUNTS.issues),
    target_title: `Issue ${n % COUNTS.issues}`,
    created_at: instant(n),
  }));
};

const HEAVY = 20_000;
const HEAVY_COUNT = 40;
const MIB = 1_048_576;

/** Of the project whose texts are as large as they may be. */
export const HEAVY_IDS = { note_id: HEAVY, milestone_id: HEAVY, integration_id: HEAVY, delivery_id: HEAVY } as const;

/** As many as one page may list, each as large as it may be: what goes through them must not read them whole. */
export const fillHeavy = async ({ schema }: Database, { heavy, administrator, integration }: World): Promise<void> => {
  const text = 'Steam. '.repeat(MIB / 7);
  const payload = `{"title":"Heavy","of":[${'1,'.repeat(MIB / 2 - 100)}1]}`;
  const insert = (table: string, row: (index: number) => Row) => schema.batchInsert(table, rows(HEAVY_COUNT, row), 1);
  const place = (n: number) => ({ id: HEAVY + n, project_id: heavy.projectId as ProjectId });
  const times = (n: number) => ({ created_at: instant(n), updated_at: instant(n) });
  const texts = { title: 'Heavy', description: text, search_key: 'heavy' };
  await insert('milestones', (n) => ({
    ...place(n),
    ...texts,
    ...times(n),
    title: `Heavy ${n}`,
    iid: n + 1,
    state: 'active',
  }));
  await insert('subjects', (n) => ({ ...place(n), kind: 'issue' }));
  await insert('issues', (n) => ({
    ...place(n),
    ...texts,
    ...times(n),
    iid: n + 1,
    kind: 'issue',
    state: 'opened',
    confidential: false,
    author_id: administrator.id,
    milestone_id: HEAVY + n,
  }));
  await insert('notes', (n) => ({
    id: HEAVY + n,
    subject_id: HEAVY,
    author_id: administrator.id,
    body: text.slice(0, 1_000_000),
    system: false,
    ...times(n),
  }));
  await insert('releases', (n) => ({
    ...place(n),
    tag: `heavy${n}`,
    name: 'Heavy',
    description: text,
    commit_id: 'a'.repeat(40),
    author_id: administrator.id,
    released_at: instant(n),
    created_at: instant(n),
  }));
  // With a key that can be unsealed.
  const [sealed] = (await schema('alert_integrations').where({ id: integration.id })) as Row[];
  await schema('alert_integrations').insert({ ...sealed, ...place(0), name: 'Heavy' });
  await insert('alerts', (n) => ({
    ...place(n),
    ...texts,
    // The intake cuts it.
    description: text.slice(0, 1_000),
    ...times(n),
    integration_id: HEAVY,
    iid: n + 1,
    status: 'resolved',
    severity_rank: 0,
    hosts: '[]',
    fingerprint: `heavy ${n}`,
    started_at: instant(n),
    events: 1,
    payload,
  }));
  await insert('alert_deliveries', (n) => ({
    id: HEAVY + n,
    integration_id: HEAVY,
    outcome: 'accepted',
    reason: 'Heavy',
    status: 200,
    alert_iids: '[]',
    payload,
    received_at: instant(n),
    expires_at: '2100-01-01T00:00:00.000Z',
  }));
};

/** What is made from now on is numbered beyond what is there. */
const moveNumbersOn = async (schema: Database['schema'], projectId: ProjectId): Promise<void> => {
  await schema('project_counters')
    .where({ project_id: projectId })
    .update({ last_number: FIRST * 10 });
  // One database counts on by itself, and one has to be told.
  const tables = [
    'users',
    'namespaces',
    'projects',
    'milestones',
    'labels',
    'subjects',
    'notes',
    'alerts',
    'alert_integrations',
  ];
  for (const table of [...tables, 'personal_access_tokens', 'oauth_applications'])
    await schema.raw(`select setval(pg_get_serial_sequence('${table}', 'id'), ${FIRST * 10})`).catch(() => undefined);
};
