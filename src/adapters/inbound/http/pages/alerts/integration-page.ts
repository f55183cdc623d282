import type { AlertIntegrations } from '../../../../../application/alerts/alert-integrations.js';
import type { IntegrationReader, IntegrationWithKey } from '../../../../../application/alerts/ports/alert-readers.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { intakePath } from '../../../../../domain/alerts/integration.js';
import { Forbidden, Invalid, NotFound, TooManyRequests } from '../../../../../domain/shared/domain-error.js';
import type { TakeByHand } from '../../alert-intake/take-by-hand.js';
import { HttpError } from '../../http-error.js';
import type { WebUrls } from '../../web-urls.js';
import { tell } from '../frame/notice.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import { allowLiveScript } from '../page-headers.js';
import { pageRequest } from '../page-request.js';
import { field, fieldNumber, pathNumber, type PageContext, type Pages } from '../page.js';
import { projectOfPage } from '../project-of-page.js';
import { addressOfOperations, OPERATIONS_SETTINGS, TYPE_WORDS } from './operations-address.js';
import { guidesOf, samplePayload } from './setup-guide.js';

export interface IntegrationPageParts {
  readonly access: WorkspaceAccess;
  readonly alertIntegrations: AlertIntegrations;
  readonly integrationReader: IntegrationReader;
  readonly takeByHand: TakeByHand;
  readonly urls: WebUrls;
}

interface Managed {
  readonly manager: PermittedProject<'manage_alert_integrations'>;
  readonly found: IntegrationWithKey;
}

const ONE = `${OPERATIONS_SETTINGS}/integrations/:id`;
/** Of payloads, as much as a page shows. */
const SHOWN_BYTES = 65_536;

/** One way by which a project takes alerts: how to set the sender up, a test, and what arrived. */
export const addIntegrationPage = (pages: Pages, parts: IntegrationPageParts): void => {
  pages.get(ONE, 'signed_in', async (context) => show(context, parts, await find(parts, context)));
  addChanges(pages, parts);
  addTest(pages, parts);
  addReplay(pages, parts);
  addRemovalPage<Managed>(pages, {
    path: `${ONE}/remove`,
    find: (context) => find(parts, context),
    ask: async ({ browser, places }, { manager, found: { integration } }) => ({
      title: `Remove the integration ${integration.name}?`,
      consequences: ['What is sent to its address is refused at once.', 'Alerts that came by it stay.'],
      button: 'Remove integration',
      cancel: addressOfOne(manager, integration.id),
      frame: await places.ofProject(browser, manager, 'integrations'),
    }),
    act: async (_context, { manager, found: { integration } }) => {
      await parts.alertIntegrations.remove(manager, integration.id);
      return { notice: `Integration “${integration.name}” removed.`, to: addressOfOperations(manager) };
    },
  });
};

const addressOfOne = (manager: Managed['manager'], id: number): string =>
  `${addressOfOperations(manager)}/integrations/${id}`;

/** @throws NotFound. */
const find = async ({ access, integrationReader }: IntegrationPageParts, context: PageContext): Promise<Managed> => {
  const manager = await projectOfPage(access, context, 'manage_alert_integrations');
  const found = await integrationReader.find(manager.project.id, pathNumber(context.request));
  if (found === undefined) throw new NotFound('Integration');
  return { manager, found };
};

const show = async (
  context: PageContext,
  { alertIntegrations, integrationReader, urls }: IntegrationPageParts,
  { manager, found: { integration, sealedKey } }: Managed,
  extra: object = {},
): Promise<void> => {
  const { project } = manager;
  const request = pageRequest(context);
  const page = await integrationReader.deliveries(integration.id, request, SHOWN_BYTES);
  const path = integration.active ? intakePath(integration) : undefined;
  const intake =
    path === undefined
      ? undefined
      : { url: urls.alertIntake(project.fullPath, path), key: alertIntegrations.reveal(sealedKey) };
  const { type } = integration;
  // It copies what is to be pasted; the page is whole without it.
  allowLiveScript(context.response);
  await sendProjectPage(context, manager, 'alerts/integration', {
    tab: 'integrations',
    copies: true,
    title: integration.name,
    integration,
    typeWords: TYPE_WORDS[type],
    address: addressOfOperations(manager),
    intake,
    guides: intake === undefined ? [] : guidesOf(type, intake),
    payload: samplePayload(type),
    deliveries: page.items,
    page,
    request,
    ...extra,
  });
};

