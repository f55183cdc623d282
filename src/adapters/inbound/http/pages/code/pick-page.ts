import type { CodeVersion } from '../../../../../application/repositories/locate-code.js';
import type { PickOutcome } from '../../../../../application/repositories/pick-commits.js';
import { Conflict, Invalid, NotFound } from '../../../../../domain/shared/domain-error.js';
import { given } from '../../kit/given.js';
import { field } from '../form-fields.js';
import { addFormPage, typed, type Done, type Refusal } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { cutAt } from '../page-texts.js';
import { branchNames } from './branch-names.js';
import type { PickWay } from './code-addresses.js';
import { CodePage, type OpenCode } from './code-page.js';
import type { CodeWritingPagesParts } from './code-writing-parts.js';
import { titleOf } from './commit-words.js';
import { mayCommitTo, newBranch } from './own-branch.js';
import { queryText } from './query.js';
import { openForWriting, type Writers } from './writing.js';

const PICK = new RegExp(`^/(?<path>.+?)/-/commit/(?<sha>[0-9a-f]{7,40})/(?<way>revert|cherry_pick)/?$`);

const LONGEST_BRANCH = 1_000;

interface Words {
  readonly verb: string;
  readonly done: string;
  /** What the name of a new branch begins with. */
  readonly branch: string;
  readonly consequence: (merge: boolean) => string;
  readonly conflict: (branch: string) => string;
  readonly empty: (branch: string) => string;
}

const WORDS: Readonly<Record<PickWay, Words>> = {
  revert: {
    verb: 'Revert',
    done: 'reverted',
    branch: 'revert',
    consequence: (merge) =>
      `A new commit undoes what this ${merge ? 'merge brought to its first parent' : 'commit changed'}; nothing is taken out of the history.`,
    conflict: (branch) =>
      `Not reverted: what it changed is different on ${branch} by now. Revert it on your machine, resolve the conflicts, and push.`,
    empty: (branch) => `Not reverted: ${branch} has none of its changes, or they were reverted already.`,
  },
  cherry_pick: {
    verb: 'Cherry-pick',
    done: 'cherry-picked',
    branch: 'cherry-pick',
    consequence: (merge) =>
      `A new commit does once more, on another branch, what this ${merge ? 'merge brought to its first parent' : 'commit changed'}.`,
    conflict: (branch) =>
      `Not cherry-picked: it conflicts with what ${branch} has. Cherry-pick it on your machine, resolve the conflicts, and push.`,
    empty: (branch) => `Not cherry-picked: ${branch} has all of its changes already.`,
  },
};

/** A commit that somebody may revert or cherry-pick. */
interface Place extends OpenCode, CodeVersion {
  readonly way: PickWay;
  readonly writers: Writers;
}

const shortOf = ({ commit }: Place): string => commit.id.slice(0, 8);

/** Whether they only ask if another branch is open to them. */
const isLook = ({ request }: PageContext): boolean => field(request, 'look') === 'true';

/** What was chosen: the branch, and whether a new one is to be merged into it. */
const choiceIn = (context: PageContext, { permitted: { project } }: Place) => {
  const asked = queryText(context, 'branch') || (project.defaultBranch ?? '');
  const { branch, own } = typed(context, { branch: asked, own: '' });
  return { branch: cutAt(branch.trim(), LONGEST_BRANCH), own: own === 'true' && !isLook(context) };
};

/** @throws Conflict with the reason, where nothing was done. */
const requireDone = (outcome: PickOutcome, { way }: Place, branch: string): string => {
  if (outcome.outcome === 'done') return outcome.commit;
  const { conflict, empty } = WORDS[way];
  throw new Conflict(outcome.outcome === 'empty' ? empty(branch) : conflict(branch));
};

const orInvalidBranch = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotFound && error.subject === 'Branch') throw new Invalid({ branch: ['does not exist'] });
    throw error;
  }
};

/** Undoing what a commit did, or doing it once more, on a branch that is chosen. */
class PickPage {
  readonly #page: CodePage;

  constructor(private readonly parts: CodeWritingPagesParts) {
    this.#page = new CodePage(parts);
  }

  /** @throws NotFound, Forbidden. */
  async find(context: PageContext): Promise<Place> {
    const writers = await openForWriting(this.parts, context);
    const open = await this.#page.open(context);
    const { sha, way } = context.request.params;
    const version = await this.parts.locate.version(open.permitted, String(sha));
    // The first commit of all has nothing that it could be compared with.
    if (version === undefined || version.commit.parents.length === 0) throw new NotFound('Commit');
    return { ...open, ...version, writers, way: way === 'revert' ? 'revert' : 'cherry_pick' };
  }

  #newBranch(place: Place): Promise<string> {
    return newBranch(this.parts, place, `${WORDS[place.way].branch}-${shortOf(place)}`);
  }

  async show(context: PageContext, place: Place, refusal: Refusal): Promise<void> {
    const { verb, consequence } = WORDS[place.way];
    const { branch, own } = choiceIn(context, place);
    await this.#page.show(context, 'code-pick', place, {
      title: `${verb} commit ${shortOf(place)}`,
      tab: 'commits',
      verb,
      consequence: consequence(place.commit.parents.length > 1),
      branch,
      own,
      elsewhere: !(await mayCommitTo(this.parts, place, actorOf(context.browser), branch)),
      newBranch: await this.#newBranch(place),
      branches: await branchNames(this.parts, place.permitted.project.id),
      cancel: place.addresses.commit(place.commit.id),
      fieldLabels: { branch: 'The branch' },
      ...refusal,
    });
  }

  async act(context: PageContext, place: Place): Promise<Done | undefined> {
    if (isLook(context)) return undefined;
    const { commit, writers, addresses } = place;
    const { branch, own } = choiceIn(context, place);
    const ownBranch = own ? await this.#newBranch(place) : undefined;
    const command = { commit, branch, dryRun: false, ...given({ ownBranch }) };
    const { pickCommits } = this.parts;
    const outcome = await orInvalidBranch(
      place.way === 'revert'
        ? pickCommits.revert(writers.permitted, writers.writer, command)
        : pickCommits.cherryPick(writers.permitted, writers.writer, command),
    );
    const made = requireDone(outcome, place, branch);
    const done = `“${titleOf(commit.message)}” ${WORDS[place.way].done}`;
    return ownBranch === undefined
      ? { notice: `${done} on ${branch}.`, to: addresses.commit(made) }
      : {
          notice: `${done} on ${ownBranch}. Open a merge request to bring that to ${branch}.`,
          to: addresses.ownMergeRequest(ownBranch, branch),
        };
  }
}

export const addPickPage = (pages: Pages, parts: CodeWritingPagesParts): void => {
  const page = new PickPage(parts);
  addFormPage<Place>(pages, {
    path: PICK,
    find: (context) => page.find(context),
    show: (context, place, refusal) => page.show(context, place, refusal),
    act: (context, place) => page.act(context, place),
  });
};
