import { identifierIn, type ProjectId } from '../../domain/shared/identifiers.js';
import type { JobRequests } from '../shared/jobs/job-queue.js';
import type { JobProgress } from '../shared/jobs/job-runner.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SetFollower } from '../shared/domain-events.js';
import type { ActivityRepository, FeedPlace } from './ports/activity-repository.js';

interface Jobs {
  /** Where it looks next, as a text. */
  readonly file_entries_of_code: string;
}

const AT_ONCE = 500;

const write = ({ projectId, after }: FeedPlace): string =>
  after === undefined ? String(projectId) : `${projectId} ${after.createdAt.toISOString()} ${after.id}`;

const read = (subject: string): FeedPlace | undefined => {
  const [project, createdAt, id] = subject.split(' ');
  const projectId = identifierIn<ProjectId>(project);
  if (projectId === undefined) return undefined;
  return createdAt === undefined
    ? { projectId }
    : { projectId, after: { createdAt: new Date(createdAt), id: Number(id) } };
};

/** Who may read the code of a project changes with its visibility, and so does who sees the entries that tell of it. */
export const entriesFollowVisibility: SetFollower<{ readonly jobs: JobRequests<Jobs> }> = {
  follow: async (events, { jobs }) => {
    for (const event of events)
      if (event.kind === 'project_visibility_changed')
        await jobs.enqueue('file_entries_of_code', write({ projectId: event.projectId }), event.at);
  },
};

interface Needs {
  readonly activity: ActivityRepository;
  readonly jobs: JobRequests<Jobs>;
}

/** One step; where entries are left, another job does the next one. */
export const createFileEntriesOfCode =
  (clock: Clock) =>
  async ({ activity, jobs }: Needs, subject: string): Promise<JobProgress> => {
    const place = read(subject);
    const next = place && (await activity.fileEntriesOfCode(place, AT_ONCE));
    if (next !== undefined) await jobs.enqueue('file_entries_of_code', write(next), clock.now());
    return 'done';
  };
