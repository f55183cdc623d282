import type { UserActor } from '../shared/actor.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import { askPeople, type TodoRepositories } from './operations/todos.js';
import { AskedAgain, type Todo } from './ports/todo-ports.js';
import type { VisibleSubject } from './subjects.js';

/** So many are done in one transaction. */
const FINISHED_AT_ONCE = 1_000;

/** What people are asked to do. */
export class Todos {
  constructor(
    private readonly unitOfWork: UnitOfWork<TodoRepositories>,
    private readonly clock: Clock,
  ) {}

  /** Somebody asks themselves. @returns its id, or undefined where they have already. */
  async mark({ id: userId }: UserActor, { subject }: VisibleSubject): Promise<number | undefined> {
    const todo = { userId, subjectId: subject.id, noteId: null, authorId: userId, action: 'marked' } as const;
    const [id] = await this.unitOfWork.execute((repositories) => askPeople(repositories, [todo], this.clock.now()));
    return id;
  }

  async finish({ id }: Todo): Promise<void> {
    await this.unitOfWork.execute(({ todos }) => todos.finishOne(id, this.clock.now()));
  }

  /** It is to be done after all; where they were asked for the same again meanwhile, that is. */
  async reopen({ id }: Todo): Promise<void> {
    try {
      await this.unitOfWork.execute(({ todos }) => todos.reopenOne(id, this.clock.now()));
    } catch (error) {
      if (!(error instanceof AskedAgain)) throw error;
    }
  }

  async finishAll({ id }: UserActor): Promise<void> {
    const finishSome = () =>
      this.unitOfWork.execute(({ todos }) => todos.finishSome(id, FINISHED_AT_ONCE, this.clock.now()));
    while ((await finishSome()) === FINISHED_AT_ONCE);
  }
}
