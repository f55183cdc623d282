import type { WebhookReader } from '../../../../application/webhooks/ports/webhook-ports.js';
import type { Webhooks } from '../../../../application/webhooks/webhooks.js';
import type { PermittedProject } from '../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import { NotFound } from '../../../../domain/shared/domain-error.js';
import { DELIVERED_EVENTS, type DeliveredEvent, type Webhook } from '../../../../domain/webhooks/webhook.js';
import { given } from '../kit/given.js';
import { field, fieldNumber, pathNumber, problemsOf, type PageContext, type Pages } from './page.js';
import { actorOf } from './page-session.js';
import { projectOfPage } from './project-of-page.js';
import { readHeaderLines } from './webhook-headers.js';
import { tell } from './frame/notice.js';
import { addRemovalPage } from './frame/removal-page.js';
import { sendProjectPage } from './frame/send-place-page.js';
import { pageRequest } from './page-request.js';

export interface WebhookPagesParts {
  readonly access: WorkspaceAccess;
  readonly webhooks: Webhooks;
  readonly webhookReader: WebhookReader;
}

const SETTINGS = '/*path/-/settings/webhooks';
const ALL_WEBHOOKS = { page: 1, perPage: 100 };

const EVENT_WORDS: Readonly<Record<DeliveredEvent, string>> = {
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
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['sent', 'Sent: the receiver took it.'],
  ['unsent', 'Sent, but the receiver did not take it. The log says why.'],
]);

type Manager = PermittedProject<'manage_webhooks'>;

interface ManagedWebhook {
  readonly manager: Manager;
  readonly webhook: Webhook;
}

/** Settings > Webhooks: what is sent where, the log of deliveries, and sending once more. */
export const addWebhookPages = (pages: Pages, parts: WebhookPagesParts): void => {
  pages.tabs.addToProjects({
    name: 'webhooks',
    label: 'Webhooks',
    to: 'settings/webhooks',
    permission: 'manage_webhooks',
    order: 120,
    settings: true,
    signedIn: true,
  });
  addWebhookList(pages, parts);
  addNewWebhook(pages, parts);
  addDeliveryLog(pages, parts);
  addWebhookActions(pages, parts);
};

const findProject = ({ access }: WebhookPagesParts, context: PageContext): Promise<Manager> =>
  projectOfPage(access, context, 'manage_webhooks');

const findWebhook = async (parts: WebhookPagesParts, context: PageContext): Promise<ManagedWebhook> => {
  const manager = await findProject(parts, context);
  const webhook = await parts.webhookReader.find(manager.project.id, pathNumber(context.request));
  if (webhook === undefined) throw new NotFound();
  return { manager, webhook };
};

const addressOf = ({ project }: Manager): string => `/${project.fullPath}/-/settings/webhooks`;

const noticeOf = ({ request }: PageContext) =>
  given({ notice: NOTICES.get(String(request.query['done'] as string | undefined)) });

const showWebhooks = async (
  { webhookReader }: WebhookPagesParts,
  context: PageContext,
  manager: Manager,
  extra: object,
): Promise<void> => {
  const { items } = await webhookReader.list(manager.project.id, ALL_WEBHOOKS);
  await sendProjectPage(context, manager, 'webhooks', {
    tab: 'webhooks',
    title: `Webhooks of ${manager.project.name}`,
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

const addWebhookList = (pages: Pages, parts: WebhookPagesParts): void => {
  pages.get(SETTINGS, 'signed_in', async (context) =>
    showWebhooks(parts, context, await findProject(parts, context), noticeOf(context)),
  );
};

const addNewWebhook = (pages: Pages, parts: WebhookPagesParts): void => {
  pages.post(SETTINGS, 'signed_in', async (context) => {
    const manager = await findProject(parts, context);
    const { request, response } = context;
    const on = (name: string) => field(request, name) === 'true';
    try {
      await parts.webhooks.add(manager, {
        url: field(request, 'url').trim(),
        token: field(request, 'token'),
        headers: readHeaderLines(field(request, 'custom_headers')),
        events: Object.fromEntries(DELIVERED_EVENTS.map((event) => [event, on(event)])),
        verifyCertificate: on('enable_ssl_verification'),
      });
      tell(response, context.browser, `Webhook to ${field(request, 'url').trim()} added.`);
      response.redirect(303, addressOf(manager));
    } catch (error) {
      const problems = problemsOf(error);
      response.status(400);
      await showWebhooks(parts, context, manager, { problems });
    }
  });
};

const addDeliveryLog = (pages: Pages, parts: WebhookPagesParts): void => {
  pages.get(`${SETTINGS}/:id`, 'signed_in', async (context) => {
    const { manager, webhook } = await findWebhook(parts, context);
    const request = pageRequest(context);
    const page = await parts.webhookReader.deliveries(webhook.id, request);
    await sendProjectPage(context, manager, 'webhook', {
      tab: 'webhooks',
      title: `Webhook of ${manager.project.name}`,
      address: addressOf(manager),
      webhook,
      deliveries: page.items.map((delivery) => ({ ...delivery, words: EVENT_WORDS[delivery.event] })),
      page,
      request,
      ...noticeOf(context),
    });
  });
};

const addWebhookActions = (pages: Pages, parts: WebhookPagesParts): void => {
  const { webhooks, webhookReader } = parts;

  addRemovalPage<ManagedWebhook>(pages, {
    path: `${SETTINGS}/:id/remove`,
    find: (context) => findWebhook(parts, context),
    ask: async ({ browser, places }, { manager, webhook }) => ({
      title: 'Remove the webhook?',
      consequences: [`${webhook.url} is told nothing any more.`, 'The log of its deliveries goes with it.'],
      button: 'Remove webhook',
      cancel: addressOf(manager),
      frame: await places.ofProject(browser, manager, 'webhooks'),
    }),
    act: async (_context, { manager, webhook }) => {
      await webhooks.remove(manager, webhook);
      return { notice: `Webhook to ${webhook.url} removed.`, to: addressOf(manager) };
    },
  });

  pages.post(`${SETTINGS}/:id/test`, 'signed_in', async (context) => {
    const { manager, webhook } = await findWebhook(parts, context);
    const event = DELIVERED_EVENTS.find((each) => webhook.events.has(each)) ?? 'push_events';
    const status = await webhooks.test(actorOf(context.browser), manager, webhook, event);
    context.response.redirect(303, logAfter({ manager, webhook }, status));
  });

  pages.post(`${SETTINGS}/:id/resend`, 'signed_in', async (context) => {
    const managed = await findWebhook(parts, context);
    const delivery = await webhookReader.findDelivery(managed.webhook.id, fieldNumber(context.request, 'delivery'));
    if (delivery === undefined) throw new NotFound();
    context.response.redirect(303, logAfter(managed, await webhooks.resend(managed.manager, delivery.id)));
  });
};

/** The log, with what the receiver answered. */
const logAfter = ({ manager, webhook }: ManagedWebhook, status: number | null): string => {
  const taken = status !== null && status >= 200 && status < 300;
  return `${addressOf(manager)}/${webhook.id}?done=${taken ? 'sent' : 'unsent'}`;
};
