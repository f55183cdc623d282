import type { AlertIntegrations } from '../../../../application/alerts/alert-integrations.js';
import type { Alerts } from '../../../../application/alerts/alerts.js';
import type { IntegrationReader } from '../../../../application/alerts/ports/alert-readers.js';
import type { Permitted } from '../../../../application/shared/permitted.js';
import { INTEGRATION_TYPES } from '../../../../domain/alerts/integration.js';
import { Forbidden, Invalid, NotFound, TooManyRequests } from '../../../../domain/shared/domain-error.js';
import { checkPayload } from '../alert-intake/refusals.js';
import type { TakeByHand } from '../alert-intake/take-by-hand.js';
import { HttpError } from '../http-error.js';
import {
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
    await page.change(context, place, { work, explain: refusedBeside('sample_payload') });
  });
};

type Manager = Permitted<'manage_alert_integrations'>;

const addChangesOfIntegrations = (pages: Pages, page: OperationsSettingsPage, { alertIntegrations }: Parts): void => {
  const changes: Readonly<Record<string, (place: Manager, id: number) => Promise<void>>> = {
    enable: (place, id) => alertIntegrations.edit(place, id, { active: true }),
    disable: (place, id) => alertIntegrations.edit(place, id, { active: false }),
    reset: (place, id) => alertIntegrations.resetKey(place, id),
    remove: (place, id) => alertIntegrations.remove(place, id),
  };
  for (const [name, apply] of Object.entries(changes)) {
    pages.post(`${OPERATIONS_SETTINGS}/integrations/:id/${name}`, 'signed_in', async (context) => {
      const place = await page.findProject(context, 'manage_alert_integrations');
      const id = pathNumber(context.request);
      await page.change(context, place, { work: () => apply(place, id), explain: refusedBeside() });
    });
  }
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
    await page.change(context, place, { work, explain: refusedBeside('payload'), done: 'tested' });
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
