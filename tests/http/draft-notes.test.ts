import { describe, expect, it } from '@jest/globals';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { CHANGED_LINE, FILE, FILE_AFTER, ReviewedLines, type ShownDiscussion } from '../support/reviewed-lines.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting } from '../support/written-project.js';

interface ShownDraft {
  readonly id: number;
  readonly note: string;
  readonly discussion_id: string | null;
  readonly resolve_discussion: boolean;
  readonly position: Readonly<Record<string, unknown>>;
}

interface ShownNote {
  readonly id: number;
  readonly body: string;
  readonly type: string | null;
  readonly system: boolean;
}

const NOWHERE = {
  base_sha: null,
  start_sha: null,
  head_sha: null,
  old_path: null,
  new_path: null,
  position_type: 'text',
  old_line: null,
  new_line: null,
  line_range: null,
};

describeWriting('drafts of comments on a merge request', (writing) => {
  const open = async (fields: object = { visibility: 'public' }) => {
    const lines = await ReviewedLines.open(await writing.newProject(fields));
    await lines.of.addMember(writing.grace, 30);
    return lines;
  };
  const DRAFTS = '/draft_notes';
  const asGrace = () => writing.grace;
  const draft = async (lines: ReviewedLines, json: object, user: TestUser = asGrace()) => {
    const answer = await lines.call<ShownDraft>('POST', DRAFTS, json, user);
    expect([json, answer.status, answer.body]).toEqual([json, 201, expect.objectContaining({ author_id: user.id })]);
    return answer.body;
  };
  const drafts = async (lines: ReviewedLines, user = asGrace()) =>
    (await lines.call<readonly ShownDraft[]>('GET', DRAFTS, undefined, user)).body;
  const publish = (lines: ReviewedLines, user = asGrace()) =>
    lines.call('POST', `${DRAFTS}/bulk_publish`, undefined, user);
  const publishOne = (lines: ReviewedLines, { id }: ShownDraft, user = asGrace()) =>
    lines.call('PUT', `${DRAFTS}/${id}/publish`, undefined, user);
  const said = async (lines: ReviewedLines) => {
    const { body } = await lines.call<readonly ShownNote[]>('GET', '/notes?sort=asc');
    return body.filter(({ system }) => !system).map((note) => note.body);
  };
  const lineOf = async (lines: ReviewedLines) => ({ position_type: 'text', ...(await lines.refs()), ...CHANGED_LINE });
  const settle = async () => {
    const { container, database } = writing.service.service;
    do await container.get(TOKENS.jobRunner).runDue();
    while ((await database.reader.query('jobs').first('id')) !== undefined);
  };

  describe('their author', () => {
    it('writes, reads, changes and removes them', async () => {
      const lines = await open();
      const { id: merge_request_id } = (await lines.call<{ id: number }>('GET', '')).body;
      const general = await draft(lines, { note: 'Hm', commit_id: 'f'.repeat(40) });
      expect(general).toEqual({
        id: expect.any(Number),
        author_id: writing.grace.id,
        merge_request_id,
        resolve_discussion: false,
        discussion_id: null,
        note: 'Hm',
        commit_id: 'f'.repeat(40),
        line_code: null,
        position: NOWHERE,
      });
      const placed = await draft(lines, { note: 'Why?', position: await lineOf(lines) });
      expect(placed).toMatchObject({
        line_code: expect.stringMatching(/^[0-9a-f]{40}_0_6$/),
        position: { ...(await lines.refs()), new_path: FILE, old_line: null, new_line: 6, line_range: null },
      });
      expect(await drafts(lines)).toEqual([general, placed]);
      const one = `${DRAFTS}/${placed.id}`;
      const changed = await lines.call('PUT', one, { note: 'Why not?' }, asGrace());
      expect(changed).toMatchObject({ status: 200, body: { ...placed, note: 'Why not?' } });
      expect((await lines.call('GET', one, undefined, asGrace())).body).toEqual(changed.body);
      const position = { ...(await lineOf(lines)), new_line: undefined, old_line: 8 };
      const moved = await lines.call('PUT', one, { position }, asGrace());
      expect(moved).toMatchObject({
        status: 200,
        body: { note: 'Why not?', position: { old_line: 8, new_line: null } },
      });
      expect((await lines.call('DELETE', one, undefined, asGrace())).status).toBe(204);
      expect(await drafts(lines)).toEqual([general]);
    });

    it('is told of them in pages', async () => {
      const lines = await open();
      for (const note of ['one', 'two', 'three']) await draft(lines, { note });
      const path = `/projects/${lines.of.id}${lines.path}${DRAFTS}?per_page=2&page=2`;
      const page = await writing.service.call<readonly ShownDraft[]>('GET', path, { token: writing.grace.token });
      expect([page.headers.get('x-total'), page.body.map(({ note }) => note)]).toEqual(['3', ['three']]);
    });

    it('alone sees them: others, administrators and owners, too, are told that there are none', async () => {
      const lines = await open();
      const { id } = await draft(lines, { note: 'Secret' });
      const root = await writing.service.addUser('root-of-drafts', { admin: true });
      const requests = [
        ['GET', `${DRAFTS}/${id}`],
        ['PUT', `${DRAFTS}/${id}`],
        ['DELETE', `${DRAFTS}/${id}`],
        ['PUT', `${DRAFTS}/${id}/publish`],
      ] as const;
      for (const user of [writing.ada, root]) {
        expect(await drafts(lines, user)).toEqual([]);
        for (const [method, path] of requests) {
          const { status, body } = await lines.call(method, path, method === 'PUT' ? { note: 'x' } : undefined, user);
          expect([user.username, method, path, status, body]).toEqual([
            ...[user.username, method, path, 404],
            { message: '404 Draft Note Not Found' },
          ]);
        }
        expect((await publish(lines, user)).status).toBe(204);
      }
      expect((await drafts(lines)).map(({ note }) => note)).toEqual(['Secret']);
      expect(await said(lines)).toEqual([]);
      const paths = ['/notes', '/discussions', ''];
      for (const path of paths) expect(JSON.stringify((await lines.call('GET', path)).body)).not.toContain('Secret');
    });

    it('may be who may comment, and nobody else', async () => {
      const lines = await open({ visibility: 'private' });
      const [guest, stranger] = [
        await writing.service.addUser('guest-of-drafts'),
        await writing.service.addUser('stranger-to-drafts'),
      ];
      await lines.of.addMember(guest, 10);
      const paths = [
        ['GET', DRAFTS],
        ['POST', DRAFTS],
        ['POST', `${DRAFTS}/bulk_publish`],
        ['GET', `${DRAFTS}/1`],
        ['PUT', `${DRAFTS}/1`],
        ['DELETE', `${DRAFTS}/1`],
        ['PUT', `${DRAFTS}/1/publish`],
      ] as const;
      for (const [method, path] of paths) {
        const json = method === 'GET' ? undefined : { note: 'x' };
        const statuses = [
          (await lines.call(method, path, json, stranger)).status,
          (await lines.call(method, path, json, guest)).status,
          (await writing.service.call(method, `/projects/${lines.of.id}${lines.path}${path}`)).status,
        ];
        expect([method, path, statuses]).toEqual([method, path, [404, 403, expect.any(Number)]]);
        expect([401, 404]).toContain(statuses[2]);
      }
      const open_ = await open();
      await open_.call('PUT', '', { discussion_locked: true });
      expect((await open_.call('POST', DRAFTS, { note: 'x' }, stranger)).status).toBe(403);
    });
  });

  describe('what is refused', () => {
    it('is a text that is no comment, a place that is none, an answer to nothing, and resolving without an answer', async () => {
      const lines = await open();
      const line = await lineOf(lines);
      const refusals: readonly (readonly [object, number])[] = [
        [{}, 400],
        [{ note: '' }, 400],
        [{ note: ' \n' }, 400],
        [{ note: 'x'.repeat(1_000_001) }, 400],
        [{ note: 'x', commit_id: 'f'.repeat(65) }, 400],
        [{ note: '/todo\n'.repeat(31) }, 400],
        [{ note: 'x', position: { ...line, new_line: 7_000 } }, 400],
        [{ note: 'x', position: { ...line, head_sha: 'f'.repeat(40) } }, 400],
        [{ note: 'x', position: 'there' }, 400],
        [{ note: 'x', resolve_discussion: true }, 400],
        [{ note: 'x', in_reply_to_discussion_id: 'f'.repeat(40) }, 404],
        [{ note: 'x', in_reply_to_discussion_id: '7' }, 404],
        [{ note: 'x', in_reply_to_discussion_id: '0'.repeat(39) + '1' }, 404],
      ];
      for (const [json, status] of refusals)
        expect([json, (await lines.call('POST', DRAFTS, json, asGrace())).status]).toEqual([json, status]);
      const reporter = await writing.service.addUser('reporter-of-drafts');
      await lines.of.addMember(reporter, 20);
      const thread = await lines.said('Done?');
      const resolving = { note: 'Yes', in_reply_to_discussion_id: thread.id, resolve_discussion: true };
      expect((await lines.call('POST', DRAFTS, resolving, reporter)).status).toBe(403);
      expect(await drafts(lines)).toEqual([]);
    });

    it('is more than 200 drafts, or two megabytes, of one person, and publishing makes room', async () => {
      const lines = await open();
      const { id } = await draft(lines, { note: 'first' });
      const { schema } = writing.service.service.database;
      const { id: _id, ...row } = (await schema('draft_notes').where({ id }).first())!;
      await schema.batchInsert(
        'draft_notes',
        Array.from({ length: 199 }, () => row),
        50,
      );
      const beyond = await lines.call('POST', DRAFTS, { note: 'one more' }, asGrace());
      expect(beyond).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('is beyond the 200 of a review: publish it first') },
      });
      await draft(lines, { note: 'Somebody else' }, writing.ada);
      expect((await publish(lines)).status).toBe(204);
      expect(await said(lines)).toHaveLength(20);
      const long = await draft(lines, { note: 'x'.repeat(1_000_000) });
      await draft(lines, { note: 'y'.repeat(999_999) });
      for (const answer of [
        await lines.call('POST', DRAFTS, { note: 'zz' }, asGrace()),
        await lines.call('PUT', `${DRAFTS}/${long.id}`, { note: 'é'.repeat(500_001) }, asGrace()),
      ])
        expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('too long') } });
      expect(await drafts(lines)).toHaveLength(2);
    });
  });

  describe('once published', () => {
    it('are comments, threads on lines and answers, in that order, and no drafts', async () => {
      const lines = await open();
      const thread = await lines.said('Done?');
      const { id: alone } = (await lines.call<ShownNote>('POST', '/notes', { body: 'Alone' })).body;
      const individual = alone.toString(16).padStart(40, '0');
      await draft(lines, { note: 'General' });
      await draft(lines, { note: 'On a line', position: await lineOf(lines) });
      await draft(lines, { note: 'Yes', in_reply_to_discussion_id: thread.id, resolve_discussion: true });
      await draft(lines, { note: 'Not so', in_reply_to_discussion_id: individual });
      expect((await drafts(lines)).map((each) => [each.discussion_id, each.resolve_discussion])).toEqual([
        [null, false],
        [null, false],
        [thread.id, true],
        [individual, false],
      ]);
      expect(await publish(lines)).toMatchObject({ status: 204 });
      expect(await drafts(lines)).toEqual([]);
      const { body } = await lines.call<readonly ShownDiscussion[]>('GET', '/discussions');
      expect(body.map((each) => [each.individual_note, each.notes.map((note) => [note.body, note.type])])).toEqual([
        [
          false,
          [
            ['Done?', 'DiffNote'],
            ['Yes', 'DiffNote'],
          ],
        ],
        [
          false,
          [
            ['Alone', 'DiscussionNote'],
            ['Not so', 'DiscussionNote'],
          ],
        ],
        [true, [['General', null]]],
        [false, [['On a line', 'DiffNote']]],
      ]);
      expect(body[0]?.notes[0]).toMatchObject({ resolved: true, resolved_by: { username: 'grace' } });
      expect(body[3]?.notes[0]).toMatchObject({ position: { new_line: 6 }, outdated: false, resolved: false });
    });

    it('may be published one by one', async () => {
      const lines = await open();
      const [first, second] = [await draft(lines, { note: 'One' }), await draft(lines, { note: 'Two' })];
      expect((await publishOne(lines, second)).status).toBe(204);
      expect([await said(lines), await drafts(lines)]).toEqual([['Two'], [first]]);
      expect((await publishOne(lines, second)).status).toBe(404);
    });

    it('ask for what their lines and mentions ask for, make suggestions, and are told by the feed, to-dos and webhooks', async () => {
      const lines = await open();
      const hooked = await lines.of.call('POST', '/hooks', { url: 'https://hook.example/', note_events: true });
      expect(hooked.status).toBe(201);
      const thread = await lines.said('Better?');
      await draft(lines, { note: '@ada look\n/title Woven' });
      await draft(lines, { note: '```suggestion\nsix!\n```', in_reply_to_discussion_id: thread.id });
      await draft(lines, { note: '/approve' });
      const { reader } = writing.service.service.database;
      const mentioned = async () =>
        (await reader.query('todos').where({ user_id: writing.ada.id }).select('action')).map(({ action }) => action);
      await settle();
      const before = (await mentioned()).length;
      expect((await publish(lines)).status).toBe(204);
      await settle();
      expect((await mentioned()).length).toBeGreaterThan(before);
      expect((await lines.call('GET', '')).body).toMatchObject({ title: 'Woven' });
      expect((await lines.call('GET', '/approvals')).body).toMatchObject({
        approved_by: [{ user: { username: 'grace' } }],
      });
      const { body } = await lines.call<ShownDiscussion>('GET', `/discussions/${thread.id}`);
      expect(body.notes[1]?.suggestions).toMatchObject([{ to_content: 'six!\n', from_content: 'SIX\n' }]);
      const events = (await lines.of.call<readonly { note?: { body: string } }[]>('GET', '/events?action=commented'))
        .body;
      expect(events.map(({ note }) => note?.body)).toEqual(expect.arrayContaining(['@ada look']));
      const deliveries = await reader.query('webhook_deliveries').where({ event: 'note_events' }).select('id');
      expect(deliveries.length).toBeGreaterThan(0);
    });

    it('are published all or not at all, and whoever may not comment any more publishes nothing', async () => {
      const lines = await open();
      await draft(lines, { note: 'Fine' });
      const useless = await draft(lines, { note: '/reopen' });
      expect(await publish(lines)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('Could not apply /reopen') },
      });
      expect([await said(lines), (await drafts(lines)).length]).toEqual([[], 2]);
      expect((await lines.call('DELETE', `${DRAFTS}/${useless.id}`, undefined, asGrace())).status).toBe(204);
      const visitor = await writing.service.addUser('visitor-of-drafts');
      await draft(lines, { note: 'Mine' }, visitor);
      await lines.call('PUT', '', { discussion_locked: true });
      expect((await publish(lines, visitor)).status).toBe(403);
      expect((await drafts(lines, visitor)).map(({ note }) => note)).toEqual(['Mine']);
      expect((await publish(lines)).status).toBe(204);
      expect(await said(lines)).toEqual(['Fine']);
    });

    it('are published once, though two ask for it at once', async () => {
      const lines = await open();
      for (const note of ['One', 'Two', 'Three']) await draft(lines, { note });
      const answers = await Promise.all([publish(lines), publish(lines), publish(lines)]);
      expect(answers.map(({ status }) => status)).toContain(204);
      expect(answers.filter(({ status }) => status !== 204 && status !== 409)).toEqual([]);
      expect(await said(lines)).toEqual(['One', 'Two', 'Three']);
    });
  });

  describe('where what they are about is gone', () => {
    it('stand alone if they answer a comment that was removed', async () => {
      const lines = await open();
      const thread = await lines.said('Gone soon');
      await draft(lines, { note: 'Yes', in_reply_to_discussion_id: thread.id, resolve_discussion: true });
      expect((await lines.call('DELETE', `/notes/${thread.notes[0]!.id}`)).status).toBe(204);
      expect((await publish(lines)).status).toBe(204);
      const { body } = await lines.call<readonly ShownDiscussion[]>('GET', '/discussions');
      expect(body.map((each) => [each.individual_note, each.notes[0]?.body])).toEqual([[true, 'Yes']]);
    });

    it('are of the lines that they were of, which have moved or changed since', async () => {
      const lines = await open();
      await draft(lines, { note: 'Moved', position: await lineOf(lines) });
      await draft(lines, { note: 'Changed', position: { ...(await lineOf(lines)), old_line: 8, new_line: undefined } });
      await draft(lines, { note: 'Older', position: { ...(await lineOf(lines)), new_line: 12 } });
      await lines.push(`zero\n${FILE_AFTER.replace('thirteen', 'fourteen')}`);
      expect((await publish(lines)).status).toBe(204);
      const { body } = await lines.call<readonly ShownDiscussion[]>('GET', '/discussions');
      const shown = [];
      for (const each of body.filter(({ notes }) => notes[0]?.type === 'DiffNote')) {
        const { body: note, outdated, position } = await lines.shown(each);
        shown.push([note, outdated, position?.new_line]);
      }
      expect(shown).toEqual([
        ['Moved', false, 7],
        ['Changed', false, null],
        ['Older', true, 12],
      ]);
    });

    it('go with the merge request, and with their author', async () => {
      const lines = await open();
      const leaver = await writing.service.addUser('leaver-of-drafts');
      await draft(lines, { note: 'Leaves' }, leaver);
      await draft(lines, { note: 'Stays' });
      const { query } = writing.service.service.database.reader;
      const left = async () =>
        (await query('draft_notes').whereIn('body', ['Leaves', 'Stays']).orderBy('body')).map(({ body }) => body);
      expect(await left()).toEqual(['Leaves', 'Stays']);
      const admin = await writing.service.addUser('admin-of-drafts', { admin: true });
      await writing.service.call('DELETE', `/users/${leaver.id}?hard_delete=true`, { token: admin.token });
      await settle();
      expect(await left()).toEqual(['Stays']);
      expect((await lines.call('DELETE', '')).status).toBe(204);
      expect(await left()).toEqual([]);
    });
  });
});
