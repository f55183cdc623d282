import { addAlertSettings, type AlertSettingsPagesParts } from './alert-settings.js';
import { addIntegrationPage } from './alerts/integration-page.js';
import { addErrorTrackingSettings, type ErrorTrackingSettingsParts } from './error-tracking-settings.js';
import {
  OPERATIONS_SETTINGS,
  OperationsSettingsPage,
  type OperationsSettingsPageParts,
} from './operations-settings-page.js';
import type { Pages } from './page.js';
import { given } from '../kit/given.js';

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
    const notice = NOTICES.get(String(context.request.query['done'] as string | undefined));
    await page.show(context, place, given({ notice }));
  });

  addAlertSettings(pages, page, parts);
  addIntegrationPage(pages, parts);
  addErrorTrackingSettings(pages, page, parts);
};

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['saved', 'Saved.'],
  ['tested', 'The test alert was taken: it is in the list of alerts.'],
]);
