import type { UserReader } from '../../../../application/identity/ports/identity-readers.js';
import type { PlanningOverview } from '../../../../application/planning/ports/planning-overview.js';
import type { PlanningReader } from '../../../../application/planning/ports/planning-readers.js';
import type { WorkspaceReader } from '../../../../application/workspace/ports/workspace-readers.js';
import type { WorkspaceAccess } from '../../../../application/workspace/workspace-access.js';
import type { Milestone } from '../../../../domain/planning/milestone.js';
import type { UserId } from '../../../../domain/shared/identifiers.js';
import { identifierIn } from '../../../../domain/shared/identifiers.js';
import type { Project } from '../../../../domain/workspace/namespace.js';
import { typedList } from './frame/form-page.js';
import type { PageContext } from './page-context.js';
import { actorFor } from './page-request.js';

export interface PlanningChoicesParts {
  readonly access: WorkspaceAccess;
  readonly reader: WorkspaceReader;
  readonly users: UserReader;
  readonly planningReader: PlanningReader;
  readonly planningOverview: PlanningOverview;
}

interface Person {
  readonly id: UserId;
  readonly name: string;
  readonly username: string;
}

/** What is chosen already; it stays among what can be chosen. */
export interface Chosen {
  readonly people: readonly Person[];
  readonly labels: readonly string[];
  readonly milestone: Milestone | null;
}

export const NOTHING_CHOSEN: Chosen = { people: [], labels: [], milestone: null };

/** As many people, labels and milestones are offered to choose from. */
export const OFFERED = { page: 1, perPage: 100 };

/** The people whose boxes are checked. */
export const peopleIn = (context: PageContext, name: string): readonly UserId[] =>
  typedList(context, name, [])
    .flatMap((id) => identifierIn<UserId>(id) ?? [])
    .slice(0, OFFERED.perPage);

/** Who and what can be chosen in a form. */
export const planningChoices = async (
  { access, reader, users, planningReader, planningOverview }: PlanningChoicesParts,
  { browser }: PageContext,
  { id: projectId, namespace }: Project,
  chosen: Chosen,
) => {
  const viewer = access.viewer(actorFor(browser));
  const [owner, members, labels, named, milestones] = await Promise.all([
    // A person's namespace is called as they are. They are no member of their own projects, and take part all the same.
    namespace.kind === 'user' ? users.findByUsername(namespace.path) : undefined,
    reader.projectMembers(projectId, { viewer, inherited: true, page: OFFERED }),
    planningReader.listLabels(projectId, OFFERED),
    planningOverview.labelsNamed(projectId, chosen.labels),
    planningOverview.openMilestones(projectId, OFFERED.perPage),
  ]);
  const people: readonly Person[] = [
    ...chosen.people,
    ...(owner === undefined ? [] : [owner]),
    ...members.items.map(({ userId, name, username }) => ({ id: userId, name, username })),
  ];
  return {
    people: [...new Map(people.map((person) => [person.id, person])).values()],
    labels: [...new Map([...named, ...labels.items].map((label) => [label.id, label])).values()],
    milestones: [['', 'None'], ...titlesOf([...(chosen.milestone ? [chosen.milestone] : []), ...milestones])],
  };
};

const titlesOf = (milestones: readonly Pick<Milestone, 'id' | 'title'>[]) => [
  ...new Map(milestones.map(({ id, title }) => [String(id), title])),
];
