import { Invalid } from '../../../../domain/shared/domain-error.js';
import type { WantedHeader } from '../../../../domain/webhooks/custom-headers.js';

const LINE = /^([^:\s]+):[ \t]*(.*)$/;

/** What a value is shown as that is not shown: no header can carry it. */
const HIDDEN_VALUE = '••••••••';

/**
 * As they are sent: a name, a colon and a value on a line. One whose value is hidden keeps it.
 * @throws Invalid at `custom_headers` for any other line.
 */
export const readHeaderLines = (text: string): readonly WantedHeader[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, name, value] = LINE.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new Invalid({ custom_headers: ['need a name, a colon and a value on each line'] });
      return { name, value: value === HIDDEN_VALUE ? null : value };
    });

/** The lines of headers that are there already. */
export const hiddenHeaderLines = (names: readonly string[]): string =>
  names.map((name) => `${name}: ${HIDDEN_VALUE}`).join('\n');
