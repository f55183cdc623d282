import type { Alerts } from '../../../../../application/alerts/alerts.js';
import type { AlertReader } from '../../../../../application/alerts/ports/alert-readers.js';
import type { PermittedProject } from '../../../../../application/shared/permitted.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { field } from '../form-fields.js';
import { addFormPage } from '../frame/form-page.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { Pages } from '../page.js';
import { addressOfOperations, inProjectOfPage, OPERATIONS_SETTINGS } from './operations-address.js';

interface Parts {
  readonly access: WorkspaceAccess;
  readonly alerts: Alerts;
  readonly alertReader: AlertReader;
}

/** What alerts lead to in a project. */
export const addIncidentSettings = (pages: Pages, parts: Parts): void => {
  addFormPage<PermittedProject<'manage_alert_integrations'>>(pages, {
    path: `${OPERATIONS_SETTINGS}/incidents`,
    find: inProjectOfPage(parts, 'manage_alert_integrations'),
    show: async (context, place, refusal) =>
      sendProjectPage(context, place, 'alerts/incident-settings', {
        tab: 'incidents',
        title: `Incidents of ${place.project.name}`,
        address: addressOfOperations(place),
        settings: await parts.alertReader.settings(place.project.id),
        ...refusal,
      }),
    act: async ({ request }, place) => {
      const on = (name: string) => field(request, name) === 'true';
      await parts.alerts.saveSettings(place, {
        createIncident: on('create_incident'),
        autoCloseIncident: on('auto_close_incident'),
        sendEmail: on('send_email'),
      });
      return { notice: 'Settings of incidents saved.', to: `${addressOfOperations(place)}/incidents` };
    },
  });
};
