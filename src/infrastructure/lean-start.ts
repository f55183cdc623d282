import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/** Beside what was built: whoever may write there may change the program itself. Where nobody may, there is no cache. */
const COMPILED = fileURLToPath(new URL('../.compiled', import.meta.url));

/** How many times as large the space of young objects may become when many of them live. */
export const setYoungGrowth = (times: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${times}`);

/**
 * Loading the modules allocates a lot that is garbage a moment later, for which the engine would double the space of young
 * objects again and again and never give it back: some 15 MB that an idle process keeps. To be called before they are loaded.
 * They are compiled by the first start alone.
 */
export const beginLeanStart = (): void => {
  setYoungGrowth(1);
  module.enableCompileCache(COMPILED);
};
