import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

const GONE = 404;
const NOT_THIS_METHOD = 405;
const FILES = [{ filePath: 'a.txt', content: 'one' }];

/** One for each row of the lists of changes that is about what people do around a change, called by its words: stock clients of V4 live by what comes after, and V3 is refused. */
withGit('changes from V3 to V4 that are about collaboration, by stock clients', () => {
  describeEachDatabase('changes from V3 to V4 that are about collaboration, by stock clients', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let loom: WrittenProject;
    let client: InstanceType<typeof Gitlab>;
    let admin: InstanceType<typeof Gitlab>;
    let issue: { readonly id: number; readonly iid: number };
    let request: { readonly id: number; readonly iid: number };
    /** What python-gitlab saw of each row, in a project of its own; undefined where it is not installed. */
    let python: Readonly<Record<string, unknown>> | undefined;

    /** A project with two issues and three merge requests, whose ids are none of their numbers. */
    const prepare = async (owner: TestUser, name: string) => {
      const project = await WrittenProject.make(service, owner, { name, visibility: 'public' });
      await project.write('main', { 'README.md': '# Loom\n' });
      await project.pushBranches(['one', 'two', 'three'].map((branch) => ({ branch, files: { [branch]: 'x\n' } })));
      const make = async (path: string, json: object) =>
        (await project.call<{ id: number; iid: number }>('POST', path, json)).body;
      const issues = [await make('/issues', { title: 'Leak' }), await make('/issues', { title: 'Smoke' })];
      const requests = [];
      for (const branch of ['one', 'two', 'three'])
        requests.push(await make('/merge_requests', { source_branch: branch, target_branch: 'main', title: branch }));
      return { project, issue: issues[0]!, request: requests[0]! };
    };

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
      const root = await service.addUser('root', { admin: true });
      [client, admin] = [ada, root].map(({ token }) => new Gitlab({ host: service.url, token })) as [
        typeof client,
        typeof admin,
      ];
      const { id } = await client.Projects.create({ name: 'Before', visibility: 'public' });
      for (let count = 0; count < 10; count += 1) await client.Issues.create(id, 'Earlier');
      ({ project: loom, issue, request } = await prepare(ada, 'loom'));
      if (withoutPythonGitlab()) return;
      const grace = await service.addUser('grace');
      const theirs = await prepare(grace, 'python-loom');
      const argv = [service.url, grace.token, root.token, String(theirs.project.id)];
      python = (await runPythonGitlab('collaboration_rows.py', ...argv)) as typeof python;
    });

    afterAll(() => service.close());

    const expectOfPython = (row: string, seen: unknown): void => {
      if (python !== undefined) expect([row, python[row]]).toEqual([row, seen]);
    };
    const status = async (method: string, path: string) =>
      (await service.call(method, path, { token: ada.token })).status;

    it('row "iid[] on GET /projects/:id/merge_requests": the filter is `iids`', async () => {
      expect(await client.MergeRequests.all({ projectId: loom.id, iids: [2] })).toMatchObject([{ iid: 2 }]);
      expectOfPython('iids', [[2], 3]);
    });

    it('row "GET /projects/merge_request/:id": one is found by its global id at GET /projects/merge_requests/:id', async () => {
      const answer = await client.Projects.requester.get<{ iid: number }>(`projects/merge_requests/${request.id}`);
      expect(answer.body).toMatchObject({ iid: request.iid, project_id: loom.id });
      expect(await status('GET', `/projects/merge_request/${request.id}`)).toBe(GONE);
      expectOfPython('merge_request', [[1, true], GONE, GONE]);
    });

    it('row "expires_at": snippets of a project are without it', async () => {
      const made = await client.ProjectSnippets.create(loom.id, 'Notes', {
        visibility: 'public',
        files: FILES,
      } as never);
      const shown = [
        made,
        await client.ProjectSnippets.show(loom.id, made.id),
        ...(await client.ProjectSnippets.all(loom.id)),
      ];
      expect(shown.map((snippet) => [snippet.id, 'expires_at' in snippet])).toEqual(shown.map(() => [made.id, false]));
      expectOfPython('expires_at', [false, false, false]);
    });

    it('row "DELETE /todos": all are done by POST /todos/mark_as_done', async () => {
      await client.Issues.createTodo(loom.id, issue.iid);
      expect(await status('DELETE', '/todos')).toBe(NOT_THIS_METHOD);
      expect(await client.TodoLists.all()).toHaveLength(1);
      await client.TodoLists.done();
      expect(await client.TodoLists.all()).toEqual([]);
      expectOfPython('todos', [NOT_THIS_METHOD, 0]);
    });

    it('row "DELETE /todos/:todo_id": one is done by POST /todos/:todo_id/mark_as_done', async () => {
      await client.Issues.createTodo(loom.id, issue.iid);
      await client.MergeRequests.createTodo(loom.id, request.iid);
      const [newest, other] = await client.TodoLists.all();
      expect(await status('DELETE', `/todos/${newest!.id}`)).toBe(GONE);
      expect(await client.TodoLists.done({ todoId: newest!.id })).toMatchObject({ id: newest!.id, state: 'done' });
      expect((await client.TodoLists.all()).map(({ id }) => id)).toEqual([other!.id]);
      await client.TodoLists.done();
      expectOfPython('todo', [GONE, true, 1]);
    });

    it('row "templates": they are under /templates, and gone from the root', async () => {
      const { GitignoreTemplates, GitLabCIYMLTemplates, DockerfileTemplates } = client;
      const kinds = [
        ['gitignores', 'Go', await GitignoreTemplates.all(), await GitignoreTemplates.show('Go')],
        ['platform_ci_ymls', 'Rust', await GitLabCIYMLTemplates.all(), await GitLabCIYMLTemplates.show('Rust')],
        ['dockerfiles', 'Golang', await DockerfileTemplates.all(), await DockerfileTemplates.show('Golang')],
      ] as const;
      for (const [kind, key, all, one] of kinds) {
        expect([kind, all.some((each) => each.key === key)]).toEqual([kind, true]);
        expect((await client.Projects.requester.get(`templates/${kind}/${key}`)).body).toEqual(one);
      }
      // It asks for `Licenses`, which nobody has.
      const { body: mit } = await client.Projects.requester.get<{ name: string }>('templates/licenses/mit');
      expect(mit.name).toBe('MIT License');
      for (const [kind, key] of [...kinds, ['licenses', 'mit'] as const]) {
        const old = [await status('GET', `/${kind}`), await status('GET', `/${kind}/${key}`)];
        expect([kind, old]).toEqual([kind, [GONE, GONE]]);
        expectOfPython('templates', expect.objectContaining({ [kind]: [true, true, GONE, GONE] }));
      }
    });

    it('row "Subscription API": POST …/subscribe and …/unsubscribe of issues and merge requests', async () => {
      const { Issues, MergeRequests } = client;
      expect(await Issues.unsubscribe(loom.id, issue.iid)).toMatchObject({ subscribed: false });
      expect(await Issues.subscribe(loom.id, issue.iid)).toMatchObject({ subscribed: true });
      expect(await MergeRequests.unsubscribe(loom.id, request.iid)).toMatchObject({ subscribed: false });
      expect(await MergeRequests.subscribe(loom.id, request.iid)).toMatchObject({ subscribed: true });
      for (const subject of [`issues/${issue.iid}`, `merge_requests/${request.iid}`])
        for (const method of ['POST', 'DELETE'])
          expect(await status(method, `/projects/${loom.id}/${subject}/subscription`)).toBe(GONE);
      expectOfPython('subscribe', [
        [false, true, GONE, GONE],
        [false, true, GONE, GONE],
      ]);
    });

    it('row "merge_when_build_succeeds renamed merge_when_pipeline_succeeds": on PUT merge', async () => {
      const merged = await client.MergeRequests.merge(loom.id, 3, { mergeWhenPipelineSucceeds: true });
      expect(merged).toMatchObject({ state: 'merged', merge_when_pipeline_succeeds: false });
      expectOfPython('merge', 'merged');
    });

    it('row "merge_when_build_succeeds renamed …": on POST cancel_merge_when_pipeline_succeeds', async () => {
      expect(await client.MergeRequests.cancelOnPipelineSuccess(loom.id, 2)).toHaveProperty('status');
      const old = `/projects/${loom.id}/merge_requests/2/cancel_merge_when_build_succeeds`;
      expect(await status('POST', old)).toBe(GONE);
      expectOfPython('cancel', [true, GONE]);
    });

    it('row "merge_when_build_succeeds renamed …": on POST /projects, POST /projects/user/:user_id and PUT /projects/:id', async () => {
      const [before, after] = [{ mergeWhenBuildSucceeds: true }, { mergeWhenPipelineSucceeds: true }];
      const shown = { merge_when_pipeline_succeeds: true };
      const ignored = { merge_when_pipeline_succeeds: false };
      const made = await client.Projects.create({ name: 'Made before', ...before });
      expect(made).toMatchObject(ignored);
      expect(await client.Projects.create({ name: 'Made after', ...after })).toMatchObject(shown);
      const make = (name: string, sent: object) => admin.Projects.create({ name, userId: ada.id, ...sent });
      expect(await make('Owned before', before)).toMatchObject(ignored);
      expect(await make('Owned after', after)).toMatchObject(shown);
      expect(await client.Projects.edit(made.id, { name: 'Saved', ...before })).toMatchObject(ignored);
      expect(await client.Projects.edit(made.id, { name: 'Saved', ...after })).toMatchObject(shown);
      for (const row of ['made', 'made_for', 'saved']) expectOfPython(row, [false, true]);
    });

    it('row "subscribed removed from lists": it is in one issue or merge request alone', async () => {
      const { Issues, MergeRequests } = client;
      const lists = [
        await Issues.all({ projectId: loom.id }),
        await Issues.all(),
        await MergeRequests.all({ projectId: loom.id }),
        await MergeRequests.all(),
      ];
      for (const list of lists) {
        expect(list).not.toEqual([]);
        expect(list.filter((each) => 'subscribed' in each)).toEqual([]);
      }
      expect(await Issues.show(issue.iid, { projectId: loom.id })).toHaveProperty('subscribed', true);
      expect(await MergeRequests.show(loom.id, request.iid)).toHaveProperty('subscribed', true);
      expectOfPython('subscribed', [[false], [false], [false], [false], [true, true]]);
    });

    it('row "IID instead of the global id": on issues and merge requests', async () => {
      const { Issues, MergeRequests } = client;
      expect([issue.iid, request.iid]).toEqual([1, 1]);
      expect(await Issues.show(1, { projectId: loom.id })).toMatchObject({ id: issue.id, iid: 1 });
      expect(await MergeRequests.show(loom.id, 1)).toMatchObject({ id: request.id, iid: 1 });
      await expect(Issues.show(issue.id, { projectId: loom.id })).rejects.toThrow();
      await expect(MergeRequests.show(loom.id, request.id)).rejects.toThrow();
      expectOfPython('iid', expect.objectContaining({ numbers: [1, 1], by_id: [GONE, GONE] }));
    });

    it('row "IID instead of the global id": on award emoji, to-dos and time tracking', async () => {
      const { Issues, MergeRequests, IssueAwardEmojis, MergeRequestAwardEmojis, TodoLists } = client;
      const ofIssue = await IssueAwardEmojis.award(loom.id, 1, 'tada');
      expect(ofIssue).toMatchObject({ awardable_id: issue.id, awardable_type: 'Issue' });
      const ofRequest = await MergeRequestAwardEmojis.award(loom.id, 1, 'tada');
      expect(ofRequest).toMatchObject({ awardable_id: request.id, awardable_type: 'MergeRequest' });
      await expect(IssueAwardEmojis.award(loom.id, issue.id, 'tada')).rejects.toThrow();
      await expect(MergeRequestAwardEmojis.award(loom.id, request.id, 'tada')).rejects.toThrow();

      await Issues.createTodo(loom.id, 1);
      await MergeRequests.createTodo(loom.id, 1);
      expect(await TodoLists.all()).toMatchObject([
        { target_type: 'MergeRequest', target: { id: request.id, iid: 1 } },
        { target_type: 'Issue', target: { id: issue.id, iid: 1 } },
      ]);
      await TodoLists.done();
      await expect(Issues.createTodo(loom.id, issue.id)).rejects.toThrow();
      await expect(MergeRequests.createTodo(loom.id, request.id)).rejects.toThrow();

      expect(await Issues.addTimeEstimate(loom.id, 1, '2h')).toMatchObject({ human_time_estimate: '2h' });
      expect(await MergeRequests.setTimeEstimate(loom.id, 1, '2h')).toMatchObject({ human_time_estimate: '2h' });
      await expect(Issues.addTimeEstimate(loom.id, issue.id, '2h')).rejects.toThrow();
      await expect(MergeRequests.setTimeEstimate(loom.id, request.id, '2h')).rejects.toThrow();
      const seen = [true, [1, true], '2h', [GONE, GONE, GONE]];
      expectOfPython('iid', expect.objectContaining({ issues: seen, merge_requests: seen }));
    });
  });
});
