import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OAUTH_TOKENS } from '../../src/infrastructure/composition/oauth.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { AlertingProject, sendAlert } from '../support/alerting.js';
import { Crawler } from '../support/crawler.js';
import { describeAnyDatabase } from '../support/databases.js';
import { makesFor } from '../support/filled-project.js';
import { PASSWORD } from '../support/form-browser.js';
import { markupOf } from '../support/markup-of.js';
import { signedIn } from '../support/oauth-client.js';
import { PageRoutes } from '../support/page-routes.js';
import { makeKey } from '../support/ssh-keys.js';
import { TestService } from '../support/test-service.js';

/** What people who want to be markup would write. */
const FRAGMENTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '" autofocus onfocus="alert(1)',
  "' onmouseover='alert(1)",
  '</title><b>',
  '</textarea><b>',
  '</pre></code><b>',
  '<!--',
  '-->',
  ']]>',
  '&lt;b&gt;',
  '&#60;b&#62;',
  '&quot;',
  '<%= it.user %>',
  '${7*7}{{7*7}}',
  'javascript:alert(1)',
  '<a href="javascript:alert(1)">a</a>',
  '[a](javascript:alert(1))',
  '`<b>`',
  '\\"<b>',
  '\u202e<b>',
];
/** All that Markdown makes, as an incident has of the words of its alert: `tests/unit/adapters/markdown.test.ts` has what it doesn't. */
const MARKDOWN = [
  ...['#', '##', '###', '####', '#####', '######'].map((level) => `${level} Heading`),
  '*em* **strong** ~~s~~ `code` [a](https://example.com "title") <https://example.com> [a](#b)  \nbr',
  '> quote',
  '- item\n- [ ] task\n- [x] done',
  '3. item',
  '---',
  '```js\nlet a = "b";\n```',
  '| a | b |\n|:--|--:|\n| 1 | 2 |',
].join('\n\n');
const WORD = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...FRAGMENTS) }, fc.string({ maxLength: 5 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((pieces) => pieces.join(' '));

/** Places of which each has its rules of what a name may be. */
type Words = Readonly<Record<'free' | 'line' | 'application' | 'label' | 'ref' | 'file', (usual: string) => string>>;
const USUAL: Words = { free: String, line: String, application: String, label: String, ref: String, file: String };
/** Hostile words, one after another, as far as what they name may be called so. */
const hostile = (words: readonly string[]): Words => {
  let next = 0;
  const word = (usual: string): string => `${usual} ${words[(next += 1) % words.length] ?? ''}`.trim();
  const line = (usual: string): string => word(usual).replaceAll(/[\u0000-\u001f\u007f]/g, ' ');
  return {
    free: line,
    line,
    // No name of an application turns the direction of what stands beside it.
    application: (usual) => line(usual).replaceAll(/\p{Bidi_Control}/gu, ' '),
    label: (usual) => line(usual).replaceAll(/[,?&]/g, '.'),
    // As git allows them.
    ref: (usual) => line(usual).replaceAll(/[\s~^:?*[\\/@{.-]|\.\./g, '_'),
    file: (usual) => line(usual).replaceAll(/[/\\]|\.\./g, '_'),
  };
};

describeAnyDatabase('what people type', (openTestDatabase) => {
  let service: TestService;
  let routes: PageRoutes;
  let count = 0;
  let usual: ReadonlySet<string> | undefined;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    routes = new PageRoutes(service.service.container.get(TOKENS.pagesRouter));
    usual = (await lookAround(USUAL)).markup;
  });
  afterAll(() => service.close());

  /** Something of everything that has a name, in the words that are given. */
  const write = async (username: string, words: Words): Promise<void> => {
    const person = await service.addUser(username, { admin: true, password: PASSWORD });
    const make = makesFor(service, person);
    const renamed = { name: words.line('Ada') };
    expect((await service.call('PUT', `/users/${person.id}`, { token: person.token, json: renamed })).status).toBe(200);
    const { id: group } = await make('/groups', { name: words.line('Works'), path: `works-${username}` });
    const fields = { name: words.line('Mill'), path: 'mill', namespace_id: group, visibility: 'private' };
    const { id: project } = await make('/projects', { ...fields, description: words.free('Grinds') });
    const below = (path: string, json: object) => make(`/projects/${project}${path}`, json);
    const label = words.label('bug');
    await below('/labels', { name: label, color: '#d9534f', description: words.line('Wrong') });
    const milestone = await below('/milestones', { title: words.line('First light') });
    const planned = { labels: label, milestone_id: milestone.id, assignee_ids: [person.id] };
    await below('/issues', { title: words.line('Leak'), description: MARKDOWN, ...planned });
    const branch = words.ref('pumps');
    const file = words.file('notes.txt');
    const commit = (content: string, more: object) =>
      below('/repository/commits', { commit_message: words.line('Write'), ...more, actions: [content].map(change) });
    const change = (content: string) => ({
      action: content === 'one' ? 'create' : 'update',
      file_path: file,
      content: `${content}\n${words.free('text')}\n`,
    });
    await commit('one', { branch: 'main' });
    await commit('two', { branch, start_branch: 'main' });
    const pair = { source_branch: branch, target_branch: 'main' };
    await below('/merge_requests', { title: words.line('Build'), ...pair, ...planned, reviewer_ids: [person.id] });
    const tag_name = words.ref('v1');
    await below('/repository/tags', { tag_name, ref: 'main', message: words.line('The first') });
    const links = [{ name: words.line('Manual'), url: 'https://manuals.example/' }];
    await below('/releases', { tag_name, name: words.line('The first'), assets: { links } });
    await below('/snippets', {
      title: words.line('Notes'),
      description: '',
      visibility: 'private',
      files: [{ file_path: words.file('a.txt'), content: words.free('one') }],
    });
    await make('/user/keys', { title: words.line('Laptop'), key: makeKey().bare });
    const { applications } = service.service.container.get(OAUTH_TOKENS.oauth);
    const about = {
      name: words.application('Dashboard'),
      confidential: true,
      redirectUris: 'https://app.example/callback',
    };
    await applications.register(person.id, { ...about, scopes: 'api' });
    const alerting = AlertingProject.of(service, person, project);
    const integration = await alerting.integrate('generic', { name: words.line('Zabbix') });
    const alert = {
      title: words.free('On fire'),
      description: words.free('It burns'),
      severity: 'high',
      service: words.free('boiler'),
      monitoring_tool: words.free('nagios'),
      hosts: [words.free('host')],
      gitlab_environment_name: words.free('production'),
      runbook_url: 'https://runbooks.example/fire',
      [words.free('key')]: { [words.free('inner')]: words.free('value') },
    };
    expect(await sendAlert(integration, alert)).toMatchObject({ status: 200 });
  };

  /** The markup of one page of every kind that shows what was written, and what can be read there. */
  const lookAround = async (words: Words) => {
    const username = `ada-${(count += 1)}`;
    await write(username, words);
    const markup = new Set<string>();
    const wrong: string[] = [];
    const shown: string[] = [];
    const look = (address: string, html: string): void => {
      try {
        for (const each of markupOf(html)) {
          markup.add(each);
          if (usual !== undefined && !usual.has(each)) wrong.push(`${address} has ${each}`);
        }
      } catch (error) {
        wrong.push(`${address}: ${String(error)}`);
      }
      shown.push(html);
    };
    const project = `/works-${username}/mill`;
    const kindOf = (address: string) => `${routes.of(address) ?? ''} ${/[?&](\w+)=/.exec(address)?.[1] ?? ''}`;
    const crawler = new Crawler(await signedIn(service, username), service.url, {
      atMost: { most: 2, kindOf },
      look,
    });
    await crawler.crawl([project, `/groups/works-${username}`, `/${username}`, '/', '/profile/account', '/admin']);
    expect(crawler.deadEnds).toEqual([]);
    return { markup, wrong, shown: shown.join('\n'), pages: shown.length };
  };

  it('is shown on pages whose markup is known: no handlers of events, no script but ours, no address of script', () => {
    expect([...(usual ?? [])].filter((each) => /^<\w+ on|javascript:|<style|<base|<iframe/.test(each))).toEqual([]);
    // The code that a phone reads to turn on the second factor.
    expect([...(usual ?? [])].filter((each) => each.includes('data:'))).toEqual(['<img src="data:>']);
    expect([...(usual ?? [])].filter((each) => each.startsWith('<script'))).toEqual([
      '<script>',
      '<script src="/>',
      '<script defer>',
    ]);
  });

  it('never becomes markup: names, titles, labels, branches, files, keys and values of alerts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(WORD, { minLength: 12, maxLength: 30 }), async (typed) => {
        const { wrong, shown, pages } = await lookAround(hostile(typed));
        expect(wrong).toEqual([]);
        expect(pages).toBeGreaterThan(100);
        expect(shown).toContain('&lt;');
      }),
      { numRuns: Number(process.env['MARKUP_RUNS'] ?? 5), endOnFailure: true },
    );
  });
});
