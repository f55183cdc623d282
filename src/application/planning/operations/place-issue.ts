import type { Issue } from '../../../domain/planning/issue.js';
import { between, spread, WINDOWS } from '../../../domain/planning/relative-position.js';
import { NotPossible, Unprocessable } from '../../../domain/shared/domain-error.js';
import type { IssueOrderRepository, PlacedIssue } from '../ports/issue-order.js';

/** The ids of issues of the same project that an issue is to stand beside. */
export interface Neighbours {
  /** The one that comes before it. */
  readonly before?: number;
  /** The one that comes after it. */
  readonly after?: number;
}

type Placed = Pick<Issue, 'id' | 'projectId'>;

/** Between whom it is to stand; absent where there is nobody on that side. */
interface Slot {
  readonly left: PlacedIssue | undefined;
  readonly right: PlacedIssue | undefined;
}

/**
 * Puts an issue beside others of its project, within the caller's unit of work. It comes right after the one that is to be before it, and
 * else right before the other: whatever happened in between, one order results.
 *
 * @throws Unprocessable where they are none of the project, or the issue itself.
 */
export const placeIssue = async (order: IssueOrderRepository, issue: Placed, neighbours: Neighbours): Promise<void> => {
  await order.hold(issue.projectId);
  const slot = await slotOf(order, issue, neighbours);
  const place = between(slot.left?.place, slot.right?.place);
  if (place === undefined) await makeRoom(order, issue, slot);
  else await order.put([{ id: issue.id, place }]);
};

const slotOf = async (
  order: IssueOrderRepository,
  { id, projectId }: Placed,
  { before, after }: Neighbours,
): Promise<Slot> => {
  const named = [...new Set([before, after].filter((each) => each !== undefined))];
  const found = (await order.placesOf(projectId, named)).filter((each) => each.id !== id);
  const [first] = found.toSorted((one, other) => one.place - other.place || one.id - other.id);
  if (first === undefined || found.length < named.length)
    throw new Unprocessable('Name other issues of the project that it is to stand beside.');
  const next = async (side: 'before' | 'after') =>
    (await order.near(projectId, first, side, { without: id, limit: 1 }))[0];
  return before === undefined
    ? { left: await next('before'), right: first }
    : { left: first, right: await next('after') };
};

/** Puts those around a place further apart, no more of them than it takes. @throws NotPossible. */
const makeRoom = async (
  order: IssueOrderRepository,
  { id, projectId }: Placed,
  { left, right }: Slot,
): Promise<void> => {
  for (const width of WINDOWS) {
    const around = async (one: PlacedIssue | undefined, side: 'before' | 'after') =>
      one === undefined ? [] : [one, ...(await order.near(projectId, one, side, { without: id, limit: width }))];
    const [lefts, rights] = [await around(left, 'before'), await around(right, 'after')];
    const moved = [...lefts.slice(0, width).toReversed(), { id }, ...rights.slice(0, width)];
    const places = spread(moved.length, lefts[width]?.place, rights[width]?.place);
    if (places !== undefined) return order.put(moved.map((each, index) => ({ id: each.id, place: places[index]! })));
  }
  throw new NotPossible('Too many issues were put in this place. Put it elsewhere.');
};
