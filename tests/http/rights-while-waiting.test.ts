import { describe, expect, it } from '@jest/globals';
import { Forbidden, Unauthenticated } from '../../src/domain/shared/domain-error.js';
import type { Committer } from '../../src/application/review/merge-changes.js';
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
    const actor = { kind: 'user', id, username, admin: false, credential: { kind: 'session' } } as const;
    const committer: Committer = { ...actor, name: username, email: `${username}@example.com` };
    const place = await access.project(actor, String(of.id), 'open_merge_requests');
    const found = await review.mergeRequests.findToChange(place, iid);
    const permitted = await access.project(actor, String(of.id), 'push_code');
    return { review, committer, found, permitted };
  };
  type Admitted = Awaited<ReturnType<typeof admit>>;

  const suggestionIn = async (lines: ReviewedLines): Promise<number> =>
    (await lines.said('```suggestion\nSix\n```', CHANGED_LINE)).notes[0]!.suggestions![0]!.id;

  const ACTS = {
    merge: ({ review, committer, found }: Admitted) => review.mergeChanges.execute(committer, found, {}),
    suggestion: ({ review, committer, found, permitted }: Admitted, id: number) =>
      review.applySuggestions.execute(committer, found, permitted, { ids: [id] }),
    rebase: ({ review, committer, found, permitted }: Admitted) =>
      review.rebaseBranches.execute(committer, found, permitted),
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
  ] as const)('%s', (act, Refusal) => {
    it.each(['removed', 'lowered', 'blocked'] as const)('is refused to who is %s meanwhile', async (loss) => {
      const lines = await ReviewedLines.open(await writing.newProject());
      await lines.of.call('DELETE', '/protected_branches/main');
      const person = await writing.service.addUser(`person-${(serial += 1)}`);
      await lines.of.addMember(person, 30);
      const suggestion = await suggestionIn(lines);
      await lines.of.write('main', { 'later.txt': 'later\n' });
      const heads = async () => [await lines.of.head('main'), await lines.of.head('feature')];
      const before = await heads();
      const admitted = await admit(lines, person);
      const { status } = await LOSSES[loss](lines, person);
      expect([200, 201, 204]).toContain(status);
      await expect(ACTS[act](admitted, suggestion)).rejects.toBeInstanceOf(Refusal);
      expect(await heads()).toEqual(before);
      expect((await lines.of.call('GET', lines.path)).body).toMatchObject({ state: 'opened' });
    });

    it('is done for who may still do it', async () => {
      const lines = await ReviewedLines.open(await writing.newProject());
      await lines.of.addMember(writing.grace, 40);
      const suggestion = await suggestionIn(lines);
      await lines.of.write('main', { 'later.txt': 'later\n' });
      const heads = async () => [await lines.of.head('main'), await lines.of.head('feature')];
      const before = await heads();
      await ACTS[act](await admit(lines, writing.grace), suggestion);
      expect(await heads()).not.toEqual(before);
    });
  });
});
