import { expect, it } from '@jest/globals';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';
import {
  CHANGED_LINE,
  FILE,
  FILE_AFTER,
  ReviewedLines,
  type ShownDiscussion,
  type ShownSuggestion,
} from '../support/reviewed-lines.js';
import type { TestUser } from '../support/test-service.js';
import { until } from '../support/until.js';
import { describeWriting } from '../support/written-project.js';

const block = (content: string, lines = ''): string => `Better:\n\n\`\`\`suggestion${lines}\n${content}\`\`\`\n`;

describeWriting('suggestions', (writing) => {
  const open = async (fields: object = { visibility: 'public' }) =>
    ReviewedLines.open(await writing.newProject(fields));
  const suggest = async (lines: ReviewedLines, body: string, position: object = CHANGED_LINE) =>
    (await lines.said(body, position)).notes[0]!.suggestions!;
  const apply = (id: number, { token }: TestUser = writing.ada, json: object = {}) =>
    writing.service.call<ShownSuggestion>('PUT', `/suggestions/${id}/apply`, { token, json });
  const applyAll = (ids: readonly number[], json: object = {}) =>
    writing.service.call<readonly ShownSuggestion[]>('PUT', '/suggestions/batch_apply', {
      token: writing.ada.token,
      json: { ids, ...json },
    });
  const fileOf = async (id: ProjectId, path = FILE) => {
    const address = `/projects/${id}/repository/files/${encodeURIComponent(path)}?ref=feature`;
    const { body } = await writing.service.call<{ content: string }>('GET', address, { token: writing.ada.token });
    return Buffer.from(body.content, 'base64').toString('latin1');
  };
  const refusal = (message: string) => expect.objectContaining({ status: 400, body: { message } });

  it('are read from comments on lines, and applied as a commit of whoever applies them', async () => {
    const lines = await open();
    const [suggestion] = await suggest(lines, block('Six\n'));
    expect(suggestion).toEqual({
      ...{ id: expect.any(Number), from_line: 6, to_line: 6, appliable: true, applied: false },
      ...{ from_content: 'SIX\n', to_content: 'Six\n' },
    });
    await lines.of.addMember(writing.grace, 30);
    const applied = await apply(suggestion!.id, writing.grace);
    expect(applied).toMatchObject({ status: 200, body: { id: suggestion!.id, applied: true, appliable: false } });
    expect(await fileOf(lines.of.id)).toBe(FILE_AFTER.replace('SIX', 'Six'));
    const { body: commits } = await lines.call<readonly object[]>('GET', '/commits');
    expect(commits[0]).toMatchObject({
      title: 'Apply 1 suggestion(s) to 1 file(s)',
      author_name: 'grace Example',
      committer_name: 'grace Example',
    });
    const { body: events } = await lines.of.call<readonly object[]>('GET', '/events?action=pushed');
    expect(events[0]).toMatchObject({ author: { username: 'grace' }, push_data: { ref: 'feature', commit_count: 1 } });
    expect(await apply(suggestion!.id)).toEqual(refusal("Can't apply this suggestion: it has been applied already."));
  });

  it('replace lines around, take lines away, and say what the commit is called', async () => {
    const lines = await open();
    const [wide] = await suggest(lines, block('5\n6\n7\n', ':-1+1'));
    expect(wide).toMatchObject({ from_line: 5, to_line: 7, from_content: 'five\nSIX\nseven\n' });
    const message = 'Weave by numbers\n\nAs agreed.';
    expect((await apply(wide!.id, writing.ada, { commit_message: message })).status).toBe(200);
    expect(await fileOf(lines.of.id)).toBe(FILE_AFTER.replace('five\nSIX\nseven\n', '5\n6\n7\n'));
    expect((await lines.call('GET', '/commits')).body).toMatchObject([{ message }, {}]);
    const [away] = await suggest(lines, block(''));
    expect((await apply(away!.id)).status).toBe(200);
    expect(await fileOf(lines.of.id)).toBe(FILE_AFTER.replace('five\nSIX\nseven\n', '5\n7\n'));
  });

  it('leave the ends of lines, and whatever else is in the file, as they are', async () => {
    const lines = await open();
    const before = Buffer.from('a\r\n\xff\xfe\r\nlast', 'latin1').toString('base64');
    const add = { action: 'create', file_path: 'odd.txt', content: before, encoding: 'base64' };
    expect((await lines.of.commit('feature', 'Odd', [add])).status).toBe(201);
    const at = (new_line: number) => ({ old_path: 'odd.txt', new_path: 'odd.txt', new_line });
    const [first] = await suggest(lines, block('b\nc\n'), at(1));
    const [last] = await suggest(lines, block('end\n'), at(3));
    expect((await applyAll([first!.id, last!.id])).status).toBe(200);
    expect(await fileOf(lines.of.id, 'odd.txt')).toBe('b\r\nc\r\n\xff\xfe\r\nend');
  });

  it('of one merge request are applied together in one commit, unless their lines overlap', async () => {
    const lines = await open();
    const [one] = await suggest(lines, block('Six\n'));
    const [two] = await suggest(lines, block('13\n'), { ...CHANGED_LINE, new_line: 12 });
    const [over] = await suggest(lines, block('all\n', ':-1+0'));
    expect(await applyAll([one!.id, over!.id])).toEqual(
      refusal('Suggestions are not applicable as their lines cannot overlap.'),
    );
    const answer = await applyAll([one!.id, two!.id, one!.id], { commit_message: 'Both' });
    expect(answer).toMatchObject({ status: 200, body: [{ applied: true }, { applied: true }] });
    expect(await fileOf(lines.of.id)).toBe(FILE_AFTER.replace('SIX', 'Six').replace('thirteen', '13'));
    expect((await lines.call('GET', '/commits')).body).toMatchObject([{ title: 'Both' }, {}]);
    const other = await open();
    const [elsewhere] = await suggest(other, block('Six\n'));
    const [more] = await suggest(lines, block('VI\n'));
    expect(await applyAll([elsewhere!.id, more!.id])).toEqual(refusal('Suggestions must all be on the same branch.'));
    expect((await applyAll([more!.id, 999_999])).status).toBe(404);
    expect((await applyAll([])).status).toBeGreaterThanOrEqual(400);
  });

  it('can’t be applied once their lines are others, or the merge request is not open', async () => {
    const lines = await open();
    const [narrow] = await suggest(lines, block('Six\n'));
    const [wide] = await suggest(lines, block('all\n', ':-1+0'));
    const [same] = await suggest(lines, block('SIX\n'));
    expect(same).toMatchObject({ appliable: false });
    expect(await apply(same!.id)).toEqual(refusal('This suggestion already matches its content.'));
    await lines.push(`zero\n${FILE_AFTER.replace('five', 'Five')}`);
    expect(await apply(wide!.id)).toEqual(refusal("Can't apply as these lines were changed in a more recent version."));
    const { body: threads } = await lines.call<readonly ShownDiscussion[]>('GET', '/discussions');
    // Beside them the service says what was pushed.
    const suggested = threads.flatMap(({ notes }) => notes[0]!.suggestions ?? []);
    expect(suggested).toMatchObject([
      { from_line: 7, to_line: 7, appliable: true },
      { appliable: false },
      { appliable: false },
    ]);
    await lines.call('PUT', '', { state_event: 'close' });
    const closed = 'This merge request is closed. To apply this suggestion, edit this file directly.';
    expect(await apply(narrow!.id)).toEqual(refusal(closed));
    await lines.call('PUT', '', { state_event: 'reopen' });
    expect((await apply(narrow!.id)).status).toBe(200);
    const [late] = await suggest(lines, block('VI\n'), { ...CHANGED_LINE, new_line: 7 });
    await lines.push(FILE_AFTER.replace('SIX', '6'));
    expect(await apply(late!.id)).toEqual(refusal("Can't apply as this line was changed in a more recent version."));
    const [gone] = await suggest(lines, block('VI\n'));
    await lines.of.call('DELETE', '/repository/branches/feature');
    expect(await apply(gone!.id)).toEqual(refusal("Can't apply as the source branch was deleted."));
  });

  it('are made by answers too, change with their comment, and stay once they are applied', async () => {
    const lines = await open();
    const { id, notes } = await lines.said('Hm');
    const reply = await lines.call<{ id: number; suggestions: readonly ShownSuggestion[] }>(
      'POST',
      `/discussions/${id}/notes`,
      { body: `${block('Six\n')}or\n\n${block('VI\n')}` },
    );
    expect(reply.body.suggestions.map(({ to_content }) => to_content)).toEqual(['Six\n', 'VI\n']);
    const edit = async (note: number, body: string) =>
      (await lines.call<{ suggestions: readonly ShownSuggestion[] }>('PUT', `/notes/${note}`, { body })).body
        .suggestions;
    const [first] = await edit(notes[0]!.id, block('6\n'));
    expect(await edit(notes[0]!.id, 'Nothing')).toEqual([]);
    expect((await apply(first!.id)).status).toBe(404);
    expect((await apply(reply.body.suggestions[0]!.id)).status).toBe(200);
    expect(await edit(reply.body.id, block('Six\n'))).toMatchObject([{ to_content: 'Six\n', applied: true }]);
  });

  it('are none where nothing could be replaced: elsewhere, of removed lines, within other code', async () => {
    const lines = await open();
    expect(await suggest(lines, block('8\n'), { old_path: FILE, old_line: 8 })).toEqual([]);
    expect(await suggest(lines, `~~~~\n${block('Six\n')}~~~~\n`)).toEqual([]);
    expect(await suggest(lines, '```suggestion\nSix\n')).toEqual([]);
    const note = await lines.call('POST', '/notes', { body: block('Six\n') });
    expect(note.body).not.toHaveProperty('suggestions');
  });

  it('are few and bounded, however large the comment is', async () => {
    const lines = await open();
    const many = await suggest(lines, block('x\n').repeat(30));
    expect(many.length).toBe(20);
    const [widest] = await suggest(lines, block('x\n', ':-999999999+999999999'));
    expect(widest).toMatchObject({ from_line: 1, to_line: 106, from_content: FILE_AFTER });
    const long = `${'y'.repeat(150_000)}\n`;
    await lines.push(FILE_AFTER.replace('SIX\n', long));
    // Each would replace the long line.
    expect(await suggest(lines, block('x\n').repeat(20))).toHaveLength(1);
    const most = `${'z'.repeat(900_000)}\n`;
    const [largest] = await suggest(lines, block(most));
    expect((await apply(largest!.id)).status).toBe(200);
    expect(await fileOf(lines.of.id)).toBe(FILE_AFTER.replace('SIX\n', most));
  });

  it('of which one is applied by many at once make one commit, and others at once are all applied', async () => {
    const lines = await open();
    const [one] = await suggest(lines, block('Six\n'));
    const answers = await Promise.all(Array.from({ length: 4 }, () => apply(one!.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    expect((await lines.call<readonly object[]>('GET', '/commits')).body).toHaveLength(2);
    const both = [
      await suggest(lines, block('6\n')),
      await suggest(lines, block('13\n'), { ...CHANGED_LINE, new_line: 12 }),
    ];
    const applied = await Promise.all(both.map(([suggestion]) => apply(suggestion!.id)));
    expect(applied.map(({ status }) => status)).toEqual([200, 200]);
    expect(await fileOf(lines.of.id)).toBe(FILE_AFTER.replace('SIX', '6').replace('thirteen', '13'));
  });

  it('are applied by who may push to the source branch alone, and are told to who sees them alone', async () => {
    const lines = await open();
    const [suggestion] = await suggest(lines, block('Six\n'));
    const stranger = await writing.service.addUser('passer');
    expect(await apply(suggestion!.id, stranger)).toMatchObject({ status: 403 });
    await lines.of.addMember(stranger, 30);
    await lines.of.call('POST', '/protected_branches', { name: 'feature', push_access_level: 40 });
    expect(await apply(suggestion!.id, stranger)).toEqual(
      expect.objectContaining({
        status: 403,
        body: { message: '403 Forbidden - You are not allowed to push into this branch' },
      }),
    );
    expect((await apply(suggestion!.id)).status).toBe(200);
    const hidden = await open({ visibility: 'private' });
    const [secret] = await suggest(hidden, block('Six\n'));
    expect(await apply(secret!.id, stranger)).toMatchObject({
      status: 404,
      body: { message: '404 Suggestion Not Found' },
    });
    await hidden.of.addMember(stranger, 10);
    expect(await apply(secret!.id, stranger)).toMatchObject({
      status: 404,
      body: { message: '404 Suggestion Not Found' },
    });
    await hidden.of.call('PUT', `/members/${stranger.id}`, { access_level: 20 });
    expect((await apply(secret!.id, stranger)).status).toBe(403);
    expect((await writing.service.call('PUT', `/suggestions/${secret!.id}/apply`, {})).status).toBe(401);
    await hidden.of.call('POST', '/archive');
    expect((await apply(secret!.id)).status).toBe(403);
    await hidden.of.call('POST', '/unarchive');
  });

  it('are applied to a private fork by who may push there, and nobody else learns of it', async () => {
    const of = await writing.newProject({ visibility: 'public' });
    const { grace, ada, service } = writing;
    await of.write('main', { 'README.md': '# Loom\n' });
    const call = <Body>(user: TestUser, method: string, path: string, json?: object) =>
      service.call<Body>(method, path, { token: user.token, ...(json === undefined ? {} : { json }) });
    const forked = await call<{ id: ProjectId }>(grace, 'POST', `/projects/${of.id}/fork`, { visibility: 'private' });
    const fork = forked.body.id;
    await until(async () => {
      const { body } = await call<{ import_status: string }>(grace, 'GET', `/projects/${fork}`);
      return body.import_status === 'finished';
    });
    await call(grace, 'POST', `/projects/${fork}/repository/commits`, {
      ...{ branch: 'feature', start_branch: 'main', commit_message: 'Write' },
      actions: [{ action: 'create', file_path: FILE, content: FILE_AFTER }],
    });
    const opened = await call<{ iid: number; diff_refs: object }>(grace, 'POST', `/projects/${fork}/merge_requests`, {
      ...{ source_branch: 'feature', target_branch: 'main', target_project_id: of.id, title: 'Weave' },
    });
    const path = `/projects/${of.id}/merge_requests/${opened.body.iid}`;
    const position = { position_type: 'text', ...opened.body.diff_refs, ...CHANGED_LINE };
    const said = await call<ShownDiscussion>(ada, 'POST', `${path}/discussions`, { body: block('Six\n'), position });
    expect(said.status).toBe(201);
    const [suggestion] = said.body.notes[0]!.suggestions!;
    expect(await apply(suggestion!.id, ada)).toEqual(
      expect.objectContaining({
        status: 403,
        body: { message: '403 Forbidden - You are not allowed to push into this branch' },
      }),
    );
    expect((await apply(suggestion!.id, grace)).status).toBe(200);
    const { body: shown } = await call<{ content: string }>(
      grace,
      'GET',
      `/projects/${fork}/repository/files/${encodeURIComponent(FILE)}?ref=feature`,
    );
    expect(Buffer.from(shown.content, 'base64').toString()).toBe(FILE_AFTER.replace('SIX', 'Six'));
  });
});
