import { NotFound } from '../../domain/shared/domain-error.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { ProblemCollector } from '../../domain/shared/problem-collector.js';
import { checkSnippet } from '../../domain/snippets/snippet.js';
import { planFiles, type KeptFile, type SnippetFileAction } from '../../domain/snippets/snippet-files.js';
import type { DomainEvents } from '../shared/domain-events.js';
import { refuseBot, type UserActor } from '../shared/actor.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { ForgetProject } from '../workspace/ports/forget-project.js';
import { factsOfSnippet, isConcealed, isDiscussed } from './ports/snippet-subject.js';
import type { SnippetFields, SnippetOrigin, SnippetRepository } from './ports/snippet-ports.js';
import type { PermittedSnippet } from './snippet-access.js';

export interface CreateSnippetCommand extends SnippetFields {
  readonly files: readonly SnippetFileAction[];
  readonly origin: SnippetOrigin;
}

/** What is to become of the one file of a snippet. */
export interface OneFile {
  readonly path?: string;
  readonly content?: string;
}

export type EditSnippetCommand = Partial<SnippetFields> & {
  readonly files?: readonly SnippetFileAction[];
  /** For snippets of one file, in place of `files`. */
  readonly oneFile?: OneFile;
};

interface Needs {
  readonly snippets: SnippetRepository;
  readonly events: DomainEvents;
}

/** Snippets of people and of projects. */
export class Snippets {
  constructor(
    private readonly unitOfWork: UnitOfWork<Needs>,
    private readonly clock: Clock,
  ) {}

  /** @throws Invalid naming every problem; Forbidden for a bot. */
  async createOwn(author: UserActor, command: CreateSnippetCommand): Promise<number> {
    refuseBot(author, 'keep snippets of its own: make one in its project');
    return this.#create(author, null, command);
  }

  /** @throws Invalid naming every problem. */
  createIn(
    { project }: Permitted<'create_snippets'>,
    author: UserActor,
    command: CreateSnippetCommand,
  ): Promise<number> {
    return this.#create(author, project.id, command);
  }

  async #create(
    author: UserActor,
    projectId: ProjectId | null,
    { files: actions, ...fields }: CreateSnippetCommand,
  ): Promise<number> {
    const problems = new ProblemCollector();
    checkSnippet(problems, fields);
    const files = planFiles(problems, [], actions);
    problems.refuse();
    const createdAt = this.clock.now();
    return this.unitOfWork.execute(async ({ snippets }) => {
      const id = await snippets.add({ ...fields, projectId, authorId: author.id, createdAt });
      await snippets.saveFiles(id, [], files);
      return id;
    });
  }

  /** @throws NotFound "Snippet"; Invalid naming every problem. */
  async edit({ snippet }: PermittedSnippet<'change'>, command: EditSnippetCommand): Promise<void> {
    const { files: actions, oneFile, ...changes } = command;
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ snippets, events }) => {
      const before = await snippets.take(snippet.id);
      if (before === undefined) throw new NotFound('Snippet');
      const problems = new ProblemCollector();
      const fields = { ...before, ...changes };
      checkSnippet(problems, fields);
      const kept = await snippets.filesOf(snippet.id);
      const planned = planFiles(problems, kept, actions ?? actionsOn(problems, kept, oneFile));
      problems.refuse();
      await snippets.update(snippet.id, fields, at);
      await snippets.saveFiles(snippet.id, kept, planned);
      if (!isDiscussed(before) || isConcealed(before) === isConcealed(fields)) return;
      const subject = { ...factsOfSnippet(before), title: fields.title, confidential: isConcealed(fields) };
      await events.publish({ kind: subject.confidential ? 'snippet_hidden' : 'snippet_unhidden', subject });
    });
  }

  async remove({ id: by }: UserActor, { snippet }: PermittedSnippet<'change'>): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ snippets, events }) => {
      // Told first: whoever keeps something of what was said still finds it.
      if (isDiscussed(snippet))
        await events.publish({ kind: 'subject_removed', subject: factsOfSnippet(snippet), by, at });
      await snippets.remove(snippet.id);
    });
  }
}

const actionsOn = (
  problems: ProblemCollector,
  kept: readonly KeptFile[],
  oneFile: OneFile | undefined,
): readonly SnippetFileAction[] => {
  const [file] = kept;
  if (oneFile === undefined || file === undefined) return [];
  if (kept.length > 1)
    problems.add('base', 'To update Snippets with multiple files, you must use the `files` parameter');
  const { path = file.path, content } = oneFile;
  return [{ kind: 'move', path, previousPath: file.path, ...(content === undefined ? {} : { content }) }];
};

/** Each may hold a megabyte. */
const FORGOTTEN_AT_ONCE = 20;

/** Those of a project that is being removed. */
export const forgetSnippets: ForgetProject<Pick<Needs, 'snippets'>> = async ({ snippets }, projectId) =>
  (await snippets.removeOfProject(projectId, FORGOTTEN_AT_ONCE)) === FORGOTTEN_AT_ONCE ? 'more' : 'done';
