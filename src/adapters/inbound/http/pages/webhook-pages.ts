import { NotFound } from '../../../../domain/shared/domain-error.js';
import { DELIVERED_EVENTS } from '../../../../domain/webhooks/webhook.js';
import { given } from '../kit/given.js';
import { addRemovalPage } from './frame/removal-page.js';
import { sendProjectPage } from './frame/send-place-page.js';
import { field, fieldNumber, type PageContext, type Pages } from './page.js';
import { pageRequest } from './page-request.js';
import { actorOf } from './page-session.js';
import { addWebhookChangePage, addWebhookListPage } from './webhook-form-pages.js';
import {
  EVENT_WORDS,
  findWebhook,
  WEBHOOK,
  WEBHOOKS_TAB,
  webhooksOf,
  type ManagedWebhook,
  type WebhookPagesParts,
} from './webhook-place.js';

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['sent', 'Sent: the receiver took it.'],
  ['unsent', 'Sent, but the receiver did not take it. The log says why.'],
]);

/** Settings > Webhooks: what is sent where, the log of deliveries, and sending once more. */
export const addWebhookPages = (pages: Pages, parts: WebhookPagesParts): void => {
  pages.tabs.addToProjects({
    name: WEBHOOKS_TAB,
    label: 'Webhooks',
    to: 'settings/webhooks',
    permission: 'manage_webhooks',
    order: 120,
    within: 'settings',
    signedIn: true,
  });
  addWebhookListPage(pages, parts);
  addDeliveryLog(pages, parts);
  addWebhookChangePage(pages, parts);
  addWebhookActions(pages, parts);
};

const noticeOf = ({ request }: PageContext) =>
  given({ notice: NOTICES.get(String(request.query['done'] as string | undefined)) });

const addDeliveryLog = (pages: Pages, parts: WebhookPagesParts): void => {
  pages.get(WEBHOOK, 'signed_in', async (context) => {
    const { manager, webhook } = await findWebhook(parts, context);
    const request = pageRequest(context);
    const page = await parts.webhookReader.deliveries(webhook.id, request);
    await sendProjectPage(context, manager, 'webhook', {
      tab: WEBHOOKS_TAB,
      title: `Webhook to ${webhook.url}`,
      address: webhooksOf(manager),
      webhook,
      heard: DELIVERED_EVENTS.filter((event) => webhook.events.has(event)).map((event) => EVENT_WORDS[event]),
      events: DELIVERED_EVENTS.map((event) => [event, EVENT_WORDS[event]]),
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
    path: `${WEBHOOK}/remove`,
    find: (context) => findWebhook(parts, context),
    ask: async ({ browser, places }, { manager, webhook }) => ({
      title: 'Remove the webhook?',
      consequences: [`${webhook.url} is told nothing any more.`, 'The log of its deliveries goes with it.'],
      button: 'Remove webhook',
      cancel: webhooksOf(manager),
      frame: await places.ofProject(browser, manager, WEBHOOKS_TAB),
    }),
    act: async (_context, { manager, webhook }) => {
      await webhooks.remove(manager, webhook);
      return { notice: `Webhook to ${webhook.url} removed.`, to: webhooksOf(manager) };
    },
  });

  pages.post(`${WEBHOOK}/test`, 'signed_in', async (context) => {
    const { manager, webhook } = await findWebhook(parts, context);
    const asked = DELIVERED_EVENTS.find((each) => each === field(context.request, 'event'));
    const event = asked ?? DELIVERED_EVENTS.find((each) => webhook.events.has(each)) ?? 'push_events';
    const status = await webhooks.test(actorOf(context.browser), manager, webhook, event);
    context.response.redirect(303, logAfter({ manager, webhook }, status));
  });

  pages.post(`${WEBHOOK}/resend`, 'signed_in', async (context) => {
    const managed = await findWebhook(parts, context);
    const delivery = await webhookReader.findDelivery(managed.webhook.id, fieldNumber(context.request, 'delivery'));
    if (delivery === undefined) throw new NotFound();
    context.response.redirect(303, logAfter(managed, await webhooks.resend(managed.manager, delivery.id)));
  });
};

/** The log, with what the receiver answered. */
const logAfter = ({ manager, webhook }: ManagedWebhook, status: number | null): string => {
  const taken = status !== null && status >= 200 && status < 300;
  return `${webhooksOf(manager)}/${webhook.id}?done=${taken ? 'sent' : 'unsent'}`;
};
