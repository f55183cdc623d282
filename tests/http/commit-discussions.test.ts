import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeEachDatabase } from '../support/databases.js';
import { withGit } from '../support/git.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import { TestService, type TestUser } from '../support/test-service.js';
import { WrittenProject } from '../support/written-project.js';

interface NoteBody {
  readonly id: number;
  readonly body: string;
  readonly [field: string]: unknown;
}
interface DiscussionBody {
  readonly id: string;
  readonly individual_note: boolean;
  readonly notes: readonly NoteBody[];
}

withGit('discussions of commits', () => {
  describeEachDatabase('discussions of commits', (openTestDatabase) => {
    let service: TestService;
    let ada: TestUser;
    let grace: TestUser;
    let hedy: TestUser;
    let guest: TestUser;
    let loom: WrittenProject;
    let hidden: WrittenProject;
    let serial = 0;

    beforeAll(async () => {
      service = await TestService.start(await openTestDatabase());
      [ada, grace] = [await service.addUser('ada'), await service.addUser('grace')];
      [hedy, guest] = [await service.addUser('hedy'), await service.addUser('guest')];
      loom = await WrittenProject.make(service, ada, { name: 'Loom', visibility: 'public' });
      hidden = await WrittenProject.make(service, ada, { name: 'Hidden', visibility: 'private' });
      for (const project of [loom, hidden]) {
        await project.write('main', { 'README.md': 'one\ntwo\n' });
        await project.addMember(guest, 10);
        await project.addMember(grace, 20);
      }
    });

    afterAll(() => service.close());

    /** A commit that nobody has talked about. */
    const commitTo = async (project: WrittenProject, author = ada) => {
      const actions = [{ action: 'update', file_path: 'README.md', content: `one\nchanged ${(serial += 1)}\n` }];
      const { body } = await project.commit('main', `Change ${serial}`, actions, {}, author);
      return { sha: body.id, parent: body.parent_ids[0]!, at: `/repository/commits/${body.id}` };
    };
    /** Runs every job; the service runs them, too. */
    const settle = async () => {
      const { container, database } = service.service;
      do await container.get(TOKENS.jobRunner).runDue();
      while ((await database.reader.query('jobs').first('id')) !== undefined);
    };
    /** Who is mailed about a commit, by name. */
    const mailedAbout = async (sha: string): Promise<readonly string[]> => {
      await settle();
      const rows = await service.service.database.reader
        .query('queued_mails')
        .join('notification_causes', 'notification_causes.id', 'queued_mails.cause_id')
        .join('discussed_commits', 'discussed_commits.id', 'notification_causes.subject_id')
        .join('users', 'users.id', 'queued_mails.user_id')
        .where('discussed_commits.commit_id', sha)
        .orderBy('users.username')
        .select<{ username: string }[]>('users.username');
      return rows.map(({ username }) => username);
    };
    const list = async (at: string) => (await loom.call<readonly DiscussionBody[]>('GET', `${at}/discussions`)).body;

    it('are begun, answered, changed and removed, and are notes of the commit', async () => {
      const { at } = await commitTo(loom);
      expect(await list(at)).toEqual([]);
      const begun = await loom.call<DiscussionBody>('POST', `${at}/discussions`, { body: 'Why?\n/close' }, hedy);
      expect(begun).toMatchObject({
        status: 201,
        body: {
          individual_note: false,
          notes: [
            {
              type: 'DiscussionNote',
              body: 'Why?\n/close',
              noteable_type: 'Commit',
              noteable_id: null,
              noteable_iid: null,
              resolvable: false,
            },
          ],
        },
      });
      const one = `${at}/discussions/${begun.body.id}`;
      const answered = await loom.call<NoteBody>('POST', `${one}/notes`, { body: 'So.' });
      expect(answered).toMatchObject({ status: 201, body: { type: 'DiscussionNote', body: 'So.' } });
      const note = `${one}/notes/${answered.body.id}`;
      expect(await loom.call('PUT', note, { body: 'Because.' }, guest)).toMatchObject({ status: 403 });
      expect(await loom.call('PUT', note, { body: 'Because.' })).toMatchObject({ status: 200 });
      expect(await loom.call('GET', note)).toMatchObject({ status: 200, body: { body: 'Because.' } });
      expect(await loom.call('PUT', one, { resolved: true })).toMatchObject({ status: 405 });
      expect(await loom.call('DELETE', note)).toMatchObject({ status: 204 });
      expect(await list(at)).toMatchObject([{ id: begun.body.id, notes: [{ body: 'Why?\n/close' }] }]);
      expect((await loom.call('POST', `${at}/discussions`, { body: ' ' })).status).toBe(400);
      expect((await loom.call('POST', '/repository/commits/none/discussions', { body: 'x' })).status).toBe(404);
    });

    it('are about lines that the commit shows, by a position of its own commits', async () => {
      const { at, sha, parent } = await commitTo(loom);
      const commits = { base_sha: parent, start_sha: parent, head_sha: sha, position_type: 'text' };
      const line = { ...commits, old_path: 'README.md', new_path: 'README.md', new_line: 2 };
      const begin = (position: object) =>
        loom.call<DiscussionBody>('POST', `${at}/discussions`, { body: 'Here.', position });
      const begun = await begin(line);
      expect(begun).toMatchObject({ status: 201, body: { notes: [{ type: 'DiffNote', position: line }] } });
      expect(begun.body.notes[0]).not.toHaveProperty('commit_id');
      expect((await begin({ ...line, new_line: 99 })).status).toBe(400);
      expect((await begin({ ...line, base_sha: sha })).status).toBe(400);
      expect((await begin({ ...line, head_sha: parent })).status).toBe(400);
    });

    it('of the first commit are about a comparison with nothing', async () => {
      const first = await WrittenProject.make(service, ada, { name: 'First', visibility: 'public' });
      const { id } = await first.write('main', { 'README.md': 'one\n' });
      const nothing = '0'.repeat(40);
      const commits = { base_sha: nothing, start_sha: nothing, head_sha: id, position_type: 'text' };
      const position = { ...commits, new_path: 'README.md', new_line: 1 };
      const at = `/repository/commits/${id}`;
      const begun = await first.call('POST', `${at}/discussions`, { body: 'Here.', position });
      expect(begun).toMatchObject({ status: 201, body: { notes: [{ position: { new_line: 1 } }] } });
      const comment = { note: 'And here.', path: 'README.md', line: 1, line_type: 'new' };
      expect(await first.call('POST', `${at}/comments`, comment)).toMatchObject({ status: 201, body: comment });
    });

    it('hold what is said as a comment, and comments hold what is said in discussions', async () => {
      const { at } = await commitTo(loom);
      await loom.call('POST', `${at}/comments`, { note: 'Alone.' });
      await loom.call('POST', `${at}/comments`, { note: 'There.', path: 'README.md', line: 2, line_type: 'old' });
      await loom.call('POST', `${at}/discussions`, { body: 'Together.' });
      expect(await list(at)).toMatchObject([
        { individual_note: true, notes: [{ type: null, body: 'Alone.' }] },
        { individual_note: false, notes: [{ type: 'DiffNote', position: { old_line: 2, new_line: null } }] },
        { individual_note: false, notes: [{ body: 'Together.' }] },
      ]);
      const { body, headers } = await loom.call<readonly object[]>('GET', `${at}/comments`);
      expect(body).toMatchObject([
        { note: 'Alone.', path: null },
        { note: 'There.', path: 'README.md', line: 2, line_type: 'old' },
        { note: 'Together.', line_type: null },
      ]);
      expect(headers.get('x-total')).toBe('3');
    });

    it('that many begin at once are all of one commit', async () => {
      const { at } = await commitTo(loom);
      const said = ['a', 'b', 'c', 'd'];
      await Promise.all(said.map((body) => loom.call('POST', `${at}/discussions`, { body })));
      expect((await list(at)).flatMap(({ notes }) => notes.map(({ body }) => body)).sort()).toEqual(said);
    });

    it('have notes that people give emoji to', async () => {
      const { at } = await commitTo(loom);
      const { body } = await loom.call<DiscussionBody>('POST', `${at}/discussions`, { body: 'Nice.' });
      const note = `${at}/notes/${body.notes[0]!.id}/award_emoji`;
      const given = await loom.call<{ id: number }>('POST', note, { name: 'tada' }, hedy);
      expect(given).toMatchObject({ status: 201, body: { awardable_type: 'Note', awardable_id: body.notes[0]!.id } });
      expect((await loom.call('GET', note)).body).toMatchObject([{ name: 'tada', user: { username: 'hedy' } }]);
      expect((await loom.call('DELETE', `${note}/${given.body.id}`, undefined, grace)).status).toBe(401);
      expect((await loom.call('POST', `${at}/award_emoji`, { name: 'tada' })).status).toBe(404);
    });

    it('are mailed to the author of the commit and to who is mentioned, who is asked to do something', async () => {
      const { at, sha } = await commitTo(loom);
      await loom.call('POST', `${at}/discussions`, { body: 'Look, @grace!' }, hedy);
      expect(await mailedAbout(sha)).toEqual(['ada', 'grace']);
      const todos = await service.call<readonly object[]>('GET', '/todos?type=Commit', { token: grace.token });
      expect(todos.body).toMatchObject([
        {
          action_name: 'mentioned',
          target_type: 'Commit',
          target: { id: sha },
          target_url: expect.stringContaining(`/ada/loom/-/commit/${sha}#note_`),
          body: 'Look, @grace!',
        },
      ]);
      // Answering is acting.
      const [discussion] = await list(at);
      await loom.call('POST', `${at}/discussions/${discussion!.id}/notes`, { body: 'I have.' }, grace);
      expect((await service.call('GET', '/todos?type=Commit', { token: grace.token })).body).toEqual([]);
    });

    it('are in the feed', async () => {
      const { at } = await commitTo(loom);
      await loom.call('POST', `${at}/comments`, { note: 'For the feed.' }, hedy);
      const { body } = await loom.call<readonly object[]>('GET', '/events?target_type=note&per_page=1');
      expect(body).toMatchObject([
        {
          action_name: 'commented on',
          target_type: 'Note',
          target_title: expect.stringContaining('Change'),
          author_username: 'hedy',
          note: { body: 'For the feed.', noteable_type: 'Commit', noteable_id: null, noteable_iid: null },
        },
      ]);
    });

    it('of code that somebody may not read are not theirs: no list, mail, to-do or entry of the feed tells of them', async () => {
      const { at, sha } = await commitTo(hidden);
      const said = await hidden.call<DiscussionBody>('POST', `${at}/discussions`, {
        body: 'Secret, @guest @hedy @grace.',
      });
      const one = `${at}/discussions/${said.body.id}`;
      const note = said.body.notes[0]!.id;
      const addresses = [
        `${at}/comments`,
        `${at}/discussions`,
        one,
        `${one}/notes/${note}`,
        `${at}/notes/${note}/award_emoji`,
      ];
      for (const [user, status] of [
        [guest, 403],
        [hedy, 404],
      ] as const) {
        for (const address of addresses)
          expect([address, (await hidden.call('GET', address, undefined, user)).status]).toEqual([address, status]);
        expect((await hidden.call('POST', `${at}/discussions`, { body: 'x' }, user)).status).toBe(status);
        expect((await hidden.call('POST', `${one}/notes`, { body: 'x' }, user)).status).toBe(status);
        expect((await service.call('GET', '/todos', { token: user.token })).body).toEqual([]);
      }
      // The same address in a project that has no such commit.
      for (const address of addresses) expect((await loom.call('GET', address)).status).toBe(404);
      expect(await mailedAbout(sha)).toEqual(['grace']);
      const feedOf = async (user: TestUser) =>
        JSON.stringify((await hidden.call('GET', '/events?target_type=note', undefined, user)).body);
      expect(await feedOf(guest)).not.toContain('Secret');
      expect(await feedOf(grace)).toContain('Secret');
    });

    it('go with their project', async () => {
      const gone = await WrittenProject.make(service, ada, { name: 'Gone', visibility: 'public' });
      const { id } = await gone.write('main', { 'README.md': 'one\n' });
      await gone.call('POST', `/repository/commits/${id}/comments`, { note: 'Soon gone.' });
      expect((await gone.call('DELETE', '')).status).toBe(202);
      await settle();
      const { query } = service.service.database.reader;
      expect(await query('discussed_commits').where({ project_id: gone.id })).toEqual([]);
      expect(await query('notes').where({ body: 'Soon gone.' })).toEqual([]);
    });
  });
});
