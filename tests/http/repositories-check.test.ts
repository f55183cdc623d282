import { readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createWithService } from '../../src/infrastructure/command-service.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { createRepositoryCommands } from '../../src/infrastructure/repository-commands.js';
import type { RepositoriesCheck } from '../../src/adapters/inbound/cli/repository-commands.js';
import { pushCodeProject, type CodeProject } from '../support/code-project.js';
import { describeAnyDatabase } from '../support/databases.js';
import { git, withGit } from '../support/git.js';
import { storeOf } from '../support/git-service.js';
import { TestService, type TestUser } from '../support/test-service.js';

const DAY_MS = 86_400_000;

withGit('gatehouse repositories check', () => {
  describeAnyDatabase('gatehouse repositories check', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let serial = 0;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
    });

    afterAll(() => service.close());

    const addProject = (): Promise<CodeProject> => pushCodeProject(service, ada, { name: `mill-${(serial += 1)}` });

    /** What the command prints, says, and is refused with. */
    const check = async (options: RepositoriesCheck = {}) => {
      const printed: string[] = [];
      const told: string[] = [];
      const config = () => service.service.container.get(TOKENS.config);
      const commands = createRepositoryCommands(
        { config, environment: {}, print: (line) => printed.push(line), tell: (line) => told.push(line) },
        createWithService(config),
      );
      const refusal = await commands.checkRepositories(options).then(
        () => undefined,
        (error: unknown) => (error as Error).message,
      );
      return { printed, told, refusal };
    };

    /** Puts right what a test broke, so that the next one finds its own faults. */
    const broken = async (project: CodeProject, spoil: (folder: string) => Promise<void> | void) => {
      const folder = await storeOf(service, project.id);
      await service.service.container.get(REPOSITORY_TOKENS.repositories).projectRefs.settle();
      await spoil(folder);
      const found = await check({ project: project.path });
      await service.call('DELETE', `/projects/${project.id}`, { token: ada.token });
      return found;
    };

    beforeEach(async () => {
      await addProject();
    });

    it('finds all well, forks and pushes that run meanwhile too, and does not look twice a day', async () => {
      const project = await addProject();
      const stop = new AbortController();
      const pushing = (async () => {
        for (let count = 0; !stop.signal.aborted; count += 1)
          await project.tree.git('push', '--quiet', '--force', 'origin', `main~${count % 3}:refs/heads/moving`);
      })();
      const first = await check({ all: true });
      stop.abort();
      await pushing;
      expect(first).toMatchObject({ printed: [], refusal: undefined });
      expect(first.told).toEqual([expect.stringMatching(/^Checked [2-9]\d* repositories, and found all well\.$/)]);
      expect((await check()).told).toEqual(['Checked 0 repositories, and found all well.']);
      expect((await check({ project: project.path.toUpperCase() })).told).toEqual([
        'Checked 1 repositories, and found all well.',
      ]);
    });

    it('goes on where an interrupted run ended, and begins nothing when its time is over', async () => {
      const { checkRepositories } = service.service.container.get(REPOSITORY_TOKENS.repositories);
      service.clock.advance(2 * DAY_MS);
      const scope = { since: new Date(service.clock.now().getTime() - DAY_MS) };
      const nothing = await checkRepositories.execute({ ...scope, until: service.clock.now() }, () => undefined);
      expect(nothing).toEqual({ checked: 0, faulty: 0, cut: true });
      const some = await checkRepositories.execute(
        { ...scope, until: null, path: (await addProject()).path },
        () => undefined,
      );
      expect(some).toEqual({ checked: 1, faulty: 0, cut: false });
      const rest = await checkRepositories.execute({ ...scope, until: null }, () => undefined);
      const none = await checkRepositories.execute({ ...scope, until: null }, () => undefined);
      expect([rest.checked > 0, none.checked]).toEqual([true, 0]);
    });

    it('names a project whose folder is gone, and is refused', async () => {
      const project = await addProject();
      const { printed, refusal } = await broken(project, (folder) => renameSync(folder, `${folder}.away`));
      expect(printed).toEqual([`${project.path}: its folder is gone`]);
      expect(refusal).toBe('Checked 1 repositories, and found faults in 1.');
    });

    it('names objects that are damaged or missing', async () => {
      const project = await addProject();
      const { printed, refusal } = await broken(project, (folder) => {
        const packs = join(folder, 'objects/pack');
        const pack = readdirSync(packs).find((name) => name.endsWith('.pack'));
        if (pack !== undefined) truncateSync(join(packs, pack), 100);
        const [loose] = readdirSync(join(folder, 'objects')).filter((name) => /^[0-9a-f]{2}$/.test(name));
        if (loose !== undefined) rmSync(join(folder, 'objects', loose), { recursive: true });
      });
      expect(printed.length).toBeGreaterThan(0);
      expect(printed.length).toBeLessThanOrEqual(21);
      expect(printed.every((line) => line.startsWith(`${project.path}: `))).toBe(true);
      expect(refusal).toBe('Checked 1 repositories, and found faults in 1.');
    });

    it('names refs that are elsewhere in files than in rows', async () => {
      const project = await addProject();
      const [first = '', second = ''] = project.commits;
      const { printed } = await broken(project, async (folder) => {
        const inStore = (...argv: string[]) => git(['--git-dir', folder, ...argv]);
        await inStore('update-ref', 'refs/heads/main', first);
        await inStore('update-ref', '-d', 'refs/heads/old.fix');
        await inStore('update-ref', 'refs/heads/stranger', second);
      });
      expect(printed).toEqual([
        expect.stringContaining(`: refs/heads/main is at ${first} in its files, and at ${project.commits.at(-1)}`),
        expect.stringContaining(': refs/heads/old.fix is missing from its files; the database has'),
        `${project.path}: refs/heads/stranger is in its files, and not in the database`,
      ]);
    });

    it('passes what a push passes', async () => {
      const project = await addProject();
      // A mode that old programs wrote.
      const tree = await git(['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'], {
        cwd: project.tree.folder,
        input: Buffer.concat([Buffer.from('0100644 a\0'), Buffer.from((await blobOf(project)).trim(), 'hex')]),
      });
      const commit = await project.tree.git('commit-tree', '-m', 'Old', tree.trim());
      await project.tree.git('push', '--quiet', 'origin', `${commit.trim()}:refs/heads/ancient`);
      expect(await check({ project: project.path })).toMatchObject({ printed: [], refusal: undefined });
    });

    it('refuses what is no number of minutes, and a project that has no repository', async () => {
      expect((await check({ minutes: '0' })).refusal).toBe('"0" is no number of minutes (expected 1 to 999999).');
      expect((await check({ project: 'ada/none' })).refusal).toBe('There is no repository of a project "ada/none".');
    });

    const blobOf = async ({ tree: { folder } }: CodeProject): Promise<string> => {
      writeFileSync(join(folder, 'blob'), 'a\n');
      return git(['hash-object', '-w', 'blob'], { cwd: folder });
    };
  });
});
