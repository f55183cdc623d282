import { FILES_BODY } from '../../../src/adapters/inbound/http/api-v4/repository/code-writing.js';
import { makeKey } from '../ssh-keys.js';
import { companionsOf, fieldOf, type Schema } from './fields.js';
import { COMPANION } from './code-world.js';
import type { Area, Caller, Field, Target } from './target.js';
import type { World } from './world.js';
import { withoutReferences } from '../openapi.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly servers?: unknown;
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: { readonly properties: Record<string, Schema>; readonly required?: string[] } }>
    >;
  };
}

const API_BODY = 1_048_576;
const OAUTH_BODY = 65_536;
/** They take larger bodies than others. */
const WRITES_FILES = /^(?:POST|PUT) .*\/repository\/(?:files\/\{file_path\}|commits)$/;
const PATH_NAME = /\{(\w+)\}/g;

const BADGE = { link_url: 'https://ci.example/', image_url: 'https://ci.example/gone.svg' };

/** Calls the API as the administrator, with JSON or a multipart form, and answers the body. */
export type AskApi = (method: string, path: string, json?: object) => Promise<Record<string, unknown>>;

/** Of a route that removes: makes what it is to remove, and answers its path. */
type MakeVictim = (ask: AskApi, world: World, number: number) => Promise<string>;

const idOf = (made: Record<string, unknown>): string => String(made['id'] as number);

const attach = (ask: AskApi, { projectId }: World): Promise<Record<string, unknown>> => {
  const form = new FormData();
  form.set('file', new Blob(['a']), 'gone.txt');
  return ask('POST', `/projects/${projectId}/uploads`, form);
};

/** Comments and awards of what people talk about. */
const spokenOf = (template: string, nameOf: (world: World) => string): Readonly<Record<string, MakeVictim>> => {
  const addressIn = (world: World): string => `/projects/${world.projectId}/${nameOf(world)}`;
  const discussion = async (
    ask: AskApi,
    address: string,
  ): Promise<{ readonly id: string; readonly noteId: number }> => {
    const { id, notes } = await ask('POST', `${address}/discussions`, { body: 'Gone' });
    const [first] = notes as readonly { readonly id: number }[];
    return { id: String(id), noteId: first?.id ?? 0 };
  };
  const note = async (ask: AskApi, address: string): Promise<string> =>
    `${address}/notes/${(await discussion(ask, address)).noteId}`;
  const award = async (ask: AskApi, address: string): Promise<string> => {
    const given = await ask('POST', `${address}/award_emoji`, { name: 'tada' });
    return `${address}/award_emoji/${idOf(given)}`;
  };
  return {
    [`${template}/notes/{note_id}`]: (ask, world) => note(ask, addressIn(world)),
    [`${template}/discussions/{discussion_id}/notes/{note_id}`]: async (ask, world) => {
      const { id, noteId } = await discussion(ask, addressIn(world));
      return `${addressIn(world)}/discussions/${id}/notes/${noteId}`;
    },
    [`${template}/award_emoji/{award_id}`]: (ask, world) => award(ask, addressIn(world)),
    [`${template}/notes/{note_id}/award_emoji/{award_id}`]: async (ask, world) =>
      award(ask, await note(ask, addressIn(world))),
  };
};

const newRunner = async (ask: AskApi, projectId: number): Promise<string> =>
  idOf(await ask('POST', '/user/runners', { runner_type: 'project_type', project_id: projectId }));

const newPackageFile = (ask: AskApi, projectId: number, number: number) =>
  ask('PUT', `/projects/${projectId}/packages/generic/gone/${number}/a.txt?select=package_file`, {});

/** One of each world, which keeps the variables that are removed. */
const SCHEDULES = new WeakMap<World, string>();
const newSchedule = async (ask: AskApi, projectId: number) =>
  idOf(
    await ask('POST', `/projects/${projectId}/pipeline_schedules`, {
      ...{ description: 'Gone', ref: 'main', cron: '0 4 * * *' },
    }),
  );

