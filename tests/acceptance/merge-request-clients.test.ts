import { expect, it } from '@jest/globals';
import { Gitlab } from '@gitbeaker/rest';
import { describeEachDeployment } from '../support/deployments.js';
import { withGit } from '../support/git.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';
import type { TestService } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject } from '../support/written-project.js';

/** A resource of a client that notes which of its methods were called. */
const recorded = <Resource extends object>(resource: Resource) => {
  const called = new Set<PropertyKey>(['constructor']);
  return {
    resource: new Proxy(resource, {
      get: (target, name) => {
        called.add(name);
        return Reflect.get(target, name, target) as unknown;
      },
    }),
    left: () => Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).filter((name) => !called.has(name)),
  };
};

withGit('merge requests by stock clients', () => {
  describeEachDeployment('merge requests by stock clients', (deploy) => {
    const prepare = async (service: TestService) => {
      const [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
      const loom = await WrittenProject.make(service, ada, { name: 'Loom', visibility: 'public' });
      await loom.write('main', { 'README.md': '# Loom\n' });
      await loom.addMember(grace, 30);
      const asGrace = new Gitlab({ host: service.url, token: grace.token });
      const fork = await asGrace.Projects.fork(loom.id, { path: 'my-loom', name: 'My loom' });
      await until(async () => (await asGrace.Projects.show(fork.id))['import_status'] === 'finished');
      return { ada, grace, loom, fork, asGrace, asAda: new Gitlab({ host: service.url, token: ada.token }) };
    };

    it('gitbeaker takes a change from branch to merge', async () => {
      const { service, close } = await deploy();
      try {
        const { ada, loom, fork, asAda, asGrace } = await prepare(service);
        const { MergeRequests, MergeRequestApprovals, MergeRequestNotes, Projects, Branches } = asAda;
        await loom.call('POST', '/issues', { title: 'Broken' });
        await loom.write('one', { one: 'one' }, { start_branch: 'main' });
        const made = await MergeRequests.create(loom.id, 'one', 'main', 'One', {
          description: 'Closes #1',
          reviewerIds: [ada.id],
        });
        expect(made).toMatchObject({ iid: 1, state: 'opened', detailed_merge_status: 'mergeable' });
        expect(await MergeRequests.show(loom.id, 1)).toMatchObject({ subscribed: true });
        expect(await MergeRequests.all({ projectId: loom.id, state: 'opened' })).toMatchObject([{ iid: 1 }]);
        expect(await MergeRequests.all({ scope: 'all' })).toHaveLength(1);
        expect(await MergeRequests.allCommits(loom.id, 1)).toMatchObject([{ title: 'Write one' }]);
        expect(await MergeRequests.allDiffs(loom.id, 1)).toMatchObject([{ new_path: 'one' }]);
        expect(await MergeRequests.allDiffVersions(loom.id, 1)).toHaveLength(1);
        expect(await MergeRequests.allParticipants(loom.id, 1)).toMatchObject([{ username: 'ada' }]);
        expect(await MergeRequests.allIssuesClosed(loom.id, 1)).toMatchObject([{ iid: 1 }]);
        expect(await asAda.Issues.allRelatedMergeRequests(loom.id, 1)).toMatchObject([{ iid: 1 }]);
        expect(await MergeRequests.showReviewers(loom.id, 1)).toMatchObject([{ state: 'unreviewed' }]);
        expect(await MergeRequestNotes.create(loom.id, 1, 'Look')).toMatchObject({ noteable_type: 'MergeRequest' });
        expect(await asGrace.MergeRequestApprovals.approve(loom.id, 1)).toMatchObject({ approved: true });
        expect(await MergeRequestApprovals.showConfiguration(loom.id, { mergerequestIId: 1 })).toMatchObject({
          approved_by: [{ user: { username: 'grace' } }],
        });
        expect(await MergeRequests.edit(loom.id, 1, { addLabels: 'fine' })).toMatchObject({ labels: ['fine'] });
        expect(await MergeRequests.rebase(loom.id, 1)).toEqual({ rebase_in_progress: false });
        const merged = await MergeRequests.merge(loom.id, 1, { shouldRemoveSourceBranch: true });
        expect(merged).toMatchObject({ state: 'merged' });
        await expect(Branches.show(loom.id, 'one')).rejects.toThrow();
        expect(await asAda.Issues.show(1, { projectId: loom.id })).toMatchObject({ state: 'closed' });
        expect(await asAda.Commits.allMergeRequests(loom.id, merged.merge_commit_sha!)).toMatchObject([{ iid: 1 }]);

        const actions = [{ action: 'create' as const, filePath: 'two', content: 'two' }];
        await asGrace.Commits.create(fork.id, 'two', 'Two', actions, { startBranch: 'main' });
        const across = await asGrace.MergeRequests.create(fork.id, 'two', 'main', 'Two', { targetProjectId: loom.id });
        expect(across).toMatchObject({ iid: 2, source_project_id: fork.id, target_project_id: loom.id });
        await MergeRequests.remove(loom.id, 2);
        expect(await MergeRequests.all({ projectId: loom.id })).toHaveLength(1);
        expect(await Projects.edit(loom.id, { onlyAllowMergeIfPipelineSucceeds: true })).toMatchObject({
          only_allow_merge_if_pipeline_succeeds: true,
          merge_when_pipeline_succeeds: true,
        });
      } finally {
        await close();
      }
    });

    it('gitbeaker reaches every method of merge requests and their approvals', async () => {
      const { service, close } = await deploy();
      try {
        const { grace, loom, asAda, asGrace } = await prepare(service);
        const requests = recorded(asAda.MergeRequests);
        const approvals = recorded(asAda.MergeRequestApprovals);
        const [all, id] = [requests.resource, loom.id];
        await loom.call('POST', '/issues', { title: 'Broken' });
        for (const name of ['one', 'two']) await loom.write(name, { [name]: name }, { start_branch: 'main' });
        await all.create(id, 'one', 'main', 'One', { description: 'See #1', reviewerIds: [grace.id] });
        await all.create(id, 'two', 'main', 'Two');
        expect(await all.show(id, 1)).toMatchObject({ iid: 1 });
        expect(await all.all({ projectId: id, not: { labels: ['a', 'b'] }, sort: 'asc' })).toHaveLength(2);
        expect(await all.allIssuesRelated(id, 1)).toMatchObject([{ iid: 1 }]);
        expect(await all.allIssuesClosed(id, 1)).toEqual([]);
        expect(await all.allCommits(id, 1)).toHaveLength(1);
        expect(await all.allDiffs(id, 1)).toHaveLength(1);
        expect(await all.showChanges(id, 1)).toMatchObject({ changes: [{ new_path: 'one' }] });
        const [version] = await all.allDiffVersions(id, 1);
        expect(await all.showDiffVersion(id, 1, version!.id)).toMatchObject({ diffs: [{ new_path: 'one' }] });
        expect(await all.allParticipants(id, 1)).toHaveLength(2);
        expect(await all.showReviewers(id, 1)).toMatchObject([{ user: { username: 'grace' } }]);
        expect(await all.allPipelines(id, 1)).toEqual([]);
        await expect(all.createPipeline(id, 1)).rejects.toThrow();
        expect(await all.setTimeEstimate(id, 1, '2h')).toMatchObject({ human_time_estimate: '2h' });
        expect(await all.addSpentTime(id, 1, '1h')).toMatchObject({ human_total_time_spent: '1h' });
        expect(await all.showTimeStats(id, 1)).toMatchObject({ time_estimate: 7_200, total_time_spent: 3_600 });
        expect(await all.resetTimeEstimate(id, 1)).toMatchObject({ time_estimate: 0 });
        expect(await all.resetSpentTime(id, 1)).toMatchObject({ total_time_spent: 0 });
        expect(await all.createTodo(id, 1)).toMatchObject({ action_name: 'marked' });
        await all.unsubscribe(id, 1);
        expect(await all.subscribe(id, 1)).toMatchObject({ subscribed: true });
        expect(await all.edit(id, 1, { title: 'First' })).toMatchObject({ title: 'First' });
        expect(await all.mergeToDefault(id, 1)).toMatchObject({ commit_id: expect.any(String) });
        expect(await all.rebase(id, 1)).toMatchObject({ rebase_in_progress: false });
        expect(await all.cancelOnPipelineSuccess(id, 1)).toMatchObject({ status: 'error' });

        const { resource: rules } = approvals;
        expect(await rules.editConfiguration(id, { approvals_before_merge: 1 } as object)).toMatchObject({
          approvals_before_merge: 1,
        });
        expect(await rules.showConfiguration(id)).toMatchObject({ approvals_before_merge: 1 });
        expect(await rules.showConfiguration(id, { mergerequestIId: 1 })).toMatchObject({ approvals_left: 1 });
        expect(await rules.allApprovalRules(id)).toMatchObject([{ rule_type: 'any_approver' }]);
        expect(await rules.allApprovalRules(id, { mergerequestIId: 1 })).toMatchObject([{ approvals_required: 1 }]);
        await expect(rules.approve(id, 1)).rejects.toThrow();
        await asGrace.MergeRequestApprovals.approve(id, 1);
        expect(await rules.showApprovalState(id, 1)).toMatchObject({ rules: [{ approved: true }] });
        await expect(rules.unapprove(id, 1)).rejects.toThrow();
        // There is one rule, which is the project's setting.
        await expect(rules.createApprovalRule(id, 'Two', 2)).rejects.toThrow();
        await expect(rules.editApprovalRule(id, 1, 'Two', 2)).rejects.toThrow();
        await expect(rules.removeApprovalRule(id, 1)).rejects.toThrow();
        await expect(rules.showApprovalRule(id, 1)).rejects.toThrow();

        expect(await all.accept(id, 1)).toMatchObject({ state: 'merged' });
        await expect(all.merge(id, 1)).rejects.toThrow();
        await all.remove(id, 2);
        expect([requests.left(), approvals.left()]).toEqual([[], []]);
      } finally {
        await close();
      }
    });

    it('python-gitlab takes a change from branch to merge', async () => {
      if (withoutPythonGitlab()) return;
      const { service, close } = await deploy();
      try {
        const { ada, grace, loom, fork } = await prepare(service);
        const argv = [service.url, ada.token, grace.token, String(loom.id), String(fork.id)];
        expect(await runPythonGitlab('merge_requests.py', ...argv)).toEqual({
          state: 'opened',
          labels: ['a', 'b'],
          listed: [1],
          by_label: [1],
          all: 1,
          draft: true,
          note: 'Look',
          commits: ['New one.txt'],
          changes: ['one.txt'],
          diffs: 1,
          diff: 'New one.txt',
          participants: ['ada'],
          closes: [],
          subscribed: true,
          approved_by: ['grace'],
          left: [],
          ref: true,
          reset: 401,
          state_of_rules: ['any_approver'],
          rules: ['any_approver'],
          required: [1, 0],
          cancelled: true,
          rebase: true,
          merged: 'merged',
          again: 405,
          branch: 404,
          across: [true, true],
          closed: 'closed',
          rest: [1],
        });
      } finally {
        await close();
      }
    });
  });
});
