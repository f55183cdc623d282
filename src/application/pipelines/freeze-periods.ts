import {
  checkFreezePeriod,
  DEPLOY_FREEZE,
  isWithin,
  MOST_FREEZE_PERIODS,
  type FreezeFields,
  type FreezePeriod,
} from '../../domain/pipelines/freeze-period.js';
import { isCronOfFive } from '../../domain/pipelines/pipeline-schedule.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import { NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import type { Page, PageRequest } from '../../domain/shared/page.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { FreezePeriodReader, FreezePeriodRepositories } from './ports/freeze-period-ports.js';
import type { CronTimes } from './ports/schedule-ports.js';

type Manager = Permitted<'manage_schedules'>;

const NOUN = 'Freeze Period';

/** When nothing of a project is to be deployed, by those who look after it; CI files decide what that means. */
export class FreezePeriods {
  constructor(
    private readonly unitOfWork: UnitOfWork<FreezePeriodRepositories>,
    private readonly reader: FreezePeriodReader,
    private readonly times: CronTimes,
    private readonly clock: Clock,
  ) {}

  list({ project }: Permitted<'read_pipelines'> | Manager, page: PageRequest): Promise<Page<FreezePeriod>> {
    return this.reader.list(project.id, page);
  }

  /** @throws NotFound "Freeze Period". */
  async find({ project }: Permitted<'read_pipelines'> | Manager, id: number): Promise<FreezePeriod> {
    const period = await this.reader.find(project.id, id);
    if (period === undefined) throw new NotFound(NOUN);
    return period;
  }

  /** @throws Invalid at `freeze_start`, `freeze_end` and `cron_timezone`; NotPossible for one too many. */
  async create(manager: Manager, fields: FreezeFields): Promise<FreezePeriod> {
    const at = this.clock.now();
    this.#check(fields, at);
    const { id: projectId } = manager.project;
    const id = await this.unitOfWork.execute(async ({ freezePeriods }) => {
      if ((await freezePeriods.holdAndCount(projectId)) >= MOST_FREEZE_PERIODS)
        throw new NotPossible(`A project has at most ${MOST_FREEZE_PERIODS} freeze periods.`);
      return freezePeriods.add(projectId, fields, at);
    });
    return this.find(manager, id);
  }

  /** @throws Invalid likewise; NotFound "Freeze Period". */
  async change(manager: Manager, id: number, changes: Partial<FreezeFields>): Promise<FreezePeriod> {
    const at = this.clock.now();
    const { id: projectId } = manager.project;
    await this.unitOfWork.execute(async ({ freezePeriods }) => {
      await freezePeriods.holdAndCount(projectId);
      const before = await freezePeriods.find(projectId, id);
      if (before === undefined) throw new NotFound(NOUN);
      const { freezeStart, freezeEnd, cronTimezone } = { ...before, ...changes };
      const fields = { freezeStart, freezeEnd, cronTimezone };
      this.#check(fields, at);
      await freezePeriods.change(id, fields, at);
    });
    return this.find(manager, id);
  }

  /** @throws NotFound "Freeze Period". */
  async remove({ project }: Manager, id: number): Promise<void> {
    await this.unitOfWork.execute(async ({ freezePeriods }) => {
      if (!(await freezePeriods.remove(project.id, id))) throw new NotFound(NOUN);
    });
  }

  /** Whether it goes on now. */
  isNow(fields: FreezeFields): boolean {
    return this.#isAt(fields, this.clock.now());
  }

  /** What jobs of a pipeline are told that begins now. */
  async variablesNow(projectId: ProjectId): Promise<readonly CiValue[]> {
    const now = this.clock.now();
    const frozen = (await this.reader.all(projectId)).some((period) => this.#isAt(period, now));
    return frozen ? [{ key: DEPLOY_FREEZE, value: 'true' }] : [];
  }

  #isAt({ freezeStart, freezeEnd, cronTimezone }: FreezeFields, at: Date): boolean {
    const next = (cron: string): Date | undefined => this.times.next(cron, cronTimezone, at);
    return isWithin(next(freezeStart), next(freezeEnd));
  }

  #check(fields: FreezeFields, now: Date): void {
    const { freezeStart, freezeEnd, cronTimezone } = fields;
    const zone = this.times.isZone(cronTimezone);
    const isDue = (cron: string): boolean =>
      zone && isCronOfFive(cron) && this.times.next(cron, cronTimezone, now) !== undefined;
    checkFreezePeriod(fields, { zone, startDue: isDue(freezeStart), endDue: isDue(freezeEnd) });
  }
}
