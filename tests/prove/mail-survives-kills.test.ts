import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { MailServer } from '../support/mail-server.js';
import { ServiceProcess } from '../support/service-process.js';

const MAIN = fileURLToPath(new URL('../../dist/infrastructure/main.js', import.meta.url));
const COMMENTS = 12;
const PATIENCE_MS = 30_000;

describeEachDatabase('mail of a service that is killed', (openTestDatabase) => {
  it('waits without a server to send by, survives SIGKILL, and arrives afterwards, each once', async () => {
    const server = await MailServer.start();
    const settings = { DATABASE_URL: await openTestDatabase(), SECRET_KEY: randomBytes(32).toString('base64') };
    let service = await ServiceProcess.start({ ...settings, ROOT_PASSWORD: 'a-difference-engine' });
    const command = async (...parameters: string[]): Promise<string> => {
      const environment = { PATH: process.env['PATH'], ...settings };
      const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...parameters], { env: environment });
      return stdout.trim();
    };
    await command('user', 'create', '--username', 'ada', '--email', 'ada@example.com');
    const headers = async (user: string) => ({
      'PRIVATE-TOKEN': await command('token', 'create', '--user', user, '--scopes', 'api'),
      'Content-Type': 'application/json',
    });
    const [ada, root] = [await headers('ada'), await headers('root')];
    const post = async (path: string, as: Record<string, string>, json: object) => {
      const response = await fetch(`${service.url}/api/v4${path}`, {
        method: 'POST',
        headers: as,
        body: JSON.stringify(json),
      });
      return (await response.json()) as { id: number; iid: number };
    };
    const project = await post('/projects', ada, { name: 'Engine', visibility: 'public' });
    const issue = await post(`/projects/${project.id}/issues`, ada, { title: 'Cogs jam' });
    const notes = `/projects/${project.id}/issues/${issue.iid}/notes`;
    for (let number = 1; number <= COMMENTS; number += 1) await post(notes, root, { body: `Number ${number}.` });
    await service.end('SIGKILL');
    expect(server.mails).toHaveLength(0);

    service = await ServiceProcess.start({ ...settings, SMTP_URL: server.url.reveal() });
    // Beside what is told of the tokens that were made.
    const arrived = (): readonly number[] =>
      server.mails.flatMap(({ text = '' }) =>
        [...text.matchAll(/Number (\d+)\./g)].map(([, number]) => Number(number)),
      );
    const end = Date.now() + PATIENCE_MS;
    while (arrived().length < COMMENTS && Date.now() < end) await new Promise((resume) => setTimeout(resume, 100));
    expect(await service.end('SIGTERM')).toBe(0);
    await server.down();
    // The order in which they arrive is nobody’s promise.
    const numbers = arrived().toSorted((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: COMMENTS }, (_, index) => index + 1));
  });
});
