import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';

let browser: Browser;
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('Content-Security-Policy', "script-src 'none'");
    response.setHeader('Content-Type', 'text/html');
    response.end('<h1>Gatehouse</h1><script>document.querySelector("h1").textContent = "taken over"</script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  server.close();
});

it('the browser of the tests opens a page and keeps a content security policy', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  expect(await page.textContent('h1')).toBe('Gatehouse');
  await context.close();
});

it('a page of one origin may not read another: the same-origin policy is on', async () => {
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  const other = url.replace('127.0.0.1', 'localhost');
  expect((await page.goto(other))?.status()).toBe(200);
  await page.goto(url);
  const outcome = page.evaluate(`fetch(${JSON.stringify(other)}).then(() => 'read', () => 'refused')`);
  expect(await outcome).toBe('refused');
  await context.close();
});
