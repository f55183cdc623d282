import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cleanFileName } from '../../../src/domain/shared/file-name.js';
import { markdownOf, uploadAddress } from '../../../src/domain/uploads/upload.js';
import { anyText } from '../../support/any-text.js';

it.each([
  ['plan.txt', 'plan.txt'],
  ['Größe 1 (2).png', 'Größe 1 (2).png'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\plan.txt', 'plan.txt'],
  ['a"b\'c`.txt', 'a_b_c_.txt'],
  ['a\r\nX: b\0.txt', 'a__X: b_.txt'],
  ['gpj.\u202eexe', 'gpj._exe'],
  ['', 'file'],
  [' ', 'file'],
  ['.', 'file'],
  ['..', 'file'],
  ['a/', 'file'],
  ['…', '…'],
  ['\ud800.txt', '\ufffd.txt'],
  [`${'é'.repeat(300)}.tar.gz`, `${'é'.repeat(252)}.gz`],
])('calls %j %j', (sent, kept) => {
  expect(cleanFileName(sent)).toBe(kept);
});

it('gives every file a name that harms no address, header or page, however it is called', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 400 }), (sent) => {
      const name = cleanFileName(sent);
      expect(name).not.toMatch(/[\p{Cc}/\\"'`\u2028-\u202e\u2066-\u2069]/u);
      expect(Array.from(name).length).toBeGreaterThan(0);
      expect(Array.from(name).length).toBeLessThanOrEqual(255);
      expect(['.', '..']).not.toContain(name);
      expect(cleanFileName(name)).toBe(name);
      const address = uploadAddress({ secret: '0a'.repeat(16), fileName: name });
      expect(address).toMatch(/^\/uploads\/(?:0a){16}\/[\w.~%-]+$/);
      expect(decodeURIComponent(address.split('/').at(-1) ?? '')).toBe(name);
    }),
  );
});

it('is led to by Markdown that says its name, whatever the name means in Markdown', () => {
  const upload = { secret: '0a'.repeat(16), fileName: 'a](b)[\u00e9.png' };
  const address = `/uploads/${upload.secret}/a%5D%28b%29%5B%C3%A9.png`;
  expect(markdownOf(upload, false)).toBe(`[a\\](b)\\[é.png](${address})`);
  expect(markdownOf(upload, true)).toBe(`![a\\](b)\\[é.png](${address})`);
});
