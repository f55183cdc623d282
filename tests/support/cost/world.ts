import { SCOPES } from '../../../src/domain/shared/scope.js';
import { OAUTH_TOKENS } from '../../../src/infrastructure/composition/oauth.tokens.js';
import { PASSWORD } from '../form-browser.js';
import { freePort } from '../free-port.js';
import { SECRET_KEY, TestService, type TestUser } from '../test-service.js';
import { temporaryFolder } from '../git.js';
import { makeCode } from './code-world.js';
import { fillHeavy, fillUp, FIRST, HEAVY_IDS } from './fill-up.js';

/** What is there before hostile input arrives: enough that whatever goes through all of it shows. */
export interface World {
  readonly databaseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly administrator: TestUser;
  readonly person: TestUser;
  /** Whom requests change and remove. */
  readonly victim: TestUser;
  readonly projectId: number;
  readonly projectPath: string;
  readonly groupId: number;
  readonly groupPath: string;
  /** For what changes or moves a project or group as a whole. */
  readonly spareProjectId: number;
  readonly spareGroupId: number;
  readonly application: { readonly id: number; readonly uid: string; readonly secret: string };
  readonly integration: { readonly id: number; readonly url: string; readonly token: string };
  readonly prometheus: { readonly id: number; readonly url: string; readonly token: string };
  readonly endpoint: { readonly id: number; readonly url: string; readonly token: string };
  /** What honest clients use, and no hostile request names: an administrator may remove what it names. */
  readonly honest: Pick<World, 'application' | 'integration'>;
  /** For what switches integrations off and removes them. */
  readonly spareIntegrationId: number;
  /** The first of the applications and tokens that the administrator owns many of. */
  readonly ownedId: number;
  /** Of a person's own. */
  readonly snippetId: number;
  readonly ids: Readonly<Record<string, number | string>>;
  /** A project whose texts are as large as they may be. */
  readonly heavy: Pick<World, 'projectId' | 'projectPath' | 'ids'>;
}

interface WithId {
  readonly id: number;
}

/** Fills a database by way of the API where few things are made, and by SQL where many are. */
export const makeWorld = async (databaseUrl: string): Promise<World> => {
  const repositoriesDirectory = temporaryFolder();
  const service = await TestService.start(databaseUrl, { repositoriesDirectory });
  try {
    const administrator = await service.addUser('admiral', { admin: true, scopes: SCOPES, password: PASSWORD });
    const person = await service.addUser('person', { password: PASSWORD });
    const victim = await service.addUser('victim', { password: PASSWORD });
    const make = async <Made = WithId>(path: string, json: object): Promise<Made> => {
      const { status, body } = await service.call<Made>('POST', path, { token: administrator.token, json });
      if (status !== 201) throw new Error(`POST ${path} was answered with ${status}: ${JSON.stringify(body)}`);
      return body;
    };
    const group = await make('/groups', { name: 'Works', path: 'works', visibility: 'public' });
    const project = await make('/projects', {
      name: 'Engine',
      path: 'engine',
      visibility: 'public',
      namespace_id: group.id,
    });
    const base = `/projects/${project.id}`;
    await make(`${base}/members`, { user_id: person.id, access_level: 40 });
    await make(`${base}/members`, { user_id: victim.id, access_level: 30 });
    await make(`/groups/${group.id}/members`, { user_id: person.id, access_level: 40 });
    await make(`/groups/${group.id}/members`, { user_id: victim.id, access_level: 30 });
    const issue = await make<WithId & { iid: number }>(`${base}/issues`, { title: 'First' });
    const integrate = (type: string) =>
      make<World['integration']>(`${base}/alert_integrations`, { type, name: type, active: true });
    const integration = await integrate('generic');
    const heavy = await make('/projects', {
      name: 'Heavy',
      path: 'heavy',
      visibility: 'public',
      namespace_id: group.id,
    });
    const snippet = { title: 'First', file_name: 'first.txt', content: 'a'.repeat(1_000), visibility: 'public' };
    const code = await makeCode(make, project.id);
    const heavyCode = await makeCode(make, heavy.id);
    const ids = {
      ...code,
      note_id: (await make(`${base}/issues/${issue.iid}/notes`, { body: 'First' })).id,
      label_id: (await make(`${base}/labels`, { name: 'first', color: '#aabbcc' })).id,
      group_label_id: (await make(`/groups/${group.id}/labels`, { name: 'of all', color: '#aabbcc' })).id,
      milestone_id: (await make(`${base}/milestones`, { title: 'First' })).id,
      group_milestone_id: (await make(`/groups/${group.id}/milestones`, { title: 'Of all' })).id,
      email_id: (await make('/user/emails', { email: 'other@example.com' })).id,
      token_id: (await make(`/users/${person.id}/personal_access_tokens`, { name: 'Other', scopes: ['api'] })).id,
      snippet_id: (await make(`${base}/snippets`, snippet)).id,
      mirror_id: (await make(`${base}/remote_mirrors`, { url: 'https://git.example/a.git' })).id,
      badge_id: (
        await make(`${base}/badges`, { link_url: 'https://ci.example/', image_url: 'https://ci.example/a.svg' })
      ).id,
      hook_id: (await make(`${base}/hooks`, { url: 'https://hooks.example/' })).id,
      integration_id: integration.id,
      delivery_id: 1,
      iid: 1,
      user_id: victim.id,
    };
    const world: World = {
      databaseUrl,
      settings: {
        DATABASE_URL: databaseUrl,
        // The same after each start, so that addresses stay good.
        PORT: String(await freePort()),
        SECRET_KEY: SECRET_KEY.toString('base64'),
        RATE_LIMIT_SIGN_IN: 'off',
        REPOSITORIES_DIR: repositoriesDirectory,
      },
      administrator,
      person,
      victim,
      projectId: project.id,
      projectPath: 'works/engine',
      groupId: group.id,
      groupPath: 'works',
      spareProjectId: (await make('/projects', { name: 'Spare', visibility: 'public' })).id,
      spareGroupId: (await make('/groups', { name: 'Spare', path: 'spare-group' })).id,
      application: await applicationOf(service, 'Client'),
      integration,
      honest: {
        application: await applicationOf(service, 'Honest client'),
        integration: await integrate('http_endpoint'),
      },
      prometheus: await integrate('prometheus'),
      endpoint: await integrate('http_endpoint'),
      spareIntegrationId: (await integrate('http_endpoint')).id,
      ownedId: FIRST,
      snippetId: (await make('/snippets', snippet)).id,
      ids,
      heavy: { projectId: heavy.id, projectPath: 'works/heavy', ids: { ...ids, ...heavyCode, ...HEAVY_IDS } },
    };
    await service.call('POST', `${base}/alert_integrations/${integration.id}/test`, {
      token: administrator.token,
      json: { payload: { title: 'First' } },
    });
    await fillUp(service.service.database, world);
    await fillHeavy(service.service.database, world);
    return world;
  } finally {
    await service.close();
  }
};

const applicationOf = async ({ service }: TestService, name: string): Promise<World['application']> => {
  const { applications } = service.container.get(OAUTH_TOKENS.oauth);
  return applications.register(null, {
    name,
    confidential: true,
    scopes: 'api read_user openid',
    redirectUris: 'https://app.example/callback',
  });
};
