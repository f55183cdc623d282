import { Invalid, NotPossible } from '../../domain/shared/domain-error.js';
import type { ProjectId, UserId } from '../../domain/shared/identifiers.js';
import type { MayReach } from '../../domain/shared/outbound-url.js';
import { readRemoteUrl } from '../../domain/shared/remote-url.js';
import type { SealedRemote } from '../repositories/ports/remotes.js';
import type { Permitted } from '../shared/permitted.js';
import type { Clock } from '../shared/ports/clock.js';
import type { SecretBox } from '../shared/ports/secrets.js';
import type { UnitOfWork } from '../shared/unit-of-work.js';
import type { PullMirrorRepository, PullSettings } from './ports/pull-mirror-ports.js';

export interface PullMirrorsNeed {
  readonly pullMirrors: PullMirrorRepository;
}

type Manager = Permitted<'manage_mirrors'>;

/** What a caller says of the repository that a project follows; what is absent stays as it is. */
export interface PullChanges extends Partial<PullSettings> {
  /** May carry a user name and a password. */
  readonly url?: string;
}

/** Notes that a project follows a repository elsewhere within the unit of work that makes the project. */
export type FollowElsewhere = (repositories: PullMirrorsNeed, projectId: ProjectId) => Promise<void>;

const PLAIN: PullSettings = {
  enabled: true,
  onlyProtectedBranches: false,
  overwritesDiverged: false,
  triggersBuilds: false,
};

/** Repositories elsewhere that projects follow, one each. User names and passwords are sealed and never shown again. */
export class PullMirrors {
  constructor(
    private readonly unitOfWork: UnitOfWork<PullMirrorsNeed>,
    private readonly secretBox: Pick<SecretBox, 'seal'>,
    private readonly mayReach: MayReach,
    private readonly clock: Clock,
    /** How often one is updated. */
    private readonly everyMs: number,
  ) {}

  /** Of a new project, whose first code is on its way by itself. @param field where a URL that is none is told of. @throws Invalid. */
  ofNew({ url, ...settings }: PullChanges & { readonly url: string }, userId: UserId, field: string): FollowElsewhere {
    const remote = this.#read(url, field);
    return async ({ pullMirrors }, projectId) => {
      const at = this.clock.now();
      const dueAt = new Date(at.getTime() + this.everyMs);
      await pullMirrors.put({ ...PLAIN, ...settings, projectId, userId, remote }, dueAt, at);
    };
  }

  /**
   * Begins to follow one, or changes how: from then on in the name of whoever says so, and at once.
   * @param field where a URL that is none is told of. @throws Invalid, where there is none yet, too.
   */
  async set(manager: Manager, changes: PullChanges, userId: UserId, field = 'url'): Promise<void> {
    await this.toSet(manager, changes, userId, field)();
  }

  /** The same for whoever has more to do before, which is not to be done where the URL is none. @throws as `set`. */
  toSet({ project }: Manager, changes: PullChanges, userId: UserId, field: string): () => Promise<void> {
    const { url, ...settings } = changes;
    const remote = url === undefined ? undefined : this.#read(url, field);
    return async () => {
      const at = this.clock.now();
      await this.unitOfWork.execute(async ({ pullMirrors }) => {
        const before = await pullMirrors.take(project.id);
        if (before === undefined && remote === undefined) throw new Invalid({ [field]: ["can't be blank"] });
        const { enabled, onlyProtectedBranches, overwritesDiverged, triggersBuilds } = before ?? PLAIN;
        const said = { enabled, onlyProtectedBranches, overwritesDiverged, triggersBuilds, ...settings };
        const mirror = { ...said, projectId: project.id, userId };
        await pullMirrors.put(remote === undefined ? mirror : { ...mirror, remote }, at, at);
      });
    };
  }

  async remove({ project }: Manager): Promise<void> {
    await this.unitOfWork.execute(({ pullMirrors }) => pullMirrors.remove(project.id));
  }

  /** Updates it as soon as may be, whatever was to be waited for. @throws NotPossible where there is none, or it is disabled. */
  async hurry({ project }: Manager): Promise<void> {
    const at = this.clock.now();
    await this.unitOfWork.execute(async ({ pullMirrors }) => {
      const mirror = await pullMirrors.take(project.id);
      if (mirror === undefined) throw new NotPossible('The project is not mirrored');
      if (!mirror.enabled) throw new NotPossible('The mirror is disabled');
      await pullMirrors.hurry(project.id, at);
    });
  }

  #read(text: string, field: string): SealedRemote {
    const remote = readRemoteUrl(text, this.mayReach);
    if (typeof remote === 'string') throw new Invalid({ [field]: [remote] });
    const { url, credentials } = remote;
    return { url, sealedCredentials: credentials === null ? null : this.secretBox.seal(JSON.stringify(credentials)) };
  }
}
