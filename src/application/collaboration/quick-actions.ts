import { readQuickActions, type QuickAction } from '../../domain/collaboration/quick-action.js';
import { BadRequest, NotFound, NotPossible } from '../../domain/shared/domain-error.js';
import type { SubjectKind } from '../../domain/shared/subject.js';
import type { UserActor } from '../shared/actor.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { checkActions } from './operations/check-actions.js';
import type { ActionOutcome, ActionPlan, SubjectActions } from './ports/action-ports.js';
import type { SubjectReader } from './ports/subject-ports.js';
import type { DiscussableSubject } from './subjects.js';

/** What became of a text. */
export interface Written<Result> {
  /** Undefined where nothing was left of the text but quick actions. */
  readonly result: Result | undefined;
  readonly outcomes: readonly ActionOutcome[];
}

/** Keeps what is left of a text. */
export type Keep<Repositories, Result> = (
  repositories: Repositories,
  /** As it is once the quick actions are done. */
  found: DiscussableSubject,
  text: string,
) => Promise<Result>;

/** What a button asks for beside a text. */
export type StateEvent = 'close' | 'reopen';

/** A text, and what keeps it. */
export interface TextToWrite<in Repositories, Result> {
  readonly body: string;
  /** It is done like a quick action, but for that nothing is kept where it can't be. */
  readonly stateEvent?: StateEvent | undefined;
  readonly keep: Keep<Repositories, Result>;
}

/** What is done in the unit of work of several texts. */
export interface AroundTexts<in Repositories> {
  /** Before all else. */
  readonly first: (repositories: Repositories) => Promise<void>;
  /** Once the quick actions are done, and before anything is kept. */
  readonly then: (repositories: Repositories) => Promise<void>;
}

/** Writes texts below subjects, and does what they ask for. */
export interface TextWriter<out Repositories> {
  write<Result>(
    author: UserActor,
    found: DiscussableSubject,
    text: TextToWrite<Repositories, Result>,
  ): Promise<Written<Result>>;
  /** Several in one unit of work: all of them, or none. */
  writeAll<Result>(
    author: UserActor,
    found: DiscussableSubject,
    texts: readonly TextToWrite<Repositories, Result>[],
    around: AroundTexts<Repositories>,
  ): Promise<readonly Written<Result>[]>;
}

const requireSome = (outcomes: readonly ActionOutcome[]): void => {
  if (outcomes.some(({ done }) => done)) return;
  throw new BadRequest(outcomes.map(({ message }) => message).join(' '));
};

interface Needs {
  readonly subjects: SubjectReader;
}

export class QuickActions<Repositories extends Needs> implements TextWriter<Repositories> {
  readonly #kinds: ReadonlyMap<SubjectKind, SubjectActions<Repositories>>;

  constructor(
    private readonly unitOfWork: UnitOfWork<Repositories>,
    kinds: readonly SubjectActions<Repositories>[],
  ) {
    this.#kinds = new Map(kinds.map((actions) => [actions.kind, actions]));
  }

  /**
   * @throws Invalid at `note`; BadRequest where the text is nothing but quick actions, none of which could be done; NotPossible where the
   * state can't be changed so.
   */
  async write<Result>(
    author: UserActor,
    found: DiscussableSubject,
    text: TextToWrite<Repositories, Result>,
  ): Promise<Written<Result>> {
    const planned = await this.#plan(author, found, text);
    const [written] = await this.#writeAll(found, [planned]);
    if (planned.plan?.afterwards !== undefined && planned.left === '') requireSome(written!.outcomes);
    return written!;
  }

  /** @throws likewise for each of them, but for actions that are done once they are kept. */
  async writeAll<Result>(
    author: UserActor,
    found: DiscussableSubject,
    texts: readonly TextToWrite<Repositories, Result>[],
    around: AroundTexts<Repositories>,
  ): Promise<readonly Written<Result>[]> {
    checkActions(
      texts.flatMap(({ body }) => readQuickActions(body).actions),
      'note',
    );
    const planned: PlannedText<Repositories, Result>[] = [];
    for (const text of texts) planned.push(await this.#plan(author, found, text));
    return this.#writeAll(found, planned, around);
  }

  async #plan<Result>(
    author: UserActor,
    { subject }: DiscussableSubject,
    { body, keep, stateEvent }: TextToWrite<Repositories, Result>,
  ): Promise<PlannedText<Repositories, Result>> {
    const planning = this.#kinds.get(subject.kind);
    if (planning === undefined) return { keep, left: body };
    const { text: left, actions: written } = readQuickActions(body);
    checkActions(written, 'note');
    const actions: readonly QuickAction[] =
      stateEvent === undefined ? written : [...written, { name: stateEvent, argument: '' }];
    if (actions.length === 0) return { keep, left };
    const plan = await planning.plan(author, subject, actions);
    return { keep, left, plan: stateEvent === undefined ? plan : requiringLast(plan) };
  }

  async #writeAll<Result>(
    found: DiscussableSubject,
    texts: readonly PlannedText<Repositories, Result>[],
    around?: AroundTexts<Repositories>,
  ): Promise<readonly Written<Result>[]> {
    const written = await this.unitOfWork.execute(async (repositories) => {
      await around?.first(repositories);
      // First: they lock what comes before notes, and say who hears of the notes.
      const outcomes: (readonly ActionOutcome[])[] = [];
      for (const text of texts) outcomes.push(await applied(repositories, text));
      await around?.then(repositories);
      const after = texts.some(({ plan, left }) => plan !== undefined && left !== '')
        ? await this.#again(repositories, found)
        : found;
      const kept: Written<Result>[] = [];
      for (const [index, { left, plan, keep }] of texts.entries()) {
        const isKept = plan === undefined || left !== '';
        kept.push({
          result: isKept ? await keep(repositories, after, left) : undefined,
          outcomes: outcomes[index]!,
        });
      }
      return kept;
    });
    const all: Written<Result>[] = [];
    for (const [index, each] of written.entries()) {
      const later = (await texts[index]!.plan?.afterwards?.()) ?? [];
      all.push({ ...each, outcomes: [...each.outcomes, ...later] });
    }
    return all;
  }

  /** As it is once the quick actions are done. */
  async #again({ subjects }: Repositories, found: DiscussableSubject): Promise<DiscussableSubject> {
    const subject = await subjects.find(found.subject.id);
    if (subject === undefined) throw new NotFound();
    return { ...found, subject };
  }
}

/** A text that was read, with what its quick actions name found. */
interface PlannedText<in Repositories, Result> {
  readonly left: string;
  readonly plan?: ActionPlan<Repositories>;
  readonly keep: Keep<Repositories, Result>;
}

/** The last of its actions is done, or nothing is. */
const requiringLast = <Repositories>(plan: ActionPlan<Repositories>): ActionPlan<Repositories> => ({
  ...plan,
  apply: async (repositories) => {
    const outcomes = await plan.apply(repositories);
    const last = outcomes.at(-1);
    if (last?.done === false) throw new NotPossible(`Nothing was saved: ${last.hindrance ?? last.message}`);
    return outcomes;
  },
});

const applied = async <Repositories>(
  repositories: Repositories,
  { left, plan }: PlannedText<Repositories, unknown>,
): Promise<readonly ActionOutcome[]> => {
  const outcomes = (await plan?.apply(repositories)) ?? [];
  if (plan !== undefined && plan.afterwards === undefined && left === '') requireSome(outcomes);
  return outcomes;
};
