import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ObjectId } from '../../../src/domain/repositories/object-id.js';
import { Markup } from '../../../src/adapters/inbound/http/pages/code/markup.js';

const ALLOWED_TAGS = new Set(
  'a blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img input label li ol p pre s span strong table tbody td th thead tr ul'.split(
    ' ',
  ),
);
const ALLOWED_ATTRIBUTES = new Set('alt checked class disabled href id loading rel src start title type'.split(' '));
const ADDRESS = /^(?:https?:|mailto:|\/|#|data:image\/(?:png|gif|jpeg|webp);base64,)/i;

/** What people who want to be markup would write. */
const FRAGMENTS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](<java\nscript:alert(1)>)',
  '![a](x "onerror=alert(1)")',
  '[a](/b "\' onclick=alert(1)")',
  '<a href="vbscript:x">',
  '[x]: data:text/html,<script>',
  '`` ` <b> ``',
  '```js" onclick="x\n<b>\n```',
  '#12',
  '#12<b>',
  '@ada',
  '@ada"onclick=',
  '%1',
  '- [ ] <b>',
  '- [x] #12 @ada',
  '| a | <b> |\n|---|:--|\n| `<i>` | #12 |',
  'https://example.com/"><b>',
  '<https://example.com/#12>',
  '&lt;script&gt;&#60;b>',
  '[#12](https://example.com/)',
  '\n\n',
  '    <b>',
  '> ',
  '# <b>',
];

describe('Markdown', () => {
  const markup = new Markup();
  afterAll(() => markup.close());
  const place = {
    blobs: '/ada/mill/-/blob/main',
    raws: '/ada/mill/-/raw/main',
    folder: '',
    site: '',
    project: '/ada/mill',
    references: { '#12': '/ada/mill/-/issues/12', '@ada': '/ada', '%1': '/ada/mill/-/milestones/1' },
    closed: ['https://gatehouse.example/ada/mill/-/alert_management'],
  };
  const render = async (text: string): Promise<string> => (await markup.prose('project 1', text, place)) ?? '';

  it('leads to attached files of its project, and to those that are named with theirs', async () => {
    const file = `/uploads/${'0123456789abcdef'.repeat(2)}/a%20b.png`;
    expect(await render(`![a b](${file}) [c](${file})`)).toBe(
      `<p><img src="/ada/mill${file}" alt="a b" loading="lazy"> <a href="/ada/mill${file}">c</a></p>\n`,
    );
    expect(await render(`![](/grace/works/loom${file})`)).toContain(`src="/grace/works/loom${file}"`);
    for (const other of ['/uploads/a.png', file.slice(0, 41), `${file}/c`, file.slice(1), `//evil.example${file}`])
      expect(await render(`[c](${other})`)).not.toMatch(/href="\/(?:ada\/mill\/)?uploads/);
    const elsewhere = await markup.markdown('project 1', '1'.repeat(40) as ObjectId, `![c](${file})`, {
      blobs: '/b',
      raws: '/r',
      folder: '',
    });
    expect(elsewhere).toContain(`src="/r${file}"`);
    const mail = { ...place, site: 'https://gatehouse.example' };
    expect(await markup.prose('project 1', `![c](${file})`, mail)).toContain(
      `src="https://gatehouse.example/ada/mill${file}"`,
    );
  });

  it('whatever is written, becomes tags, attributes and addresses of a closed list alone', async () => {
    const piece = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS) }, fc.string({ maxLength: 12 }));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.constantFrom('', ' ', '\n'), async (pieces, joint) => {
        const html = await render(pieces.join(joint));
        for (const [, tag, rest] of html.matchAll(/<\/?([a-z][a-z0-9]*)((?:\s[^<>]*)?)\/?>/gi)) {
          expect(ALLOWED_TAGS).toContain(tag);
          for (const [, name, value] of (rest ?? '').matchAll(/\s([^\s=]+)="([^"]*)"/g)) {
            expect(ALLOWED_ATTRIBUTES).toContain(name);
            if (name === 'href' || name === 'src') expect(value).toMatch(ADDRESS);
          }
          expect((rest ?? '').replaceAll(/\s[^\s=]+="[^"]*"/g, '').trim()).toMatch(/^(?:disabled|checked)?$/);
        }
        // What opens a tag is one that was looked at.
        expect(html.replaceAll(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/gi, '')).not.toMatch(/[<>]/);
      }),
      { numRuns: 300 },
    );
  });

  it('links what a text names, where it is there, but not in code or in another link', async () => {
    expect(await render('See #12, @Ada. and %1')).toBe(
      '<p>See <a href="/ada/mill/-/issues/12">#12</a>, <a href="/ada">@Ada</a>. and <a href="/ada/mill/-/milestones/1">%1</a></p>\n',
    );
    expect(await render('#13 `#12` a#12 x@ada')).toBe('<p>#13 <code>#12</code> a#12 x@ada</p>\n');
    expect(await render('[#12](https://example.com/)')).toContain('>#12</a>');
    expect(await render('- [x] done #12')).toContain('type="checkbox"');
  });

  it('repeats what references lead to until that is as long as the text, and then shows their words alone', async () => {
    const [address, title] = ['x'.repeat(5_000), 'y'.repeat(5_000)];
    for (const use of ['[a]', '![a]', '![a][a]', '[![b]][a]']) {
      const text = `[a]: <${address}> "${title}"\n[b]: ${address}\n\n${`${use}\n\n`.repeat(2_000)}`;
      for (const html of [await render(text), await markup.loose('project 1', text, 'commonmark')]) {
        expect(html!.length).toBeLessThan(6 * text.length + 400_000);
        expect([html!.includes(address), html!.slice(-200).includes(address)]).toEqual([true, false]);
        expect(html!.slice(-40)).toMatch(/[ab](?:<\/span>)?<\/p>\n$/);
      }
    }
  });

  it('shows an address that the reader may not open as text', async () => {
    const address = 'https://gatehouse.example/ada/mill/-/alert_management/1/details';
    expect(await render(`[the alert](${address})`)).toBe('<p><span>the alert</span></p>\n');
  });
});
