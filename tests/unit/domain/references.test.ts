import { describe, expect, it } from '@jest/globals';
import { mayNameSubjects, textReferences } from '../../../src/domain/collaboration/references.js';

const named = (text: string) =>
  textReferences(text).map(({ kind, project, iid }) => `${project ?? ''}${kind === 'issue' ? '#' : '!'}${iid}`);

describe('what a text names', () => {
  it('is issues and merge requests, of its own project or of another by its path, each once', () => {
    expect(named('See #1, !2 and works/mill#3; again #1, and works/mill/loom!4.')).toEqual([
      ...['#1', '!2', 'works/mill#3', 'works/mill/loom!4'],
    ]);
  });

  it('is nothing within words, addresses and code', () => {
    for (const text of ['a#1', '#1a', 'https://example.com/a#1', '`#1`', '```\n#1\n```', '&#33;', '##1', '# 1', '!a'])
      expect([text, named(text)]).toEqual([text, []]);
  });

  it('is the first fifty of them', () => {
    const text = Array.from({ length: 80 }, (_, index) => `#${index + 1}`).join(' ');
    expect(named(text)).toHaveLength(50);
  });

  it('is found in little time, however a text is made', () => {
    const begun = performance.now();
    for (const part of ['a', 'a/', 'a/a.', '#', '#1a', '/a#', '-.'])
      expect(named(part.repeat(20_000 / part.length))).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it('is looked for where there may be something', () => {
    expect([mayNameSubjects('See #1'), mayNameSubjects('a!2'), mayNameSubjects('Nothing # here!')]).toEqual([
      ...[true, true, false],
    ]);
  });
});