const newToken: MakeVictim = async (ask, { person }) =>
  `/personal_access_tokens/${idOf(await ask('POST', `/users/${person.id}/personal_access_tokens`, { name: 'Gone', scopes: ['api'] }))}`;

/** The token that asks must last: another is ended in its place, by whoever asks. */
const ENDS_ITSELF = '/personal_access_tokens/self';

const VICTIMS: Readonly<Record<string, MakeVictim>> = {
  '/users/{id}': async (ask, _world, n) =>
    `/users/${idOf(await ask('POST', '/users', { email: `gone${n}@example.com`, username: `gone${n}`, name: 'Gone', force_random_password: true, skip_confirmation: true }))}`,
  '/user/emails/{email_id}': async (ask, _world, n) =>
    `/user/emails/${idOf(await ask('POST', '/user/emails', { email: `gone${n}@other.example` }))}`,
  '/personal_access_tokens/{token_id}': newToken,
  [ENDS_ITSELF]: newToken,
  '/user/keys/{key_id}': async (ask) =>
    `/user/keys/${idOf(await ask('POST', '/user/keys', { title: 'Gone', key: makeKey().line }))}`,
  '/users/{id}/keys/{key_id}': async (ask, { victim }) =>
    `/users/${victim.id}/keys/${idOf(await ask('POST', `/users/${victim.id}/keys`, { title: 'Gone', key: makeKey().line }))}`,
  // After twenty within an hour nobody is invited any more: the address is not found then.
  '/projects/{id}/invitations/{email}': async (ask, { projectId }, n) => {
    await ask('POST', `/projects/${projectId}/invitations`, { email: `gone${n}@example.com`, access_level: 30 });
    return `/projects/${projectId}/invitations/gone${n}@example.com`;
  },
  '/groups/{id}/invitations/{email}': async (ask, { groupId }, n) => {
    await ask('POST', `/groups/${groupId}/invitations`, { email: `gone${n}@example.com`, access_level: 30 });
    return `/groups/${groupId}/invitations/gone${n}@example.com`;
  },
  '/projects/{id}/deploy_keys/{key_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/deploy_keys/${idOf(await ask('POST', `/projects/${projectId}/deploy_keys`, { title: 'Gone', key: makeKey().line }))}`,
  '/projects/{id}/access_tokens/{token_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/access_tokens/${idOf(await ask('POST', `/projects/${projectId}/access_tokens`, { name: 'Gone', scopes: ['api'] }))}`,
  '/groups/{id}/access_tokens/{token_id}': async (ask, { groupId }) =>
    `/groups/${groupId}/access_tokens/${idOf(await ask('POST', `/groups/${groupId}/access_tokens`, { name: 'Gone', scopes: ['api'] }))}`,
  '/projects/{id}/badges/{badge_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/badges/${idOf(await ask('POST', `/projects/${projectId}/badges`, BADGE))}`,
  '/groups/{id}/badges/{badge_id}': async (ask, { groupId }) =>
    `/groups/${groupId}/badges/${idOf(await ask('POST', `/groups/${groupId}/badges`, BADGE))}`,
  '/projects/{id}/deploy_tokens/{token_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/deploy_tokens/${idOf(await ask('POST', `/projects/${projectId}/deploy_tokens`, { name: 'Gone', scopes: ['read_repository'] }))}`,
  '/groups/{id}/deploy_tokens/{token_id}': async (ask, { groupId }) =>
    `/groups/${groupId}/deploy_tokens/${idOf(await ask('POST', `/groups/${groupId}/deploy_tokens`, { name: 'Gone', scopes: ['read_repository'] }))}`,
  '/applications/{id}': async (ask) =>
    `/applications/${idOf(await ask('POST', '/applications', { name: 'Gone', redirect_uri: 'https://a.example/', scopes: 'api' }))}`,
  '/groups/{id}': async (ask, _world, n) =>
    `/groups/${idOf(await ask('POST', '/groups', { name: `Gone ${n}`, path: `gone-${n}` }))}`,
  '/projects/{id}': async (ask, _world, n) =>
    `/projects/${idOf(await ask('POST', '/projects', { name: `Gone ${n}` }))}`,
  '/projects/{id}/members/{user_id}': async (ask, { projectId, victim }) => {
    await ask('POST', `/projects/${projectId}/members`, { user_id: victim.id, access_level: 30 });
    return `/projects/${projectId}/members/${victim.id}`;
  },
  '/groups/{id}/members/{user_id}': async (ask, { groupId, victim }) => {
    await ask('POST', `/groups/${groupId}/members`, { user_id: victim.id, access_level: 30 });
    return `/groups/${groupId}/members/${victim.id}`;
  },
  '/projects/{id}/access_requests/{user_id}': async (ask, { projectId, victim }) => {
    await ask('POST', `/projects/${projectId}/access_requests`, { sudo: victim.username });
    return `/projects/${projectId}/access_requests/${victim.id}`;
  },
  '/groups/{id}/access_requests/{user_id}': async (ask, { groupId, victim }) => {
    await ask('POST', `/groups/${groupId}/access_requests`, { sudo: victim.username });
    return `/groups/${groupId}/access_requests/${victim.id}`;
  },
  '/projects/{id}/issues/{iid}/links/{issue_link_id}': async (ask, { projectId }) => {
    const other = await ask('POST', `/projects/${projectId}/issues`, { title: 'Gone' });
    const link = { target_project_id: projectId, target_issue_iid: other['iid'] };
    return `/projects/${projectId}/issues/1/links/${idOf(await ask('POST', `/projects/${projectId}/issues/1/links`, link))}`;
  },
  '/projects/{id}/issues/{iid}': async (ask, { projectId }) =>
    `/projects/${projectId}/issues/${String((await ask('POST', `/projects/${projectId}/issues`, { title: 'Gone' }))['iid'] as number)}`,
  '/projects/{id}/labels/{label_id}': async (ask, { projectId }, n) =>
    `/projects/${projectId}/labels/${idOf(await ask('POST', `/projects/${projectId}/labels`, { name: `gone ${n}`, color: '#aabbcc' }))}`,
  '/groups/{id}/labels/{label_id}': async (ask, { groupId }, n) =>
    `/groups/${groupId}/labels/${idOf(await ask('POST', `/groups/${groupId}/labels`, { name: `gone ${n}`, color: '#aabbcc' }))}`,
  // It is named by a field.
  '/groups/{id}/labels': (_ask, { groupId }) => Promise.resolve(`/groups/${groupId}/labels`),
  '/projects/{id}/labels': (_ask, { projectId }) => Promise.resolve(`/projects/${projectId}/labels`),
  '/projects/{id}/share/{group_id}': async (ask, { projectId }, n) => {
    const group = idOf(await ask('POST', '/groups', { name: `Gone guests ${n}`, path: `gone-guests-${n}` }));
    await ask('POST', `/projects/${projectId}/share`, { group_id: group, group_access: 20 });
    return `/projects/${projectId}/share/${group}`;
  },
  '/projects/{id}/job_token_scope/allowlist/{target_project_id}': async (ask, { projectId }, n) => {
    const other = idOf(await ask('POST', '/projects', { name: `Gone starter ${n}` }));
    await ask('POST', `/projects/${projectId}/job_token_scope/allowlist`, { target_project_id: other });
    return `/projects/${projectId}/job_token_scope/allowlist/${other}`;
  },
  '/projects/{id}/milestones/{milestone_id}': async (ask, { projectId }, n) =>
    `/projects/${projectId}/milestones/${idOf(await ask('POST', `/projects/${projectId}/milestones`, { title: `Gone ${n}` }))}`,
  '/groups/{id}/milestones/{milestone_id}': async (ask, { groupId }, n) =>
    `/groups/${groupId}/milestones/${idOf(await ask('POST', `/groups/${groupId}/milestones`, { title: `Gone ${n}` }))}`,
  '/snippets/{id}': async (ask) => `/snippets/${idOf(await ask('POST', '/snippets', { title: 'Gone', content: 'a' }))}`,
  '/projects/{id}/snippets/{snippet_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/snippets/${idOf(await ask('POST', `/projects/${projectId}/snippets`, { title: 'Gone', content: 'a', visibility: 'public' }))}`,
  // It is named by its token.
  '/runners': () => Promise.resolve('/runners'),
  '/runners/managers': () => Promise.resolve('/runners/managers'),
  '/runners/{runner_id}': async (ask, { projectId }) => `/runners/${await newRunner(ask, projectId)}`,
  '/projects/{id}/runners/{runner_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/runners/${await newRunner(ask, projectId)}`,
  '/projects/{id}/triggers/{trigger_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/triggers/${idOf(await ask('POST', `/projects/${projectId}/triggers`, { description: 'Gone' }))}`,
  '/projects/{id}/freeze_periods/{freeze_period_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/freeze_periods/${idOf(await ask('POST', `/projects/${projectId}/freeze_periods`, { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' }))}`,
  '/projects/{id}/pipeline_schedules/{pipeline_schedule_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/pipeline_schedules/${await newSchedule(ask, projectId)}`,
  '/projects/{id}/pipeline_schedules/{pipeline_schedule_id}/variables/{key}': async (ask, world, n) => {
    const { projectId } = world;
    const schedule = SCHEDULES.get(world) ?? (await newSchedule(ask, projectId));
    SCHEDULES.set(world, schedule);
    const variables = `/projects/${projectId}/pipeline_schedules/${schedule}/variables`;
    await ask('POST', variables, { key: `GONE_${n}`, value: 'gone' });
    return `${variables}/GONE_${n}`;
  },
  '/projects/{id}/variables/{key}': async (ask, { projectId }, n) => {
    await ask('POST', `/projects/${projectId}/variables`, { key: `GONE_${n}`, value: 'gone' });
    return `/projects/${projectId}/variables/GONE_${n}`;
  },
  '/groups/{id}/variables/{key}': async (ask, { groupId }, n) => {
    await ask('POST', `/groups/${groupId}/variables`, { key: `GONE_${n}`, value: 'gone' });
    return `/groups/${groupId}/variables/GONE_${n}`;
  },
  '/admin/ci/variables/{key}': async (ask, _world, n) => {
    await ask('POST', '/admin/ci/variables', { key: `GONE_${n}`, value: 'gone' });
    return `/admin/ci/variables/GONE_${n}`;
  },
  '/projects/{id}/uploads/{upload_id}': async (ask, world) =>
    `/projects/${world.projectId}/uploads/${idOf(await attach(ask, world))}`,
  '/projects/{id}/uploads/{secret}/{filename}': async (ask, world) =>
    `/projects/${world.projectId}${String((await attach(ask, world))['url'])}`,
  '/projects/{id}/hooks/{hook_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/hooks/${idOf(await ask('POST', `/projects/${projectId}/hooks`, { url: 'https://hooks.example/' }))}`,
  '/projects/{id}/remote_mirrors/{mirror_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/remote_mirrors/${idOf(await ask('POST', `/projects/${projectId}/remote_mirrors`, { url: 'https://git.example/gone.git' }))}`,
  '/projects/{id}/hooks/{hook_id}/custom_headers/{key}': async (ask, { projectId }) => {
    const hook = { url: 'https://hooks.example/', custom_headers: [{ key: 'X-Gone', value: 'x' }] };
    return `/projects/${projectId}/hooks/${idOf(await ask('POST', `/projects/${projectId}/hooks`, hook))}/custom_headers/X-Gone`;
  },
  '/projects/{id}/fork': async (ask, { projectId }, n) => {
    const gone = idOf(await ask('POST', '/projects', { name: `Gone fork ${n}` }));
    await ask('POST', `/projects/${gone}/fork/${projectId}`);
    return `/projects/${gone}/fork`;
  },
  '/projects/{id}/repository/files/{file_path}': async (ask, { projectId }, n) => {
    const content = { branch: COMPANION, commit_message: 'Write', content: 'a' };
    await ask('POST', `/projects/${projectId}/repository/files/gone${n}.txt`, content);
    return `/projects/${projectId}/repository/files/gone${n}.txt`;
  },
  '/projects/{id}/repository/branches/{branch}': async (ask, { projectId }, n) => {
    await ask('POST', `/projects/${projectId}/repository/branches`, { branch: `gone${n}`, ref: 'main' });
    return `/projects/${projectId}/repository/branches/gone${n}`;
  },
  '/projects/{id}/repository/tags/{tag_name}': async (ask, { projectId }, n) => {
    await ask('POST', `/projects/${projectId}/repository/tags`, { tag_name: `gone${n}`, ref: 'main' });
    return `/projects/${projectId}/repository/tags/gone${n}`;
  },
  '/projects/{id}/repository/merged_branches': (_ask, { projectId }) =>
    Promise.resolve(`/projects/${projectId}/repository/merged_branches`),
  '/projects/{id}/protected_branches/{name}': async (ask, { projectId }, n) => {
    await ask('POST', `/projects/${projectId}/protected_branches`, { name: `gone${n}` });
    return `/projects/${projectId}/protected_branches/gone${n}`;
  },
  '/projects/{id}/protected_tags/{name}': async (ask, { projectId }, n) => {
    await ask('POST', `/projects/${projectId}/protected_tags`, { name: `gone${n}` });
    return `/projects/${projectId}/protected_tags/gone${n}`;
  },
  '/projects/{id}/releases/{tag_name}': async (ask, { projectId }, n) => {
    await ask('POST', `/projects/${projectId}/releases`, { tag_name: `gone${n}`, ref: 'main' });
    return `/projects/${projectId}/releases/gone${n}`;
  },
  '/projects/{id}/releases/{tag_name}/assets/links/{link_id}': async (ask, { projectId }, n) => {
    const links = `/projects/${projectId}/releases/v1/assets/links`;
    return `${links}/${idOf(await ask('POST', links, { name: `gone${n}`, url: `https://files.example/gone${n}` }))}`;
  },
  '/projects/{id}/pipelines/{pipeline_id}': async (ask, { projectId }, n) => {
    const told = await ask('POST', `/projects/${projectId}/statuses/main`, { state: 'success', ref: `gone${n}` });
    return `/projects/${projectId}/pipelines/${String(told['pipeline_id'] as number)}`;
  },
  '/projects/{id}/environments/{environment_id}': async (ask, { projectId }, n) => {
    const environments = `/projects/${projectId}/environments`;
    const id = idOf(await ask('POST', environments, { name: `gone${n}` }));
    await ask('POST', `${environments}/${id}/stop`);
    return `${environments}/${id}`;
  },
  '/projects/{id}/deployments/{deployment_id}': async (ask, { projectId, ids }, n) => {
    const told = { environment: `gone${n}`, sha: ids['sha'], ref: 'main', tag: false, status: 'failed' };
    return `/projects/${projectId}/deployments/${idOf(await ask('POST', `/projects/${projectId}/deployments`, told))}`;
  },
  '/projects/{id}/artifacts': (_ask, { projectId }) => Promise.resolve(`/projects/${projectId}/artifacts`),
  '/projects/{id}/jobs/{job_id}/artifacts': async (ask, { projectId }, n) => {
    const file = { action: 'create', file_path: '.gitlab-ci.yml', content: 'build: { script: make }' };
    const [branch, start_branch] = [`built${n}`, 'main'];
    const commit = { branch, start_branch, commit_message: 'Build', actions: [file] };
    await ask('POST', `/projects/${projectId}/repository/commits`, commit);
    const { id } = await ask('POST', `/projects/${projectId}/pipeline`, { ref: branch });
    const jobs = (await ask('GET', `/projects/${projectId}/pipelines/${String(id)}/jobs`)) as unknown;
    return `/projects/${projectId}/jobs/${idOf((jobs as readonly Record<string, unknown>[])[0]!)}/artifacts`;
  },
  '/projects/{id}/packages/{package_id}': async (ask, { projectId }, n) => {
    const { package_id: id } = await newPackageFile(ask, projectId, n);
    return `/projects/${projectId}/packages/${String(id)}`;
  },
  '/projects/{id}/packages/{package_id}/package_files/{file_id}': async (ask, { projectId }, n) => {
    const { package_id: of, id } = await newPackageFile(ask, projectId, n);
    return `/projects/${projectId}/packages/${String(of)}/package_files/${String(id)}`;
  },
  '/projects/{id}/merge_requests/{merge_request_iid}': async (ask, { projectId }, n) => {
    await ask('POST', `/projects/${projectId}/repository/branches`, { branch: `going${n}`, ref: 'topic' });
    const opened = { source_branch: `going${n}`, target_branch: 'main', title: 'Gone' };
    const { iid } = await ask('POST', `/projects/${projectId}/merge_requests`, opened);
    return `/projects/${projectId}/merge_requests/${String(iid)}`;
  },
  '/projects/{id}/merge_requests/{merge_request_iid}/draft_notes/{draft_note_id}': async (ask, { projectId, ids }) => {
    const drafts = `/projects/${projectId}/merge_requests/${ids['merge_request_iid'] ?? 1}/draft_notes`;
    return `${drafts}/${idOf(await ask('POST', drafts, { note: 'Gone' }))}`;
  },
  '/projects/{id}/boards/{board_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/boards/${idOf(await ask('POST', `/projects/${projectId}/boards`, { name: 'Gone' }))}`,
  '/projects/{id}/boards/{board_id}/lists/{list_id}': async (ask, { projectId }, n) => {
    const { id: label_id } = await ask('POST', `/projects/${projectId}/labels`, {
      name: `gone ${n}`,
      color: '#ff0000',
    });
    const boards = (await ask('GET', `/projects/${projectId}/boards`)) as unknown as readonly Record<string, unknown>[];
    const board = `/projects/${projectId}/boards/${idOf(boards[0]!)}`;
    return `${board}/lists/${idOf(await ask('POST', `${board}/lists`, { label_id }))}`;
  },
  ...spokenOf('/projects/{id}/issues/{iid}', () => 'issues/1'),
  ...spokenOf('/projects/{id}/repository/commits/{sha}', ({ ids }) => `repository/commits/${ids['sha'] ?? 'main'}`),
  ...spokenOf('/projects/{id}/snippets/{snippet_id}', ({ ids }) => `snippets/${ids['snippet_id'] ?? 1}`),
  ...spokenOf(
    '/projects/{id}/merge_requests/{merge_request_iid}',
    ({ ids }) => `merge_requests/${ids['merge_request_iid'] ?? 1}`,
  ),
  '/projects/{id}/alert_integrations/{integration_id}': async (ask, { projectId }) =>
    `/projects/${projectId}/alert_integrations/${idOf(await ask('POST', `/projects/${projectId}/alert_integrations`, { type: 'http_endpoint', name: 'Gone' }))}`,
};

