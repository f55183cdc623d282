import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { FormBrowser } from '../support/form-browser.js';
import { TestService } from '../support/test-service.js';

describeEachDatabase('what pages load', (openTestDatabase) => {
  let service: TestService;
  let browser: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    browser = new FormBrowser(service.url);
  });
  afterAll(() => service.close());

  it('is one stylesheet, at an address that its content gives it, so that browsers keep it for a year', async () => {
    const html = await (await browser.get('/')).text();
    const sheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(([, address = '']) => address);
    expect(sheets).toEqual([expect.stringMatching(/^\/assets\/[0-9a-f]{16}-gatehouse\.css$/)]);
    const response = await browser.get(sheets[0] ?? '');
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await response.text()).toContain('.tabs.place');
    expect((await browser.get('/assets/0000000000000000-gatehouse.css')).status).toBe(404);
  });
});
