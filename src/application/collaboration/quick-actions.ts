import { readQuickActions } from '../../domain/collaboration/quick-action.js';
import { BadRequest, NotFound } from '../../domain/shared/domain-error.js';
import type { SubjectKind } from '../../domain/shared/subject.js';
import type { UserActor } from '../shared/actor.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { checkActions } from './operations/check-actions.js';
import type { ActionOutcome, SubjectActions } from './ports/action-ports.js';
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

/** Writes texts below subjects, and does what they ask for. */
export interface TextWriter<out Repositories> {
  write<Result>(
    author: UserActor,
    found: DiscussableSubject,
    body: string,
    keep: Keep<Repositories, Result>,
  ): Promise<Written<Result>>;
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

  /** @throws Invalid at `note`; BadRequest where the text is nothing but quick actions, none of which could be done. */
  async write<Result>(
    author: UserActor,
    found: DiscussableSubject,
    body: string,
    keep: Keep<Repositories, Result>,
  ): Promise<Written<Result>> {
    const { id, kind } = found.subject;
    const { text, actions } = readQuickActions(body);
    const planning = this.#kinds.get(kind);
    if (actions.length === 0 || planning === undefined) {
      const kept = planning === undefined ? body : text;
      return { result: await this.unitOfWork.execute((work) => keep(work, found, kept)), outcomes: [] };
    }
    checkActions(actions, 'note');
    const plan = await planning.plan(author, found.subject, actions);
    const written = await this.unitOfWork.execute(async (repositories) => {
      // First: they lock what comes before notes, and say who hears of the note.
      const outcomes = await plan.apply(repositories);
      if (text === '') {
        if (plan.afterwards === undefined) requireSome(outcomes);
        return { result: undefined, outcomes };
      }
      const subject = await repositories.subjects.find(id);
      if (subject === undefined) throw new NotFound();
      return { result: await keep(repositories, { ...found, subject }, text), outcomes };
    });
    if (plan.afterwards === undefined) return written;
    const outcomes = [...written.outcomes, ...(await plan.afterwards())];
    if (text === '') requireSome(outcomes);
    return { ...written, outcomes };
  }
}
