import { randomBytes } from 'node:crypto';
import type { Subscriber } from '../../src/application/shared/domain-events.js';
import type { Manner, UnitOfWork } from '../../src/application/shared/unit-of-work.js';
import type { Database } from '../../src/adapters/outbound/persistence/knex/database.js';
import { openDatabase } from '../../src/adapters/outbound/persistence/knex/dialect/open-database.js';
import { createAesSecretBox } from '../../src/adapters/outbound/security/aes-secret-box.js';
import { openUnitOfWork } from '../../src/infrastructure/composition/open-unit-of-work.js';
import type { Repositories } from '../../src/infrastructure/composition/storages.js';
import type { NewGroup, NewProject } from '../../src/application/workspace/ports/workspace-repositories.js';
import type { GroupId, NamespaceId, ProjectId, UserId } from '../../src/domain/shared/identifiers.js';

export const NOW = new Date('2026-03-01T12:00:00.123Z');

/** An instant some seconds after the beginning of the test. */
export const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);

/** A database with its unit of work, and nothing above it. */
export class ContractParts {
  readonly database: Database;
  readonly #unitOfWork: UnitOfWork<Repositories>;
  #projects = 0;
  #groups = 0;

  /** @param subscribers act on what the works tell. */
  constructor(url: string, subscribers: readonly Subscriber<Repositories>[] = []) {
    this.database = openDatabase({ url, poolMax: 8 });
    this.#unitOfWork = openUnitOfWork({
      database: this.database,
      secretBox: createAesSecretBox(randomBytes(32), 'test'),
      wake: () => undefined,
      subscribers,
    });
  }

  /** Runs a work of its own and answers what it answers. */
  work<Result>(work: (repositories: Repositories) => Promise<Result>, manner?: Manner): Promise<Result> {
    return this.#unitOfWork.execute(work, manner);
  }

  /** A user with a confirmed address and a namespace of their own. */
  addUser(username: string): Promise<{ readonly id: UserId; readonly namespaceId: NamespaceId }> {
    return this.work(async ({ users, emails, namespaces }) => {
      const { id } = await users.add({
        username,
        name: username,
        state: 'active',
        admin: false,
        passwordHash: null,
        createdAt: NOW,
      });
      const address = `${username}@example.com`;
      await emails.add({ userId: id, address, primary: true, confirmedAt: NOW, recoverySince: NOW, createdAt: NOW });
      const namespaceId = await namespaces.addPersonal({ ownerId: id, username, name: username, createdAt: NOW });
      return { id, namespaceId };
    });
  }

  /** A private group, by its path, or one of its own; at the top unless it has a parent. @param changes how it is otherwise. */
  addGroup(parentId: GroupId | null = null, changes: Partial<NewGroup> = {}): Promise<GroupId> {
    const { path = `group-${(this.#groups += 1)}`, name = path } = changes;
    return this.work(({ groups }) =>
      groups.add({ description: '', visibility: 'private', createdAt: NOW, ...changes, name, path, parentId }),
    );
  }

  /** A private project, by its path, or one of its own. @param changes how it is otherwise. */
  addProject(
    owner: { readonly namespaceId: NamespaceId; readonly id?: UserId },
    changes: Partial<NewProject> = {},
  ): Promise<ProjectId> {
    const { path = `project-${(this.#projects += 1)}`, name = path } = changes;
    return this.work(({ projects }) =>
      projects.add({
        ...{ namespaceId: owner.namespaceId, description: null, visibility: 'private', defaultBranch: 'main' },
        ...{ mergeWhenPipelineSucceeds: false, creatorId: owner.id ?? null, createdAt: NOW },
        ...changes,
        ...{ name, path },
      }),
    );
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
