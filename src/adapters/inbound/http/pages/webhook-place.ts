import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WebhookReader } from '../../../../application/webhooks/ports/webhook-ports.js';
import type { Webhooks } from '../../../../application/webhooks/webhooks.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import type { DeliveredEvent, Webhook } from '../../../../domain/webhooks/webhook.js';
import { orNotFound } from '../kit/or-not-found.js';
import { pathNumber } from './form-fields.js';
import type { PageContext } from './page-context.js';
import { projectOfPage } from './project-of-page.js';

export interface WebhookPagesParts {
  readonly access: WorkspaceAccess;
  readonly webhooks: Webhooks;
  readonly webhookReader: WebhookReader;
}

export const WEBHOOKS = '/*path/-/settings/webhooks';
export const WEBHOOK = `${WEBHOOKS}/:id`;
export const WEBHOOKS_TAB = 'webhooks';

export const EVENT_WORDS: Readonly<Record<DeliveredEvent, string>> = {
  push_events: 'Pushes',
  tag_push_events: 'Tag pushes',
  issues_events: 'Issues',
  confidential_issues_events: 'Confidential issues',
  note_events: 'Comments',
  confidential_note_events: 'Comments on confidential issues',
  merge_requests_events: 'Merge requests',
  pipeline_events: 'Pipelines',
  job_events: 'Jobs',
  deployment_events: 'Deployments',
  releases_events: 'Releases',
};

export type WebhookManager = PermittedProject<'manage_webhooks'>;

export interface ManagedWebhook {
  readonly manager: WebhookManager;
  readonly webhook: Webhook;
}

export const findWebhookManager = ({ access }: WebhookPagesParts, context: PageContext): Promise<WebhookManager> =>
  projectOfPage(access, context, 'manage_webhooks');

/** @throws NotFound. */
export const findWebhook = async (parts: WebhookPagesParts, context: PageContext): Promise<ManagedWebhook> => {
  const manager = await findWebhookManager(parts, context);
  const webhook = await parts.webhookReader.find(manager.project.id, pathNumber(context.request));
  return { manager, webhook: orNotFound(webhook) };
};

export const webhooksOf = ({ project }: WebhookManager): string => `/${project.fullPath}/-/settings/webhooks`;
