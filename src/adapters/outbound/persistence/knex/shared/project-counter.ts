import type { ProjectId } from '../../../../../domain/shared/identifiers.js';
import type { Session } from '../session.js';

type NumberedKind = 'issue' | 'alert' | 'milestone' | 'merge_request' | 'pipeline' | 'deployment';

const TAKE = `insert into project_counters (project_id, kind, last_number) values (?, ?, ?)
  on conflict (project_id, kind) do update set last_number = project_counters.last_number + excluded.last_number
  returning last_number`;

/**
 * The first of so many numbers of a kind within a project, which follow each other. Whoever takes some holds the counter until their
 * transaction ends, so that numbers have no gaps and no doubles: take them last.
 */
export const takeNumbers = async (
  session: Session,
  projectId: ProjectId,
  kind: NumberedKind,
  count: number,
): Promise<number> => {
  const [row] = await session.run<{ last_number: number }>(TAKE, [projectId, kind, count]);
  return Number(row!.last_number) - count + 1;
};

export const nextNumber = (session: Session, projectId: ProjectId, kind: NumberedKind): Promise<number> =>
  takeNumbers(session, projectId, kind, 1);

/** Holds the counter without taking a number, for whoever will hold other things when they take some. @returns the last number. */
export const holdNumbers = (session: Session, projectId: ProjectId, kind: NumberedKind): Promise<number> =>
  takeNumbers(session, projectId, kind, 0).then((next) => next - 1);
