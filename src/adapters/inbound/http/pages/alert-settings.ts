import type { AlertIntegrations } from '../../../../application/alerts/alert-integrations.js';
import type { Alerts } from '../../../../application/alerts/alerts.js';
import type { IntegrationReader } from '../../../../application/alerts/ports/alert-readers.js';
import { INTEGRATION_TYPES } from '../../../../domain/alerts/integration.js';
import { Forbidden, NotFound } from '../../../../domain/shared/domain-error.js';
import { parsePayload } from '../alert-intake/read-payload.js';
import type { TakePayload } from '../alert-intake/take-payload.js';
import { ALL_INTEGRATIONS, OPERATIONS_SETTINGS, type OperationsSettingsPage } from './operations-settings-page.js';
import { field, type Pages } from './page.js';

export interface AlertSettingsPagesParts {
  readonly alerts: Alerts;
  readonly alertIntegrations: AlertIntegrations;
  readonly integrationReader: IntegrationReader;
  readonly takePayload: TakePayload;
}

/** Settings > Operations, the sections of alerts: integrations, what alerts lead to, and the test alert. */
export const addAlertSettings = (pages: Pages, page: OperationsSettingsPage, parts: AlertSettingsPagesParts): void => {
  const { alerts, alertIntegrations, integrationReader, takePayload } = parts;

  pages.post(`${OPERATIONS_SETTINGS}/integrations`, 'signed_in', async (context) => {
    const place = await page.findProject(context, 'manage_alert_integrations');
    const { request } = context;
    const type = INTEGRATION_TYPES.find((each) => each === field(request, 'type'));
    if (type === undefined) throw new NotFound('Type');
    const sample = field(request, 'sample_payload').trim();
    await page.change(
      context,
      place,
      async () => {
        if (sample !== '') parsePayload(sample);
        const integration = await alertIntegrations.create(place.project.id, {
          type,
          name: field(request, 'name'),
          active: true,
          apiUrl: field(request, 'api_url') === '' ? null : field(request, 'api_url'),
          samplePayload: sample === '' ? null : sample,
        });
        if (sample === '' || field(request, 'test') !== 'true' || type === 'link') return;
        await takePayload({ integration, projectPath: place.project.fullPath, text: sample });
      },
      'saved',
    );
  });

  const changes: Readonly<Record<string, (projectId: number, id: number) => Promise<void>>> = {
    enable: (projectId, id) => alertIntegrations.edit(projectId, id, { active: true }),
    disable: (projectId, id) => alertIntegrations.edit(projectId, id, { active: false }),
    reset: (projectId, id) => alertIntegrations.resetKey(projectId, id),
    remove: (projectId, id) => alertIntegrations.remove(projectId, id),
  };
  for (const [name, apply] of Object.entries(changes)) {
    pages.post(`${OPERATIONS_SETTINGS}/integrations/:id/${name}`, 'signed_in', async (context) => {
      const place = await page.findProject(context, 'manage_alert_integrations');
      const id = Number(context.request.params['id']) || 0;
      await page.change(context, place, () => apply(place.project.id, id), 'saved');
    });
  }

  pages.post(`${OPERATIONS_SETTINGS}/test`, 'signed_in', async (context) => {
    const place = await page.findProject(context, 'send_test_alerts');
    const { items } = await integrationReader.list(place.project.id, ALL_INTEGRATIONS);
    const active = items.find(({ integration }) => integration.active && integration.type !== 'link');
    await page.change(
      context,
      place,
      async () => {
        if (active === undefined) throw new Forbidden('No integration is active that could take it.');
        const text = field(context.request, 'payload');
        await takePayload({ integration: active.integration, projectPath: place.project.fullPath, text });
      },
      'tested',
    );
  });

  pages.post(`${OPERATIONS_SETTINGS}/incidents`, 'signed_in', async (context) => {
    const place = await page.findProject(context, 'manage_alert_integrations');
    const on = (name: string) => field(context.request, name) === 'true';
    const settings = {
      createIncident: on('create_incident'),
      autoCloseIncident: on('auto_close_incident'),
      sendEmail: on('send_email'),
    };
    await page.change(context, place, () => alerts.saveSettings(place.project.id, settings), 'saved');
  });
};
