import type { AlertIntegrations } from '../../../../application/alerts/alert-integrations.js';
import type { Alerts } from '../../../../application/alerts/alerts.js';
import type { IntegrationReader } from '../../../../application/alerts/ports/alert-readers.js';
import type { PermittedProject } from '../../../../application/shared/permitted.js';
import { INTEGRATION_TYPES, type Integration } from '../../../../domain/alerts/integration.js';
import { Forbidden, Invalid, NotFound, TooManyRequests } from '../../../../domain/shared/domain-error.js';
import { checkPayload } from '../alert-intake/refusals.js';
import type { TakeByHand } from '../alert-intake/take-by-hand.js';
import { HttpError } from '../http-error.js';
import { orNotFound } from '../kit/or-not-found.js';
import { addRemovalPage } from './frame/removal-page.js';
import {
  addressOfOperations,
  ALL_INTEGRATIONS,
  OPERATIONS_SETTINGS,
  type Explain,
  type OperationsSettingsPage,
} from './operations-settings-page.js';
import { field, pathNumber, type Pages } from './page.js';

export interface AlertSettingsPagesParts {
  readonly alerts: Alerts;
  readonly alertIntegrations: AlertIntegrations;
  readonly integrationReader: IntegrationReader;
  readonly takeByHand: TakeByHand;
}

type Parts = AlertSettingsPagesParts;

/** Settings > Operations, the sections of alerts: integrations, what alerts lead to, and the test alert. */
export const addAlertSettings = (pages: Pages, page: OperationsSettingsPage, parts: Parts): void => {
  addNewIntegration(pages, page, parts);
  addChangesOfIntegrations(pages, page, parts);
  addTestAlert(pages, page, parts);
  addIncidentSettings(pages, page, parts);
};

const addNewIntegration = (
  pages: Pages,
  page: OperationsSettingsPage,
  { alertIntegrations, takeByHand }: Parts,
): void => {
  pages.post(`${OPERATIONS_SETTINGS}/integrations`, 'signed_in', async (context) => {
    const place = await page.findProject(context, 'manage_alert_integrations');
    const { request } = context;
    const type = INTEGRATION_TYPES.find((each) => each === field(request, 'type'));
    if (type === undefined) throw new NotFound('Type');
    const sample = field(request, 'sample_payload').trim();
    const work = async (): Promise<void> => {
      if (sample !== '') checkPayload(sample);
      const integration = await alertIntegrations.create(place, {
        type,
        name: field(request, 'name'),
        active: true,
        apiUrl: field(request, 'api_url') === '' ? null : field(request, 'api_url'),
        samplePayload: sample === '' ? null : sample,
      });
      if (sample === '' || field(request, 'test') !== 'true' || type === 'link') return;
      await takeByHand({ integration, projectPath: place.project.fullPath, text: sample });
    };
    const done = `Integration “${field(request, 'name')}” added.`;
    await page.change(context, place, { work, explain: refusedBeside('sample_payload'), done });
  });
};

const TESTED = 'The test alert was taken: it is in the list of alerts.';

type Manager = PermittedProject<'manage_alert_integrations'>;

interface ManagedIntegration {
  readonly place: Manager;
  readonly integration: Integration;
}

const DONE_WORDS = { enable: 'enabled', disable: 'disabled', reset: 'has a new key' } as const;

const addChangesOfIntegrations = (
  pages: Pages,
  page: OperationsSettingsPage,
  { alertIntegrations, integrationReader }: Parts,
): void => {
  const changes: Readonly<Record<keyof typeof DONE_WORDS, (place: Manager, id: number) => Promise<void>>> = {
    enable: (place, id) => alertIntegrations.edit(place, id, { active: true }),
    disable: (place, id) => alertIntegrations.edit(place, id, { active: false }),
    reset: (place, id) => alertIntegrations.resetKey(place, id),
  };
  for (const change of ['enable', 'disable', 'reset'] as const) {
    const apply = changes[change];
    pages.post(`${OPERATIONS_SETTINGS}/integrations/:id/${change}`, 'signed_in', async (context) => {
      const place = await page.findProject(context, 'manage_alert_integrations');
      const id = pathNumber(context.request);
      const name = (await integrationReader.find(place.project.id, id))?.integration.name ?? '';
      const done = `Integration “${name}” ${DONE_WORDS[change]}.`;
      await page.change(context, place, { work: () => apply(place, id), explain: refusedBeside(), done });
    });
  }
  addRemovalPage<ManagedIntegration>(pages, {
    path: `${OPERATIONS_SETTINGS}/integrations/:id/remove`,
    find: async (context) => {
      const place = await page.findProject(context, 'manage_alert_integrations');
      const found = await integrationReader.find(place.project.id, pathNumber(context.request));
      return { place, integration: orNotFound(found, 'Integration').integration };
    },
    ask: async ({ browser, places }, { place, integration: { name } }) => ({
      title: `Remove the integration ${name}?`,
      consequences: ['What is sent to its address is refused at once.', 'Alerts that came by it stay.'],
      button: 'Remove integration',
      cancel: addressOfOperations(place),
      frame: await places.ofProject(browser, place, 'operations'),
    }),
    act: async (_context, { place, integration: { id, name } }) => {
      await alertIntegrations.remove(place, id);
      return { notice: `Integration “${name}” removed.`, to: addressOfOperations(place) };
    },
  });
};

const addTestAlert = (pages: Pages, page: OperationsSettingsPage, { integrationReader, takeByHand }: Parts): void => {
  pages.post(`${OPERATIONS_SETTINGS}/test`, 'signed_in', async (context) => {
    const place = await page.findProject(context, 'send_test_alerts');
    const { items } = await integrationReader.list(place.project.id, ALL_INTEGRATIONS);
    const active = items.find(({ integration }) => integration.active && integration.type !== 'link');
    const work = async (): Promise<void> => {
      if (active === undefined) throw new Forbidden('No integration is active that could take it.');
      const text = field(context.request, 'payload');
      await takeByHand({ integration: active.integration, projectPath: place.project.fullPath, text });
    };
    await page.change(context, place, { work, explain: refusedBeside('payload'), done: TESTED });
  });
};

const addIncidentSettings = (pages: Pages, page: OperationsSettingsPage, { alerts }: Parts): void => {
  pages.post(`${OPERATIONS_SETTINGS}/incidents`, 'signed_in', async (context) => {
    const place = await page.findProject(context, 'manage_alert_integrations');
    const on = (name: string) => field(context.request, name) === 'true';
    const settings = {
      createIncident: on('create_incident'),
      autoCloseIncident: on('auto_close_incident'),
      sendEmail: on('send_email'),
    };
    await page.change(context, place, {
      work: () => alerts.saveSettings(place, settings),
      explain: refusedBeside(),
      done: 'Settings of incidents saved.',
    });
  });
};

/** The fields of the form that adds an integration; what is wrong with anything else is said above the page. */
const FIELDS = ['name', 'type', 'api_url'];

/** What a person reads when a form is refused, beside the field where there is one: beside `payloadField` what is wrong with a payload. */
const refusedBeside =
  (payloadField = ''): Explain =>
  (error) => {
    if (error instanceof Forbidden || error instanceof TooManyRequests) return { problem: error.message };
    if (error instanceof HttpError) return { problems: { [payloadField]: [error.message] } };
    if (!(error instanceof Invalid)) return undefined;
    const elsewhere = Object.keys(error.problems).some((attribute) => !FIELDS.includes(attribute));
    return elsewhere ? { problem: error.message } : { problems: error.problems };
  };