/** What is said where a payload is refused. */
const refusalOf = (error: unknown): string | undefined =>
  error instanceof HttpError || error instanceof Forbidden || error instanceof TooManyRequests
    ? error.message
    : undefined;

const DONE_WORDS = { enable: 'enabled', disable: 'disabled', reset: 'has a new key' } as const;

const addChanges = (pages: Pages, parts: IntegrationPageParts): void => {
  const { alertIntegrations } = parts;
  const changes: Readonly<Record<keyof typeof DONE_WORDS, (by: Managed['manager'], id: number) => Promise<void>>> = {
    enable: (by, id) => alertIntegrations.edit(by, id, { active: true }),
    disable: (by, id) => alertIntegrations.edit(by, id, { active: false }),
    reset: (by, id) => alertIntegrations.resetKey(by, id),
  };
  for (const change of ['enable', 'disable', 'reset'] as const) {
    const apply = changes[change];
    pages.post(`${ONE}/${change}`, 'signed_in', async (context) => {
      const managed = await find(parts, context);
      const { manager, found } = managed;
      const { id, name } = found.integration;
      try {
        await apply(manager, id);
        tell(context.response, context.browser, `Integration “${name}” ${DONE_WORDS[change]}.`);
        context.response.redirect(303, addressOfOne(manager, id));
      } catch (error) {
        if (!(error instanceof Invalid)) throw error;
        context.response.status(400);
        await show(context, parts, managed, { problem: error.message });
      }
    });
  }
};

const addTest = (pages: Pages, parts: IntegrationPageParts): void => {
  pages.post(`${ONE}/test`, 'signed_in', async (context) => {
    const managed = await find(parts, context);
    const { manager, found } = managed;
    const text = field(context.request, 'payload');
    try {
      const { integration } = found;
      const touched = await parts.takeByHand({ integration, projectPath: manager.project.fullPath, text });
      tell(context.response, context.browser, `The test was taken: ${alertsIn(touched.length)}.`);
      context.response.redirect(303, addressOfOne(manager, integration.id));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      context.response.status(400);
      await show(context, parts, managed, { payload: text, problems: { payload: [refusal] } });
    }
  });
};

const alertsIn = (count: number): string => (count === 1 ? 'one alert was in it' : `${count} alerts were in it`);

const addReplay = (pages: Pages, parts: IntegrationPageParts): void => {
  pages.post(`${ONE}/replay`, 'signed_in', async (context) => {
    const managed = await find(parts, context);
    const { manager, found } = managed;
    const { integration } = found;
    const delivery = await parts.integrationReader.findDelivery(
      integration.id,
      fieldNumber(context.request, 'delivery'),
    );
    if (delivery === undefined) throw new NotFound('Delivery');
    try {
      if (delivery.payload === null) throw new HttpError(400, 'The payload of that delivery is not kept any more.');
      const { fullPath } = manager.project;
      const touched = await parts.takeByHand({ integration, projectPath: fullPath, text: delivery.payload });
      tell(context.response, context.browser, `It was taken once more: ${alertsIn(touched.length)}.`);
      context.response.redirect(303, addressOfOne(manager, integration.id));
    } catch (error) {
      const problem = refusalOf(error);
      if (problem === undefined) throw error;
      context.response.status(400);
      await show(context, parts, managed, { problem });
    }
  });
};
