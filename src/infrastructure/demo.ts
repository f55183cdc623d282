import type { UserId } from '../domain/shared/identifiers.js';
import { OPERATOR, operatorsPassword } from '../application/identity/requester.js';
import type { UserActor } from '../application/shared/actor.js';
import type { Permitted } from '../application/shared/permitted.js';
import type { Visibility } from '../domain/shared/visibility.js';
import { ALERT_TOKENS } from './composition/alerts.tokens.js';
import { IDENTITY_TOKENS } from './composition/identity.tokens.js';
import { OAUTH_TOKENS } from './composition/oauth.tokens.js';
import { WORKSPACE_TOKENS } from './composition/workspace.tokens.js';
import { TOKENS } from './composition/tokens.js';
import { hasUsersBeyondRoot } from './occupancy.js';
import type { Service } from './service.js';

export interface DemoPerson {
  readonly username: string;
  readonly password: string;
  readonly does: string;
}

/** What the demo made, for whoever wants to try it. */
export interface Demo {
  readonly people: readonly DemoPerson[];
  /** A personal access token of the first person, with the scope `api`. */
  readonly token: string;
  /** An application that may exchange passwords for tokens. */
  readonly application: { readonly uid: string; readonly secret: string };
  /** Where, below the public address, and by which key a project takes alerts. */
  readonly alerts: { readonly path: string; readonly key: string };
}

const PEOPLE = [
  { username: 'ada', name: 'Ada Lovelace', does: 'owns the group engines' },
  { username: 'grace', name: 'Grace Hopper', does: 'develops engines/compiler' },
  { username: 'alan', name: 'Alan Turing', does: 'is a guest of engines/compiler' },
] as const;

const actorOf = (id: UserId, username: string): UserActor => ({
  kind: 'user',
  id,
  username,
  admin: false,
  credential: { kind: 'session' },
});

/** @throws Error with a sentence when somebody beyond root is there already. */
export const fillDemo = async (service: Service): Promise<Demo> => {
  if (await hasUsersBeyondRoot(service))
    throw new Error('The demo is for an empty installation; this one has users already.');
  const { container } = service;
  const { createUser, personalAccessTokens } = container.get(IDENTITY_TOKENS.identity);
  const { access, groups, projects, members } = container.get(WORKSPACE_TOKENS.workspace);

  const created = await Promise.all(
    PEOPLE.map(async ({ username, name, does }) => {
      const password = container.get(TOKENS.secretSource).token().slice(0, 16);
      const email = `${username}@example.com`;
      const user = await createUser.execute(OPERATOR, {
        username,
        name,
        email,
        password: operatorsPassword(password),
        admin: false,
        skipConfirmation: true,
        sendPasswordLink: false,
      });
      return { id: user.id, username, password, does };
    }),
  );
  const [ada, grace, alan] = created as [(typeof created)[0], (typeof created)[0], (typeof created)[0]];
  const asAda = actorOf(ada.id, ada.username);

  const top = await groups.create(undefined, {
    creatorId: ada.id,
    name: 'Engines',
    path: 'engines',
    visibility: 'public',
    description: 'Machines that follow instructions',
  });
  const engines = await access.group(asAda, String(top), 'create_subgroups');
  const below = await groups.create(engines, {
    creatorId: ada.id,
    name: 'Research',
    path: 'research',
    visibility: 'private',
    description: 'Not for everybody yet',
  });
  const research = await access.namespaceForProjects(asAda, below);
  const namespace = await access.namespaceForProjects(asAda, top);

  const addProject = (into: typeof namespace, name: string, visibility: Visibility, description: string) =>
    projects.create(into, {
      creatorId: ada.id,
      name,
      visibility,
      description,
      defaultBranch: 'main',
      mergeWhenPipelineSucceeds: false,
    });
  const compiler = await addProject(namespace, 'Compiler', 'internal', 'Translates what people mean');
  await addProject(namespace, 'Handbook', 'public', 'How to run an engine');
  await addProject(research, 'Note G', 'private', 'The first program');

  await members.add(await access.group(asAda, String(top), 'manage_group_members'), {
    userId: grace.id,
    accessLevel: 20,
  });
  const compilerMembers = await access.project(asAda, String(compiler), 'manage_project_members');
  await members.add(compilerMembers, { userId: grace.id, accessLevel: 30 });
  await members.add(compilerMembers, { userId: alan.id, accessLevel: 10 });

  const token = await personalAccessTokens.create(OPERATOR, {
    userId: ada.id,
    name: 'demo',
    scopes: ['api'],
    expiresAt: null,
  });
  const application = await container.get(OAUTH_TOKENS.oauth).applications.register(ada.id, {
    name: 'Demo',
    redirectUris: 'http://127.0.0.1/callback',
    scopes: 'read_user read_api',
    confidential: true,
  });
  const key = await takeAlerts(service, await access.project(asAda, String(compiler), 'manage_alert_integrations'));
  return {
    people: created,
    token: token.secret,
    application,
    alerts: { path: '/engines/compiler/alerts/notify.json', key },
  };
};

/** Lets a project take alerts, and answers the key. */
const takeAlerts = async ({ container }: Service, manager: Permitted<'manage_alert_integrations'>): Promise<string> => {
  const { alertIntegrations, integrationReader } = container.get(ALERT_TOKENS.alerts);
  const command = { type: 'generic', name: 'Demo', active: true, apiUrl: null, samplePayload: null } as const;
  const { id } = await alertIntegrations.create(manager, command);
  const made = await integrationReader.find(manager.project.id, id);
  return alertIntegrations.reveal(made?.sealedKey ?? '');
};
