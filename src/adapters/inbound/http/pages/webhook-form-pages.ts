import type { WebhookChanges } from '../../../../application/webhooks/webhooks.js';
import {
  DELIVERED_EVENTS,
  MAX_BRANCH_FILTER,
  MAX_WEBHOOK_TOKEN,
  type DeliveredEvent,
  type Webhook,
} from '../../../../domain/webhooks/webhook.js';
import { field } from './form-fields.js';
import { addFormPage, typed } from './frame/form-page.js';
import { digestOf, refuseOvertaken } from './frame/seen-values.js';
import { sendProjectPage } from './frame/send-place-page.js';
import type { PageContext } from './page-context.js';
import type { Pages } from './page.js';
import { hiddenHeaderLines, readHeaderLines } from './webhook-headers.js';
import {
  EVENT_WORDS,
  findWebhook,
  findWebhookManager,
  WEBHOOK,
  WEBHOOKS,
  WEBHOOKS_TAB,
  webhooksOf,
  type ManagedWebhook,
  type WebhookManager,
  type WebhookPagesParts,
} from './webhook-place.js';

const ALL_WEBHOOKS = { page: 1, perPage: 100 };

/** What a webhook is that is about to be made. */
const BLANK: Pick<Webhook, 'url' | 'headerNames' | 'branchFilter' | 'verifyCertificate' | 'events'> = {
  url: '',
  headerNames: [],
  branchFilter: null,
  verifyCertificate: true,
  events: new Set(['push_events']),
};

/** What the fields of the form hold: everything that was typed, but the secret token. */
const formOf = (context: PageContext, webhook: typeof BLANK) => {
  const on = (is: boolean): string => (is ? 'true' : '');
  const events = Object.fromEntries(DELIVERED_EVENTS.map((event) => [event, on(webhook.events.has(event))]));
  const fields = {
    url: webhook.url,
    remove_token: '',
    custom_headers: hiddenHeaderLines(webhook.headerNames),
    push_events_branch_filter: webhook.branchFilter ?? '',
    enable_ssl_verification: on(webhook.verifyCertificate),
    ...(events as Record<DeliveredEvent, string>),
  };
  return {
    form: typed(context, fields),
    events: DELIVERED_EVENTS.map((event) => [event, EVENT_WORDS[event]]),
    mostToken: MAX_WEBHOOK_TOKEN,
    mostFilter: MAX_BRANCH_FILTER,
    fieldLabels: { url: 'URL', token: 'secret token', push_events_branch_filter: 'branches' },
  };
};

const urlIn = ({ request }: PageContext): string => field(request, 'url').trim();

/** Nothing where the field is empty, which keeps the token that there is. */
const tokenIn = ({ request }: PageContext): Pick<WebhookChanges, 'token'> => {
  if (field(request, 'remove_token') === 'true') return { token: null };
  const token = field(request, 'token');
  return token === '' ? {} : { token };
};

const changesIn = (context: PageContext): WebhookChanges => {
  const on = (name: string): boolean => field(context.request, name) === 'true';
  return {
    ...tokenIn(context),
    headers: readHeaderLines(field(context.request, 'custom_headers')),
    events: Object.fromEntries(DELIVERED_EVENTS.map((event) => [event, on(event)])),
    branchFilter: field(context.request, 'push_events_branch_filter').trim(),
    verifyCertificate: on('enable_ssl_verification'),
  };
};

/** The list of webhooks, with the form for one more. */
export const addWebhookListPage = (pages: Pages, parts: WebhookPagesParts): void =>
  addFormPage<WebhookManager>(pages, {
    path: WEBHOOKS,
    find: (context) => findWebhookManager(parts, context),
    show: async (context, manager, refusal) => {
      const { items } = await parts.webhookReader.list(manager.project.id, ALL_WEBHOOKS);
      await sendProjectPage(context, manager, 'webhooks', {
        tab: WEBHOOKS_TAB,
        title: `Webhooks of ${manager.project.name}`,
        address: webhooksOf(manager),
        webhooks: items.map((webhook) => ({
          ...webhook,
          heard: DELIVERED_EVENTS.filter((event) => webhook.events.has(event)).map((event) => EVENT_WORDS[event]),
        })),
        ...formOf(context, BLANK),
        ...refusal,
      });
    },
    act: async (context, manager) => {
      const url = urlIn(context);
      await parts.webhooks.add(manager, { url, ...changesIn(context) });
      return { notice: `Webhook to ${url} added.`, to: webhooksOf(manager) };
    },
  });

/** What went with the URL that it was for. */
const goneWords = ({ url, hasToken, headerNames }: Webhook, changes: WebhookChanges, newUrl: string): string => {
  if (url === newUrl) return '';
  const headers = (changes.headers ?? []).filter(({ name, value }) => value === null && headerNames.includes(name));
  const gone = [
    ...(hasToken && changes.token === undefined ? ['its secret token'] : []),
    ...(headers.length > 0 ? ['the headers whose values were kept'] : []),
  ];
  return gone.length === 0 ? '' : ` With its old URL went ${gone.join(' and ')}.`;
};

/** What the form of a webhook shows of it. */
const shownOf = ({ url, hasToken, headerNames, events, branchFilter, verifyCertificate }: Webhook) => ({
  ...{ url, hasToken, headerNames, branchFilter, verifyCertificate },
  events: [...events].sort(),
});

const WEBHOOK_CHANGED =
  'Somebody else has changed this webhook since the page was shown. What you save now takes the place of theirs: look at it, or save again.';

/** What a webhook is told, and how, can be changed; what is kept secret stays as it is unless it is given anew. */
export const addWebhookChangePage = (pages: Pages, parts: WebhookPagesParts): void =>
  addFormPage<ManagedWebhook>(pages, {
    path: `${WEBHOOK}/edit`,
    find: (context) => findWebhook(parts, context),
    show: (context, { manager, webhook }, refusal) =>
      sendProjectPage(context, manager, 'webhook-form', {
        tab: WEBHOOKS_TAB,
        title: `Change the webhook to ${webhook.url}`,
        address: webhooksOf(manager),
        webhook,
        seen: digestOf(shownOf(webhook)),
        ...formOf(context, webhook),
        ...refusal,
      }),
    act: async (context, { manager, webhook }) => {
      refuseOvertaken(context, shownOf(webhook), WEBHOOK_CHANGED);
      const [url, changes] = [urlIn(context), changesIn(context)];
      await parts.webhooks.edit(manager, webhook, { url, ...changes });
      const works = webhook.disabledAt === null ? '' : ' It is told again what happens.';
      const notice = `Webhook to ${url} saved.${works}${goneWords(webhook, changes, url)}`;
      return { notice, to: `${webhooksOf(manager)}/${webhook.id}` };
    },
  });
