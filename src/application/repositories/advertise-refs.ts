import type { ObjectId } from '../../domain/repositories/object-id.js';
import { DEFAULT_BRANCH } from '../../domain/repositories/default-branch.js';
import { branchRef } from '../../domain/repositories/ref-name.js';
import type { ProjectId } from '../../domain/shared/identifiers.js';
import { isOpenAsWell } from '../shared/is-open-as-well.js';
import type { Permitted } from '../shared/permitted.js';
import type { RefReader } from './ports/ref-reader.js';

export interface Advertised {
  readonly name: string;
  /** Null for a `HEAD` that leads to a branch which isn't there yet. */
  readonly target: ObjectId | null;
  readonly peeled: ObjectId | null;
  /** Of `HEAD`: the branch that it stands for. */
  readonly symrefTarget?: string;
}

export interface AdvertisedProject {
  readonly id: ProjectId;
  readonly defaultBranch: string | null;
  /** Whether the refs of its merge requests are left out. */
  readonly hidesMergeRequests: boolean;
}

/** Where the refs of merge requests lie. */
export const REFS_OF_MERGE_REQUESTS = 'refs/merge-requests/';

/** A project as it is told to somebody who may read its code, and maybe not its merge requests. */
export const advertisedTo = (permitted: Permitted<'read_code' | 'push_code'>): AdvertisedProject => ({
  id: permitted.project.id,
  defaultBranch: permitted.project.defaultBranch,
  hidesMergeRequests: !isOpenAsWell(permitted, 'read_merge_requests'),
});

/** The refs that clients of git are told of: `HEAD` first, then the others in the order of their names. */
export class AdvertiseRefs {
  constructor(private readonly reader: RefReader) {}

  /** @param prefixes only refs whose full name begins with one of them; absent is all. */
  async *execute(project: AdvertisedProject, prefixes?: readonly string[]): AsyncGenerator<Advertised> {
    const repository = await this.reader.findRepository(project.id);
    const symrefTarget = branchRef(project.defaultBranch ?? DEFAULT_BRANCH);
    if (prefixes === undefined || prefixes.some((prefix) => 'HEAD'.startsWith(prefix))) {
      const head = repository && (await this.reader.findRef(repository.id, symrefTarget));
      yield { name: 'HEAD', target: head?.target ?? null, peeled: null, symrefTarget };
    }
    if (repository === undefined) return;
    for await (const batch of this.reader.advertised(repository.id, prefixes))
      for (const { name, target, peeled } of batch)
        if (!project.hidesMergeRequests || !name.startsWith(REFS_OF_MERGE_REQUESTS)) yield { name, target, peeled };
  }
}
