import { ACCESS_LEVEL } from '../../src/domain/shared/access-level.js';
import type { NewActivityEvent } from '../../src/application/activity/ports/activity-repository.js';
import { TOKENS } from '../../src/infrastructure/composition/tokens.js';
import type { TestService, TestUser } from './test-service.js';
import type { ProjectId } from '../../src/domain/shared/identifiers.js';

/** An entry of a feed as the API answers it. */
export interface EventBody {
  readonly id: number;
  readonly project_id: number;
  readonly action_name: string;
  readonly target_id: number | null;
  readonly target_iid: number | null;
  readonly target_type: string | null;
  readonly target_title: string | null;
  readonly author_id: number;
  readonly author_username: string;
  readonly created_at: string;
  readonly note?: { readonly id: number; readonly body: string };
}

/** A project in which things are done, by its REST API. */
export class BusyProject {
  private constructor(
    readonly service: TestService,
    readonly owner: TestUser,
    readonly id: number,
    readonly path: string,
  ) {}

  static async create(
    service: TestService,
    owner: TestUser,
    name: string,
    visibility = 'private',
  ): Promise<BusyProject> {
    const json = { name, visibility };
    const { body } = await service.call<{ id: number }>('POST', '/projects', { token: owner.token, json });
    return new BusyProject(service, owner, body.id, `${owner.username}/${name}`);
  }

  /** @param path below the project. */
  call<Body = { id: number; iid: number }>(method: string, path: string, json?: object, who = this.owner) {
    return this.service.call<Body>(method, `/projects/${this.id}${path}`, {
      token: who.token,
      ...(json === undefined ? {} : { json }),
    });
  }

  async addMember({ id }: TestUser, level: keyof typeof ACCESS_LEVEL, expiresAt?: string): Promise<void> {
    const json = { user_id: id, access_level: ACCESS_LEVEL[level], expires_at: expiresAt };
    await this.call('POST', '/members', json);
  }

  /** Writes entries as whatever causes them does. Without fields: the owner closed issue 1. */
  record(...entries: readonly Partial<NewActivityEvent>[]): Promise<void> {
    const { container } = this.service.service;
    return container.get(TOKENS.unitOfWork).execute(({ activity }) =>
      activity.record(
        entries.map((entry) => ({
          projectId: this.id as ProjectId,
          authorId: this.owner.id,
          action: 'closed',
          target: { type: 'issue', id: 1, iid: 1, title: 'Leak' },
          push: null,
          comment: null,
          confidential: false,
          tellsOfCode: false,
          subjectId: null,
          createdAt: this.service.clock.now(),
          ...entry,
        })),
      ),
    );
  }
}
