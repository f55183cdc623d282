import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { carrySession } from '../support/browser-session.js';
import { launchBrowser, turnPage } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { keepScreenshot } from '../support/screenshots.js';
import { TestService, type TestUser } from '../support/test-service.js';

const MINUTE = 60_000;
const HALF_MINUTE = 30_000;
const PHONE = { width: 360, height: 740 };
const ALERTS = '/ada/engine/-/alert_management';
const SETTINGS = '/ada/engine/-/settings/operations';

describeAnyDatabase('alerts in a browser', (openTestDatabase) => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let place: AlertingProject;
  let grace: TestUser;
  let linus: TestUser;
  let integration: Pick<IntegrationBody, 'url' | 'token'>;
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    browser = await launchBrowser();
    const ada = await service.addUser('ada');
    grace = await service.addUser('grace');
    linus = await service.addUser('linus');
    place = await AlertingProject.create(service, ada, 'engine');
    await place.call('POST', '/members', { user_id: grace.id, access_level: 40 });
    await place.call('POST', '/members', { user_id: linus.id, access_level: 30 });
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  /** A browser that somebody is signed in with. */
  const openAs = async (user: TestUser, options: Parameters<Browser['newContext']>[0] = {}): Promise<void> => {
    context = await browser.newContext({ baseURL: service.url, ...options });
    await carrySession(context, service, user);
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
  };

  beforeEach(() => openAs(grace));

  afterEach(async () => {
    await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });

  const submit = (button: string) =>
    turnPage(page, () => page.getByRole('button', { name: button, exact: true }).click());
  const follow = (link: string | RegExp) =>
    turnPage(page, () => page.getByRole('link', { name: link }).first().click());
  const heading = () => page.getByRole('heading', { level: 1 }).textContent();
  const titles = () => page.locator('tbody td a[href*="details"]').allTextContents();
  const reopenAs = async (...whom: Parameters<typeof openAs>): Promise<void> => {
    await context.close();
    await openAs(...whom);
  };
  const send = async (payload: object) => {
    service.clock.advance(MINUTE);
    expect((await sendAlert(integration, payload)).status).toBe(200);
  };

  it('a maintainer adds an integration under Settings > Integrations and is shown its URL and key', async () => {
    await page.goto('/ada/engine');
    await follow('Settings');
    await follow('Integrations');
    await follow('Add an integration');
    await follow('Generic');
    await page.getByLabel('Name', { exact: true }).fill('Nagios');
    await submit('Add integration');
    expect(await page.getByRole('status').textContent()).toBe('Integration “Nagios” added.');
    integration = {
      url: await page.getByLabel('URL', { exact: true }).inputValue(),
      token: await page.getByLabel('Authorization Key').inputValue(),
    };
    service.secrets.push(integration.token);
    expect(integration.url).toBe(`${service.url}/ada/engine/alerts/notify.json`);
    await keepScreenshot(page, 'integration', 1_400);
  });

  it('a second one of its kind is not offered; what is no JSON is refused beside the field, and nothing typed is lost', async () => {
    await page.goto(`${SETTINGS}/integrations`);
    expect(await page.getByRole('link', { name: 'Generic' }).count()).toBe(0);
    expect(await page.getByText('There is one already:').textContent()).toContain('Nagios');
    await follow('HTTP Endpoint');
    await page.getByLabel('Name', { exact: true }).fill('Another');
    await page.getByLabel('Sample payload').fill('{"title": "Down"');
    await submit('Add integration');
    const sample = page.getByLabel('Sample payload');
    expect(await sample.getAttribute('aria-invalid')).toBe('true');
    expect(await described('sample_payload')).toContain('The payload is not valid JSON.');
    expect(await sample.inputValue()).toBe('{"title": "Down"');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another');
    await page.goto(`${SETTINGS}/integrations?type=link`);
    expect([await sample.count(), await page.getByLabel('Address of the product').count()]).toEqual([0, 1]);
  });

  /** What is said of a field to who can't see it. */
  const described = async (id: string): Promise<string> => {
    const ids = (await page.locator(`#${id}`).getAttribute('aria-describedby')) ?? '';
    const texts = ids.split(' ').map((each) => page.locator(`#${each}`).textContent());
    return (await Promise.all(texts)).join(' ');
  };

  it('what was sent over HTTP is in the list, grouped, with how often it came', async () => {
    const disk = { title: 'Disk full', severity: 'critical', fingerprint: 'disk', hosts: ['db-1', 'db-2'] };
    await send({
      ...disk,
      service: 'database',
      monitoring_tool: 'Nagios',
      description: 'Less than 1 % is left on /var.',
      platform_environment_name: 'production',
      check: { command: 'disk', limits: [80, 99] },
    });
    await send({ title: 'Certificate expires soon', severity: 'medium', platform_environment_name: 'production' });
    await send({ title: 'Queue grows', severity: 'low', fingerprint: 'queue', platform_environment_name: 'staging' });
    await send(disk);
    await send(disk);
    await page.goto('/ada/engine');
    await follow('Alerts');
    expect(await heading()).toBe('Alerts');
    const row = page.getByRole('row', { name: /Disk full/ });
    const cells = (await row.getByRole('cell').allTextContents()).slice(1);
    expect(await row.getByRole('checkbox', { name: 'Choose Disk full' }).count()).toBe(1);
    expect(cells).toEqual([
      'critical',
      'Disk full',
      '3',
      expect.stringMatching(/^(?:just now|\d+ minutes? ago)$/),
      '#1',
      'triggered',
    ]);
    await keepScreenshot(page, 'alerts');
  });

  it('the list is searched, sorted and narrowed to a status', async () => {
    await page.goto(ALERTS);
    expect(await titles()).toEqual(['Queue grows', 'Certificate expires soon', 'Disk full']);
    await follow('Severity');
    expect(await titles()).toEqual(['Disk full', 'Certificate expires soon', 'Queue grows']);
    expect(await page.getByRole('columnheader', { name: 'Severity' }).getAttribute('aria-sort')).toBe('descending');
    await page.getByLabel('Search').fill('CERTIFICATE');
    await turnPage(page, () => page.keyboard.press('Enter'));
    expect(await titles()).toEqual(['Certificate expires soon']);
    await follow('Acknowledged (0)');
    expect(await page.getByText('No alerts here.').count()).toBe(1);
  });

  it('an alert tells all of itself: overview, payload, when it came and what became of it', async () => {
    await page.goto(ALERTS);
    await follow('Disk full');
    expect(await heading()).toBe('Disk full');
    const overview = await page.locator('dl').innerText();
    for (const told of ['db-1, db-2', 'database', 'Nagios', 'production', 'Less than 1 % is left on /var.'])
      expect(overview).toContain(told);
    await page.getByRole('img', { name: /Arrivals over time\. 3 in all/ }).waitFor();
    const value = page.getByRole('row', { name: /^check\.limits\.1 / }).getByRole('cell');
    expect(await value.textContent()).toBe('99');
    expect(await page.getByRole('row', { name: /It was counted/ }).count()).toBe(2);
    expect(await page.getByRole('row', { name: /It opened this alert/ }).count()).toBe(1);
    await keepScreenshot(page, 'alert', 1_500);
  });

  it('its status is changed, resolving it closes its incident, and the incident has a page', async () => {
    await page.goto(ALERTS);
    await follow('Disk full');
    await page.getByLabel('Status').selectOption('acknowledged');
    await submit('Change');
    expect(await page.getByLabel('Status').inputValue()).toBe('acknowledged');
    await page.getByLabel('Status').selectOption('resolved');
    await submit('Change');
    await follow('#1');
    expect(await heading()).toBe('Disk full');
    await page.getByText('· closed').waitFor();
    await page.getByText('closed: alert ^alert#1 was resolved').waitFor();
    await page.goto(ALERTS);
    expect(await titles()).not.toContain('Disk full');
    await follow('Resolved (1)');
    expect(await titles()).toEqual(['Disk full']);
  });

  it('environments are listed with the open and with all alerts that named them', async () => {
    await page.goto(ALERTS);
    await follow('Environments');
    const cells = async (name: string) => page.getByRole('row', { name }).getByRole('cell').allTextContents();
    expect(await cells('production')).toEqual(['1', '2']);
    expect(await cells('staging')).toEqual(['1', '1']);
  });

  it('many alerts stand on several pages', async () => {
    for (let number = 1; number <= 21; number += 1) await send({ title: `Probe ${number}`, fingerprint: `p${number}` });
    await page.goto(`${ALERTS}?search=probe`);
    expect((await titles())[0]).toBe('Probe 21');
    await follow('Next page');
    expect((await titles()).at(-1)).toBe('Probe 1');
    await follow('Previous page');
    expect((await titles())[0]).toBe('Probe 21');
  });

  it('a developer sends a test alert, and is told beside the field what is no JSON', async () => {
    await reopenAs(linus);
    await page.goto(SETTINGS);
    expect(await page.getByLabel('Authorization Key').count()).toBe(0);
    await page.getByLabel('Test payload').fill('{"title": nothing}');
    await submit('Send test alert');
    expect(await described('payload')).toContain('The payload is not valid JSON.');
    expect(await page.getByLabel('Test payload').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Test payload').inputValue()).toBe('{"title": nothing}');
    await page.getByLabel('Test payload').fill('{"title": "A trial"}');
    await submit('Send test alert');
    expect(await page.getByRole('status').textContent()).toContain('The test alert was taken');
    await page.goto(ALERTS);
    expect(await titles()).toContain('A trial');
  });

  it('the list brings what is new by itself, and takes nothing from who is reading or typing', async () => {
    await page.clock.install();
    await page.goto(ALERTS);
    await page.getByLabel('Search').fill('half a wo');
    await page.evaluate('window.scrollTo(0, 200)');
    await send({ title: 'It came meanwhile' });
    await page.clock.fastForward(HALF_MINUTE);
    await page.getByRole('link', { name: 'It came meanwhile' }).waitFor();
    expect(await page.evaluate('[window.scrollY, document.activeElement.id]')).toEqual([200, 'search']);
    expect(await page.getByLabel('Search').inputValue()).toBe('half a wo');
    const read = page.getByRole('link', { name: 'Probe 20' });
    await read.focus();
    await send({ title: 'So did this' });
    await page.clock.fastForward(HALF_MINUTE);
    await page.getByRole('link', { name: 'So did this' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Probe 20');
  });

  it('an alert counts on while it is read, and a status that was chosen but not yet sent stays chosen', async () => {
    await page.clock.install();
    await page.goto(`${ALERTS}?search=Queue`);
    await follow('Queue grows');
    await page.getByLabel('Status').selectOption('ignored');
    await send({ fingerprint: 'queue' });
    await page.clock.fastForward(HALF_MINUTE);
    await page.getByRole('row', { name: /It was counted/ }).waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('ignored');
  });

  it('whoever was signed out meanwhile keeps the page that he reads', async () => {
    await page.clock.install();
    await page.goto(ALERTS);
    const before = await titles();
    await context.clearCookies();
    const asked = page.waitForResponse((response) => response.url().includes('/users/sign_in'));
    await page.clock.fastForward(HALF_MINUTE);
    await asked;
    expect(await titles()).toEqual(before);
  });

  it('without scripts everything works, and the browser itself is asked to look again', async () => {
    await reopenAs(linus, { javaScriptEnabled: false });
    await page.goto(`${ALERTS}?search=Certificate`);
    await follow('Certificate expires soon');
    expect(await page.locator('meta[http-equiv="refresh"]').getAttribute('content')).toBe('30');
    await page.getByLabel('Status').selectOption('acknowledged');
    await submit('Change');
    await page.goto(`${ALERTS}?tab=acknowledged`);
    expect(await titles()).toEqual(['Certificate expires soon']);
  });

  it('the keyboard alone leads from the list to an alert and changes its status', async () => {
    await page.goto(`${ALERTS}?search=trial`);
    await tabTo('A trial');
    await turnPage(page, () => page.keyboard.press('Enter'));
    expect(await heading()).toBe('A trial');
    await tabTo('Status');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await turnPage(page, () => page.keyboard.press('Enter'));
    expect(await page.getByLabel('Status').inputValue()).toBe('acknowledged');
  });

  /** Presses Tab until what has this text, or this label, has the focus, and shows it. */
  const tabTo = async (text: string): Promise<void> => {
    const focused =
      "(({ textContent, labels, tagName }) => tagName === 'SELECT' ? labels[0].textContent : textContent)";
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(`${focused}(document.activeElement)`)) !== text) continue;
      const { outlineStyle, boxShadow } = await page.evaluate<{ outlineStyle: string; boxShadow: string }>(
        '(({ outlineStyle, boxShadow }) => ({ outlineStyle, boxShadow }))(getComputedStyle(document.activeElement))',
      );
      expect([outlineStyle, boxShadow]).not.toEqual(['none', 'none']);
      return;
    }
    throw new Error(`Tab never reached ${text}.`);
  };

  it.each(['light', 'dark'] as const)(
    'on a phone nothing is wider than the screen, and titles are in sight, %s',
    async (colorScheme) => {
      await reopenAs(grace, { viewport: PHONE, colorScheme });
      for (const path of [ALERTS, `${ALERTS}?tab=all`, `${ALERTS}/1/details`, `${ALERTS}/environments`, SETTINGS]) {
        await page.goto(path);
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, PHONE.width]);
      }
      await page.goto(ALERTS);
      const title = await page.locator('tbody td.name').first().boundingBox();
      expect((title?.x ?? 0) + (title?.width ?? PHONE.width)).toBeLessThanOrEqual(PHONE.width);
    },
  );

  it.each(['light', 'dark'] as const)('every state can be read against its background, %s', async (colorScheme) => {
    await reopenAs(grace, { colorScheme });
    for (const path of [`${ALERTS}?tab=all&sort=status&page=2`, `${ALERTS}/1/details`, SETTINGS]) {
      await page.goto(path);
      const contrasts = await page.evaluate<[string, number][]>(
        `(${CONTRASTS})([...document.querySelectorAll('.badge')])`,
      );
      expect(contrasts.length).toBeGreaterThan(0);
      for (const [text, contrast] of contrasts) expect([path, text, contrast >= 4.5]).toEqual([path, text, true]);
    }
  });
});

/** Runs in the page: how far the colour of each element stands out from what is behind it (WCAG 2.2, 1.4.3). */
const CONTRASTS = `(elements) => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [red, green, blue] = channels(color).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    if (element === null) return 'rgb(255, 255, 255)';
    const { backgroundColor } = getComputedStyle(element);
    return channels(backgroundColor)[3] === 0 ? behind(element.parentElement) : backgroundColor;
  };
  return elements.map((element) => {
    const [low, high] = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort((a, b) => a - b);
    return [element.textContent, (high + 0.05) / (low + 0.05)];
  });
}`;
