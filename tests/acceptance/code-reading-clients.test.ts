import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { pushCodeProject, type CodeProject } from '../support/code-project.js';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';
import { TestService, type TestUser } from '../support/test-service.js';

const SOURCE = 'int main() {\n  return 1;\n}\n';
const TREE = ['README.md', 'bin', 'bin/run.sh', 'image.png', 'link', 'src', 'src/a b', 'src/a b/ünï.txt', 'src/mill.c'];
const BLAMED = [['int main() {'], ['  return 1;'], ['}']];

withGit('code that stock git pushed, read by stock clients', () => {
  describeEachDatabase('code that stock git pushed, read by stock clients', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let mill: CodeProject;
    let gitbeaker: InstanceType<typeof Gitlab>;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
      mill = await pushCodeProject(service, ada, { name: 'mill' });
      gitbeaker = new Gitlab({ host: service.url, token: ada.token });
    });

    afterAll(() => service.close());

    it('python-gitlab reads everything that it knows', async () => {
      if (withoutPythonGitlab()) return;
      const { id, commits, feature } = mill;
      const argv = [service.url, ada.token, String(id), commits[5]!, feature];
      expect(await runPythonGitlab('code_reading.py', ...argv)).toEqual({
        commit_count: 6,
        default_branch: 'main',
        empty_repo: false,
        languages: ['C', 'Shell'],
        tree: TREE,
        tree_by_token: TREE,
        blob: [7, '# Mill\n'],
        raw_blob: '# Mill\n',
        same_archive: true,
        tar: 10,
        zip: 10,
        compare: [['Add a pump'], ['pump.txt']],
        contributors: [
          ['Grace', 1],
          ['Ada', 4],
        ],
        merge_base: 'Add the source',
        merge_base_refused: [400, 'Provide at least 2 refs'],
        file: ['mill.c', SOURCE, true],
        raw_file: SOURCE,
        blame: BLAMED,
        no_file: [404, '404 File Not Found'],
        commits: 6,
        commit: ['Rename the source', 1],
        diff: ['pump.txt'],
        refs: ['branch feature/pumps'],
        hunk: true,
        merge_requests: [],
        signature: [404, '404 Signature Not Found'],
        statuses: [],
        comments: ['Well done'],
        branches: [
          ['feature/pumps', false, false, false, true],
          ['main', false, true, true, true],
          ['old.fix', true, false, false, true],
        ],
        branch: true,
        no_branch: [404, '404 Branch Not Found'],
        tags: ['v1.0', 'v1.10', 'v1.9'],
        tag: 'The first release',
      });
    });

    describe('gitbeaker', () => {
      const names = (items: readonly { readonly name?: unknown }[]) => items.map(({ name }) => name);

      it('reads trees, blobs, archives, languages and changelogs', async () => {
        const { Repositories, Projects } = gitbeaker;
        const tree = await Repositories.allRepositoryTrees(mill.id, {
          recursive: true,
          perPage: 4,
          pagination: 'keyset',
        });
        expect(tree.map(({ path }) => path)).toEqual(TREE);
        const blob = tree.find(({ path }) => path === 'README.md')!;
        expect(await Repositories.showBlob(mill.id, blob.id)).toMatchObject({ size: 7, encoding: 'base64' });
        expect(await Repositories.showBlobRaw(mill.id, blob.id)).toBe('# Mill\n');
        const archive = await Repositories.showArchive(mill.id, { fileType: 'zip', sha: 'feature/pumps' });
        expect(
          Buffer.from(await archive.arrayBuffer())
            .subarray(0, 2)
            .toString(),
        ).toBe('PK');
        expect(await Projects.showLanguages(mill.id)).toHaveProperty('C');
        expect(await Repositories.showChangelog(mill.id, '1.10.1', { from: 'v1.9' })).toMatchObject({
          notes: expect.stringContaining('### added (1 change)'),
        });
      });

      it('reads comparisons, merge bases and contributors', async () => {
        const { Repositories } = gitbeaker;
        const compared = await Repositories.compare(mill.id, 'main', 'feature/pumps');
        expect(compared).toMatchObject({ commits: [{ title: 'Add a pump' }], diffs: [{ new_path: 'pump.txt' }] });
        expect(await Repositories.mergeBase(mill.id, ['main', 'feature/pumps'])).toMatchObject({ id: mill.commits[1] });
        expect(names(await Repositories.allContributors(mill.id))).toEqual(['Grace', 'Ada']);
      });

      it('reads files by paths with slashes, and who wrote their lines', async () => {
        const { RepositoryFiles } = gitbeaker;
        expect(await RepositoryFiles.show(mill.id, 'src/mill.c', 'main')).toMatchObject({ file_name: 'mill.c' });
        expect(await RepositoryFiles.showRaw(mill.id, 'src/mill.c', 'main')).toBe(SOURCE);
        const blame = await RepositoryFiles.allFileBlames(mill.id, 'src/mill.c', 'main');
        expect(blame.map(({ lines }) => lines)).toEqual(BLAMED);
      });

      it('walks through commits, and reads what they changed, where they are, and what is said of them', async () => {
        const { Commits } = gitbeaker;
        const walked = await Commits.all(mill.id, { refName: 'main', perPage: 2 });
        expect(new Set(walked.map(({ id }) => id))).toEqual(new Set(mill.commits));
        expect(await Commits.show(mill.id, 'feature/pumps')).toMatchObject({ id: mill.feature, stats: { total: 1 } });
        expect(await Commits.showDiff(mill.id, mill.feature)).toMatchObject([{ new_path: 'pump.txt', new_file: true }]);
        expect(names(await Commits.allReferences(mill.id, mill.feature))).toEqual(['feature/pumps']);
        expect(await Commits.createComment(mill.id, mill.feature, 'Good')).toMatchObject({ note: 'Good' });
        expect(await Commits.allComments(mill.id, mill.feature)).toMatchObject([{ note: 'Good' }]);
        expect(await Commits.allStatuses(mill.id, mill.feature)).toEqual([]);
        expect(await Commits.allMergeRequests(mill.id, mill.feature)).toEqual([]);
        expect(await Commits.showSequence(mill.id, mill.feature)).toEqual({ count: 3 });
        await expect(Commits.showGPGSignature(mill.id, mill.feature)).rejects.toThrow();
      });

      it('reads branches and tags', async () => {
        const { Branches, Tags } = gitbeaker;
        expect(names(await Branches.all(mill.id))).toEqual(['feature/pumps', 'main', 'old.fix']);
        expect(await Branches.show(mill.id, 'feature/pumps')).toMatchObject({ commit: { id: mill.feature } });
        expect(names(await Tags.all(mill.id, { orderBy: 'name', sort: 'asc' }))).toEqual(['v1.0', 'v1.10', 'v1.9']);
        expect(await Tags.show(mill.id, 'v1.0')).toMatchObject({ message: 'The first release' });
      });
    });
  });
});
