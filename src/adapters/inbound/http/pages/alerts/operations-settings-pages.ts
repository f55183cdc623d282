import type { Alerts } from '../../../../../application/alerts/alerts.js';
import type { Pages } from '../page.js';
import { addErrorTrackingSettings, type ErrorTrackingSettingsParts } from './error-tracking-settings.js';
import { addIncidentSettings } from './incident-settings.js';
import { addIntegrationListPages } from './integration-list-pages.js';
import { addIntegrationPage, type IntegrationPageParts } from './integration-page.js';
import { addTestAlertPage } from './test-alert-page.js';
import type { AlertReader } from '../../../../../application/alerts/ports/alert-readers.js';

export type OperationsSettingsPagesParts = IntegrationPageParts &
  ErrorTrackingSettingsParts & { readonly alerts: Alerts; readonly alertReader: AlertReader };

/** Settings of alerts, a page a section: maintainers manage them, developers send test alerts and see nothing else. */
export const addOperationsSettingsPages = (pages: Pages, parts: OperationsSettingsPagesParts): void => {
  const shared = { within: 'settings', signedIn: true } as const;
  pages.tabs.addToProjects({
    ...shared,
    name: 'integrations',
    label: 'Integrations',
    to: 'settings/operations',
    permission: 'manage_alert_integrations',
    order: 110,
  });
  pages.tabs.addToProjects({
    ...shared,
    name: 'incidents',
    label: 'Incidents',
    to: 'settings/operations/incidents',
    permission: 'manage_alert_integrations',
    order: 111,
  });
  pages.tabs.addToProjects({
    ...shared,
    name: 'test-alert',
    label: 'Test alert',
    to: 'settings/operations/test',
    permission: 'send_test_alerts',
    order: 112,
  });
  pages.tabs.addToProjects({
    ...shared,
    name: 'error-tracking',
    label: 'Error tracking',
    to: 'settings/operations/error_tracking',
    permission: 'manage_error_tracking',
    order: 113,
  });
  addIntegrationListPages(pages, parts);
  addIntegrationPage(pages, parts);
  addIncidentSettings(pages, parts);
  addTestAlertPage(pages, parts);
  addErrorTrackingSettings(pages, parts);
};
