import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hasAlertmanager } from '../support/alertmanager.js';
import { createEmptyPostgresDatabase } from '../support/databases.js';
import { documentedBlocks, type Block, PAGES_OF_CI_FILES } from '../support/documented-blocks.js';
import { DocumentedShell, type ShellOutcome } from '../support/documented-shell.js';
import { FormBrowser } from '../support/form-browser.js';
import { Installation, type RunningProgram } from '../support/installation.js';
import { decide } from '../support/oauth-client.js';
import { leftOutWithout } from '../support/system-package.js';

const run = promisify(execFile);

const SHELL = ['sh', 'bash'];
/** What a fenced block may be; each is checked below but for the diagrams. */
// `text` is what a program printed once.
const LANGUAGES = [...SHELL, 'http', 'js', 'json', 'markdown', 'mermaid', 'text', 'yaml'];

/** Blocks that can't run inside the tests, by how they begin. */
const NOT_RUN: readonly { readonly page: string; readonly begins: string; readonly because: string }[] = [
  {
    page: 'README.md',
    begins: 'make run ',
    because:
      '`make test` would run itself, and `make run` take the port 8080; two-commands.test.ts runs what they start',
  },
];

/** What readers have done, besides, before they come to a block, by how it begins. */
const BEFOREHAND: readonly { readonly page: string; readonly begins: string; readonly step: keyof Reader }[] = [
  { page: 'docs/oauth.md', begins: 'curl -d grant_type=authorization_code', step: 'giveConsent' },
];

const BLOCKS = documentedBlocks();
const isNamed =
  ({ page, text }: Block) =>
  (entry: { readonly page: string; readonly begins: string }): boolean =>
    entry.page === page && text.startsWith(entry.begins);

const COMMANDS = BLOCKS.filter((block) => SHELL.includes(block.language) && !NOT_RUN.some(isNamed(block)));
const PAGES = [...new Set(COMMANDS.map(({ page }) => page))];

/** The page or the answer as it stands in the documents, where `…` stands for anything. */
const asDocumented = (text: string): RegExp =>
  new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('…', '.*?'));