/** Changes the whole of what it names, which others need. */
const SPARED = /^(?:PUT|PATCH) \/(?:projects|groups)\/\{id\}(?:\/transfer)?$/;

/** What is named by words, and not by a number. */
const WORDS: Readonly<Record<string, string>> = {
  key: 'mit',
  type: 'licenses',
  file_path: 'first.txt',
  ref: 'main',
  branch: 'topic',
  tag_name: 'v1',
  format: 'tar.gz',
  name: 'main',
  trigger: 'push_events',
};

const valueOf = (world: World, method: string, template: string, name: string): string => {
  const spared = SPARED.test(`${method} ${template}`);
  const [, collection] = template.split('/');
  if (name === 'project_id') return String(world.projectId);
  const ofGroup = world.ids[`group_${name}`];
  if (collection === 'groups' && ofGroup !== undefined) return String(ofGroup);
  if (name !== 'id') return String(world.ids[name] ?? WORDS[name] ?? `no-${name}`);
  if (collection === 'projects') return String(spared ? world.spareProjectId : world.projectId);
  if (collection === 'groups') return String(spared ? world.spareGroupId : world.groupId);
  if (collection === 'snippets') return String(world.snippetId);
  if (collection === 'applications') return String(world.application.id);
  return String(world.victim.id);
};

