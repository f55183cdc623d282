import type { ProjectId } from '../../domain/shared/identifiers.js';
import { OPERATOR } from '../../application/identity/requester.js';
import { ALERT_TOKENS } from '../composition/alerts.tokens.js';
import { IDENTITY_TOKENS } from '../composition/identity.tokens.js';
import { OAUTH_TOKENS } from '../composition/oauth.tokens.js';
import { WORKSPACE_TOKENS } from '../composition/workspace.tokens.js';
import { hasUsersBeyondRoot } from '../occupancy.js';
import type { Service } from '../service.js';
import { addCode } from './code.js';
import { addPeople, type DemoPerson, type Member } from './people.js';
import { addPlans } from './plans.js';
import { addMembers, addWorkspace, DEMO_GROUP } from './workspace.js';

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

/** What is there already, for which an installation can't be filled any more. */
export const inTheWayOfDemo = async (service: Service): Promise<string | undefined> => {
  if (await hasUsersBeyondRoot(service)) return 'users';
  const { reader } = service.container.get(WORKSPACE_TOKENS.workspace);
  return (await reader.findNamespaceByPath(DEMO_GROUP)) === undefined ? undefined : `a group "${DEMO_GROUP}"`;
};

/** @throws Error with a sentence when something is there already. */
export const fillDemo = async (service: Service): Promise<Demo> => {
  const there = await inTheWayOfDemo(service);
  if (there !== undefined) throw new Error(`The demo is for an empty installation; this one has ${there} already.`);
  const people = await addPeople(service);
  const project = await addWorkspace(service, people);
  await addMembers(service, project, people);
  await addPlans(service, project, people);
  await addCode(service, project, people);
  const { ada, grace, alan } = people;
  return {
    people: [ada, grace, alan],
    token: await makeToken(service, ada),
    application: await registerApplication(service, ada),
    alerts: { path: `/${DEMO_GROUP}/compiler/alerts/notify.json`, key: await takeAlerts(service, project, ada) },
  };
};

const makeToken = async ({ container }: Service, { actor }: Member): Promise<string> => {
  const { personalAccessTokens } = container.get(IDENTITY_TOKENS.identity);
  const wanted = { userId: actor.id, name: 'demo', scopes: ['api'], expiresAt: null } as const;
  return (await personalAccessTokens.create(OPERATOR, wanted)).secret;
};

const registerApplication = ({ container }: Service, { actor }: Member) =>
  container.get(OAUTH_TOKENS.oauth).applications.register(actor.id, {
    name: 'Demo',
    redirectUris: 'http://127.0.0.1/callback',
    scopes: 'read_user read_api',
    confidential: true,
  });

/** Lets a project take alerts, and answers the key. */
const takeAlerts = async ({ container }: Service, project: ProjectId, { actor }: Member): Promise<string> => {
  const { access } = container.get(WORKSPACE_TOKENS.workspace);
  const { alertIntegrations, integrationReader } = container.get(ALERT_TOKENS.alerts);
  const manager = await access.project(actor, String(project), 'manage_alert_integrations');
  const command = { type: 'generic', name: 'Demo', active: true, apiUrl: null, samplePayload: null } as const;
  const { id } = await alertIntegrations.create(manager, command);
  const made = await integrationReader.find(project, id);
  return alertIntegrations.reveal(made?.sealedKey ?? '');
};
