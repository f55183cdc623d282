import { mayChangeIssue } from '../../domain/planning/issue.js';
import { issueReferences } from '../../domain/planning/issue-reference.js';
import { Forbidden, NotFound } from '../../domain/shared/domain-error.js';
import type { UserId } from '../../domain/shared/identifiers.js';
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
  readonly project: Pick<Project, 'id' | 'fullPath'>;
  readonly commits: readonly ReadCommit[];
  /** Whether they have reached the default branch: on another one nothing is closed. */
  readonly closing: boolean;
}

/** What is to be written under an issue that a commit names. */
export interface CommitMention {
  readonly issue: IssueDetails;
  /** As seen from the project of the issue. */
  readonly commit: string;
  readonly closes: boolean;
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
    /** The project of a number or path, for who may take part in it. @throws NotFound, Forbidden. */
    private readonly enter: (actor: UserActor, project: string) => Promise<Permitted<'take_part'>>,
    private readonly issues: Issues,
  ) {}

  /** Those that whoever pushed may see, and close only what they may close. */
  async find(actor: UserActor, { project, commits, closing }: PushedMessages): Promise<readonly CommitMention[]> {
    const found: CommitMention[] = [];
    for (const { id, message } of commits)
      for (const { project: path, iid, closes } of issueReferences(message)) {
        if (found.length >= MOST_MENTIONS) return found;
        const seen = await this.#see(actor, path ?? String(project.id), iid);
        if (seen === undefined) continue;
        const commit = seen.issue.projectId === project.id ? id : `${project.fullPath}@${id}`;
        found.push({ issue: seen.issue, commit, closes: closes && closing && seen.mayClose });
      }
    return found;
  }

  async #see(actor: UserActor, projectId: string, iid: number) {
    try {
      const place = await this.enter(actor, projectId);
      const { issue, party } = await this.issues.find(actor, place, iid);
      return { issue, mayClose: mayChangeIssue(issue, party) };
    } catch (error) {
      // What they may not see or touch stays as it is.
      if (error instanceof NotFound || error instanceof Forbidden) return undefined;
      throw error;
    }
  }
}

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
  for (const { issue, commit, closes } of inOrder) {
    const held = await issues.take(issue.id);
    if (held === undefined) continue;
    const closed = closes && (await changeIssueState({ issues, events }, 'closed', { issue: held, by, at }));
    const body = closed ? `closed via commit ${commit}` : `mentioned in commit ${commit}`;
    if (await notes.hasSystemNote(issue.id, body)) continue;
    await notes.add({ subjectId: issue.id, authorId: by, body, system: true, createdAt: at });
  }
};