let made = 0;

/** They end a token, too. */
const ROTATES = /^\/personal_access_tokens\/[^/]+\/rotate$/;

const pathOf = (world: World, ask: AskApi, method: string, template: string) => async (caller: Caller) => {
  if (ROTATES.test(template)) return `${await newToken(ask, world, (made += 1))}/rotate`;
  const makeVictim = VICTIMS[template];
  // Nobody else is let to remove it.
  const removes = caller === 'administrator' || template === ENDS_ITSELF;
  if (method === 'DELETE' && removes && makeVictim !== undefined) return makeVictim(ask, world, (made += 1));
  return template.replaceAll(PATH_NAME, (_, name: string) => valueOf(world, method, template, name));
};

const fieldsOf = ({ parameters, requestBody }: Operation): readonly Field[] => {
  const { properties = {}, required = [] } = requestBody?.content['application/json']?.schema ?? {};
  return [
    ...parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema, required: needed }) => fieldOf(name, schema, needed)),
    ...Object.entries(properties).map(([name, schema]) => fieldOf(name, schema, required.includes(name))),
  ];
};

/** Of each endpoint what lets hostile fields come further. */
const oauthCompanions = (world: World): Readonly<Record<string, readonly Record<string, string>[]>> => {
  const client = { client_id: world.application.uid, client_secret: world.application.secret };
  return {
    'POST /oauth/token': [
      { ...client, grant_type: 'authorization_code', code: 'a', redirect_uri: 'https://app.example/callback' },
      { ...client, grant_type: 'refresh_token', refresh_token: 'a' },
      { ...client, grant_type: 'password', username: 'nobody', password: 'wrong-password' },
    ],
    'POST /oauth/revoke': [{ ...client, token: 'a' }],
    'POST /oauth/introspect': [{ ...client, token: 'a' }],
    'GET /oauth/authorize': [
      {
        client_id: world.application.uid,
        redirect_uri: 'https://app.example/callback',
        response_type: 'code',
        scope: 'api',
      },
    ],
  };
};

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Routes that remove what nothing here makes. */
export const withoutVictim = (paths: Paths): readonly string[] =>
  Object.entries(paths)
    .filter(([template, operations]) => 'delete' in operations && VICTIMS[template] === undefined)
    .map(([template]) => template);

