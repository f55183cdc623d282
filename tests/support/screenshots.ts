import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));

/** Writes a picture of the page to `docs/images/` when `UPDATE_SCREENSHOTS` is `true`. */
export const keepScreenshot = async (page: Page, name: string, height = 640): Promise<void> => {
  if (process.env['UPDATE_SCREENSHOTS'] !== 'true') return;
  const before = page.viewportSize();
  await page.setViewportSize({ width: 900, height });
  await page.screenshot({ path: `${IMAGES}${name}.png` });
  // What the test measures next, it measures in its own window.
  if (before !== null) await page.setViewportSize(before);
};
