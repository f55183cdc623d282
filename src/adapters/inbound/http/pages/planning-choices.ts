import type { PlanningOverview } from '../../../../application/planning/ports/planning-overview.js';
import type {
  MilestoneDetails,
  MilestoneReader,
  PlanningReader,
} from '../../../../application/planning/ports/planning-readers.js';
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
  readonly planningReader: PlanningReader;
  readonly planningOverview: PlanningOverview;
  readonly milestoneReader: MilestoneReader;
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
const OFFERED = { page: 1, perPage: 100 };

/** The people whose boxes are checked. */
export const peopleIn = (context: PageContext, name: string): readonly UserId[] =>
  typedList(context, name, [])
    .flatMap((id) => identifierIn<UserId>(id) ?? [])
    .slice(0, OFFERED.perPage);

/** Who and what can be chosen in a form. */
export const planningChoices = async (
  { access, reader, planningReader, planningOverview, milestoneReader }: PlanningChoicesParts,
  { browser }: PageContext,
  { id: projectId }: Project,
  chosen: Chosen,
) => {
  const viewer = access.viewer(actorFor(browser));
  const [members, labels, named, milestones] = await Promise.all([
    reader.projectMembers(projectId, { viewer, inherited: true, page: OFFERED }),
    planningReader.listLabels(projectId, OFFERED),
    planningOverview.labelsNamed(projectId, chosen.labels),
    milestoneReader.list({ projectId, state: 'active', page: OFFERED }),
  ]);
  const people = [
    ...chosen.people,
    ...members.items.map(({ userId, name, username }) => ({ id: userId, name, username })),
  ];
  return {
    people: [...new Map(people.map((person) => [person.id, person])).values()],
    labels: [...new Map([...named, ...labels.items].map((label) => [label.id, label])).values()],
    milestones: [['', 'None'], ...(await titlesOf(milestones.batches, chosen.milestone))],
  };
};

const titlesOf = async (batches: AsyncIterable<readonly MilestoneDetails[]>, chosen: Milestone | null) => {
  const titles = new Map<string, string>();
  if (chosen) titles.set(String(chosen.id), chosen.title);
  for await (const batch of batches) for (const { id, title } of batch) titles.set(String(id), title);
  return [...titles];
};
