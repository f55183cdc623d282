import type { Permitted } from '../../../../../application/shared/permitted.js';
import type { WebhookReader } from '../../../../../application/webhooks/ports/webhook-ports.js';
import type { Webhooks } from '../../../../../application/webhooks/webhooks.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { identifierIn } from '../../../../../domain/shared/identifiers.js';
import type { Webhook } from '../../../../../domain/webhooks/webhook.js';
import { PROJECT_ID } from '../../kit/guards.js';
import type { Decide, Guard } from '../../route.js';
import { pathId } from '../../validation/parameters.js';

export interface HookRoutesParts {
  readonly access: WorkspaceAccess;
  readonly webhooks: Webhooks;
  readonly webhookReader: WebhookReader;
}

export const HOOKS_TAG = 'Webhooks';
export const ALL_HOOKS = '/projects/:id/hooks';
export const ONE_HOOK = `${ALL_HOOKS}/:hook_id`;
export const IN_HOOK_PATH = { id: PROJECT_ID, hook_id: pathId('Numeric id of the webhook') };

export interface FoundHook {
  readonly manager: Permitted<'manage_webhooks'>;
  readonly webhook: Webhook;
}

export const inHook = ({ access, webhookReader }: HookRoutesParts): Guard<FoundHook> => {
  const decide: Decide<FoundHook> = async ({ actor, path }) => {
    const manager = await access.project(actor, path['id'], 'manage_webhooks');
    const id = identifierIn(path['hook_id']);
    const webhook = id === undefined ? undefined : await webhookReader.find(manager.project.id, id);
    if (webhook === undefined) throw new NotFound();
    return { manager, webhook };
  };
  return { decide, permission: 'manage_webhooks' };
};
