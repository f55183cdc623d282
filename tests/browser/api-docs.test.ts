import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { PASSWORD } from '../support/form-browser.js';
import { keepScreenshot } from '../support/screenshots.js';
import { TestService, type TestUser } from '../support/test-service.js';

const PHONE = { width: 375, height: 700 };

describe('the pages of the API', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let ada: TestUser;
  const complaints: string[] = [];
  const asked = new Set<string>();

  beforeAll(async () => {
    service = await TestService.start('sqlite::memory:');
    ada = await service.addUser('ada', { password: PASSWORD });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  const open = async (options: { readonly javaScriptEnabled?: boolean } = {}): Promise<void> => {
    page = await (await browser.newContext({ baseURL: service.url, ...options })).newPage();
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
  };
  beforeEach(() => open());

  const send = async (): Promise<string> => {
    const status = page.locator('#try').getByRole('status');
    await page.getByRole('button', { name: 'Send' }).click();
    await status.getByText(/^\d{3} /).waitFor();
    return (await status.textContent()) ?? '';
  };

  it('are linked from the footer, searched, and try an operation by a token', async () => {
    await page.goto('/');
    await page.locator('footer').getByRole('link', { name: 'API' }).click();
    await page.getByLabel('Search operations').fill('post groups');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Create a group, at the top or below another' }).click();
    expect(new URL(page.url()).pathname).toBe('/api/docs/createGroup');
    await page.getByLabel('Token for trying').fill(ada.token);
    await page.getByLabel('name', { exact: true }).fill('Tried');
    await page.getByLabel('path', { exact: true }).fill('tried');
    const answer = await send();
    expect(answer).toMatch(/^201 /);
    expect(answer).toContain('"full_path": "tried"');
    await keepScreenshot(page, 'api-docs');
  });

  it('encode what stands in a path', async () => {
    await page.goto('/api/docs/getGroup');
    await page.getByLabel('id', { exact: true }).fill('no/such');
    expect(await send()).toContain('404 Group Not Found');
  });

  it('send requests as whoever is signed in, who may change things', async () => {
    await page.goto('/users/sign_in?return_to=/api/docs/createProject');
    await page.getByLabel('Username or email').fill('ada');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('#body-name').fill('By hand');
    expect(await send()).toContain('"path_with_namespace": "ada/by-hand"');
  });

  it.each(['/api/docs', '/api/docs?tag=Merge+requests', '/api/docs?search=a', '/api/docs/createProject'])(
    '%s fits the window of a phone',
    async (path) => {
      await page.setViewportSize(PHONE);
      await page.goto(path);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    },
  );

  it('can be read without scripts, with schemas, examples and a command', async () => {
    await open({ javaScriptEnabled: false });
    await page.goto('/api/docs/getGroup');
    const text = (await page.getByRole('main').textContent()) ?? '';
    for (const words of [
      '/groups/{id}',
      'full_path',
      '"full_path": "engines/compiler"',
      'curl --header "PRIVATE-TOKEN: $TOKEN"',
    ])
      expect(text).toContain(words);
    expect(await page.getByRole('button', { name: 'Send' }).isVisible()).toBe(false);
  });

  it('ask nobody but this service', () => {
    expect([...asked]).toEqual([service.url]);
    expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  });
});
