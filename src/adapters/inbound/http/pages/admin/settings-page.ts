import type { Pages } from '../page.js';
import { sendPage } from '../render.js';

export interface SettingsPageParts {
  /** Lines of NAME=value, secrets masked, explanations behind `#`. */
  readonly settingsInForce: () => readonly string[];
}

const settingOf = (line: string) => {
  const at = line.indexOf('=');
  const value = line.slice(at + 1);
  return { name: line.slice(0, at), value: value.replace(/^# /, ''), explained: value.startsWith('# ') };
};

/** The settings in force. They are set where the service is started, and nowhere else. */
export const addSettingsPage = (pages: Pages, { settingsInForce }: SettingsPageParts): void => {
  pages.get('/admin/settings', 'administrator', ({ browser, response }) =>
    sendPage(response, browser, 'admin/settings', { title: 'Settings', settings: settingsInForce().map(settingOf) }),
  );
};
