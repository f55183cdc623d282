import type { Pages } from '../page.js';
import { sendPage } from '../render.js';

/** How one part of the installation is. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed';
  /** One sentence each. */
  readonly words: readonly string[];
  /** Where there is more, or something to do about it. */
  readonly link?: { readonly to: string; readonly words: string };
}

export interface InstallationReport {
  readonly version: string;
  readonly node: string;
  readonly startedAt: Date;
  readonly checks: readonly Check[];
}

export interface OverviewPageParts {
  readonly reportInstallation: () => Promise<InstallationReport>;
}

/** The health of everything at a glance. */
export const addOverviewPage = (pages: Pages, { reportInstallation }: OverviewPageParts): void => {
  pages.get('/admin', 'administrator', async ({ browser, response }) => {
    sendPage(response, browser, 'admin/overview', { title: 'Administration', report: await reportInstallation() });
  });
};
