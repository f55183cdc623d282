import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { FormBrowser } from './form-browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** WCAG 2.2 AA, and what axe holds for good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A window that is looked at a page in. */
export interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

export const LOOKS: readonly Look[] = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  // A tablet: between what has the links of the frame in a row and a phone.
  { width: 800, scheme: 'light' },
  { width: 375, scheme: 'light' },
  { width: 375, scheme: 'dark' },
];

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** The browser compiles a script once, and anew for each page what is evaluated there: that took half as long as axe itself. */
const loadAxe = async (page: Page): Promise<void> => {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  await (await session).send('Runtime.evaluate', { expression: AXE });
};

const askAxe = (page: Page, rules: readonly string[]): Promise<readonly string[]> =>
  page.evaluate(`(async () => {
    const { violations } = await axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | '));
  })()`);

/**
 * What axe finds wrong with the page that is open, and whether it is wider than the window, however it is looked at.
 * @param held in which of these windows axe is asked; it takes much longer than a page does.
 */
export const examine = async (page: Page, looks: readonly Look[] = LOOKS, held = looks): Promise<readonly string[]> => {
  const found: string[] = [];
  const widths = new Set<number>();
  await loadAxe(page);
  // From the window that the page before was looked at last in: to draw a page in another one takes as long as to open it.
  const isThere = page.viewportSize()?.width === looks.at(-1)?.width;
  for (const look of isThere ? looks.toReversed() : looks) {
    const { width, scheme } = look;
    // In other colors of the same window everything else is as it was.
    const rules = widths.has(width) ? ['color-contrast'] : TAGS;
    if (held.includes(look)) widths.add(width);
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    if (held.includes(look)) {
      const violations = await askAxe(page, rules);
      found.push(...violations.map((violation) => `${width} ${scheme} ${violation}`));
    }
    const wide = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (wide > 0) found.push(`${width} ${scheme} scrolls sideways by ${wide} px`);
  }
  return found;
};

/** What is wrong with pages, by their address. */
export type Findings = Readonly<Record<string, readonly string[]>>;

/** Opens pages in a real browser as somebody, several at once, and tells what the browser complains of and whom it asks. */
export class PageSurvey {
  constructor(
    private readonly browser: Browser,
    private readonly origin: string,
    private readonly tabs = 3,
  ) {}

  /** @param look further at each page once it is there. */
  async open(
    viewer: FormBrowser,
    pages: readonly string[],
    look: (page: Page, address: string) => Promise<readonly string[]> = () => Promise.resolve([]),
  ): Promise<Findings> {
    const context = await this.browser.newContext({ baseURL: this.origin });
    const url = this.origin;
    await context.addCookies([...viewer.cookies].map(([name, value]) => ({ name, value, url })));
    const findings: Record<string, readonly string[]> = {};
    const waiting = [...pages];
    const work = async (): Promise<void> => {
      const complaints: string[] = [];
      const page = await this.#openTab(context, complaints);
      for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
        complaints.length = 0;
        const answer = await page.goto(address);
        if (answer?.status() !== 200) complaints.push(`is answered with ${answer?.status() ?? 'nothing'}`);
        // What a page of theirs is not is one where they are asked to sign in.
        const [path] = address.split('?', 1);
        if (new URL(page.url()).pathname !== path) complaints.push(`leads to ${page.url()}`);
        complaints.push(...(await look(page, address)));
        if (complaints.length > 0) findings[address] = [...complaints];
      }
    };
    await Promise.all(Array.from({ length: this.tabs }, work));
    await context.close();
    return findings;
  }

  async #openTab(context: BrowserContext, complaints: string[]): Promise<Page> {
    const page = await context.newPage();
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== this.origin) complaints.push(`asks ${request.url()}`);
    });
    return page;
  }
}
