import { Invalid } from '../../../../domain/shared/domain-error.js';
import type { CustomHeader } from '../../../../domain/webhooks/custom-headers.js';

const LINE = /^([^:\s]+):[ \t]*(.*)$/;

/** As they are sent: a name, a colon and a value on a line. @throws Invalid at `custom_headers` for any other line. */
export const readHeaderLines = (text: string): readonly CustomHeader[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [, name, value] = LINE.exec(line) ?? [];
      if (name === undefined || value === undefined)
        throw new Invalid({ custom_headers: ['need a name, a colon and a value on each line'] });
      return { name, value };
    });
