import { describe, expect, it } from '@jest/globals';
import { Forbidden, Unauthenticated } from '../../src/domain/shared/domain-error.js';
import type { Committer } from '../../src/application/review/merge-changes.js';
import { REPOSITORY_TOKENS } from '../../src/infrastructure/composition/repositories.tokens.js';
import { REVIEW_TOKENS } from '../../src/infrastructure/composition/review.tokens.js';
import { WORKSPACE_TOKENS } from '../../src/infrastructure/composition/workspace.tokens.js';
import { CHANGED_LINE, ReviewedLines } from '../support/reviewed-lines.js';
import type { TestUser } from '../support/test-service.js';
import { describeWriting } from '../support/written-project.js';

describeWriting('changes of code that wait for their turn', (writing) => {
  let serial = 0;

  /** What somebody is let do to a merge request, before they wait. */
  const admit = async ({ of, iid }: ReviewedLines, { id, username }: TestUser) => {
    const { container } = writing.service.service;
    const { access } = container.get(WORKSPACE_TOKENS.workspace);
    const review = container.get(REVIEW_TOKENS.review);
    const code = container.get(REPOSITORY_TOKENS.repositories);
    const actor = { kind: 'user', id, username, admin: false, credential: { kind: 'session' } } as const;
    const committer: Committer = { ...actor, name: username, email: `${username}@example.com` };
    const place = await access.project(actor, String(of.id), 'open_merge_requests');
    const found = await review.mergeRequests.findToChange(place, iid);
    const permitted = await access.project(actor, String(of.id), 'push_code');
    return { review, code, committer, found, permitted };
  };
  type Admitted = Awaited<ReturnType<typeof admit>>;

  const suggestionIn = async (lines: ReviewedLines): Promise<number> =>
    (await lines.said('```suggestion\nSix\n```', CHANGED_LINE)).notes[0]!.suggestions![0]!.id;

  const refsOf = async (lines: ReviewedLines): Promise<unknown> => {
    const [branches, tags] = await Promise.all(
      ['branches', 'tags'].map((kind) =>
        lines.of.call<{ name: string; commit: { id: string } }[]>('GET', `/repository/${kind}`),
      ),
    );
    return [branches, tags].map((answer) => answer!.body.map(({ name, commit }) => [name, commit.id]));
  };

  const ACTS = {
    merge: ({ review, committer, found }: Admitted) => review.mergeChanges.execute(committer, found, {}),
    suggestion: ({ review, committer, found, permitted }: Admitted, id: number) =>
      review.applySuggestions.execute(committer, found, permitted, { ids: [id] }),
    rebase: ({ review, committer, found, permitted }: Admitted) =>
      review.rebaseBranches.execute(committer, found, permitted),
    commit: ({ code, committer, permitted }: Admitted) =>
      code.commitActions.execute(permitted, committer, {
        branch: 'main',
        message: 'Remove it',
        actions: [{ kind: 'delete', path: 'later.txt' }],
      }),
    'new branch': ({ code, committer, permitted }: Admitted) =>
      code.changeRefs.createBranch(permitted, committer, 'another', 'main'),
    'removal of a branch': ({ code, committer, permitted }: Admitted) =>
      code.changeRefs.removeBranch(permitted, committer, 'feature'),
    'new tag': ({ code, committer, permitted }: Admitted) =>
      code.changeRefs.createTag(permitted, committer, 'v1', { target: 'main' }),
  };

  const LOSSES = {
    removed: (lines: ReviewedLines, { id }: TestUser) => lines.of.call('DELETE', `/members/${id}`),
    lowered: (lines: ReviewedLines, { id }: TestUser) => lines.of.call('PUT', `/members/${id}`, { access_level: 20 }),
    blocked: async (_: ReviewedLines, { id }: TestUser) => {
      const { token } = await writing.service.addUser(`admin-${(serial += 1)}`, { admin: true });
      return writing.service.call('POST', `/users/${id}/block`, { token });
    },
  };

  describe.each([
    ['merge', Unauthenticated],
    ['suggestion', Forbidden],
    ['rebase', Forbidden],
    ['commit', Forbidden],
    ['new branch', Forbidden],
    ['removal of a branch', Forbidden],
    ['new tag', Forbidden],
  ] as const)('%s', (act, Refusal) => {
    it.each(['removed', 'lowered', 'blocked'] as const)('is refused to who is %s meanwhile', async (loss) => {
      const lines = await ReviewedLines.open(await writing.newProject());
      await lines.of.call('DELETE', '/protected_branches/main');
      const person = await writing.service.addUser(`person-${(serial += 1)}`);
      await lines.of.addMember(person, 30);
      const suggestion = await suggestionIn(lines);
      await lines.of.write('main', { 'later.txt': 'later\n' });
      const before = await refsOf(lines);
      const admitted = await admit(lines, person);
      const { status } = await LOSSES[loss](lines, person);
      expect([200, 201, 204]).toContain(status);
      await expect(ACTS[act](admitted, suggestion)).rejects.toBeInstanceOf(Refusal);
      expect(await refsOf(lines)).toEqual(before);
      expect((await lines.of.call('GET', lines.path)).body).toMatchObject({ state: 'opened' });
    });

    it('is done for who may still do it', async () => {
      const lines = await ReviewedLines.open(await writing.newProject());
      await lines.of.addMember(writing.grace, 40);
      const suggestion = await suggestionIn(lines);
      await lines.of.write('main', { 'later.txt': 'later\n' });
      const before = await refsOf(lines);
      await ACTS[act](await admit(lines, writing.grace), suggestion);
      expect(await refsOf(lines)).not.toEqual(before);
    });
  });
});
