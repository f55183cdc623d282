import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  CHANGED_LINE,
  FILE,
  FILE_AFTER,
  FILE_BEFORE,
  ReviewedLines,
  type ShownDiscussion,
} from '../support/reviewed-lines.js';
import { describeWriting } from '../support/written-project.js';

const code = (oldLine: number, newLine: number): string =>
  `${createHash('sha1').update(FILE).digest('hex')}_${oldLine}_${newLine}`;

describeWriting('threads on the lines of a merge request', (writing) => {
  /** As many threads like the first one as make so many. */
  const fill = async (lines: ReviewedLines, all: number): Promise<void> => {
    const { schema } = writing.service.service.database;
    const { id: subject_id } = (await schema('merge_requests').where({ project_id: lines.of.id }).first('id'))!;
    const { id: _id, ...note } = (await schema('notes').where({ subject_id }).first())!;
    const place = (await schema('discussion_positions').where({ discussion_id: note.discussion_id! }).first())!;
    for (let made = 1; made < all; made += 111) {
      const notes = await schema('notes')
        .insert(Array.from({ length: 111 }, () => ({ ...note, discussion_id: null })))
        .returning('id');
      const discussions = await schema('discussions')
        .insert(notes.map(({ id: first_note_id }) => ({ subject_id, first_note_id })))
        .returning(['id', 'first_note_id']);
      await schema('discussion_positions').insert(discussions.map(({ id }) => ({ ...place, discussion_id: id })));
      await schema.raw(
        'update notes set discussion_id = (select id from discussions where first_note_id = notes.id) where subject_id = ?',
        [subject_id],
      );
    }
  };
  const open = async (fields: object = { visibility: 'public' }) =>
    ReviewedLines.open(await writing.newProject(fields));

  describe('where they may be', () => {
    it('is an added, a removed or an unchanged line of the diff, and what is shown says so', async () => {
      const lines = await open();
      const refs = await lines.refs();
      const shown = { ...refs, position_type: 'text', old_path: FILE, new_path: FILE, line_range: null };
      const at = async (position: object) => (await lines.said('Why?', position)).notes[0];
      expect(await at(CHANGED_LINE)).toMatchObject({
        type: 'DiffNote',
        body: 'Why?',
        resolvable: true,
        resolved: false,
        commit_id: null,
        outdated: false,
        position: { ...shown, old_line: null, new_line: 6 },
        suggestions: [],
      });
      const removed = { old_path: FILE, old_line: 8 };
      expect(await at(removed)).toMatchObject({ position: { ...shown, old_line: 8, new_line: null } });
      const unchanged = { new_path: FILE, old_line: 5, new_line: 5 };
      expect(await at(unchanged)).toMatchObject({ position: { ...shown, old_line: 5, new_line: 5 } });
      const { body: listed } = await lines.call<readonly ShownDiscussion[]>('GET', '/discussions');
      expect(listed.map(({ individual_note, notes }) => [individual_note, notes[0]?.type])).toEqual([
        [false, 'DiffNote'],
        [false, 'DiffNote'],
        [false, 'DiffNote'],
      ]);
      expect((await lines.call('GET', '/notes')).body).toMatchObject([
        { type: 'DiffNote', position: { new_line: 5 } },
        { position: { old_line: 8 } },
        { position: { new_line: 6 } },
      ]);
    });

    it('may be several lines, whose first is told by its numbers or by its code', async () => {
      const lines = await open();
      const last = { old_path: FILE, new_path: FILE, new_line: 6 };
      const range = {
        start: { line_code: code(4, 4), type: null, old_line: 4, new_line: 4 },
        end: { line_code: code(0, 6), type: 'new', old_line: null, new_line: 6 },
      };
      for (const start of [
        { old_line: 4, new_line: 4 },
        { line_code: code(4, 4), type: 'new' },
      ]) {
        const { notes } = await lines.said('Both?', { ...last, line_range: { start, end: { line_code: code(0, 6) } } });
        expect(notes[0]?.position).toMatchObject({ new_line: 6, line_range: range });
      }
      const same = { start: { line_code: code(0, 6) }, end: { line_code: code(0, 6) } };
      const { notes } = await lines.said('One', { ...last, line_range: same });
      expect(notes[0]?.position?.line_range).toBeNull();
    });

    it('may be said by a form', async () => {
      const lines = await open();
      const refs = await lines.refs();
      const position = Object.entries({ ...refs, ...CHANGED_LINE, position_type: 'text' });
      const form = Object.fromEntries(position.map(([name, value]) => [`position[${name}]`, String(value)]));
      const answer = await writing.service.call('POST', `/projects/${lines.of.id}${lines.path}/discussions`, {
        token: writing.ada.token,
        form: { body: 'By a form', ...form },
      });
      expect(answer).toMatchObject({ status: 201, body: { notes: [{ type: 'DiffNote', position: { new_line: 6 } }] } });
    });

    it('is nowhere else: other lines, files, commits and kinds are refused, and nothing is kept', async () => {
      const lines = await open();
      const other = await open();
      const elsewhere = await other.push(`${FILE_AFTER}more\n`);
      const line = 'Note {:line_code=>["can\'t be blank", "must be a valid line code"]}';
      const NO_VERSION =
        'Note {:position=>["is of commits that are no version of the merge request: send those of its diff_refs"]}';
      const refusals: readonly (readonly [object, string])[] = [
        [{ ...CHANGED_LINE, new_line: 7_000 }, line],
        [{ ...CHANGED_LINE, old_line: 6, new_line: 6 }, line],
        // Of an unchanged line both numbers are told.
        [{ ...CHANGED_LINE, new_line: 5 }, line],
        [{ ...CHANGED_LINE, new_path: 'other.txt', old_path: 'other.txt', new_line: 1 }, line],
        [{ ...CHANGED_LINE, old_path: 'other.txt' }, line],
        [{ ...CHANGED_LINE, new_path: '../../etc/passwd' }, line],
        [{ ...CHANGED_LINE, line_range: { start: { new_line: 9, old_line: 10 }, end: { new_line: 6 } } }, line],
        [{ ...CHANGED_LINE, head_sha: elsewhere }, NO_VERSION],
        [{ ...CHANGED_LINE, ...(await other.refs()) }, NO_VERSION],
        [{ ...CHANGED_LINE, base_sha: 'f'.repeat(40) }, NO_VERSION],
        [{ ...CHANGED_LINE, start_sha: '--output=x' }, NO_VERSION],
        [
          { ...CHANGED_LINE, position_type: 'image', x: 1, y: 1 },
          'Note {:position=>["must have the position_type text: only lines can be talked about"]}',
        ],
        [{ new_path: FILE }, 'Note {:position=>["is incomplete: old_line or new_line is needed"]}'],
        [{ new_line: 6 }, 'Note {:position=>["is incomplete: old_path or new_path is needed"]}'],
      ];
      for (const [position, message] of refusals)
        expect([position, await lines.say('Why?', position)]).toEqual([
          position,
          expect.objectContaining({ status: 400, body: { message: `400 Bad request - ${message}` } }),
        ]);
      const bounds: readonly object[] = [
        { ...CHANGED_LINE, new_line: 1e12 },
        { ...CHANGED_LINE, new_line: -1 },
        { ...CHANGED_LINE, new_path: 'x'.repeat(5_000) },
        { ...CHANGED_LINE, base_sha: 'f'.repeat(100) },
        { ...CHANGED_LINE, line_range: { start: { line_code: 'f'.repeat(200) }, end: {} } },
        { ...CHANGED_LINE, line_range: { start: { line_code: 'none' }, end: {} } },
        { ...CHANGED_LINE, position_type: 'sound' },
        { ...CHANGED_LINE, new_path: ['a'] },
      ];
      for (const position of bounds)
        expect([position, (await lines.say('Why?', position)).status]).toEqual([position, 400]);
      expect((await lines.call('GET', '/discussions')).body).toEqual([]);
      const issue = await lines.of.call<{ iid: number }>('POST', '/issues', { title: 'Loom' });
      const json = { body: 'Why?', position: { ...(await lines.refs()), ...CHANGED_LINE } };
      const begun = await lines.of.call('POST', `/issues/${issue.body.iid}/discussions`, json);
      expect(begun).toMatchObject({ status: 201, body: { notes: [{ type: 'DiscussionNote' }] } });
    });

    it('may be told by where the target branch is, as some clients do', async () => {
      const lines = await open();
      const { id: target } = await lines.of.write('main', { 'new.txt': 'new\n' });
      const { notes } = await lines.said('Why?', { ...CHANGED_LINE, base_sha: target, start_sha: target });
      expect(notes[0]?.position).toMatchObject({ new_line: 6 });
    });
  });

  describe('whose code moves on', () => {
    it('move with their lines, also those that are of an older version when they begin', async () => {
      const lines = await open();
      const old = await lines.refs();
      const added = await lines.said('Added', CHANGED_LINE);
      const removed = await lines.said('Removed', { old_path: FILE, old_line: 8 });
      const several = await lines.said('Several', {
        ...CHANGED_LINE,
        line_range: { start: { old_line: 5, new_line: 5 }, end: { new_line: 6 } },
      });
      const head = await lines.push(`zero\n${FILE_AFTER}`);
      const late = await lines.said('Late', { ...old, ...CHANGED_LINE });
      for (const thread of [added, late])
        expect(await lines.shown(thread)).toMatchObject({
          outdated: false,
          position: { head_sha: head, old_line: null, new_line: 7 },
        });
      expect(await lines.shown(removed)).toMatchObject({ position: { head_sha: head, old_line: 8, new_line: null } });
      expect(await lines.shown(several)).toMatchObject({
        position: { new_line: 7, line_range: { start: { old_line: 5, new_line: 6 }, end: { new_line: 7 } } },
      });
    });

    it('follow a file that is renamed, and a target that moves on', async () => {
      const lines = await open();
      const added = await lines.said('Added', CHANGED_LINE);
      const removed = await lines.said('Removed', { old_path: FILE, old_line: 8 });
      const move = { action: 'move', previous_path: FILE, file_path: 'src/woven.txt' };
      expect((await lines.of.commit('feature', 'Rename', [move])).status).toBe(201);
      expect(await lines.shown(added)).toMatchObject({
        outdated: false,
        position: { old_path: FILE, new_path: 'src/woven.txt', new_line: 6 },
      });
      const content = `zero\n${FILE_BEFORE}`;
      await lines.of.commit('main', 'Zero', [{ action: 'update', file_path: FILE, content }]);
      expect((await lines.call('PUT', '/rebase')).status).toBe(202);
      expect(await lines.shown(added)).toMatchObject({ outdated: false, position: { new_line: 7 } });
      expect(await lines.shown(removed)).toMatchObject({ outdated: false, position: { old_line: 9 } });
    });

    it('are outdated once the lines are others, and stay where they were', async () => {
      const lines = await open();
      const { head_sha: before } = await lines.refs();
      const added = await lines.said('Added', CHANGED_LINE);
      const removed = await lines.said('Removed', { old_path: FILE, old_line: 8 });
      await lines.push(FILE_AFTER.replace('SIX', 'Six').replace('seven\n', 'seven\neight\n'));
      for (const thread of [added, removed])
        expect(await lines.shown(thread)).toMatchObject({ outdated: true, position: { head_sha: before } });
      await lines.push(FILE_AFTER);
      expect(await lines.shown(added)).toMatchObject({ outdated: true, position: { head_sha: before } });
    });

    it('are outdated when their file goes, or is no longer changed', async () => {
      const lines = await open();
      const gone = await lines.said('Gone', CHANGED_LINE);
      await lines.of.commit('feature', 'Remove', [{ action: 'delete', file_path: FILE }]);
      expect(await lines.shown(gone)).toMatchObject({ outdated: true });
    });

    it('all of a thousand on one file', async () => {
      const lines = await open();
      const { id } = await lines.said('First', CHANGED_LINE);
      await fill(lines, 1_000);
      await lines.push(`zero\n${FILE_AFTER}`);
      expect(await lines.shown({ id })).toMatchObject({ outdated: false, position: { new_line: 7 } });
      const last = await lines.call<readonly ShownDiscussion[]>('GET', '/discussions?per_page=100&page=10');
      expect(last.body.map(({ notes }) => notes[0]?.position?.new_line)).toEqual(Array<number>(100).fill(7));
    });
  });

  describe('which ask for something', () => {
    it('are answered, changed and resolved like others, and hold up the merge until then', async () => {
      const lines = await open();
      await lines.of.addMember(writing.grace, 10);
      await lines.of.call('PUT', '', { only_allow_merge_if_all_discussions_are_resolved: true });
      const { id, notes } = await lines.said('Please change it');
      const reply = await lines.call('POST', `/discussions/${id}/notes`, { body: 'Why?' }, writing.grace);
      expect(reply).toMatchObject({ status: 201, body: { type: 'DiffNote', position: { new_line: 6 } } });
      const edited = await lines.call('PUT', `/discussions/${id}/notes/${notes[0]!.id}`, { body: 'Change it' });
      expect(edited).toMatchObject({ status: 200, body: { body: 'Change it', position: { new_line: 6 } } });
      expect((await lines.call('GET', '')).body).toMatchObject({
        blocking_discussions_resolved: false,
        detailed_merge_status: 'discussions_not_resolved',
      });
      expect((await lines.call('PUT', '/merge')).status).toBe(405);
      const resolve = (resolved: boolean, user = writing.ada) =>
        lines.call('PUT', `/discussions/${id}`, { resolved }, user);
      expect((await resolve(true, writing.grace)).status).toBe(403);
      expect(await resolve(true)).toMatchObject({
        status: 200,
        body: { notes: [{ resolved: true }, { resolved: true }] },
      });
      expect((await lines.call('GET', '')).body).toMatchObject({ blocking_discussions_resolved: true });
      expect(await resolve(false)).toMatchObject({ status: 200, body: { notes: [{ resolved: false }, {}] } });
      await resolve(true);
      expect((await lines.call('PUT', '/merge')).status).toBe(200);
    });

    it('are shown to, and begun by, those alone who see the merge request', async () => {
      const lines = await open({ visibility: 'private' });
      const { id } = await lines.said('Please change it');
      const stranger = await writing.service.addUser('stranger');
      expect((await lines.call('GET', `/discussions/${id}`, undefined, stranger)).status).toBe(404);
      const json = { body: 'Why?', position: { ...(await lines.refs()), ...CHANGED_LINE } };
      expect((await lines.call('POST', '/discussions', json, stranger)).status).toBe(404);
      await lines.of.addMember(stranger, 10);
      expect((await lines.call('POST', '/discussions', json, stranger)).status).toBe(403);
      await lines.of.call('PUT', `/members/${stranger.id}`, { access_level: 20 });
      expect((await lines.call('POST', '/discussions', json, stranger)).status).toBe(201);
      await lines.call('PUT', '', { discussion_locked: true });
      expect((await lines.call('POST', '/discussions', json, stranger)).status).toBe(201);
    });
  });
});
