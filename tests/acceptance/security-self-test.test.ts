import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { Installation } from '../support/installation.js';

describeEachDatabase('the look for usable secrets', (openTestDatabase) => {
  let databaseUrl: string;
  let installation: Installation;
  let url: string;
  let token: string;

  beforeAll(async () => {
    databaseUrl = await openTestDatabase();
    const SECRET_KEY = randomBytes(32).toString('base64');
    installation = new Installation({ DATABASE_URL: databaseUrl, SECRET_KEY });
    await installation.run(['demo']);
    url = await installation.start(['serve']).address();
    const create = ['token', 'create', '--user', 'ada', '--scopes', 'api'];
    token = (await installation.run(create)).stdout.trim();
  });

  afterAll(() => installation.remove());

  const test = (settings: Record<string, string> = {}) => installation.run(['security', 'self-test'], settings);
  const post = async (path: string, fields: object) => {
    const headers = { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' };
    const response = await fetch(`${url}/api/v4${path}`, { method: 'POST', headers, body: JSON.stringify(fields) });
    expect(response.status).toBe(201);
    return (await response.json()) as { readonly id: number; readonly token: string };
  };
  const change = async (statement: string) => {
    const database = openDatabase({ url: databaseUrl, poolMax: 1 });
    try {
      await database.schema.raw(statement);
    } finally {
      await database.close();
    }
  };

  it('finds none where the service wrote everything itself', async () => {
    expect(await test()).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Looked at \d+ values, and found no usable secret\.\n$/),
    });
  });

  it('finds the token and the key that somebody pasted, says whose they are, and repeats neither', async () => {
    const { id: integration, token: key } = await post('/projects/engines%2Fcompiler/alert_integrations', {
      type: 'http_endpoint',
      name: 'Probe',
    });
    const texts = { title: 'Help', description: `It answers 401 to (${token}), and key=${key}.` };
    const { id: issue } = await post('/projects/engines%2Fcompiler/issues', texts);
    const { code, stdout, stderr } = await test();
    expect([code, stderr]).toEqual([1, 'gatehouse: Found 3 usable secrets.\n']);
    expect(stdout.trimEnd().split('\n').sort()).toEqual([
      `issues ${issue}: description has the secret of alert_integrations ${integration}`,
      expect.stringMatching(new RegExp(`^issues ${issue}: description has the secret of personal_access_tokens \\d+$`)),
      // What searches look at is in small letters: a key survives that, and a token doesn't.
      `issues ${issue}: search_key has the secret of alert_integrations ${integration}`,
    ]);
    for (const secret of [token, key]) expect(stdout).not.toContain(secret);
    await change(`delete from issues where id = ${issue}`);
  });

  it('finds what should be sealed under the secret key and is not', async () => {
    const { id } = await post('/projects/engines%2Fcompiler/alert_integrations', {
      type: 'http_endpoint',
      name: 'Open',
    });
    await change(`update alert_integrations set sealed_key = 'as it is' where id = ${id}`);
    expect(await test()).toEqual({
      code: 1,
      stdout: `alert_integrations ${id}: sealed_key is not sealed under the secret key\n`,
      stderr: 'gatehouse: Found 1 usable secret.\n',
    });
  });

  it('is refused where nothing is installed', async () => {
    const refused = await test({ DATABASE_URL: 'sqlite:./nowhere.sqlite' });
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('There is no database at sqlite:./nowhere.sqlite.');
  });
});
