import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { logText } from '../../../src/adapters/inbound/http/pages/pipelines/log-text.js';

describe('the log of a job as text', () => {
  it.each([
    ['plain\nlines\n', 'plain\nlines\n'],
    ['\u001b[32;1m$ make\u001b[0;m\n', '$ make\n'],
    ['section_start:1795801449:get_sources\r\u001b[0K\u001b[36;1mGetting\u001b[0;m\n', 'Getting\n'],
    ['a\nsection_end:1795801449:x\r\u001b[0Ksection_start:1:y\r\u001b[0Kb\n', 'a\nb\n'],
    ['10 %\r50 %\r100 %\ndone\r\n', '100 %\ndone\n'],
    ['<script>&amp;\n', '<script>&amp;\n'],
  ])('of %j is %j', (log, text) => {
    expect(logText(log)).toBe(text);
  });

  it('keeps every line, and none that would lead a terminal astray', () => {
    const piece = fc.constantFrom('a', '\n', '\r', '\u001b[1m', '\u001b[2J', 'section_start:1:x\r', 'ü');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const log = pieces.join('');
        const text = logText(log);
        expect(text).not.toMatch(/[\r\u001b]/);
        expect(text.split('\n').length).toBe(log.split('\n').length);
      }),
    );
  });
});
