import type { IssueState } from '../../../domain/planning/issue.js';
import type { ProjectId, UserId } from '../../../domain/shared/identifiers.js';
import type { ClosingCause, DomainEvents, IssueEvent } from '../../shared/domain-events.js';
import { together } from '../../shared/together.js';
import type { SubjectLabelRepository } from '../../collaboration/ports/label-ports.js';
import type { NoteRepository } from '../../collaboration/ports/note-ports.js';
import type { IssuePlace, IssueRepository, NewIssue } from '../ports/planning-repositories.js';

/** What the operations need of the caller's unit of work. */
export interface IncidentRepositories {
  readonly issues: IssueRepository;
  readonly notes: NoteRepository;
  readonly subjectLabels: SubjectLabelRepository;
  readonly events: DomainEvents;
}

/** The label that incidents have. */
export interface IncidentLabel {
  readonly name: string;
  readonly color: string;
}

/** What incidents need before they are there. */
export interface ReservedIncidents {
  readonly places: readonly IssuePlace[];
  readonly labelIds: readonly number[];
}

export type NewIncident = Pick<NewIssue, 'projectId' | 'title' | 'description' | 'severity' | 'createdAt'> & {
  readonly authorId: UserId;
};

/** Reserves places for so many incidents that are opened in the caller's unit of work. */
export const reserveIncidents = async (
  { issues, subjectLabels }: Pick<IncidentRepositories, 'issues' | 'subjectLabels'>,
  projectId: ProjectId,
  count: number,
  { name, color, at }: IncidentLabel & { readonly at: Date },
): Promise<ReservedIncidents> => {
  const [places, labelIds] = await together([
    issues.reserve(projectId, count),
    subjectLabels.ensure(projectId, [name], color, at),
  ]);
  return { places, labelIds };
};

/**
 * Opens incidents in their places, within the caller's unit of work.
 *
 * @returns what the caller is to publish, together with what is its own.
 */
export const openIncidents = async (
  { issues, subjectLabels }: Pick<IncidentRepositories, 'issues' | 'subjectLabels'>,
  { places, labelIds }: ReservedIncidents,
  incidents: readonly NewIncident[],
): Promise<readonly IssueEvent[]> => {
  const rest = { kind: 'incident', confidential: false, dueDate: null } as const;
  const given = incidents.map((incident, index) => ({ ...incident, ...rest, ...places[index]! }));
  const [opened] = await together([
    issues.addReserved(given),
    subjectLabels.give(
      places.map(({ id }) => id),
      labelIds,
    ),
  ]);
  return opened.map((issue, index) => {
    const { authorId: by, createdAt: at } = incidents[index]!;
    return { kind: 'issue_opened', issue, labels: labelIds, by, at };
  });
};

export interface IncidentChange {
  readonly id: number;
  /** Says in the incident why. */
  readonly note: string;
  /** What closes it, where that may be told. */
  readonly cause?: ClosingCause;
  readonly by: UserId;
  readonly at: Date;
}

/**
 * Closes or reopens incidents within the caller's unit of work; leaves those alone that are gone, or in that state already.
 *
 * @returns what the caller is to publish, together with what is its own.
 */
export const changeIncidents = async (
  { issues, notes }: Pick<IncidentRepositories, 'issues' | 'notes'>,
  state: IssueState,
  changes: readonly IncidentChange[],
): Promise<readonly IssueEvent[]> => {
  const taken = new Map((await issues.takeAll(changes.map(({ id }) => id))).map((issue) => [issue.id, issue]));
  const changed = changes.flatMap((change) => {
    const issue = taken.get(change.id);
    return issue === undefined || issue.state === state ? [] : { ...change, issue };
  });
  if (changed.length === 0) return [];
  await together([
    issues.changeStates(changed, state),
    notes.addAll(
      changed.map(({ id: subjectId, note: body, by: authorId, at: createdAt }) => {
        return { subjectId, authorId, body, system: true, createdAt };
      }),
    ),
  ]);
  return changed.map(({ issue, by, at, cause }) =>
    state === 'closed'
      ? { kind: 'issue_closed', issue, by, at, ...(cause && { cause }) }
      : { kind: 'issue_reopened', issue, by, at },
  );
};
