import { expect, it } from '@jest/globals';
import { MAX_NOTE } from '../../../src/domain/collaboration/note.js';
import { withProjectNamed } from '../../../src/domain/collaboration/moved-references.js';

it('names the project of what a text names, but in code', () => {
  expect(withProjectNamed('See #12 and !3, not `#4` or a#5.', 'ada/loom')).toBe(
    'See ada/loom#12 and ada/loom!3, not `#4` or a#5.',
  );
});

it('says in which project an attached file lies', () => {
  const file = `/uploads/${'0a'.repeat(16)}/a.png`;
  expect(withProjectNamed(`![a](${file}) \`${file}\` /ada/mill${file} #1`, 'ada/loom')).toBe(
    `![a](/ada/loom${file}) \`${file}\` /ada/mill${file} ada/loom#1`,
  );
  expect(withProjectNamed('/uploads/a.png', 'ada/loom')).toBe('/uploads/a.png');
});

it('leaves a text as it is that would become longer than a comment may be', () => {
  const text = '#1 '.repeat(33_000);
  expect(withProjectNamed(text, 'ada/loom').length).toBeLessThan(MAX_NOTE);
  expect(withProjectNamed(text, `${'group/'.repeat(20)}loom`)).toBe(text);
});
