import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Gitlab, type DiscussionNotePositionOptions } from '@gitbeaker/rest';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { runPythonGitlab, withoutPythonGitlab } from '../support/python-gitlab.js';
import { CHANGED_LINE, ReviewedLines } from '../support/reviewed-lines.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { WrittenProject } from '../support/written-project.js';

describeEachDatabase('gitbeaker, unmodified, around an issue', (openTestDatabase) => {
  let service: TestService;
  let asAda: InstanceType<typeof Gitlab>;
  let asGrace: InstanceType<typeof Gitlab>;
  let graceId: number;
  let projectId: number;

  beforeAll(async () => {
    service = await TestService.start(await openTestDatabase());
    const [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
    [asAda, asGrace] = [ada, grace].map(({ token }) => new Gitlab({ host: service.url, token })) as [
      typeof asAda,
      typeof asGrace,
    ];
    graceId = grace.id;
    projectId = (await asAda.Projects.create({ name: 'Engine', visibility: 'public' })).id;
  });

  afterAll(() => service.close());

  it('discusses it', async () => {
    const { iid } = await asAda.Issues.create(projectId, 'Leak');
    const begun = await asAda.IssueDiscussions.create(projectId, iid, 'Where?');
    expect((await asAda.IssueDiscussions.all(projectId, iid)).map(({ id }) => id)).toEqual([begun.id]);
    const note = await asGrace.IssueDiscussions.addNote(projectId, iid, begun.id, 'There.');
    await asGrace.IssueDiscussions.editNote(projectId, iid, begun.id, note.id, { body: 'Here.' });
    const shown = await asAda.IssueDiscussions.show(projectId, iid, begun.id);
    expect(shown.notes).toMatchObject([{ body: 'Where?' }, { body: 'Here.' }]);
    await asGrace.IssueDiscussions.removeNote(projectId, iid, begun.id, note.id);
    expect((await asAda.IssueDiscussions.show(projectId, iid, begun.id)).notes).toHaveLength(1);
  });

  it('awards it and what is said of it', async () => {
    const { iid, id } = await asAda.Issues.create(projectId, 'Leak');
    const award = await asGrace.IssueAwardEmojis.award(projectId, iid, 'blowfish');
    expect(award).toMatchObject({ name: 'blowfish', awardable_id: id, awardable_type: 'Issue' });
    expect(await asAda.IssueAwardEmojis.all(projectId, iid)).toHaveLength(1);
    expect(await asAda.IssueAwardEmojis.show(projectId, iid, award.id)).toMatchObject({ id: award.id });
    await asGrace.IssueAwardEmojis.remove(projectId, iid, award.id);
    const note = await asAda.IssueNotes.create(projectId, iid, 'Hm');
    const ofNote = await asGrace.IssueNoteAwardEmojis.award(projectId, iid, note.id, 'tada');
    expect(await asAda.IssueNoteAwardEmojis.all(projectId, iid, note.id)).toEqual([
      expect.objectContaining({ id: ofNote.id, awardable_type: 'Note' }),
    ]);
  });

  it('asks somebody to do it, and hears that it is done', async () => {
    const issue = await asAda.Issues.create(projectId, 'Leak', { assigneeIds: [graceId] });
    await service.service.container.get(TOKENS.jobRunner).runDue();
    await until(async () => (await asGrace.TodoLists.all()).length === 1);
    const [todo] = await asGrace.TodoLists.all({ action: 'assigned' });
    expect(todo).toMatchObject({ target_type: 'Issue', target: { iid: issue.iid }, state: 'pending' });
    expect(await asGrace.TodoLists.done({ todoId: todo!.id })).toMatchObject({ id: todo!.id, state: 'done' });
    await asGrace.Issues.createTodo(projectId, issue.iid);
    await asGrace.TodoLists.done();
    expect(await asGrace.TodoLists.all()).toEqual([]);
  });

  it('plans it, tracks its time, and reads what was done with it', async () => {
    const { iid } = await asAda.Issues.create(projectId, 'Leak', { labels: 'bug' });
    await asAda.Issues.addTimeEstimate(projectId, iid, '3h 30m');
    await asAda.Issues.addSpentTime(projectId, iid, '1h');
    expect(await asAda.Issues.showTimeStats(projectId, iid)).toMatchObject({
      human_time_estimate: '3h 30m',
      human_total_time_spent: '1h',
    });
    await asAda.Issues.resetSpentTime(projectId, iid);
    await asAda.Issues.resetTimeEstimate(projectId, iid);
    await asAda.Issues.edit(projectId, iid, { stateEvent: 'close' });
    const [labelled] = await asAda.IssueLabelEvents.all(projectId, iid);
    expect(labelled).toMatchObject({ action: 'add', label: { name: 'bug' } });
    expect(await asAda.IssueLabelEvents.show(projectId, iid, labelled!.id)).toMatchObject({ id: labelled!.id });
    expect(await asAda.IssueStateEvents.all(projectId, iid)).toMatchObject([{ state: 'closed' }]);
    expect(await asAda.IssueMilestoneEvents.all(projectId, iid)).toEqual([]);
    expect(await asGrace.Issues.subscribe(projectId, iid)).toMatchObject({ subscribed: true });
  });
});

withGit('python-gitlab, unmodified, around a change', () => {
  describeEachDatabase('python-gitlab, unmodified, around a change', (openTestDatabase) => {
    it('talks, awards, tracks time, plans, does what is asked, and moves an issue', async () => {
      if (withoutPythonGitlab()) return;
      const service = await TestService.start(await openTestDatabase());
      try {
        const ada = await service.addUser('ada');
        const loom = await WrittenProject.make(service, ada, { name: 'Loom', visibility: 'public' });
        await loom.write('main', { 'README.md': '# Loom\n' });
        await loom.write('one', { one: 'one' }, { start_branch: 'main' });
        await loom.call('POST', '/merge_requests', { source_branch: 'one', target_branch: 'main', title: 'One' });
        const other = await WrittenProject.make(service, ada, { name: 'Other', visibility: 'public' });
        const seen = await runPythonGitlab(
          'collaboration.py',
          service.url,
          ada.token,
          String(loom.id),
          String(other.id),
        );
        const talked = ['Changed', true, ['tada', 'tada'], true, 'Because!', 1, ['thumbsup', 1], 0];
        const planned = [[true], [true], [true, true]];
        expect(seen).toEqual({
          talked: [talked, talked, talked],
          tracked: [
            ['3h 30m', '2h', 0],
            ['3h 30m', '2h', 0],
          ],
          planned: [planned, planned],
          asked: ['marked', 'Issue', true],
          done: 0,
          all_done: 0,
          subscribed: false,
          acted: ['Enough.', 'closed', []],
          told: [['Reopened this issue.'], { state_event: 'reopen' }],
          refused: [400, expect.stringContaining('Could not apply /reopen: this issue is open.')],
          moved: ['Leak', true, true],
          moved_twice: [400, 'Cannot move issue: it was moved already.'],
        });
      } finally {
        await service.close();
      }
    });
  });
});

withGit('stock clients, unmodified, on lines of code', () => {
  describeEachDatabase('stock clients, unmodified, on lines of code', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let lines: ReviewedLines;
    let sha: string;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      ada = await service.addUser('ada');
      const loom = await WrittenProject.make(service, ada, { name: 'Loom', visibility: 'public' });
      lines = await ReviewedLines.open(loom);
      ({ head_sha: sha } = await lines.refs());
    });

    afterAll(() => service.close());

    /** The line that both the merge request and its one commit change. */
    const changedLine = async (): Promise<DiscussionNotePositionOptions> => {
      const { base_sha: baseSha, start_sha: startSha, head_sha: headSha } = await lines.refs();
      const { new_path: newPath, old_path: oldPath, new_line: newLine } = CHANGED_LINE;
      return { baseSha, startSha, headSha, positionType: 'text', newPath, oldPath, newLine: String(newLine) };
    };
    const shown = [
      { type: 'DiffNote', position: { new_path: CHANGED_LINE.new_path, new_line: CHANGED_LINE.new_line } },
    ];

    it('gitbeaker discusses a line of a merge request, and resolves it', async () => {
      const { MergeRequestDiscussions: discussions } = new Gitlab({ host: service.url, token: ada.token });
      const at = [lines.of.id, lines.iid] as const;
      const begun = await discussions.create(...at, 'Why?', { position: await changedLine() });
      expect(begun.notes).toMatchObject(shown);
      const { id } = await discussions.addNote(...at, begun.id, 'So.');
      expect((await discussions.resolve(...at, begun.id, true)).notes).toMatchObject([{ resolved: true }, { id }]);
      expect((await discussions.show(...at, begun.id)).notes).toHaveLength(2);
    });

    it('gitbeaker discusses a commit, and a line that it changes', async () => {
      const { CommitDiscussions: discussions } = new Gitlab({ host: service.url, token: ada.token });
      const at = [lines.of.id, sha] as const;
      const alone = await discussions.create(...at, 'Hm');
      const begun = await discussions.create(...at, 'Why?', { position: await changedLine() });
      expect(begun.notes).toMatchObject(shown);
      const { id } = await discussions.addNote(...at, begun.id, 'So.');
      await discussions.editNote(...at, begun.id, id, { body: 'Because.' });
      expect((await discussions.show(...at, begun.id)).notes).toMatchObject([{ body: 'Why?' }, { body: 'Because.' }]);
      await discussions.removeNote(...at, begun.id, id);
      expect((await discussions.all(...at)).map((each) => [each.id, each.notes?.length])).toEqual([
        [alone.id, 1],
        [begun.id, 1],
      ]);
    });

    it('gitbeaker drafts comments on a merge request, and publishes one, and the others together', async () => {
      const gitbeaker = new Gitlab({ host: service.url, token: ada.token });
      const { MergeRequestDraftNotes: drafts, MergeRequestNotes: notes } = gitbeaker;
      const at = [lines.of.id, lines.iid] as const;
      const general = await drafts.create(...at, 'By gitbeaker');
      // Its type has a number for the range of lines, which it sends as it is.
      const position = (await changedLine()) as never;
      const placed = await drafts.create(...at, 'There', { position });
      expect(placed).toMatchObject({ note: 'There', position: { new_line: CHANGED_LINE.new_line } });
      const removed = await drafts.create(...at, 'Never');
      await drafts.remove(...at, removed.id);
      expect(await drafts.show(...at, general.id)).toEqual(general);
      expect(await drafts.all(...at)).toEqual([general, placed]);
      await drafts.publish(...at, placed.id);
      await drafts.publishBulk(...at);
      expect(await drafts.all(...at)).toEqual([]);
      const said = await notes.all(...at, { sort: 'asc' });
      expect(said.slice(-2).map(({ body }) => body)).toEqual(['There', 'By gitbeaker']);
    });

    it('python-gitlab does both', async () => {
      if (withoutPythonGitlab()) return;
      const argv = [service.url, ada.token, String(lines.of.id), String(lines.iid), sha, JSON.stringify(CHANGED_LINE)];
      const line = ['DiffNote', CHANGED_LINE.new_line];
      const talked = [line, true, 'Because!', 1];
      expect(await runPythonGitlab('line_comments.py', ...argv)).toEqual({
        request: talked,
        resolved: [true, false],
        commit: talked,
        commit_alone: ['DiscussionNote', 'Hm'],
      });
    });
  });
});
