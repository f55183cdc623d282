import type { PushReport, ReceivePush } from '../../../application/repositories/receive-push.js';
import type { PushedWithOptions } from '../../../application/review/apply-push-options.js';
import type { Actor } from '../../../application/shared/actor.js';
import type { RefChanger } from '../../../domain/repositories/protected-ref.js';
import type { RefChange } from '../../../domain/repositories/push-decision.js';
import { ACCESS_LEVEL } from '../../../domain/shared/access-level.js';
import { refPartsOf } from '../../../domain/repositories/ref-name.js';
import type { UserId } from '../../../domain/shared/identifiers.js';
import type { Project } from '../../../domain/workspace/namespace.js';
import type { GitGate, PushTarget } from './git-gate.js';
import { GitRefusal, projectNotFound } from './git-refusal.js';
import { keepingPace } from '../../streams/keeping-pace.js';
import { writeReport, type PushRequest } from './push-conversation.js';

const tooSlow = (seconds: number): GitRefusal =>
  new GitRefusal(408, `The push came too slowly: less than 16 KiB arrived in ${seconds} seconds. Push it again.`);

export interface TakePushParts {
  readonly gate: GitGate;
  readonly receivePush: ReceivePush;
  /** Where git clones a project from, in the way that it is spoken to. */
  readonly cloneUrl: (fullPath: string) => string;
  readonly pageUrl: (fullPath: string) => string;
  /** How long a sender may stand still. */
  readonly stallSeconds: number;
  /** The pages where the merge request of a branch is seen, as far as the viewer sees one, or made. */
  readonly mergeRequestUrl: (viewer: Actor, project: Project, branch: string) => Promise<MergeRequestUrl | undefined>;
  /** Does what the options of a push ask for, and answers what could not be done. */
  readonly applyOptions: (viewer: Actor, push: PushedWithOptions) => Promise<readonly string[]>;
}

export interface MergeRequestUrl {
  readonly url: string;
  /** Whether one is open already. */
  readonly there: boolean;
}

/** The branches that a push made or moved. */
interface MovedBranches {
  readonly branches: readonly string[];
  readonly defaultBranch: string | null;
  /** Whether any ref was refused. */
  readonly failed: boolean;
}

type TargetThere = Extract<PushTarget, { kind: 'there' }>;

const NO_RIGHTS: RefChanger = { level: ACCESS_LEVEL.none, admin: false };

/** Whoever mirrors a repository pushes all of its branches. */
const MOST_BRANCHES = 10;

/** Takes a push, after making the project that it is for where that isn't there yet. */
export class TakePush {
  constructor(private readonly parts: TakePushParts) {}

  /** The report that git reads. @throws GitRefusal 422 when the project can't be made, 408 when its sender stands still. */
  async execute(target: PushTarget, push: PushRequest): Promise<Buffer> {
    const { changes, capabilities, options, pack } = push;
    const [{ pushed, again }, messages] = await this.#admit(target);
    const { permitted, userId, viewer } = pushed;
    const byMachine = viewer.kind === 'user' ? {} : ({ byMachine: true } as const);
    const pusher = { id: userId, ...byMachine, rightsNow: () => rightsNow(userId, again) };
    const report = await this.parts.receivePush.execute(permitted, pusher, {
      changes,
      atomic: capabilities.has('atomic'),
      options,
      pack: pack && keepingPace(pack, this.parts.stallSeconds, () => tooSlow(this.parts.stallSeconds)),
    });
    const moved = await this.#movedBranches(permitted.project, changes, report);
    const warnings = await this.#applyOptions(viewer, permitted.project, moved, options);
    const links = await this.#tellOfMergeRequests(viewer, permitted.project, moved);
    const told = [...report.messages, ...messages, ...warnings, ...links];
    return writeReport({ ...report, messages: told }, capabilities);
  }

  async #movedBranches(project: Project, changes: readonly RefChange[], { refs }: PushReport): Promise<MovedBranches> {
    const failed = new Set(refs.filter(({ failure }) => failure !== undefined).map(({ ref }) => ref));
    const moved = changes.filter(({ ref, to }) => to !== null && !failed.has(ref));
    const branches = moved.flatMap(({ ref }) => {
      const parts = refPartsOf(ref);
      return parts?.kind === 'branch' ? [parts.name] : [];
    });
    if (branches.length === 0) return { branches, defaultBranch: null, failed: failed.size > 0 };
    // The push has succeeded already.
    const defaultBranch = await this.parts.gate.defaultBranchOf(project.id).catch(() => null);
    return { branches, defaultBranch, failed: failed.size > 0 };
  }

  async #applyOptions(
    viewer: Actor,
    { id: projectId }: Project,
    { branches, defaultBranch, failed }: MovedBranches,
    options: readonly string[],
  ): Promise<readonly string[]> {
    if (options.length === 0 || (failed && branches.length === 0)) return [];
    try {
      const warnings = await this.parts.applyOptions(viewer, { projectId, branches, defaultBranch, options });
      return warnings.length === 0 ? [] : ['', 'WARNINGS:', ...warnings, ''];
    } catch {
      // The push has succeeded already.
      return ['', 'WARNINGS:', 'The push options could not be applied: try again later.', ''];
    }
  }

  async #admit(target: PushTarget): Promise<readonly [target: TargetThere, messages: readonly string[]]> {
    if (target.kind === 'there') return [target, []];
    // What the push begins with may have come late.
    const now = await target.again();
    if (now.kind === 'there') return [now, []];
    await this.parts.gate.create(now.project);
    const made = await now.again();
    if (made.kind !== 'there') throw projectNotFound();
    return [made, this.#tellOfProject(made.pushed.permitted.project.fullPath)];
  }

  async #tellOfMergeRequests(
    viewer: Actor,
    project: Project,
    { branches, defaultBranch }: MovedBranches,
  ): Promise<readonly string[]> {
    if (!project.merging.tellsAfterPush) return [];
    try {
      const told = branches.filter((name) => name !== defaultBranch).slice(0, MOST_BRANCHES);
      const lines = await Promise.all(told.map((branch) => this.#tellOfMergeRequest(viewer, project, branch)));
      return lines.flat();
    } catch {
      // The push has succeeded already.
      return [];
    }
  }

  async #tellOfMergeRequest(viewer: Actor, project: Project, branch: string): Promise<readonly string[]> {
    const address = await this.parts.mergeRequestUrl(viewer, project, branch);
    if (address === undefined) return [];
    const { url, there } = address;
    const first = there ? `View merge request for ${branch}:` : `To create a merge request for ${branch}, visit:`;
    return ['', first, `  ${url}`, ''];
  }

  #tellOfProject(fullPath: string): readonly string[] {
    return [
      '',
      `The private project ${fullPath} was successfully created.`,
      '',
      'To configure the remote, run:',
      `  git remote add origin ${this.parts.cloneUrl(fullPath)}`,
      '',
      'To view the project, visit:',
      `  ${this.parts.pageUrl(fullPath)}`,
      '',
    ];
  }
}

/** What somebody may do whose push has arrived. A credential that stands for nobody any more, or for somebody else, may do nothing. */
const rightsNow = async (userId: UserId, again: PushTarget['again']): Promise<RefChanger> => {
  try {
    const target = await again();
    return target.kind === 'there' && target.pushed.userId === userId ? target.pushed.rights : NO_RIGHTS;
  } catch (error) {
    if (error instanceof GitRefusal) return NO_RIGHTS;
    throw error;
  }
};
