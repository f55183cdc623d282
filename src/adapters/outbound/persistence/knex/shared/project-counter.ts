import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

type NumberedKind = 'issue' | 'alert' | 'milestone' | 'merge_request';

/**
 * The next number of a kind within a project. Whoever takes one holds the counter until his transaction ends, so that numbers
 * have no gaps and no doubles: take it last.
 */
export const nextNumber = async (session: Session, projectId: ProjectId, kind: NumberedKind): Promise<number> => {
  const [row] = await session.run<{ last_number: number }>(
    `insert into project_counters (project_id, kind, last_number) values (?, ?, 1)
     on conflict (project_id, kind) do update set last_number = project_counters.last_number + 1
     returning last_number`,
    [projectId, kind],
  );
  return Number(row!.last_number);
};

/** Holds the counter without taking a number: for whoever will hold other things when he takes one. */
export const holdNumbers = async (session: Session, projectId: ProjectId, kind: NumberedKind): Promise<void> => {
  await session.run(
    `insert into project_counters (project_id, kind, last_number) values (?, ?, 0)
     on conflict (project_id, kind) do update set last_number = project_counters.last_number`,
    [projectId, kind],
  );
};
