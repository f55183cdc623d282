import type { IntegrationRepository } from '../alerts/ports/alert-repositories.js';
import type { ErrorTrackingRepository } from '../error-tracking/ports/error-tracking-repository.js';
import type { RemoteMirrorRepository } from '../mirrors/ports/mirror-ports.js';
import type { PullMirrorRepository } from '../mirrors/ports/pull-mirror-ports.js';
import type { WebhookRepository } from '../webhooks/ports/webhook-ports.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { told, type ActsOf } from './acts.js';
import type { AuditedThing, AuditFacts } from './ports/audit-ports.js';

/** Of an address no more than its host: the rest may hold keys. */
const hostOf = (url: string): string => /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url)?.[1] ?? '';

const placeOf = async (facts: AuditFacts, projectId: ProjectId): Promise<AuditedThing> => {
  const project = await facts.project(projectId);
  return project === undefined ? {} : { place: project.path };
};

const byHost =
  (what: 'webhook' | 'remote_mirror') =>
  async (facts: AuditFacts, id: number): Promise<AuditedThing> => {
    const thing = await facts.named(what, id);
    return { ...thing, ...(thing?.subject === undefined ? {} : { subject: hostOf(thing.subject) }) };
  };

const webhook = byHost('webhook');
const mirror = byHost('remote_mirror');

export const actsOnWebhooks: ActsOf<WebhookRepository> = {
  hold: 'ordinary',
  count: 'ordinary',
  add: {
    before: async (facts, projectId, { url }) => [
      { kind: 'webhook_added', subject: hostOf(url), ...(await placeOf(facts, projectId)) },
    ],
  },
  update: {
    before: async (facts, id, { url }) => {
      const thing = await webhook(facts, id);
      const host = hostOf(url);
      const moved = host === thing.subject ? {} : { detail: `to ${host}` };
      return [{ kind: 'webhook_changed', ...thing, ...moved }];
    },
  },
  take: 'ordinary',
  remove: { before: async (facts, id) => [{ kind: 'webhook_removed', ...(await webhook(facts, id)) }] },
  working: 'ordinary',
  countFailure: 'ordinary',
  countSuccess: 'ordinary',
};

export const actsOnRemoteMirrors: ActsOf<RemoteMirrorRepository> = {
  hold: 'ordinary',
  count: 'ordinary',
  add: {
    before: async (facts, { url, projectId }) => [
      { kind: 'mirror_added', subject: hostOf(url), ...(await placeOf(facts, projectId)) },
    ],
  },
  take: 'ordinary',
  update: { before: async (facts, id) => [{ kind: 'mirror_changed', ...(await mirror(facts, id)) }] },
  remove: { before: async (facts, id) => [{ kind: 'mirror_removed', ...(await mirror(facts, id)) }] },
  schedule: 'ordinary',
  hurry: 'ordinary',
  lease: 'ordinary',
  renew: 'ordinary',
  end: 'ordinary',
};

const FOLLOWED = 'which the project follows';

export const actsOnPullMirrors: ActsOf<PullMirrorRepository> = {
  take: 'ordinary',
  put: {
    before: async (facts, { projectId, remote }) => {
      const place = await placeOf(facts, projectId);
      if (remote === undefined) return [{ kind: 'mirror_changed', detail: FOLLOWED, ...place }];
      return [{ kind: 'mirror_added', subject: hostOf(remote.url), detail: FOLLOWED, ...place }];
    },
  },
  remove: {
    before: async (facts, projectId) => [
      { kind: 'mirror_removed', detail: FOLLOWED, ...(await placeOf(facts, projectId)) },
    ],
  },
  hurry: 'ordinary',
  lease: 'ordinary',
  renew: 'ordinary',
  isHeld: 'ordinary',
  end: 'ordinary',
};

export const actsOnAlertIntegrations: ActsOf<IntegrationRepository> = {
  add: {
    after: async (facts, { name, type, projectId }) => [
      { kind: 'alert_integration_added', subject: name, detail: type, ...(await placeOf(facts, projectId)) },
    ],
  },
  find: 'ordinary',
  takeAll: 'ordinary',
  hold: 'ordinary',
  update: {
    before: async (facts, id, { keyDigest }) => [
      {
        kind: keyDigest === undefined ? 'alert_integration_changed' : 'alert_key_reset',
        ...(await facts.named('alert_integration', id)),
      },
    ],
  },
  remove: {
    before: async (facts, id) => [
      { kind: 'alert_integration_removed', ...(await facts.named('alert_integration', id)) },
    ],
  },
};

export const actsOnErrorTracking: ActsOf<ErrorTrackingRepository> = {
  take: 'ordinary',
  save: {
    after: async (facts, _, { projectId }, sealedToken) => {
      const { place } = await placeOf(facts, projectId);
      const token = sealedToken == null ? {} : { detail: 'with another token' };
      return told(place === undefined ? undefined : { kind: 'error_tracking_changed', place, ...token });
    },
  },
};
