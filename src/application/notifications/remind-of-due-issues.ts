import type { Clock } from '../shared/ports/clock.js';
import type { JobRequests } from '../shared/jobs/job-queue.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { tellLater } from './causes-follow-events.js';
import type { CauseRepository, DueIssueRepository, NewCause } from './ports/cause-ports.js';

interface Needs {
  readonly dueIssues: DueIssueRepository;
  readonly causes: CauseRepository;
  readonly jobs: JobRequests<{ readonly tell_people: number }>;
}

const DAY_MS = 86_400_000;
const BATCH = 100;
/** People are told on the day before. Whoever was not, as when the service was down, is for a week afterwards. */
const DAYS_BEFORE = 1;
const DAYS_AFTER = 7;

/** Once a due date its issue is a cause of mail. */
export class RemindOfDueIssues {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /** Answers how many issues people are reminded of. */
  async execute(): Promise<number> {
    for (let reminded = 0; ;) {
      const batch = await this.unitOfWork.execute((repositories) => this.#remindOfSome(repositories));
      reminded += batch;
      if (batch === 0) return reminded;
    }
  }

  async #remindOfSome({ dueIssues, causes, jobs }: Needs): Promise<number> {
    const at = this.clock.now();
    const day = (days: number): string => new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10);
    const told: NewCause[] = [];
    for (const issue of await dueIssues.unreminded(day(-DAYS_AFTER), day(DAYS_BEFORE), BATCH)) {
      if (!(await dueIssues.remind(issue, at))) continue;
      told.push({ kind: 'issue_due', projectId: issue.projectId, subjectId: issue.id, details: {}, at });
    }
    if (told.length > 0) await tellLater({ causes, jobs }, told);
    return told.length;
  }
}
