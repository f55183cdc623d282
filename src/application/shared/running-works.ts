import type { ProjectId } from '../../domain/shared/identifiers.js';

/** What is on its way at once, bounded in all and for each project. */
export class RunningWorks {
  readonly #running = new Map<Promise<void>, ProjectId>();
  #failed = false;
  #failure: unknown;

  constructor(
    private readonly most: number,
    private readonly mostOfProject: number,
  ) {}

  /** After a failure nothing more begins. */
  get isFull(): boolean {
    return this.#failed || this.#running.size >= this.most;
  }

  get fullProjects(): readonly ProjectId[] {
    const projects = [...this.#running.values()];
    const isFull = (id: ProjectId): boolean => projects.filter((other) => other === id).length >= this.mostOfProject;
    return [...new Set(projects)].filter(isFull);
  }

  add(projectId: ProjectId, work: Promise<unknown>): void {
    const ended = work.then(
      () => void this.#running.delete(ended),
      (error: unknown) => {
        this.#running.delete(ended);
        this.#failed = true;
        this.#failure = error;
      },
    );
    this.#running.set(ended, projectId);
  }

  /** Waits until one has ended; false where none runs. @throws what one failed with, once none runs any more. */
  async nextEnd(): Promise<boolean> {
    if (this.#running.size > 0) {
      await Promise.race(this.#running.keys());
      return true;
    }
    if (this.#failed) throw this.#failure;
    return false;
  }
}
