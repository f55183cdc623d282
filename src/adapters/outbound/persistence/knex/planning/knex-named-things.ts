import type { ReadsSubjects } from '../../../../../application/planning/ports/named-things.js';
import type { Person } from '../../../../../application/collaboration/ports/note-ports.js';
import type { NamedThings } from '../../../../../application/planning/ports/named-things.js';
import type { Clock } from '../../../../../application/shared/ports/clock.js';
import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import { readPeople } from '../identity/people.js';
import type { Session } from '../session.js';
import { choosablePeople } from '../visibility/choosable-people.js';
import { usableLabels } from './usable-labels.js';
import { usableMilestones } from './usable-milestones.js';

export class KnexNamedThings implements NamedThings {
  constructor(
    private readonly session: Session,
    private readonly clock: Clock,
  ) {}

  async people(
    projectId: ProjectId,
    usernames: readonly string[],
    permission: ReadsSubjects,
  ): Promise<readonly Person[]> {
    if (usernames.length === 0) return [];
    const keys = usernames.map((name) => name.toLowerCase());
    const ids = await this.session.query('users').whereIn('username_key', keys).pluck('id');
    const today = this.clock.now().toISOString().slice(0, 10);
    const choosable = await choosablePeople(this.session, projectId, ids, { today, permission });
    return [...(await readPeople(this.session, choosable)).values()];
  }

  async labels(projectId: ProjectId, names: readonly string[]): Promise<readonly string[]> {
    if (names.length === 0) return [];
    return usableLabels(this.session, projectId)
      .whereIn('name', [...names])
      .pluck('name');
  }

  async milestone(
    projectId: ProjectId,
    title: string,
  ): Promise<{ readonly id: number; readonly title: string } | undefined> {
    const found = usableMilestones(this.session, projectId).where({ title });
    return (await found.first('id', 'title')) as { readonly id: number; readonly title: string } | undefined;
  }
}
