import type { ApplicationRepository } from '../oauth/ports/application-repository.js';
import type { GrantRepository } from '../oauth/ports/oauth-repositories.js';
import type { DeployTokenRepository } from '../keys/ports/deploy-token-ports.js';
import type { KeyRepository } from '../keys/ports/key-ports.js';
import type { DeployTokenPlace } from '../../domain/keys/deploy-token.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { ActsOf } from './acts.js';
import type { AuditedThing, AuditFacts } from './ports/audit-ports.js';

export const actsOnApplications: ActsOf<ApplicationRepository> = {
  find: 'ordinary',
  holdAtLeast: 'ordinary',
  countUnused: 'ordinary',
  // Nobody has let them in, and nobody removes them.
  removeUnused: 'ordinary',
  add: {
    after: async (facts, { id }) => [{ kind: 'application_registered', ...(await facts.named('application', id)) }],
  },
  update: {
    before: async (facts, id, { secretDigest }) => [
      {
        kind: secretDigest === undefined ? 'application_changed' : 'application_secret_renewed',
        ...(await facts.named('application', id)),
      },
    ],
  },
  remove: {
    before: async (facts, id) => [{ kind: 'application_removed', ...(await facts.named('application', id)) }],
  },
};

export const actsOnGrants: ActsOf<GrantRepository> = {
  open: {
    after: async (facts, { id, userId, scopes }) => {
      const author = await facts.user(userId);
      const granted = await facts.named('grant', id);
      // The application asks for the token; its person allowed that.
      return [{ kind: 'access_granted', ...granted, detail: scopes.join(' '), ...(author && { author }) }];
    },
  },
  redeem: {
    beside: ({ username, applicationName: subject }, { userId, scopes }) => [
      {
        kind: 'access_granted',
        account: username,
        subject,
        detail: scopes.join(' '),
        author: { id: userId, username },
      },
    ],
  },
  renew: 'ordinary',
  revoke: {
    before: async (facts, id, reason) => [
      { kind: 'access_revoked', ...(await facts.named('grant', id)), detail: reason },
    ],
  },
  revokeAllOf: {
    after: async (facts, count, ...[userId, reason, , applicationId]) => {
      if (count === 0) return [];
      const user = await facts.user(userId);
      const application = applicationId == null ? undefined : await facts.named('application', applicationId);
      const subject = application?.subject === undefined ? {} : { subject: application.subject };
      return [{ kind: 'access_revoked', ...(user && { account: user.username }), ...subject, detail: reason }];
    },
  },
  recordUses: 'ordinary',
};

const inProject = async (facts: AuditFacts, keyId: number, projectId: ProjectId): Promise<AuditedThing> => {
  const { subject } = (await facts.named('ssh_key', keyId)) ?? {};
  const project = await facts.project(projectId);
  return { ...(subject === undefined ? {} : { subject }), ...(project && { place: project.path }) };
};

export const actsOnKeys: ActsOf<KeyRepository> = {
  // The owner is told of it.
  addUserKey: 'ordinary',
  addDeployKey: { after: async (_, { title: subject }) => [{ kind: 'deploy_key_added', subject }] },
  removeUserKey: {
    before: async (facts, _, id) => [{ kind: 'ssh_key_removed', ...(await facts.named('ssh_key', id)) }],
  },
  takeDeployKey: 'ordinary',
  rename: {
    before: async (facts, id, title) => {
      const thing = await facts.named('ssh_key', id);
      return [{ kind: 'deploy_key_changed', ...thing, detail: `renamed to ${title}` }];
    },
  },
  remove: { before: async (facts, id) => [{ kind: 'deploy_key_removed', ...(await facts.named('ssh_key', id)) }] },
  enable: {
    before: async (facts, id, projectId, canPush) => {
      const thing = await inProject(facts, id, projectId);
      return [{ kind: 'deploy_key_enabled', ...thing, detail: canPush ? 'may push' : 'may not push' }];
    },
  },
  setCanPush: {
    before: async (facts, id, projectId, canPush) => {
      const thing = await inProject(facts, id, projectId);
      return [{ kind: 'deploy_key_changed', ...thing, detail: canPush ? 'may push' : 'may not push' }];
    },
  },
  disable: {
    before: async (facts, id, projectId) => [
      { kind: 'deploy_key_disabled', ...(await inProject(facts, id, projectId)) },
    ],
  },
  isEnabledAnywhere: 'ordinary',
  idsOfProject: 'ordinary',
  holdIdsOfProject: 'ordinary',
  recordUses: 'ordinary',
};

const placeOf = async (facts: AuditFacts, place: DeployTokenPlace): Promise<AuditedThing> => {
  const found = place.kind === 'project' ? await facts.project(place.id) : await facts.namespace(place.id);
  return found === undefined ? {} : { place: found.path };
};

export const actsOnDeployTokens: ActsOf<DeployTokenRepository> = {
  holdAtLeast: 'ordinary',
  add: {
    after: async (facts, { name, place, scopes }) => [
      { kind: 'deploy_token_made', subject: name, detail: scopes.join(' '), ...(await placeOf(facts, place)) },
    ],
  },
  remove: {
    before: async (facts, _, id) => [{ kind: 'deploy_token_removed', ...(await facts.named('deploy_token', id)) }],
  },
  recordUses: 'ordinary',
};
