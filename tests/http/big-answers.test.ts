import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertingProject, sendAlert, type IntegrationBody } from '../support/alerting.js';
import { describeEachDatabase } from '../support/databases.js';
import { PASSWORD, type FormBrowser } from '../support/form-browser.js';
import { signedIn } from '../support/oauth-client.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';

const ITEMS = 4;
const LENGTH = 300_000;
/** What a page has at most, whatever is stored. */
const MOST_HTML = 450_000;
/** Grows to five times its length as HTML. */
const MARKUP = `${"'".repeat(300_000)}END`;

/** A text of a number, whose every part is another. */
const textOf = (number: number): string =>
  Array.from({ length: LENGTH / 10 }, (_, index) => `${number}${index}ü${index}`.slice(0, 9).padEnd(10, '.')).join('');

interface Listed {
  readonly iid: number;
  readonly payload: unknown;
  readonly payload_omitted?: boolean;
  readonly payload_url?: string;
}

describeEachDatabase('answers that are big', (openTestDatabase) => {
  let service: TestService;
  let ada: TestUser;
  let place: AlertingProject;
  let integration: IntegrationBody;
  let browser: FormBrowser;
  const texts = Array.from({ length: ITEMS }, (_, number) => textOf(number));

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    ada = await service.addUser('ada', { password: PASSWORD });
    browser = await signedIn(service, 'ada');
    place = await AlertingProject.create(service, ada, 'engine');
    await place.call('PUT', '/alert_settings', { create_incident: false });
    integration = await place.integrate();
    const { body } = await place.call<{ id: number }>('POST', '/milestones', { title: 'M', description: texts[0] });
    for (const [number, text] of texts.entries()) {
      const fields = { title: `Issue ${number}`, description: text, milestone_id: body.id };
      await place.call('POST', '/issues', fields);
      await place.call('POST', '/issues/1/notes', { body: text });
    }
  });

  afterAll(() => service.close());

  describe('lists', () => {
    const list = <Item>(path: string) => place.call<Item[]>('GET', path);

    it('have every text whole, with the headers of every list', async () => {
      const issues = await list<{ description: string; milestone: { description: string } }>('/issues?sort=asc');
      expect(issues.body.map(({ description }) => description)).toEqual(texts);
      expect(new Set(issues.body.map(({ milestone }) => milestone.description))).toEqual(new Set([texts[0]]));
      expect([issues.headers.get('x-total'), issues.headers.get('content-type')]).toEqual([
        String(ITEMS),
        'application/json',
      ]);
      const second = await list<{ description: string }>('/issues?sort=asc&page=2&per_page=3');
      expect(second.body.map(({ description }) => description)).toEqual(texts.slice(3));
      expect([second.headers.get('x-page'), second.headers.get('link')]).toEqual([
        '2',
        expect.stringContaining('rel="prev"'),
      ]);
      const notes = await list<{ body: string }>('/issues/1/notes?sort=asc');
      expect(notes.body.map(({ body }) => body)).toEqual(texts);
      const milestones = await list<{ description: string }>('/milestones');
      expect(milestones.body.map(({ description }) => description)).toEqual([texts[0]]);
      const ofMilestone = await list('/milestones/1/issues');
      expect(ofMilestone.body).toHaveLength(ITEMS);
      const events = await list<{ note?: { body: string } }>('/events?sort=asc&target_type=note');
      expect(events.body.map(({ note }) => note?.body)).toEqual(texts);
      const cursored = await list<{ note?: { body: string } }>('/events?target_type=note&pagination=keyset&per_page=3');
      expect(cursored.body.map(({ note }) => note?.body)).toEqual(texts.slice(1).reverse());
      expect(cursored.headers.get('link')).toContain('cursor=');
    });

    it('answer HEAD with their headers and no body', async () => {
      const url = `${service.url}/api/v4/projects/${place.id}/issues`;
      const answer = await fetch(url, { method: 'HEAD', headers: { 'PRIVATE-TOKEN': ada.token } });
      expect([answer.status, answer.headers.get('x-total'), await answer.text()]).toEqual([200, String(ITEMS), '']);
    });
  });

  describe('lists of payloads', () => {
    const big = (title: string) => JSON.stringify({ title, padding: 'x'.repeat(40_000) });

    it('carry 64 KB of them, and lead to the others', async () => {
      for (const title of ['one', 'two', 'three']) await sendAlert(integration, big(title));
      await sendAlert(integration, { title: 'small' });
      const { body } = await place.call<Listed[]>('GET', '/alert_management_alerts?order_by=created_at&sort=asc');
      expect(body.map((alert) => [alert.payload !== null, alert.payload_omitted])).toEqual([
        [true, undefined],
        [false, true],
        [false, true],
        [true, undefined],
      ]);
      const omitted = body[1];
      expect(omitted?.payload_url).toBe(`${service.url}/api/v4/projects/${place.id}/alert_management_alerts/2`);
      const one = await fetch(omitted?.payload_url ?? '', { headers: { 'PRIVATE-TOKEN': ada.token } });
      expect(await one.json()).toMatchObject({ iid: 2, payload: JSON.parse(big('two')) as unknown });

      const path = `/alert_integrations/${integration.id}/deliveries`;
      const log = (await place.call<Listed[]>('GET', path)).body;
      expect(log.map(({ payload, payload_omitted }) => [payload !== null, payload_omitted])).toEqual([
        [true, undefined],
        [true, undefined],
        [false, true],
        [false, true],
      ]);
      const delivery = await fetch(log[3]?.payload_url ?? '', { headers: { 'PRIVATE-TOKEN': ada.token } });
      expect(await delivery.json()).toMatchObject({ payload: big('one') });
      expect((await place.call('GET', `${path}/999999`)).status).toBe(404);
    });
  });

  describe('pages', () => {
    const page = async (path: string): Promise<string> => {
      const response = await browser.get(path);
      const html = await response.text();
      expect([response.status, html.length < MOST_HTML]).toEqual([200, true]);
      return html;
    };
    /** Where the page says that the rest is. */
    const rest = async (html: string): Promise<string> => {
      const href = /href="([^"]+)">All of it, as JSON/.exec(html)?.[1] ?? '';
      return (await browser.get(new URL(href).pathname)).text();
    };

    it('show the beginning of a payload, and lead to all of it', async () => {
      const list = `{"title":"Wide","list":[${'1,'.repeat(400_000)}"END"]}`;
      const [{ iid }] = (await sendAlert(integration, list)).body as [{ iid: number }];
      const html = await page(`/ada/engine/-/alert_management/${iid}/details`);
      expect(html).toContain('list.100');
      expect(await rest(html)).toContain('"END"');
      const key = 'k'.repeat(300_000);
      const [{ iid: other }] = (await sendAlert(integration, { title: 'Key', [key]: { a: MARKUP, b: MARKUP } }))
        .body as [{ iid: number }];
      expect(await rest(await page(`/ada/engine/-/alert_management/${other}/details`))).toContain('END');
    });

    it('show the beginning of descriptions and comments, and lead to all of them', async () => {
      const { body } = await place.call<{ iid: number }>('POST', '/issues', { title: 'Long', description: MARKUP });
      expect(await rest(await page(`/ada/engine/-/issues/${body.iid}`))).toContain('END');
      const notes = await place.call<{ iid: number }>('POST', '/issues', { title: 'Discussed' });
      for (let number = 0; number < 12; number += 1)
        await place.call('POST', `/issues/${notes.body.iid}/notes`, { body: `Comment ${number} ${MARKUP}` });
      const html = await page(`/ada/engine/-/issues/${notes.body.iid}`);
      expect(html).toContain('Comment 7 ');
      expect(html).not.toContain('Comment 9 ');
      expect(await rest(html)).toContain('END');
      const [, later = ''] = /href="([^"]+)">Later comments</.exec(html) ?? [];
      const next = await page(later);
      expect([next.includes('Comment 9 '), next.includes('Comment 11 '), next.includes('Comment 1 ')]).toEqual([
        true,
        true,
        false,
      ]);
      const made = await place.call<{ iid: number }>('POST', '/milestones', { title: 'Long', description: MARKUP });
      expect(await rest(await page(`/ada/engine/-/milestones/${made.body.iid}`))).toContain('END');
    });

    it('show what is short whole, without a word of more', async () => {
      const { body } = await place.call<{ iid: number }>('POST', '/issues', { title: 'Short', description: 'Words' });
      expect(await page(`/ada/engine/-/issues/${body.iid}`)).not.toContain('as JSON');
    });
  });

  it('end for a reader who leaves, and go on for the others', async () => {
    const url = `${service.url}/api/v4/projects/${place.id}/issues`;
    const response = await new Promise<IncomingMessage>((resolve) =>
      get(url, { headers: { 'PRIVATE-TOKEN': ada.token } }, resolve),
    );
    response.once('error', () => undefined);
    response.once('data', () => response.destroy());
    const logged = service.logger.lines.length;
    const told = () => service.logger.lines.slice(logged).some(({ message }) => message === 'request');
    await until(() => Promise.resolve(told()));
    expect(service.logger.lines.slice(logged).filter(({ level }) => level === 'error')).toEqual([]);
    expect((await fetch(url, { headers: { 'PRIVATE-TOKEN': ada.token } })).status).toBe(200);
  });
});
