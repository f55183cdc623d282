import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ObjectId } from '../../../src/domain/repositories/object-id.js';
import { Markup } from '../../../src/adapters/inbound/http/pages/code/markup.js';

const ALLOWED_TAGS = new Set(
  'a blockquote br code del details div em h1 h2 h3 h4 h5 h6 hr img input label li ol p pre s span strong summary sup table tbody td th thead tr ul'.split(
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
  '<details>',
  '<details open onclick=alert(1)>',
  '\n</details>\n',
  '<summary>a <b onclick=alert(1)></summary>\n',
  '[^1]',
  '[^a"onclick=]',
  '\n[^1]: <b> #12[^1]\n',
  '\n[^a"onclick=]: [a](javascript:x)\n',
  ':tada:',
  ':"onclick=:',
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

  it('shows badges of the service itself, by their whole addresses, and no other picture of it or of others', async () => {
    const own = 'https://gatehouse.example';
    const renderHere = (text: string) => markup.prose('project 1', text, { ...place, service: own });
    for (const badge of [
      '/ada/mill/badges/main/pipeline.svg',
      '/ada/mill/badges/feature/a/coverage.svg?job=unit',
      '/works/looms/mill/-/badges/release.svg',
    ])
      expect(await renderHere(`[![state](${own}${badge})](${own}/ada/mill)`)).toContain(
        `rel="nofollow noreferrer noopener"><img src="${badge}" alt="state" loading="lazy"></a>`,
      );
    for (const other of [
      `${own}.evil.example/ada/mill/badges/main/pipeline.svg`,
      `${own}//evil.example/badges/main/pipeline.svg`,
      `${own}/users/sign_out`,
      `${own}/ada/mill/badges/main/pipeline.svg#x`,
      `${own}/ada/mill/-/badges`,
      `${own}/ada/mill/badges/../../../grace/mill/-/raw/main/a.svg`,
      `${own}/ada/mill/badges/%2E%2e/.%2e/raw/main/a.svg`,
      `${own}/ada/../badges/main/pipeline.svg`,
      'https://elsewhere.example/ada/mill/badges/main/pipeline.svg',
    ])
      expect(await renderHere(`![state](${other})`)).not.toContain('<img');
    // In mail a picture would tell the service who reads it.
    expect(await render(`![state](${own}/ada/mill/badges/main/pipeline.svg)`)).not.toContain('<img');
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

  describe('folds a part', () => {
    it('that stands in lines of its own, with a line that is always seen', async () => {
      expect(await render('<details>\n<summary>More *of* #12</summary>\n\n- a\n\n</details>\nafter')).toBe(
        '<details>\n<summary>More <em>of</em> <a href="/ada/mill/-/issues/12">#12</a></summary>\n<ul>\n<li>a</li>\n</ul>\n</details>\n<p>after</p>\n',
      );
      const nested = '<details><summary>A</summary>\n<details>\n```\n</details>\n```\n</details>\n</details>';
      expect((await render(nested)).match(/<\/?(?:details|summary)>/g)).toHaveLength(8);
      expect(await render('> <details>\n> a\n> </details>')).toMatch(
        /^<blockquote>\n<details>[^]*<\/details>\n<\/blockquote>/,
      );
    });

    it.each([
      ['that never ends', '<details>\na'],
      ['that was never begun', 'a\n</details>'],
      ['that ends outside of where it began', '> <details>\n\n</details>'],
      ['with an attribute', '<details onclick="alert(1)">\na\n</details>'],
      ['with a style', '<details style="color:red">\na\n</details>'],
      ['with an id', '<details id="main">\na\n</details>'],
      ['in code', '    <details>\n    a\n    </details>'],
    ])('but none %s: it is text', async (_words, text) => {
      const html = await render(text);
      expect([html.includes('<details'), html.includes('&lt;')]).toEqual([false, true]);
    });

    it('not without end in each other, and thousands of them take no longer than their text', async () => {
      const deep = await render(`${'<details>\n'.repeat(100)}a\n${'</details>\n'.repeat(100)}`);
      expect(deep.match(/<details>/g)).toHaveLength(8);
      expect(deep.match(/<\/details>/g)).toHaveLength(8);
      for (const text of ['<details>\n'.repeat(2_000), '</details>\n'.repeat(2_000)])
        expect(await render(text)).toMatch(/^<p>&lt;/);
    });
  });

  describe('puts footnotes below a text', () => {
    const ids = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

    it('numbered as they are used, each leading to where it was used first, and back', async () => {
      const html = await render(
        'A[^b] and[^a] again[^b], [^none].\n\n[^a]: One\n[^b]: **Two** #12[^c]\n[^c]: Three\n[^d]: Unused',
      );
      const [own] = /(?<=user-content-fn-)[0-9a-f]{6}/.exec(html) ?? [];
      expect(ids(html)).toEqual(
        ['fnref-$-1', 'fnref-$-2', 'fn-$-1', 'fnref-$-3', 'fn-$-2', 'fn-$-3'].map(
          (id) => `user-content-${id.replace('$', own!)}`,
        ),
      );
      expect(html).toContain(`<a href="#user-content-fn-${own}-1">1</a></sup> and`);
      expect(html).toContain(`<strong>Two</strong> <a href="/ada/mill/-/issues/12">#12</a>`);
      expect(html).toContain('[^none].</p>');
      expect(html).not.toContain('Unused');
    });

    it('with ids that no other text of the page has, and that nobody writes', async () => {
      const [one, other] = [await render('A[^main]\n\n[^main]: a'), await render('B[^main]\n\n[^main]: a')];
      expect(ids(one).filter((id) => ids(other).includes(id))).toEqual([]);
      for (const id of ids(one)) expect(id).toMatch(/^user-content-fn(?:ref)?-[0-9a-f]{6}-1$/);
    });

    it('of which a text has so many that it stays small', async () => {
      const html = await render(`${'[^1]'.repeat(20_000)}\n\n[^1]: a`);
      expect(html.match(/<sup/g)).toHaveLength(1_000);
      const names = Array.from({ length: 2_000 }, (_, index) => index);
      const many = `${names.map((name) => `[^${name}]`).join('')}\n\n${names.map((name) => `[^${name}]: x`).join('\n')}`;
      expect((await render(many)).match(/<sup/g)).toHaveLength(500);
    });
  });

  it('shows emoji by their names, but not in code, in addresses, or where there is none of the name', async () => {
    expect(await render(':tada: `:tada:` 10:30:45 :none: :+1: [:tada:](https://a.example/:tada:)')).toBe(
      '<p>🎉 <code>:tada:</code> 10:30:45 :none: 👍 <a href="https://a.example/:tada:" rel="nofollow noreferrer noopener">🎉</a></p>\n',
    );
    expect(await markup.loose('project 1', ':tada:', 'commonmark')).toBe('<p>:tada:</p>\n');
  });

  it('has a button for each task of a text that its reader may change', async () => {
    const text = '- [ ] Oil "<b>" #12\n\n> 1. [x] Run';
    const html = await markup.prose('project 1', text, { ...place, ticks: 'tasks-1' });
    const button = (line: number, checked: boolean, name: string) =>
      `<button type="submit" class="task" form="tasks-1" name="task" value="${line}" role="checkbox" aria-checked="${checked}" aria-label="${name}"></button>`;
    expect(html).toContain(`<span>${button(1, false, 'Oil &quot;&lt;b&gt;&quot; #12')} Oil`);
    expect(html).toContain(button(3, true, 'Run'));
    expect(html).not.toContain('<input');
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
