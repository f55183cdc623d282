import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { TestService } from '../support/test-service.js';

describe('the page of the API', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await TestService.start('sqlite::memory:');
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  it('lets somebody read and try it, and asks nobody but this service', async () => {
    const ada = await service.addUser('ada');
    const page = await browser.newPage({ baseURL: service.url });
    const complaints: string[] = [];
    const asked = new Set<string>();
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => asked.add(new URL(request.url()).origin));

    await page.goto('/api/docs');
    await page.getByLabel('Token for trying').fill(ada.token);
    await page.locator('#createGroup summary').click();
    const creation = page.locator('details[open] form');
    await creation.locator('input[name="name"]').fill('Tried');
    await creation.locator('input[name="path"]').fill('tried');
    await creation.getByRole('button', { name: 'Send' }).click();
    await creation.getByRole('status').getByText('"full_path": "tried"').waitFor();
    expect(await creation.getByRole('status').textContent()).toMatch(/^201 /);

    await page.locator('#getGroup summary').click();
    const reading = page.locator('#getGroup form');
    await reading.locator('input[data-place="path"]').fill('no/such');
    await reading.getByRole('button', { name: 'Send' }).click();
    await reading.getByRole('status').getByText('404 Group Not Found').waitFor();

    expect([...asked]).toEqual([service.url]);
    expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
    if (process.env['SCREENSHOTS'] !== undefined) {
      await page.screenshot({ path: `${process.env['SCREENSHOTS']}/api-docs.png` });
    }
    await page.close();
  });

  it('can be read without scripts', async () => {
    const context = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/api/docs');
    await page.locator('#getGroup summary').click();
    expect(await page.locator('#getGroup').textContent()).toContain('/groups/{id}');
    expect(await page.locator('#getGroup button').isVisible()).toBe(false);
    await context.close();
  });
});
