import { expect, it } from '@jest/globals';
import { describeEachDeployment } from '../support/deployments.js';
import { withGit } from '../support/git.js';
import { timesOf } from '../support/rounds.js';
import { WrittenProject } from '../support/written-project.js';

const MERGES = timesOf(20, 52);
/** Every fourth one changes the same line, which the first of them has to itself. */
const CLASHES = MERGES / 4 - 1;

withGit('merges at once', () => {
  describeEachDeployment('merges at once', (deploy) => {
    it(`${MERGES} into one branch, with conflicts among them: the branch holds exactly those that were told to be merged`, async () => {
      const { nodes, service, close } = await deploy();
      try {
        const ada = await service.addUser('ada');
        const loom = await WrittenProject.make(service, ada, { name: 'Loom' });
        await loom.write('main', { shared: 'base\n' });
        const names = Array.from({ length: MERGES }, (_, index) => `topic-${index}`);
        const changes = names.map((name, index) => ({
          [name]: name,
          ...(index % 4 === 0 ? { shared: `${name}\n` } : {}),
        }));
        await loom.pushBranches(names.map((branch, index) => ({ branch, files: changes[index] ?? {} })));
        for (const name of names) {
          const json = { source_branch: name, target_branch: 'main', title: name };
          expect((await loom.call('POST', '/merge_requests', json)).status).toBe(201);
        }
        const answers = await Promise.all(
          names.map((_, index) =>
            nodes[index % nodes.length]!.call<{ state?: string; reason?: string }>(
              'PUT',
              `/projects/${loom.id}/merge_requests/${index + 1}/merge`,
              { token: ada.token },
            ),
          ),
        );
        const outcomes = answers.map(({ status, body }) => `${status} ${body.state ?? body.reason}`);
        const merged = names.filter((_, index) => outcomes[index] === '200 merged');
        const refused = outcomes.filter((outcome) => outcome !== '200 merged');
        expect([refused, merged.length]).toEqual([
          Array.from({ length: CLASHES }, () => '406 conflict'),
          MERGES - CLASHES,
        ]);
        const { body: tree } = await loom.call<{ name: string }[]>('GET', '/repository/tree?per_page=100');
        expect(tree.map(({ name }) => name).sort()).toEqual(['shared', ...merged].sort());
        const { body: rows } = await loom.call<{ title: string; merge_commit_sha: string }[]>(
          'GET',
          '/merge_requests?state=merged&per_page=100',
        );
        expect(rows.map(({ title }) => title).sort()).toEqual([...merged].sort());
        const { body: commits } = await loom.call<{ id: string }[]>(
          'GET',
          '/repository/commits?first_parent=true&per_page=100',
        );
        expect(
          commits
            .slice(0, -1)
            .map(({ id }) => id)
            .sort(),
        ).toEqual(rows.map(({ merge_commit_sha: id }) => id).sort());
        const { body: events } = await loom.call<object[]>('GET', '/events?action=merged&per_page=100');
        expect(events).toHaveLength(MERGES - CLASHES);
        await loom.expectSound();
      } finally {
        await close();
      }
    });
  });
});
