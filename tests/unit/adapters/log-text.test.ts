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
    ['\u001b]0;a title\u0007a\u001b]8;;https://there.example\u001b\\link\u001b]8;;\u001b\\\n', 'alink\n'],
    ['\u001b(Ba\u001b7b\u009b31mc\u001b[?25l\u001b[38;5;196md\n', 'abcd\n'],
    ['\u001b]never ends\n\u001b[1\n\u001b', 'never ends\n1\n'],
    ['section_start:1:steps[collapsed=true]\r\u001b[0KSteps\n', 'Steps\n'],
  ])('of %j is %j', (log, text) => {
    expect(logText(log)).toBe(text);
  });

  it.each([
    '\u001b]',
    '\u001b];',
    '\u001b]a/',
    '\u001b[',
    '\u001b[0;',
    '\u009b1',
    '\u001b(',
    'section_start:1:',
    'section_start:1:a',
  ])('is made of 200,000 characters of %j in linear time', (piece) => {
    const log = piece.repeat(200_000 / piece.length);
    expect(logText(`${log}\nend`)).toMatch(/\nend$/);
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
