import { issueReferences } from '../../domain/planning/issue-reference.js';
import type { MergeRequest } from '../../domain/review/merge-request.js';
import type { Project } from '../../domain/workspace/namespace.js';
import type { Actor, UserActor } from '../shared/actor.js';
import type { FoundIssue, IssueFinder } from './ports/issue-finder.js';
import type { NamedIssue } from './ports/merge-request-ports.js';

export interface IssueOfText {
  readonly id: number;
  readonly closes: boolean;
}

/** The issues that the text of a merge request names (`Closes #1`, `See group/project#2`), as far as somebody may see them. */
export class NamedIssues {
  constructor(private readonly finder: IssueFinder) {}

  async find(
    actor: Actor,
    { id }: Pick<Project, 'id'>,
    { title, description }: Pick<MergeRequest, 'title' | 'description'>,
  ): Promise<readonly IssueOfText[]> {
    const found = new Map<number, IssueOfText>();
    for (const { project, iid, closes } of issueReferences(`${title}\n${description}`)) {
      const seen = await this.finder.find(actor, project ?? String(id), iid);
      if (seen === undefined) continue;
      const { issue } = seen;
      found.set(issue.id, { id: issue.id, closes: closes || found.get(issue.id)?.closes === true });
    }
    return [...found.values()];
  }

  /**
   * Of the issues that a text of a project names those that somebody sees, with whether they may close them: in other projects as if they
   * were no administrator, since the text is whoever's wrote it.
   */
  async see(
    actor: UserActor,
    { id }: Pick<Project, 'id'>,
    named: readonly NamedIssue[],
  ): Promise<readonly FoundIssue[]> {
    const elsewhere = { ...actor, admin: false };
    const seen = [];
    for (const { projectId, iid } of named)
      seen.push(await this.finder.find(projectId === id ? actor : elsewhere, String(projectId), iid));
    return seen.filter((each) => each !== undefined);
  }
}
