import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FormBrowser } from '../support/form-browser.js';
import { TestService } from '../support/test-service.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const MOST_BYTES = 40 * 1_024;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');

describe('the pages of the API', () => {
  let service: TestService;
  let browser: FormBrowser;

  beforeAll(async () => {
    service = await TestService.start('sqlite::memory:');
    browser = new FormBrowser(service.url);
  });
  afterAll(() => service.close());

  const read = async (path: string) => {
    const response = await browser.get(path);
    return { status: response.status, html: await response.text() };
  };

  it('show every operation of the document, none of them half', async () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
    const ids = Object.values(paths).flatMap((operations) => Object.values(operations).map((each) => each.operationId));
    expect(ids.length).toBeGreaterThan(300);
    const { html: contents } = await read('/api/docs');
    const lists: string[] = [];
    for (const [, query] of contents.matchAll(/href="\/api\/docs\?(tag=[^"]+)"/g))
      lists.push((await read(`/api/docs?${query}`)).html);
    for (const id of ids) {
      expect([id, lists.filter((list) => list.includes(`href="/api/docs/${id}"`)).length]).toEqual([id, 1]);
      const { status, html } = await read(`/api/docs/${id}`);
      expect([id, status, /undefined|\[object/.test(html)]).toEqual([id, 200, false]);
    }
  });

  it('show what a request takes and what is answered, with an example of each and a command', async () => {
    const { html } = await read('/api/docs/createGroup');
    for (const words of ['parent_id', 'full_path', '"full_path": "engines/compiler"', '--request POST'])
      expect(html).toContain(escaped(words).replaceAll('"', '&quot;'));
    expect(html).toMatch(/--data &#39;{&quot;name&quot;:&quot;Engines&quot;/);
  });

  it('are searched by words of the address, the name and the summary', async () => {
    const { html } = await read('/api/docs?search=POST+groups');
    expect(html).toContain('/api/docs/createGroup');
    expect(html).not.toContain('/api/docs/getGroup"');
    expect((await read('/api/docs?search=nothing-of-it')).html).toContain('No operation has all of these words');
  });

  it('are small, whatever is asked for', async () => {
    for (const query of ['', '?search=a', '?search=/', '?tag=Projects']) {
      const { html } = await read(`/api/docs${query}`);
      expect([query, Buffer.byteLength(html) < MOST_BYTES]).toEqual([query, true]);
    }
    expect((await read('/api/docs?search=/')).html).toContain('Search for more words');
  });

  it('say so where there is no such operation, and leave the API what it was', async () => {
    for (const path of [
      '/api/docs/nothing',
      '/api/docs/constructor',
      '/api/docs/__proto__',
      '/api/docs/a/b',
      '/api/docs?tag=None',
    ])
      expect((await read(path)).status).toBe(404);
    const unknown = await read('/api/other');
    expect([unknown.status, unknown.html]).toEqual([404, '{"error":"404 Not Found"}']);
    expect((await read('/api/docsx')).html).toContain('404 Not Found');
  });
});
