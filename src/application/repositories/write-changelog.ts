import { addToChangelog } from '../../domain/repositories/changelog.js';
import { DEFAULT_BRANCH } from '../../domain/repositories/default-branch.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import { NotPossible } from '../../domain/shared/domain-error.js';
import type { Permitted } from '../shared/permitted.js';
import { NoChangelog, type Changelogs, type ChangelogRequest } from './browse/changelogs.js';
import type { Revisions } from './browse/revisions.js';
import type { CommitActions } from './commit-actions.js';
import type { CodeWriter } from './commit-to-branch.js';
import type { ObjectReader } from './ports/object-stores.js';

export interface ChangelogCommand extends ChangelogRequest {
  /** Where it is written; absent is the default branch. */
  readonly branch?: string;
  readonly file: string;
  readonly message: string;
}

/** Beyond it a changelog is read by nobody. */
const MOST_BYTES = 1_048_576;

interface Parts {
  readonly changelogs: Changelogs;
  readonly commitActions: CommitActions;
  readonly revisions: Revisions;
  readonly objects: ObjectReader;
}

/** Adds the notes of a version to the changelog of a branch, by a commit. */
export class WriteChangelog {
  constructor(private readonly parts: Parts) {}

  /** @throws NoChangelog where there is none, or its file can't be changed; Forbidden. */
  async execute(permitted: Permitted<'push_code'>, writer: CodeWriter, command: ChangelogCommand): Promise<void> {
    const { branch = permitted.project.defaultBranch ?? DEFAULT_BRANCH, file, message, ...request } = command;
    const notes = await this.parts.changelogs.write(permitted, { ...request, to: request.to ?? branchRef(branch) });
    const before = await this.#read(permitted, branch, file);
    const content = new TextEncoder().encode(addToChangelog(before?.text ?? '', notes, request.version));
    const action =
      before === undefined
        ? ({ kind: 'create', path: file, content, executable: false } as const)
        : ({ kind: 'update', path: file, content, lastCommitId: before.seenAt } as const);
    try {
      await this.parts.commitActions.execute(permitted, writer, { branch, message, actions: [action] });
    } catch (error) {
      throw error instanceof NotPossible ? new NoChangelog(error.message) : error;
    }
  }

  async #read(permitted: Permitted<'push_code'>, branch: string, path: string) {
    const { revisions, objects } = this.parts;
    const found = await revisions.find(permitted, branchRef(branch));
    if (found === undefined) throw new NoChangelog(`The branch ${branch} does not exist`);
    const { store, commit } = found;
    const entry = await objects.entryAt(store, commit.id, path);
    if (entry === undefined) return undefined;
    const info = await objects.info(store, entry.id);
    if (info?.type !== 'blob') throw new NoChangelog(`${path} is not a file`);
    if (info.size > MOST_BYTES) throw new NoChangelog(`${path} is larger than ${MOST_BYTES} bytes`);
    const text = new TextDecoder().decode((await objects.read(store, entry.id))?.content);
    return { text, seenAt: commit.id };
  }
}
