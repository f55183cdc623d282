import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

/** Beside what was built: whoever may write there may change the program itself. Where nobody may, there is no cache. */
const COMPILED = fileURLToPath(new URL('../.compiled', import.meta.url));

/** How many times as large the space of young objects may become when many of them live. */
export const setYoungGrowth = (times: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${times}`);

/**
 * Of so small a space little lives on: to wake other threads for it, and to wait until they have had a processor, takes longer than
 * to collect it alone (`docs/performance.md`).
 */
export const collectYoungAlone = (): void => setFlagsFromString('--no-parallel-scavenge');

/** Those of the engine that make code faster which runs often. */
const COMPILERS = ['sparkplug', 'maglev', 'turbofan'];

const setCompilers = (are: 'off' | 'on'): void =>
  COMPILERS.forEach((name) => setFlagsFromString(are === 'on' ? `--${name}` : `--no-${name}`));

/**
 * Loading the modules allocates a lot that is garbage a moment later, for which the engine would double the space of young
 * objects again and again and never give it back: some 15 MB that an idle process keeps. And it would make code faster that never
 * runs again, with compilers that take 10 MB by that. To be called before they are loaded. They are compiled by the
 * first start alone.
 */
export const beginLeanStart = (): void => {
  setYoungGrowth(1);
  setCompilers('off');
  module.enableCompileCache(COMPILED);
};

/** To be called when there is something to do beyond the start. */
export const endLeanStart = (): void => setCompilers('on');
