import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { BusyProject } from '../support/activity.js';
import { launchBrowser } from '../support/browser.js';
import { describeAnyDatabase } from '../support/databases.js';
import { keepScreenshot } from '../support/screenshots.js';
import { seedNotes } from '../support/seed-notes.js';
import { TestService, type TestUser } from '../support/test-service.js';

const DAY_MS = 86_400_000;
const PHONE = { width: 360, height: 740 };
const ACTIVITY = '/users/grace/activity';

describeAnyDatabase('what a person did, in a browser', (openTestDatabase) => {
  let service: TestService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let ada: TestUser;
  let grace: TestUser;
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    browser = await launchBrowser();
    ada = await service.addUser('ada');
    grace = await service.addUser('grace');
    const project = await BusyProject.create(service, ada, 'engine', 'public');
    await recordYear(project);
    await project.addMember(grace, 'developer');
    const { iid } = (await project.call('POST', '/issues', { title: 'The gears grind at noon' }, grace)).body;
    await project.call('POST', `/issues/${iid}/notes`, { body: 'Oil helped.\nFor an hour.' }, grace);
    await project.call('PUT', `/issues/${iid}`, { state_event: 'close' }, grace);
    await project.call('POST', '/milestones', { title: 'First run' }, grace);
  });

  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  /** More on weekdays than on weekends, and a spring without anything. */
  const recordYear = (project: BusyProject) => {
    const now = service.clock.now().getTime();
    const days = Array.from({ length: 360 }, (_, index) => index + 1).filter((day) => day < 200 || day > 250);
    return project.record(
      ...days.flatMap((day) => {
        const createdAt = new Date(now - day * DAY_MS);
        const weekend = createdAt.getUTCDay() % 6 === 0;
        const count = weekend ? Number(day % 5 === 0) : (day * 7) % 11;
        const target = { type: 'issue', id: day, iid: day, title: `Step ${day} of the long division` } as const;
        return Array.from({ length: count }, () => ({ authorId: grace.id, createdAt, target }));
      }),
    );
  };

  const open = async (options: Parameters<Browser['newContext']>[0] = {}, path = ACTIVITY): Promise<void> => {
    context = await browser.newContext({ baseURL: service.url, javaScriptEnabled: true, ...options });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(path);
  };

  afterEach(async () => {
    expect(complaints.splice(0)).toEqual([]);
    await context.close();
  });

  const follow = async (name: string): Promise<void> => {
    await Promise.all([page.waitForEvent('domcontentloaded'), page.getByRole('link', { name, exact: true }).click()]);
  };

  it('is found from the page of the person, and leads to what it is about', async () => {
    await open({}, '/grace');
    await follow('Activity');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Activity of grace Example');
    await keepScreenshot(page, 'activity', 900);
    const first = await page.locator('tbody td').first().boundingBox();
    const label = await page.locator('tbody th').first().boundingBox();
    expect(first?.x).toBeGreaterThan((label?.x ?? 0) + (label?.width ?? 0));
    await follow('First run (%1)');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('First run');
  });

  it('leads to the page of a conversation that has a comment, also by the address that clients are given', async () => {
    const [issue] = (await service.call<{ id: number }[]>('GET', '/projects/ada%2Fengine/issues')).body;
    const notes = await seedNotes(
      service,
      issue!.id,
      Array.from({ length: 150 }, (_, index) => `Turn ${index}`),
    );
    const last = notes.at(-1);
    await open({}, `/ada/engine/-/issues/1#note_${last}`);
    await page.waitForURL(`**/issues/1?note=${last}#note_${last}`);
    expect(await page.locator(`#note_${last}`).isVisible()).toBe(true);
    expect(await page.locator(`#note_${notes[0]}`).count()).toBe(0);
  });

  it('has a word for every day to who sees no colours, and a summary before them', async () => {
    await open();
    const today = service.clock.now().toISOString().slice(0, 10);
    const map = page.getByRole('region', { name: 'The last year' });
    expect(
      await map
        .getByRole('row', { name: /^Monday/ })
        .getByRole('cell')
        .count(),
    ).toBe(53);
    await map.getByText(`${today}: 5`, { exact: true }).waitFor();
    expect(await page.getByText(/entries on \d+ days; the busiest was/).count()).toBe(1);
    expect(await page.getByRole('list', { name: 'Entries a day' }).getByRole('listitem').allTextContents()).toEqual([
      ' none',
      ' 1–2',
      ' 3–5',
      ' 6–8',
      ' 9–10',
    ]);
  });

  it('pages to what is older and back, without scripts', async () => {
    await open({ javaScriptEnabled: false });
    await follow('Older');
    expect(await page.getByRole('region', { name: 'The last year' }).count()).toBe(0);
    await follow('Older');
    await follow('Newest');
    expect(await page.getByRole('region', { name: 'The last year' }).count()).toBe(1);
  });

  it.each(['light', 'dark'] as const)(
    'on a phone nothing is wider than the screen, and the map opens on the newest day, %s',
    async (colorScheme) => {
      await open({ viewport: PHONE, colorScheme });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      const today = service.clock.now().toISOString().slice(0, 10);
      const box = await page.locator(`td[title^="${today}"]`).boundingBox();
      expect(box?.x ?? -1).toBeGreaterThan(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
    },
  );

  it.each(['light', 'dark'] as const)('the shades of the map are told from one another, %s', async (colorScheme) => {
    await open({ colorScheme });
    const shades = await page.evaluate<string[]>(
      "[0, 1, 2, 3, 4].map((shade) => getComputedStyle(document.querySelector('td.shade-' + shade)).backgroundColor)",
    );
    expect(new Set(shades).size).toBe(5);
  });
});
