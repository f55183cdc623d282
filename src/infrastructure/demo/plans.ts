import type { ProjectId } from '../../domain/shared/identifiers.js';
import { COLLABORATION_TOKENS } from '../composition/collaboration.tokens.js';
import { PLANNING_TOKENS } from '../composition/planning.tokens.js';
import { WORKSPACE_TOKENS } from '../composition/workspace.tokens.js';
import type { Service } from '../service.js';
import type { Member, Members } from './people.js';

const LABELS = [
  { name: 'bug', color: '#c9302c', description: 'Something does not work' },
  { name: 'idea', color: '#428bca', description: 'Something that could be better' },
] as const;

const OVERFLOW = `Adding two large numbers answers a negative one:

| a | b | answer |
| --- | --- | --- |
| 2147483647 | 1 | -2147483648 |

- [x] a test that fails
- [ ] wider numbers`;

/** What Ada's team plans: labels, a milestone and issues, one of them done. */
export const addPlans = async (service: Service, project: ProjectId, { ada, grace, alan }: Members): Promise<void> => {
  const { access } = service.container.get(WORKSPACE_TOKENS.workspace);
  const { issues, labels, milestones } = service.container.get(PLANNING_TOKENS.planning);
  const place = String(project);
  const managesLabels = await access.project(ada.actor, place, 'manage_labels');
  for (const label of LABELS) await labels.add(managesLabels, label);
  const milestoneId = await milestones.create(ada.actor, await access.project(ada.actor, place, 'manage_milestones'), {
    title: 'First release',
    description: 'A compiler that people can try.',
  });
  const open = async ({ actor }: Member, fields: Parameters<typeof issues.open>[2]) =>
    issues.open(actor, await access.project(actor, place, 'write_issues'), fields);
  const assigneeIds = [grace.actor.id];
  const overflow = await open(ada, {
    title: 'Large sums are negative',
    description: OVERFLOW,
    labels: ['bug'],
    milestoneId,
    assigneeIds,
  });
  const manual = await open(alan, { title: 'A page for beginners', description: 'How do I print a number?' });
  await open(ada, { title: 'Loops', description: 'So that @grace need not write them out.', labels: ['idea'] });
  const { subjects, notes } = service.container.get(COLLABORATION_TOKENS.collaboration);
  const takesPart = await access.project(grace.actor, place, 'write_issues');
  const discussed = await subjects.findToDiscuss(grace.actor, takesPart, 'issue', String(overflow.iid));
  await notes.add(grace.actor, discussed, `I can reproduce it. Perhaps #${manual.iid} should warn of it, too?`);
  const mayClose = await access.project(ada.actor, place, 'write_issues');
  await issues.edit(ada.actor, await issues.findToChange(ada.actor, mayClose, manual.iid), { stateEvent: 'close' });
};
