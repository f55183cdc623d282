import { titleOf } from '../../domain/repositories/commit-message.js';
import { retitled } from '../../domain/review/merge-request.js';
import { readMergeRequestOptions, type MergeRequestOptions } from '../../domain/review/push-options.js';
import { DomainError } from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { NamedThings } from '../planning/ports/named-things.js';
import type { HistoryReader } from '../repositories/ports/object-stores.js';
import type { Actor, UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { LookAtBranches } from './look-at-branches.js';
import type { EditMergeRequestCommand, MergeRequests } from './merge-requests.js';
import type { MergeRequestDetails } from './ports/merge-request-ports.js';
import type { PushedBranches } from './pushed-branches.js';

interface Parts {
  /** @throws NotFound, Forbidden for who may not push to a project. */
  readonly toPush: (actor: UserActor, projectId: ProjectId) => Promise<Permitted<'push_code'>>;
  /** @throws NotFound, Forbidden for who may not open or change its merge requests. */
  readonly toOpen: (actor: UserActor, projectId: ProjectId) => Promise<Permitted<'open_merge_requests'>>;
  readonly pushedBranches: Pick<PushedBranches, 'openOf'>;
  readonly mergeRequests: Pick<MergeRequests, 'open' | 'edit' | 'findToChange'>;
  readonly things: NamedThings;
  readonly look: Pick<LookAtBranches, 'tips'>;
  readonly history: Pick<HistoryReader, 'log'>;
}

/** A push that has succeeded: its options are about the merge requests of its branches. */
export interface PushedWithOptions {
  readonly projectId: ProjectId;
  /** Branches that were made or moved. */
  readonly branches: readonly string[];
  readonly defaultBranch: string | null;
  readonly options: readonly string[];
}

/** The branch of a push that its options are applied to. */
interface PushedBranch {
  readonly actor: UserActor;
  readonly projectId: ProjectId;
  readonly branch: string;
  readonly defaultBranch: string | null;
}

interface Named {
  readonly assign: readonly UserId[];
  readonly unassign: readonly UserId[];
  readonly milestoneId?: number;
  readonly warnings: readonly string[];
}

const MOST_BRANCHES = 10;
const LONGEST_TITLE = 255;

/** Opens and changes merge requests as the options of a push (`git push -o merge_request.…`) ask for. */
export class ApplyPushOptions {
  constructor(private readonly parts: Parts) {}

  /** Answers what could not be done, in lines for the person who pushes: the push itself has succeeded. */
  async execute(viewer: Actor, { options: sent, ...push }: PushedWithOptions): Promise<readonly string[]> {
    const { options, warnings } = readMergeRequestOptions(sent);
    if (options === undefined) return [];
    const refuse = (problem: string) => [...warnings, `Push options of merge requests were ignored: ${problem}`];
    if (viewer.kind !== 'user')
      return refuse('a deploy key or deploy token stands for nobody who could open or change one.');
    if (push.branches.length === 0) return refuse('no branch was pushed.');
    if (push.branches.length > MOST_BRANCHES) return refuse(`more than ${MOST_BRANCHES} branches were pushed.`);
    const all = [...warnings];
    for (const branch of push.branches)
      all.push(...(await this.#applyOrTell({ ...push, actor: viewer, branch }, options)));
    return [...new Set(all)];
  }

  async #applyOrTell(pushed: PushedBranch, options: MergeRequestOptions): Promise<readonly string[]> {
    try {
      return await this.#apply(pushed, options);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return [`Push options could not be applied to the merge request of ${pushed.branch}: ${error.message}`];
    }
  }

  async #apply(pushed: PushedBranch, options: MergeRequestOptions): Promise<readonly string[]> {
    const open = await this.parts.pushedBranches.openOf(pushed.actor, pushed.projectId, pushed.branch);
    if (open !== undefined) return this.#change(pushed, open, options);
    if (options.create) return this.#open(pushed, options);
    return [`There is no open merge request for ${pushed.branch}: push with '-o merge_request.create' to open one.`];
  }

  async #change({ actor }: PushedBranch, open: MergeRequestDetails, options: MergeRequestOptions) {
    const { toOpen, mergeRequests } = this.parts;
    const place = await toOpen(actor, open.projectId);
    const found = await mergeRequests.findToChange(place, open.iid);
    const named = await this.#find(open.projectId, options);
    const before = open.assignees.map(({ id }) => id);
    const assigneeIds = [...new Set([...before, ...named.assign])].filter((id) => !named.unassign.includes(id));
    const { title = open.title } = options;
    const command: EditMergeRequestCommand = {
      ...fieldsOf(options, named),
      ...(options.target === undefined ? {} : { targetBranch: options.target }),
      ...(options.title === undefined && !options.draft
        ? {}
        : { title: options.draft ? retitled(title, true) : title }),
      ...(options.assign.length + options.unassign.length === 0 ? {} : { assigneeIds }),
      addLabels: options.addLabels,
      removeLabels: options.removeLabels,
    };
    if (Object.values(command).some((value) => !Array.isArray(value) || value.length > 0))
      await mergeRequests.edit(actor, found, command);
    return named.warnings;
  }

  async #open(pushed: PushedBranch, options: MergeRequestOptions): Promise<readonly string[]> {
    const { actor, projectId, branch: sourceBranch } = pushed;
    const { toPush, toOpen, mergeRequests } = this.parts;
    const targetBranch = options.target ?? pushed.defaultBranch ?? sourceBranch;
    const source = await toPush(actor, projectId);
    const target = await toOpen(actor, projectId);
    const named = await this.#find(projectId, options);
    const title = options.title ?? (await this.#titleFor(pushed, targetBranch));
    await mergeRequests.open(actor, source, target, {
      ...fieldsOf(options, named),
      sourceBranch,
      targetBranch,
      title: options.draft ? retitled(title, true) : title,
      labels: options.addLabels.filter((label) => !options.removeLabels.includes(label)),
      assigneeIds: named.assign.filter((id) => !named.unassign.includes(id)),
    });
    return named.warnings;
  }

  /** One commit says what it is about; of several the name of the branch does. */
  async #titleFor({ projectId, branch: sourceBranch }: PushedBranch, targetBranch: string): Promise<string> {
    const tips = await this.parts.look.tips({ projectId, targetBranch, sourceProjectId: projectId, sourceBranch });
    if (tips?.source == null || tips.target === null) return sourceBranch;
    const range = { tips: [tips.source], not: [tips.target], limit: 2 };
    const [only, other] = await this.parts.history.log(tips.repository.store, range);
    const title = only !== undefined && other === undefined ? titleOf(only.message) : sourceBranch;
    return title.slice(0, LONGEST_TITLE).toWellFormed();
  }

  async #find(projectId: ProjectId, { assign, unassign, milestone: title }: MergeRequestOptions): Promise<Named> {
    const { things } = this.parts;
    const usernames = [...assign, ...unassign].map(withoutSign);
    const people = usernames.length === 0 ? [] : await things.people(projectId, usernames, 'read_merge_requests');
    const ids = new Map(people.map(({ id, username }) => [username.toLowerCase(), id]));
    const idsOf = (names: readonly string[]) => names.flatMap((name) => ids.get(withoutSign(name)) ?? []);
    const milestone = title === undefined ? undefined : await things.milestone(projectId, title);
    const strangers = usernames.filter((name) => !ids.has(name));
    return {
      assign: idsOf(assign),
      unassign: idsOf(unassign),
      ...(milestone && { milestoneId: milestone.id }),
      warnings: [
        ...(strangers.length === 0 ? [] : ['Not everybody who was named in push options can be assigned.']),
        ...(title !== undefined && milestone === undefined ? ['The milestone of the push options was not found.'] : []),
      ],
    };
  }
}

const withoutSign = (name: string): string => name.replace(/^@/, '').toLowerCase();

/** What is said alike of one that is opened and one that is changed. */
const fieldsOf = ({ description, squash, removeSourceBranch }: MergeRequestOptions, { milestoneId }: Named) => ({
  ...(description === undefined ? {} : { description }),
  ...(milestoneId === undefined ? {} : { milestoneId }),
  ...(squash ? { squash } : {}),
  ...(removeSourceBranch ? { removeSourceBranch } : {}),
});
