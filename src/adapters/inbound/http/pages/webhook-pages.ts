import type { WebhookReader } from '../../../../application/webhooks/ports/webhook-ports.js';
import type { Webhooks } from '../../../../application/webhooks/webhooks.js';
import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { Invalid, NotFound } from '../../../../domain/shared/domain-error.js';
import { DELIVERED_EVENTS, type DeliveredEvent, type Webhook } from '../../../../domain/webhooks/webhook.js';
import { field, pathNumber, type PageContext, type Pages } from './page.js';
import { actorOf } from './page-session.js';
import { projectPath } from './project-path.js';
import { sendPage } from './render.js';
import { actorFor, pageRequest } from './workspace-pages.js';

export interface WebhookPagesParts {
  readonly access: WorkspaceAccess;
  readonly webhooks: Webhooks;
  readonly webhookReader: WebhookReader;
}

const SETTINGS = '/*path/-/settings/webhooks';
const ALL_WEBHOOKS = { page: 1, perPage: 100 };

const EVENT_WORDS: Readonly<Record<DeliveredEvent, string>> = {
  push_events: 'Pushes',
  tag_push_events: 'Pushes of tags',
  issues_events: 'Issues',
  confidential_issues_events: 'Confidential issues',
  note_events: 'Comments',
  confidential_note_events: 'Comments on confidential issues',
};
const NOTICES: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  removed: 'Removed.',
  sent: 'Sent: the receiver took it.',
  unsent: 'Sent, but the receiver did not take it. The log says why.',
};

type Manager = PermittedProject<'manage_webhooks'>;

const addressOf = ({ project }: Manager): string => `/${project.fullPath}/-/settings/webhooks`;

const sentWell = (status: number | null): 'sent' | 'unsent' =>
  status !== null && status >= 200 && status < 300 ? 'sent' : 'unsent';

/** Settings > Webhooks: what is sent where, the log of deliveries, and sending once more. */
export const addWebhookPages = (pages: Pages, parts: WebhookPagesParts): void => {
  const { access, webhooks, webhookReader } = parts;

  const findProject = ({ browser, request }: PageContext): Promise<Manager> =>
    access.project(actorFor(browser), projectPath(request), 'manage_webhooks');

  const findWebhook = async (
    context: PageContext,
  ): Promise<{ readonly manager: Manager; readonly webhook: Webhook }> => {
    const manager = await findProject(context);
    const webhook = await webhookReader.find(manager.project.id, pathNumber(context.request));
    if (webhook === undefined) throw new NotFound();
    return { manager, webhook };
  };

  const noticeOf = ({ request }: PageContext) => {
    const notice = NOTICES[String(request.query['done'] as string | undefined)];
    return notice === undefined ? {} : { notice };
  };

  const show = async (context: PageContext, manager: Manager, extra: object = {}): Promise<void> => {
    const { items } = await webhookReader.list(manager.project.id, ALL_WEBHOOKS);
    sendPage(context.response, context.browser, 'webhooks', {
      title: `Webhooks of ${manager.project.name}`,
      project: manager.project,
      address: addressOf(manager),
      webhooks: items.map((webhook) => ({
        ...webhook,
        heard: DELIVERED_EVENTS.filter((event) => webhook.events.has(event)).map((event) => EVENT_WORDS[event]),
      })),
      events: DELIVERED_EVENTS.map((event) => [event, EVENT_WORDS[event]]),
      form: { url: field(context.request, 'url') },
      ...extra,
    });
  };

  pages.get(SETTINGS, 'signed_in', async (context) => show(context, await findProject(context), noticeOf(context)));

  pages.post(SETTINGS, 'signed_in', async (context) => {
    const manager = await findProject(context);
    const { request, response } = context;
    const on = (name: string) => field(request, name) === 'true';
    try {
      await webhooks.add(manager, {
        url: field(request, 'url').trim(),
        token: field(request, 'token'),
        events: Object.fromEntries(DELIVERED_EVENTS.map((event) => [event, on(event)])),
        verifyCertificate: on('enable_ssl_verification'),
      });
      response.redirect(303, `${addressOf(manager)}?done=saved`);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      response.status(400);
      await show(context, manager, { problems: error.problems });
    }
  });

  pages.get(`${SETTINGS}/:id`, 'signed_in', async (context) => {
    const { manager, webhook } = await findWebhook(context);
    const request = pageRequest(context);
    const page = await webhookReader.deliveries(webhook.id, request);
    sendPage(context.response, context.browser, 'webhook', {
      title: `Webhook of ${manager.project.name}`,
      project: manager.project,
      address: addressOf(manager),
      webhook,
      deliveries: page.items.map((delivery) => ({ ...delivery, words: EVENT_WORDS[delivery.event] })),
      page,
      request,
      ...noticeOf(context),
    });
  });

  pages.post(`${SETTINGS}/:id/remove`, 'signed_in', async (context) => {
    const { manager, webhook } = await findWebhook(context);
    await webhooks.remove(manager, webhook);
    context.response.redirect(303, `${addressOf(manager)}?done=removed`);
  });

  pages.post(`${SETTINGS}/:id/test`, 'signed_in', async (context) => {
    const { manager, webhook } = await findWebhook(context);
    const event = DELIVERED_EVENTS.find((each) => webhook.events.has(each)) ?? 'push_events';
    const done = sentWell(await webhooks.test(actorOf(context.browser), manager, webhook, event));
    context.response.redirect(303, `${addressOf(manager)}/${webhook.id}?done=${done}`);
  });

  pages.post(`${SETTINGS}/:id/resend`, 'signed_in', async (context) => {
    const { manager, webhook } = await findWebhook(context);
    const delivery = await webhookReader.findDelivery(webhook.id, Number(field(context.request, 'delivery')) || 0);
    if (delivery === undefined) throw new NotFound();
    const done = sentWell(await webhooks.resend(manager, delivery.id));
    context.response.redirect(303, `${addressOf(manager)}/${webhook.id}?done=${done}`);
  });
};
