import { mayComment } from '../../domain/collaboration/note.js';
import { mayChangeIssue, type Issue } from '../../domain/planning/issue.js';
import { issueReferences, type IssueReference } from '../../domain/planning/issue-reference.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
import { isKnownIn } from '../../domain/shared/known-in.js';
import { seenFor } from '../../domain/workspace/workspace-policy.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { UserActor } from '../shared/actor.js';
import type { DomainEvents } from '../shared/domain-events.js';
import type { Permitted } from '../shared/permitted.js';
import type { NoteRepository } from '../collaboration/ports/note-ports.js';
import { changeIssueState } from './change-issue-state.js';
import type { Issues } from './issues.js';
import type { IssueDetails } from './ports/planning-readers.js';
import type { IssueRepository } from './ports/planning-repositories.js';

/** A commit that a branch got. */
export interface ReadCommit {
  readonly id: string;
  readonly message: string;
}

export interface PushedMessages {
  readonly project: Pick<Project, 'id' | 'fullPath' | 'visibility' | 'features'>;
  readonly commits: readonly ReadCommit[];
  /** Whether they have reached the default branch: on another one nothing is closed. */
  readonly closing: boolean;
  /** A machine pushed them with somebody's key, which opens this project alone, or they came from elsewhere: they say nothing in other projects. */
  readonly byMachine?: true | undefined;
}

/** What is to be written under an issue that a commit names. */
export interface CommitMention {
  readonly issue: IssueDetails;
  /** As seen from the project of the issue; null where not everybody there may know of the project of the commit. */
  readonly commit: string | null;
  readonly commitId: string;
  readonly closes: boolean;
  /** What whoever pushed it may do in the project of the issue. */
  readonly level: number;
}

interface Needs {
  readonly issues: IssueRepository;
  readonly notes: NoteRepository;
  readonly events: DomainEvents;
}

/** Of one push at most. */
const MOST_MENTIONS = 100;

/** Issues that commit messages name (`See #1`, `Closes group/project#2`). */
export class CommitMentions {
  constructor(
    /** The project of a number or path, for who may comment on its issues. @throws NotFound, Forbidden. */
    private readonly enter: (actor: UserActor, project: string) => Promise<Permitted<'write_issues'>>,
    private readonly issues: Issues,
  ) {}

  /** Those that whoever pushed may see, and close only what they may close. */
  async find(actor: UserActor, pushed: PushedMessages): Promise<readonly CommitMention[]> {
    const { project, commits, closing } = pushed;
    const found: CommitMention[] = [];
    for (const { id, message } of commits)
      for (const reference of issueReferences(message)) {
        if (found.length >= MOST_MENTIONS) return found;
        const seen = await this.#see(actor, pushed, reference);
        if (seen === undefined) continue;
        const { issue, level } = seen;
        const commit = isKnownIn(seenFor(project, 'read_code'), seenFor(seen.project, 'read_issues'))
          ? `${nameIn(seen.project, project)}${id}`
          : null;
        const closes = reference.closes && closing && seen.mayClose;
        found.push({ issue, level, commit, commitId: id, closes });
      }
    return found;
  }

  async #see(
    pusher: UserActor,
    { project, byMachine }: Pick<PushedMessages, 'project' | 'byMachine'>,
    { project: path, iid }: IssueReference,
  ) {
    const isElsewhere = path !== null && path !== project.fullPath;
    if (isElsewhere && byMachine === true) return undefined;
    // The messages are others', too: whoever has an administrator merge theirs says nothing elsewhere as one.
    const actor = isElsewhere ? { ...pusher, admin: false } : pusher;
    try {
      const place = await this.enter(actor, path ?? String(project.id));
      const { issue, party } = await this.issues.find(actor, place, iid);
      return { issue, project: place.project, level: party.level, mayClose: mayChangeIssue(issue, party) };
    } catch (error) {
      // What they may not see or touch stays as it is.
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  }
}

/** What stands before the id of a commit. */
const nameIn = (seenIn: Pick<Project, 'id'>, { id, fullPath }: Pick<Project, 'id' | 'fullPath'>): string =>
  id === seenIn.id ? '' : `${fullPath}@`;

/** Notes the mentions and closes what is to be closed, each once, within the caller's unit of work. */
export const noteCommitMentions = async (
  repositories: Needs,
  mentions: readonly CommitMention[],
  by: UserId,
  at: Date,
): Promise<void> => {
  const { issues, notes, events } = repositories;
  const inOrder = [...mentions].sort((one, other) => one.issue.id - other.issue.id);
  // Whatever is locked before issues is locked first.
  for (const { issue, closes } of inOrder) if (closes) await events.publish({ kind: 'issue_ending', issue, by, at });
  for (const mention of inOrder) {
    const { id } = mention.issue;
    const held = await issues.take(id);
    if (held === undefined) continue;
    const cause = mention.commit === null ? undefined : { commit: mention.commitId };
    const closing = { issue: held, by, at };
    const closed = mention.closes && (await changeIssueState({ issues, events }, 'closed', closing, cause));
    const body = closed ? closingNote(mention) : mentioningNote(mention, held);
    if (body === undefined || (!closed && (await notes.hasSystemNote(id, body)))) continue;
    await notes.add({ subjectId: id, authorId: by, body, system: true, createdAt: at });
  }
};

const closingNote = ({ commit }: CommitMention): string =>
  commit === null ? 'closed via a commit of another project' : `closed via commit ${commit}`;

/** Undefined where it would say nothing, or where whoever pushed may not comment. */
const mentioningNote = ({ commit, level }: CommitMention, { discussionLocked }: Issue): string | undefined =>
  commit !== null && mayComment({ locked: discussionLocked === true }, { level })
    ? `mentioned in commit ${commit}`
    : undefined;
