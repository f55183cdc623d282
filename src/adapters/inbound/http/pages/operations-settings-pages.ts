import { addAlertSettings, type AlertSettingsPagesParts } from './alert-settings.js';
import { addIntegrationPage } from './alerts/integration-page.js';
import { addErrorTrackingSettings, type ErrorTrackingSettingsParts } from './error-tracking-settings.js';
import {
  addressOfOperations,
  OPERATIONS_SETTINGS,
  OperationsSettingsPage,
  type OperationsSettingsPageParts,
} from './operations-settings-page.js';
import type { Pages } from './page.js';

export type OperationsSettingsPagesParts = OperationsSettingsPageParts &
  AlertSettingsPagesParts &
  ErrorTrackingSettingsParts;

/** Settings > Operations: maintainers manage integrations, developers send test alerts and see nothing else. */
export const addOperationsSettingsPages = (pages: Pages, parts: OperationsSettingsPagesParts): void => {
  const page = new OperationsSettingsPage(parts);
  pages.tabs.addToProjects({
    name: 'operations',
    label: 'Operations',
    to: 'settings/operations',
    permission: 'send_test_alerts',
    order: 110,
    settings: true,
    signedIn: true,
  });

  pages.get(OPERATIONS_SETTINGS, 'signed_in', async (context) => {
    const place = await page.findProject(context, 'send_test_alerts');
    await page.show(context, place);
  });
  // Somebody who reloads what a refused form led to, or signs in again, comes this way.
  for (const form of ['integrations', 'incidents', 'test', 'error_tracking'])
    pages.get(`${OPERATIONS_SETTINGS}/${form}`, 'signed_in', async (context) => {
      const place = await page.findProject(context, 'send_test_alerts');
      context.response.redirect(303, addressOfOperations(place));
    });

  addAlertSettings(pages, page, parts);
  addIntegrationPage(pages, parts);
  addErrorTrackingSettings(pages, page, parts);
};
