import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commitFiles, pushCodeProject } from '../support/code-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { storeOf } from '../support/git-service.js';
import { removeFolder, temporaryFolder, withGit } from '../support/git.js';
import { TestService, type Answer, type TestUser } from '../support/test-service.js';

const READS = [
  '/repository/tree',
  '/repository/tree?recursive=true',
  '/repository/archive.zip',
  '/repository/compare?from=main&to=old.fix',
  '/repository/contributors',
  '/repository/commits',
  '/repository/commits?all=true',
  '/repository/commits/main',
  '/repository/branches',
  '/repository/tags',
  '/repository/files/README.md?ref=main',
  '/languages',
  '?statistics=true',
];

withGit('code that is out of reach, or large', () => {
  describeEachDatabase('code that is out of reach, or large', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let url: string;
    const directory = temporaryFolder();

    beforeAll(async () => {
      url = await openTestDatabase();
      service = await TestService.start(url, { repositoriesDirectory: directory });
      ada = await service.addUser('ada');
    });

    afterAll(async () => {
      await service.close();
      removeFolder(directory);
    });

    describe('where its packs have been cut off', () => {
      /** A project of which every read was answered, and then nothing was left that git can read. */
      const cutOff = async () => {
        const project = await pushCodeProject(service, ada, { name: 'cut' });
        const before: Answer[] = [];
        for (const path of READS) before.push(await project.get(path));
        const objects = join(await storeOf(service, project.id), 'objects');
        const packs = join(objects, 'pack');
        for (const file of readdirSync(packs)) truncateSync(join(packs, file), 10);
        for (const name of readdirSync(objects))
          if (/^[0-9a-f]{2}$/.test(name)) rmSync(join(objects, name), { recursive: true });
        return { project, before };
      };

      const expectRefusal = ({ status, body, headers }: Answer, path: string): void => {
        expect(`${path}: ${status}`).toBe(`${path}: 503`);
        expect(body).toEqual({
          message: '503 Service Unavailable - Repositories are out of reach. Try again later.',
        });
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
        expect(JSON.stringify(body)).not.toContain(directory);
      };

      it('every read answers 503 with a sentence, without a path of the machine, but what is known is still told', async () => {
        const { project, before } = await cutOff();
        const known: string[] = [];
        for (const [index, path] of READS.entries()) {
          const answer = await project.get(path);
          if (answer.status === 503) expectRefusal(answer, path);
          else known.push(path);
          if (answer.status !== 503) expect([path, answer.body]).toEqual([path, before[index]?.body]);
        }
        expect(known).toContain('/repository/commits/main');
        const restarted = await TestService.start(url, { repositoriesDirectory: directory });
        const { token } = ada;
        for (const path of READS)
          expectRefusal(await restarted.call('GET', `/projects/${project.id}${path}`, { token }), path);
        await restarted.close();
      });
    });

    it('a file of many megabytes is sent as it is, in base64 or as bytes', async () => {
      const project = await pushCodeProject(service, ada, { name: 'large' });
      const large = randomBytes(9_000_001);
      await commitFiles(project.tree, { 'large.bin': large }, 'Add a large file');
      await project.tree.git('push', '--quiet', 'origin', 'main');
      const { body } = await project.get<{ content: string; size: number }>('/repository/files/large.bin?ref=main');
      expect(body.size).toBe(large.length);
      expect(Buffer.from(body.content, 'base64').equals(large)).toBe(true);
      const raw = await fetch(`${service.url}/api/v4/projects/${project.id}/repository/files/large.bin/raw`, {
        headers: { 'PRIVATE-TOKEN': ada.token },
      });
      expect(raw.headers.get('content-length')).toBe(String(large.length));
      expect(Buffer.from(await raw.arrayBuffer()).equals(large)).toBe(true);
    });

    it('a message of megabytes is told to its first mebibyte, and lists of such commits are sent in pieces', async () => {
      const project = await pushCodeProject(service, ada, { name: 'wordy' });
      for (let number = 0; number < 5; number += 1) {
        const file = join(project.tree.folder, '.git', 'message');
        writeFileSync(file, `Title ${number}\n\n${'ä line of words\n'.repeat(150_000)}`);
        await project.tree.git('commit', '--quiet', '--allow-empty', '-F', file);
      }
      await project.tree.git('push', '--quiet', 'origin', 'main');
      const { status, body } = await project.get<{ title: string; message: string }[]>('/repository/commits');
      expect(status).toBe(200);
      expect(body).toHaveLength(11);
      expect(body[0]?.title).toBe('Title 4');
      expect(Buffer.byteLength(body[0]?.message ?? '')).toBeLessThanOrEqual(1024 * 1024);
      expect(body[0]?.message).toMatch(/ä line of words\n$/);
    });
  });
});
