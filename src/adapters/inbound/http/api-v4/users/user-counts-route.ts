import { Type } from '@sinclair/typebox';
import type { TodoReader } from '../../../../../application/collaboration/ports/todo-ports.js';
import type { PlanningReader } from '../../../../../application/planning/ports/planning-readers.js';
import type { MergeRequestReader } from '../../../../../application/review/ports/merge-request-ports.js';
import { together } from '../../../../../application/shared/together.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { COUNT_LIMIT, type Page } from '../../../../../domain/shared/page.js';
import { routesOf } from '../../kit/routes-of.js';
import type { Route } from '../../route.js';

export interface UserCountsParts {
  readonly access: WorkspaceAccess;
  readonly planningReader: Pick<PlanningReader, 'listIssueHeads'>;
  readonly mergeRequestReader: Pick<MergeRequestReader, 'listHeads'>;
  readonly todoReader: Pick<TodoReader, 'countOpen'>;
}

const { get } = routesOf({ tag: 'Users' });

const FIRST = { page: 1, perPage: 1 } as const;
const OPEN = { state: 'opened', orderBy: 'created_at', sort: 'desc', page: FIRST } as const;

const lengthOf = ({ total = COUNT_LIMIT }: Page<unknown>): number => total;

export const createUserCountsRoute = (parts: UserCountsParts): Route =>
  get('/user_counts', 'getUserCounts', {
    summary: 'How much waits for the user whose token this is',
    description: `Each number is at most ${COUNT_LIMIT}; of \`todos\` the newest are looked at. \`merge_requests\` is the old name of \`assigned_merge_requests\`.`,
    access: 'user',
    parameters: {},
    answer: Type.Object({
      merge_requests: Type.Integer({ deprecated: true }),
      assigned_issues: Type.Integer(),
      assigned_merge_requests: Type.Integer(),
      review_requested_merge_requests: Type.Integer(),
      todos: Type.Integer(),
    }),
    handle: async ({ actor }) => {
      const { access, planningReader, mergeRequestReader, todoReader } = parts;
      const viewer = access.viewer(actor);
      const [issues, assigned, reviews, todos] = await together([
        planningReader.listIssueHeads({ viewer, assigneeId: actor.id, ...OPEN }),
        mergeRequestReader.listHeads({ viewer, assigneeId: actor.id, ...OPEN }),
        mergeRequestReader.listHeads({ viewer, reviewerId: actor.id, ...OPEN }),
        todoReader.countOpen({ viewer, userId: actor.id }),
      ]);
      return {
        merge_requests: lengthOf(assigned),
        assigned_issues: lengthOf(issues),
        assigned_merge_requests: lengthOf(assigned),
        review_requested_merge_requests: lengthOf(reviews),
        todos: todos.count,
      };
    },
  });