/** A comment below a command that is JSON is its answer. */
const answersIn = ({ text }: Block): readonly string[] =>
  [...text.matchAll(/^# ([{[].*)$/gm)].map(([, answer = '']) => answer);

/** Somebody who tries the demo, and has an empty installation besides. */
class Reader {
  constructor(
    readonly shell: DocumentedShell,
    private readonly address: string,
    private readonly password: string,
  ) {}

  /** In a browser, for the challenge of the block before. */
  async giveConsent(): Promise<void> {
    const browser = new FormBrowser(this.address);
    await browser.signIn('ada', this.password);
    const { ID = '', CHALLENGE = '' } = this.shell.variables;
    const REDIRECT_URI = 'http://127.0.0.1/callback';
    const parameters = new URLSearchParams({
      client_id: ID,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: 'read_user',
      state: 'a state',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    });
    const answer = await decide(browser, `/oauth/authorize?${parameters.toString()}`);
    this.shell.give({ CODE: answer.searchParams.get('code') ?? '', REDIRECT_URI });
  }
}

describe('the examples of README.md and docs', () => {
  const serving = new Installation({ DEMO: 'true', BASE_URL: 'http://localhost:8080' });
  const own = new Installation();
  let service: RunningProgram;
  let postgres: { readonly url: string; readonly drop: () => Promise<void> };
  let newReader: () => Reader;

  beforeAll(async () => {
    postgres = await createEmptyPostgresDatabase();
    service = serving.start(['serve']);
    const [, port = ''] = await service.prints(/"port":(\d+).*"message":"ready"/);
    await service.prints(/curl .*\/api\/v4\/projects\n/);
    await own.run(['user', 'create', '--username', 'operator', '--email', 'operator@example.com']);
    const printed = (pattern: RegExp): string => pattern.exec(service.stdout)?.[1] ?? '';
    const password = printed(/^ {2}ada +(\S+)/m);
    const [uid, secret] = [printed(/-u ([^:]+):/), printed(/-u [^:]+:(\S+)/)];
    const address = `http://127.0.0.1:${port}`;
    newReader = () => {
      // What `make run` prints; the application could as well be one that the reader registered.
      const given = { TOKEN: printed(/TOKEN=(\S+)/), ID: uid, SECRET: secret, PASSWORD: password };
      const shell = new DocumentedShell(own.directory, address, postgres.url, given);
      return new Reader(shell, address, password);
    };
  });

  afterAll(async () => {
    await serving.remove();
    await own.remove();
    await postgres.drop();
  });

  /** The answer that a block of its own shows. */
  const shownAfter = (block: Block): Block | undefined => {
    const next = BLOCKS[BLOCKS.indexOf(block) + 1];
    return next?.page === block.page && next.language === 'http' ? next : undefined;
  };

  const holdsTo = (block: Block, { code, stdout, stderr, statuses }: ShellOutcome): void => {
    const place = `${block.page}:${block.line}`;
    const shown = shownAfter(block);
    const expected =
      shown === undefined ? /^2\d\d$/ : new RegExp(`^${/^HTTP\/1.1 (\d+)/.exec(shown.text)?.[1] ?? ''}$`);
    expect([place, code, stdout + stderr]).toEqual([place, 0, expect.any(String)]);
    expect([place, statuses.filter((status) => !expected.test(String(status))), stdout]).toEqual([place, [], stdout]);
    for (const answer of answersIn(block))
      expect([place, stdout]).toEqual([place, expect.stringMatching(asDocumented(answer))]);
    if (shown !== undefined) matchesShown(shown, stdout);
  };

  /** Head lines as they are; of the body the error, and the fields that it has. */
  const matchesShown = ({ text }: Block, stdout: string): void => {
    const [head = '', body = '{}'] = text.split('\n\n');
    for (const line of head.split('\n')) expect(stdout).toMatch(asDocumented(line));
    const shown = JSON.parse(body) as { error?: string; migration?: object[] };
    const found = JSON.parse(stdout.slice(stdout.indexOf('\r\n\r\n'))) as typeof shown;
    expect([found.error, Object.keys(found)]).toEqual([shown.error, Object.keys(shown)]);
    expect(Object.keys(found.migration?.[0] ?? {})).toEqual(Object.keys(shown.migration?.[0] ?? {}));
  };

  const runPage = async (page: string): Promise<void> => {
    const reader = newReader();
    for (const block of COMMANDS.filter((each) => each.page === page)) {
      for (const { step } of BEFOREHAND.filter(isNamed(block))) if (step === 'giveConsent') await reader[step]();
      holdsTo(block, await reader.shell.run(block.text));
    }
  };

  it.each(PAGES)('run as they stand: %s', runPage);

  it('run again: the second start on PostgreSQL takes the key of the first', () => runPage('README.md'));

  it('name their language, one that is checked here', () => {
    const others = BLOCKS.filter(({ language }) => !LANGUAGES.includes(language));
    expect(others.map(({ page, line, language }) => [page, line, language])).toEqual([]);
  });

  it('are left out, or prepared, only where there still is such a block', () => {
    const stale = [...NOT_RUN, ...BEFOREHAND].filter(
      (entry) => BLOCKS.filter((block) => isNamed(block)(entry)).length !== 1,
    );
    expect(stale).toEqual([]);
    expect(NOT_RUN.filter(({ because }) => because === '')).toEqual([]);
  });

  it('in JavaScript and JSON can be parsed', async () => {
    for (const { language, text } of BLOCKS) {
      const file = join(own.directory, 'example.mjs');
      if (language === 'js') {
        writeFileSync(file, text);
        await run(process.execPath, ['--check', file], { env: {} });
      }
      if (language === 'json') JSON.parse(text.replaceAll('…', ''));
    }
  });

  it('in YAML are what Alertmanager takes', async () => {
    if (leftOutWithout('prometheus-alertmanager', hasAlertmanager())) return;
    const examples = BLOCKS.filter(({ page, language }) => language === 'yaml' && !PAGES_OF_CI_FILES.includes(page));
    expect(examples.length).toBeGreaterThan(0);
    for (const { text } of examples) {
      const file = join(own.directory, 'alertmanager.yml');
      writeFileSync(file, text);
      expect((await run('amtool', ['check-config', file])).stdout).toContain('SUCCESS');
    }
  });
});