/** Every operation that the service itself documents. */
export const apiTargets = async (baseUrl: string, world: World, ask: AskApi): Promise<Target[]> => {
  const document = (await (await fetch(`${baseUrl}/api/v4/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const { paths } = withoutReferences(document);
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([lower, operation]) => {
      const method = lower.toUpperCase();
      const isOAuth = operation.servers !== undefined;
      const prefix = isOAuth ? '' : '/api/v4';
      const fields = fieldsOf(operation);
      const find = pathOf(world, ask, method, template);
      const one = (companions: Record<string, string>, index: number): Target => ({
        name: `${method} ${prefix}${template}${index === 0 ? '' : ` (${companions['grant_type'] ?? ''})`}`,
        area: (isOAuth ? 'oauth' : 'api') satisfies Area,
        method,
        fields,
        bodyLimit: isOAuth ? OAUTH_BODY : WRITES_FILES.test(`${method} ${template}`) ? FILES_BODY.bytes : API_BODY,
        takes: 'json',
        path: async (caller) => prefix + (await find(caller)),
        pathWith: (segment) =>
          template.includes('{') ? prefix + template.replaceAll(PATH_NAME, () => segment) : undefined,
        headers: (caller) => Promise.resolve(tokenOf(world, caller)),
        companions,
      });
      return (isOAuth ? (oauthCompanions(world)[`${method} ${template}`] ?? [{}]) : [companionsOf(fields)]).map(one);
    }),
  );
};

const tokenOf = ({ administrator, person }: World, caller: Caller): Record<string, string> =>
  caller === 'nobody' ? {} : { 'PRIVATE-TOKEN': (caller === 'administrator' ? administrator : person).token };
