import type { ElementHandle, Locator, Page } from 'playwright-core';
import { turnPage } from './browser.js';

/** What a person points at: what it is, and what it is called. */
export type Target = readonly [role: 'link' | 'button', name: string];

/** How a person uses a page. */
export interface Hands {
  readonly page: Page;
  /** Follows a link or presses a button that leads to another page. */
  press(...target: Target): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  /** A day of the form YYYY-MM-DD. */
  fillDay(label: string, day: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  /** @param group what the box stands in, where others are called the same. */
  check(label: string, group?: string): Promise<void>;
  /** Opens what is folded away. */
  unfold(summary: string): Promise<void>;
}

const targetOn = (page: Page, [role, name]: Target): Locator => page.getByRole(role, { name, exact: true }).first();
const fieldOn = (page: Page, label: string): Locator => page.getByRole('main').getByLabel(label, { exact: true });
const boxOn = (page: Page, label: string, group?: string): Locator =>
  group === undefined
    ? fieldOn(page, label)
    : page.getByRole('group', { name: group, exact: true }).getByLabel(label, { exact: true });
const summaryOn = (page: Page, words: string): Locator => page.locator('summary', { hasText: words });

/** Somebody who points and types. */
export const pointingHands = (page: Page): Hands => ({
  page,
  press: (...target) => turnPage(page, () => targetOn(page, target).click()),
  fill: (label, text) => fieldOn(page, label).fill(text),
  fillDay: (label, day) => fieldOn(page, label).fill(day),
  choose: async (label, option) => {
    await fieldOn(page, label).selectOption(option);
  },
  check: (label, group) => boxOn(page, label, group).check(),
  unfold: (summary) => summaryOn(page, summary).click(),
});

/** More presses of Tab than any page has places to stop at. */
const MOST_TABS = 300;

/** Somebody who has a keyboard and nothing else: whatever Tab doesn't reach is not there for them. */
export const typingHands = (page: Page): Hands => {
  const { keyboard } = page;
  const reach = async (target: Locator): Promise<void> => {
    // Found once, and not at each stop: roles and names are read from the whole page.
    const find = async (): Promise<ElementHandle> => {
      await target.waitFor();
      return (await target.elementHandle())!;
    };
    let element = await find();
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      const { isThere, hasFocus } = await element.evaluate((node) => ({
        isThere: node.isConnected === true,
        hasFocus: node === node.ownerDocument?.activeElement,
      }));
      if (hasFocus) return;
      // What is new took its place, as in a list that looks again.
      if (!isThere) element = await find();
      await keyboard.press('Tab');
    }
    throw new Error(`Tab never reaches ${String(target)} on ${page.url()}`);
  };
  return {
    page,
    press: async (...target) => {
      await reach(targetOn(page, target));
      await turnPage(page, () => keyboard.press('Enter'));
    },
    fill: async (label, text) => {
      await reach(fieldOn(page, label));
      await keyboard.press('Control+A');
      await keyboard.type(text);
    },
    fillDay: async (label, day) => {
      await reach(fieldOn(page, label));
      const [year = '', month = '', date = ''] = day.split('-');
      // As the field asks for it in American English.
      await keyboard.type(`${month}${date}${year}`);
    },
    choose: async (label, option) => {
      await reach(fieldOn(page, label));
      await keyboard.type(option);
    },
    check: async (label, group) => {
      await reach(boxOn(page, label, group));
      await keyboard.press('Space');
    },
    unfold: async (summary) => {
      await reach(summaryOn(page, summary));
      await keyboard.press('Enter');
    },
  };
};
