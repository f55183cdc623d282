import type { CiMap } from '../../domain/pipelines/ci-file/ci-value.js';
import {
  changedInputs,
  checkVariable,
  checkVariables,
  tooManyVariables,
  type InputChanges,
} from '../../domain/pipelines/given-by-schedule.js';
import { MOST_GIVEN_VARIABLES } from '../../domain/pipelines/given-variable.js';
import {
  checkSchedule,
  isCronOfFive,
  MOST_SCHEDULES,
  type PipelineSchedule,
  type ScheduleFields,
} from '../../domain/pipelines/pipeline-schedule.js';
import type { CiValue } from '../../domain/pipelines/predefined-variables.js';
import { branchRef, refPartsOf, tagRef } from '../../domain/repositories/ref-name.js';
import { Forbidden, Invalid, NotFound } from '../../domain/shared/domain-error.js';
import type { Page, PageRequest } from '../../domain/shared/page.js';
import type { RefReader } from '../repositories/ports/ref-reader.js';
import type { UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { mayRunFor, type NamedRef, type Protections } from './operations/ref-rights.js';
import type {
  CronTimes,
  ScheduleChange,
  ScheduleDetails,
  ScheduleReader,
  ScheduleRepositories,
  StoredSchedule,
} from './ports/schedule-ports.js';

type Runner = Permitted<'run_pipelines'>;

/** What its owner makes of a schedule; `variables` in place of all that it has. */
export type ScheduleChanges = Partial<ScheduleFields> & {
  readonly variables?: readonly CiValue[];
  readonly inputs?: InputChanges;
};

interface Parts {
  readonly unitOfWork: UnitOfWork<ScheduleRepositories>;
  readonly reader: ScheduleReader;
  readonly refs: Pick<RefReader, 'resolveIn'>;
  readonly protections: Protections;
  readonly times: CronTimes;
  readonly box: SecretBox;
  readonly clock: Clock;
}

const NOUN = 'Pipeline Schedule';
const NO_CHANGES: InputChanges = { set: new Map(), removed: [] };

/** Whoever may run pipelines has some made by the clock. */
export class PipelineSchedules {
  constructor(private readonly parts: Parts) {}

  list(
    { project }: Permitted<'read_pipelines'> | Runner,
    active: boolean | undefined,
    request: PageRequest,
  ): Promise<Page<ScheduleDetails>> {
    return this.parts.reader.list(project.id, active, request);
  }

  find({ project }: Permitted<'read_pipelines'> | Runner, id: number): Promise<ScheduleDetails | undefined> {
    return this.parts.reader.find(project.id, id);
  }

  /** What its jobs are given: for its owner, and for those who look after all schedules. */
  async variablesOf({ id }: Pick<PipelineSchedule, 'id'>): Promise<readonly CiValue[]> {
    return this.#open((await this.parts.reader.givenBy(id)).sealedVariables);
  }

  /** What the CI file is given: for the same people. */
  async inputsOf({ id }: Pick<PipelineSchedule, 'id'>): Promise<CiMap> {
    return (await this.parts.reader.givenBy(id)).inputs;
  }

  /**
   * Its pipelines are its maker's. Answers its id.
   * @throws Invalid at `description`, `ref`, `cron`, `cron_timezone`, `variables` and `inputs`, and as `base` for one too many; Forbidden for
   *   who may not run pipelines of the branch or tag.
   */
  async create(
    actor: UserActor,
    runner: Runner,
    {
      variables = [],
      inputs: given = NO_CHANGES,
      ...sent
    }: ScheduleFields & Omit<ScheduleChanges, keyof ScheduleFields>,
  ): Promise<number> {
    const fields = trimmed(sent);
    const createdAt = this.parts.clock.now();
    this.#check(fields, createdAt);
    checkVariables(variables);
    const inputs = changedInputs(new Map(), given);
    const named = await this.#resolve(runner, fields.ref);
    await this.#requireRights(actor, runner, { ...named, chosen: variables.length > 0 || inputs.size > 0 });
    const { id: projectId } = runner.project;
    const { description, cron, cronTimezone, active } = fields;
    return this.parts.unitOfWork.execute(async ({ pipelineSchedules }) => {
      await pipelineSchedules.hold(projectId);
      if ((await pipelineSchedules.countOf(projectId)) >= MOST_SCHEDULES)
        throw new Invalid({ base: [`Maximum number of pipeline schedules (${MOST_SCHEDULES}) exceeded`] });
      return pipelineSchedules.add({
        ...{ projectId, ownerId: actor.id, description, ...named, cron, cronTimezone, active },
        nextRunAt: this.#next(fields, createdAt),
        sealedVariables: this.#seal(variables),
        inputs,
        createdAt,
      });
    });
  }

  /** By its owner alone: it runs with their rights. @throws as `create`; NotFound; Forbidden for anybody else. */
  async change(actor: UserActor, runner: Runner, id: number, changes: ScheduleChanges): Promise<void> {
    const { variables, inputs, ...sent } = changes;
    const fields = trimmed(sent);
    const before = await this.parts.reader.find(runner.project.id, id);
    if (before === undefined) throw new NotFound(NOUN);
    requireOwner(actor, before);
    if (variables !== undefined) checkVariables(variables);
    this.#check({ ...before, ...fields }, this.parts.clock.now());
    const named = await this.#refAfter(actor, runner, before, changes);
    await this.#changing(actor, runner, id, (schedule, at) => {
      const after = { ...schedule, ...fields };
      const timed =
        after.active !== schedule.active ||
        after.cron !== schedule.cron ||
        after.cronTimezone !== schedule.cronTimezone;
      return {
        ...fields,
        ...named,
        ...(timed && { nextRunAt: this.#next(after, at) }),
        ...(after.active && { stoppedBecause: null }),
        ...(variables && { sealedVariables: this.#seal(variables) }),
        ...(inputs && { inputs: changedInputs(schedule.inputs, inputs) }),
      };
    });
  }

  /** By its owner. @throws NotFound; Forbidden for anybody else. */
  async removeOwn(actor: UserActor, { project }: Runner, id: number): Promise<void> {
    await this.#remove(project.id, id, (schedule) => requireOwner(actor, schedule));
  }

  /** @throws NotFound. */
  async remove({ project }: Permitted<'manage_schedules'>, id: number): Promise<void> {
    await this.#remove(project.id, id, () => undefined);
  }

  /** From now on it runs with the rights of whoever asks; one that stopped only once they make it active. @throws NotFound. */
  async takeOwnership(actor: UserActor, { project }: Permitted<'manage_schedules'>, id: number): Promise<void> {
    await this.parts.unitOfWork.execute(async ({ pipelineSchedules }) => {
      await pipelineSchedules.hold(project.id);
      if ((await pipelineSchedules.find(project.id, id)) === undefined) throw new NotFound(NOUN);
      await pipelineSchedules.change(id, { ownerId: actor.id, stoppedBecause: null }, this.parts.clock.now());
    });
  }

  /** @throws Invalid at `key` and `value`, and as `base` for one too many; Forbidden. */
  async addVariable(actor: UserActor, runner: Runner, schedule: PipelineSchedule, variable: CiValue): Promise<void> {
    checkVariable(variable);
    await this.#requireRights(actor, runner, { ...schedule, chosen: true });
    await this.#changingVariables(actor, runner, schedule.id, (variables) => {
      if (variables.some(({ key }) => key === variable.key)) throw new Invalid({ key: ['has already been taken'] });
      if (variables.length >= MOST_GIVEN_VARIABLES) throw tooManyVariables('base');
      return [...variables, variable];
    });
  }

  /** Answers it as it is then. @throws Invalid at `value`; NotFound "Variable"; Forbidden. */
  async changeVariable(
    actor: UserActor,
    runner: Runner,
    schedule: PipelineSchedule,
    change: Pick<CiValue, 'key'> & Partial<CiValue>,
  ): Promise<CiValue> {
    await this.#requireRights(actor, runner, { ...schedule, chosen: true });
    let changed: CiValue | undefined;
    await this.#changingVariables(actor, runner, schedule.id, (variables) => {
      const next = { ...variableOf(variables, change.key), ...change };
      checkVariable(next);
      changed = next;
      return variables.map((variable) => (variable.key === next.key ? next : variable));
    });
    return changed!;
  }

  /** Answers it as it was. @throws NotFound "Variable"; Forbidden. */
  async removeVariable(actor: UserActor, runner: Runner, { id }: PipelineSchedule, key: string): Promise<CiValue> {
    let removed: CiValue | undefined;
    await this.#changingVariables(actor, runner, id, (variables) => {
      removed = variableOf(variables, key);
      return variables.filter((variable) => variable.key !== key);
    });
    return removed!;
  }

  #check(fields: Omit<ScheduleFields, 'ref' | 'active'>, now: Date): void {
    const { cron, cronTimezone } = fields;
    const zone = this.parts.times.isZone(cronTimezone);
    const due = zone && isCronOfFive(cron) && this.parts.times.next(cron, cronTimezone, now) !== undefined;
    checkSchedule(fields, { zone, due });
  }

  #next({ cron, cronTimezone, active }: Omit<ScheduleFields, 'ref' | 'description'>, after: Date): Date | null {
    return active ? (this.parts.times.next(cron, cronTimezone, after) ?? null) : null;
  }

  /** The branch or tag, where it is another one or is to be looked for anew; whoever changes what runs must be allowed to run it. */
  async #refAfter(
    actor: UserActor,
    runner: Runner,
    before: PipelineSchedule,
    { ref, active, ...given }: Pick<ScheduleChanges, 'ref' | 'active' | 'variables' | 'inputs'>,
  ): Promise<NamedRef | undefined> {
    const begins = active === true && !before.active;
    if (ref === undefined && !begins && given.variables === undefined && given.inputs === undefined) return undefined;
    const full = before.tag ? tagRef(before.ref) : branchRef(before.ref);
    const same = ref === undefined || ref === before.ref || ref === full;
    const named = await this.#resolve(runner, same ? full : ref);
    const chosen = await this.#givesAfter(before, given);
    await this.#requireRights(actor, runner, { ...named, chosen });
    return named;
  }

  /** Whether it gives variables or inputs then. */
  async #givesAfter(
    { id }: PipelineSchedule,
    { variables, inputs }: Pick<ScheduleChanges, 'variables' | 'inputs'>,
  ): Promise<boolean> {
    const kept = await this.parts.reader.givenBy(id);
    const hasVariables = variables === undefined ? kept.sealedVariables !== null : variables.length > 0;
    return hasVariables || (inputs === undefined ? kept.inputs : changedInputs(kept.inputs, inputs)).size > 0;
  }

  async #resolve({ project }: Runner, name: string): Promise<NamedRef> {
    if (name.trim() === '') throw new Invalid({ ref: ["can't be blank"] });
    const ref = (await this.parts.refs.resolveIn(project.id, name))?.ref;
    const parts = ref && refPartsOf(ref.name);
    if (parts === undefined) throw new Invalid({ ref: ['does not exist'] });
    return { ref: parts.name, tag: parts.kind === 'tag' };
  }

  async #requireRights(
    actor: UserActor,
    runner: Runner,
    { ref, tag, chosen }: NamedRef & { readonly chosen: boolean },
  ): Promise<void> {
    if (await mayRunFor(this.parts.protections, runner, actor, { ref, tag, chosen })) return;
    throw new Forbidden(`You do not have sufficient permission to run a pipeline on '${ref}'.`);
  }

  /** What a schedule becomes is decided by what it is while nobody else changes it. */
  async #changing(
    actor: UserActor,
    { project }: Runner,
    id: number,
    decide: (schedule: StoredSchedule, at: Date) => ScheduleChange,
  ): Promise<void> {
    const at = this.parts.clock.now();
    await this.parts.unitOfWork.execute(async ({ pipelineSchedules }) => {
      await pipelineSchedules.hold(project.id);
      const schedule = await pipelineSchedules.find(project.id, id);
      if (schedule === undefined) throw new NotFound(NOUN);
      requireOwner(actor, schedule);
      await pipelineSchedules.change(id, decide(schedule, at), at);
    });
  }

  #changingVariables(
    actor: UserActor,
    runner: Runner,
    id: number,
    decide: (variables: readonly CiValue[]) => readonly CiValue[],
  ): Promise<void> {
    return this.#changing(actor, runner, id, ({ sealedVariables }) => ({
      sealedVariables: this.#seal(decide(this.#open(sealedVariables))),
    }));
  }

  async #remove(
    projectId: PipelineSchedule['projectId'],
    id: number,
    check: (schedule: StoredSchedule) => void,
  ): Promise<void> {
    await this.parts.unitOfWork.execute(async ({ pipelineSchedules }) => {
      await pipelineSchedules.hold(projectId);
      const schedule = await pipelineSchedules.find(projectId, id);
      if (schedule === undefined) throw new NotFound(NOUN);
      check(schedule);
      await pipelineSchedules.remove(id);
    });
  }

  #seal(variables: readonly CiValue[]): string | null {
    return variables.length === 0 ? null : this.parts.box.seal(JSON.stringify(variables));
  }

  #open(sealed: string | null): readonly CiValue[] {
    return sealed === null ? [] : (JSON.parse(this.parts.box.open(sealed)) as CiValue[]);
  }
}

/** Texts without the spaces around them. */
const trimmed = <Fields extends Partial<ScheduleFields>>(sent: Fields): Fields => {
  const entries = Object.entries(sent).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]);
  return Object.fromEntries(entries) as Fields;
};

const requireOwner = ({ id }: UserActor, { ownerId }: PipelineSchedule): void => {
  if (ownerId !== id) throw new Forbidden();
};

const variableOf = (variables: readonly CiValue[], key: string): CiValue => {
  const found = variables.find((variable) => variable.key === key);
  if (found === undefined) throw new NotFound('Variable');
  return found;
};
