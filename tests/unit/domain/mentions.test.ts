import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_MENTIONS, mentionedNames, newlyMentionedNames } from '../../../src/domain/collaboration/mentions.js';
import { processorTime, QUICK_MS } from '../../support/quick.js';

describe('the people whom a text mentions', () => {
  it.each<[string, readonly string[]]>([
    ['Ask @ada, please.', ['ada']],
    ['(@ada) "@grace" @HEDY!', ['ada', 'grace', 'hedy']],
    ['Thank you @ada.', ['ada']],
    ['@ada.lovelace_1-x:', ['ada.lovelace_1-x']],
    ['@ada’s idea, *@grace*', ['ada', 'grace']],
    ['line one\n@ada\r\n@grace', ['ada', 'grace']],
    ['twice @ada and @Ada', ['ada']],
    ['mail ada@example.com or a.b+c@ada', []],
    ['https://social.example/@ada', []],
    ['the group @engines/analytical', []],
    ['é@ada and @adaé', []],
    ['@@ada @', []],
    ['`@ada` and ``a ` @grace`` but @hedy', ['hedy']],
    ['an open ` tick, @ada', ['ada']],
    ['```\n@ada\n```\n@grace', ['grace']],
    ['~~~ts\n@ada\n```\n@grace\n~~~~\n@hedy', ['hedy']],
    ['```\n@ada without an end', []],
    ['text\n\n    @ada in code\n\n@grace', ['grace']],
    ['a paragraph\n    @ada goes on', ['ada']],
  ])('%j: %j', (text, names) => {
    expect(mentionedNames(text)).toEqual(names);
  });

  it('are new in a text that was changed where it did not name them before', () => {
    expect(newlyMentionedNames('Ask @ada or `@grace`', '@ADA, @grace and @hedy')).toEqual(['grace', 'hedy']);
    expect(newlyMentionedNames('Ask @ada', '')).toEqual([]);
  });

  it('are bounded in number', () => {
    const text = Array.from({ length: 500 }, (_, number) => `@person${number}`).join(' ');
    expect(mentionedNames(text)).toHaveLength(MAX_MENTIONS);
  });

  it('are found in little time, whatever the text', () => {
    const hostile = ['`', '@', '``` `', '@a', '@a.', '    @', '`a``b```c', '~~~\n', '.@'].map((part) =>
      part.repeat(1_000_000 / part.length),
    );
    for (const text of hostile) expect(processorTime(() => mentionedNames(text))).toBeLessThan(QUICK_MS);
  });

  it('are names that the text holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('@', 'a', 'B', '.', '-', '`', '\n', ' ', '/', '~') }), (text) =>
        mentionedNames(text).every((name) => text.toLowerCase().includes(`@${name}`)),
      ),
    );
  });
});
